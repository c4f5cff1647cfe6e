"""The code of the README and the page on embedding does what they say, in a browser and in a backend."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.comboboxes import choose
from tests.docs.code_blocks import CodeBlock, code_block, code_blocks

from .conftest import OpenPage
from .product import Demo, allow_access, connect
from .test_embedding_modules import bundled

SERVICE = "https://functions.example.com"
IN_A_BROWSER = {
    ("README.md", "html", "showFunctionUI"),
    ("docs/embedding.md", "html", "script src="),
    ("docs/embedding.md", "html", 'type="module"'),
    ("docs/embedding.md", "html", "preload"),
    ("docs/embedding.md", "html", "<iframe"),
    ("docs/embedding.md", "js", "integration-functions-servicejs"),
    ("docs/embedding.md", "js", "sdk.predict"),
    ("docs/embedding.md", "js", "sdk.getChoices"),
    ("docs/embedding.md", "js", "priorityButtons"),
    ("docs/embedding.md", "css", "::part"),
}
ELSEWHERE = {
    ("README.md", "python", "Client("),
    ("docs/embedding.md", "python", "micropip"),  # test_embedding_pyodide.py
    ("docs/embedding.md", "js", "lockFileURL"),  # the same
}


def of_here(block: CodeBlock, demo: Demo) -> str:
    """The code with the service where it is in this test."""
    return block.text.replace(SERVICE, demo.base_url)


def open_with(profile: BrowserContext, demo: Demo, html: str) -> Page:
    """Open a page of the host's origin whose backend gives the credentials as the documentation's does."""
    profile.route(f"{demo.host_url}/service-credentials", lambda route: route.fulfill(json=demo.credentials()))
    document = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><body>{html}'
    profile.route(f"{demo.host_url}/documented", lambda route: route.fulfill(body=document, content_type="text/html"))
    page = profile.new_page()
    page.goto(f"{demo.host_url}/documented")
    return page


def test_all_code_for_browsers_is_here() -> None:
    """No piece of code stands in the documentation that nothing runs."""
    for block in code_blocks("html", "js", "css", "python"):
        known = [each for each in IN_A_BROWSER | ELSEWHERE if each[:2] == (block.page, block.language)]
        assert any(part in block.text for _, _, part in known), block


def test_the_module(profile: BrowserContext, demo: Demo) -> None:
    """Imported as a module, it shows the marketplace."""
    page = open_with(profile, demo, of_here(code_block("docs/embedding.md", "html", 'type="module"'), demo))

    expect(page.get_by_role("button", name="Connect Tickets")).to_be_visible()


def test_fetching_it_early(profile: BrowserContext, demo: Demo) -> None:
    """A page that only asks for the SDK to be fetched has the browser fetch it."""
    with profile.expect_event("requestfinished", lambda request: "/servicejs/v1/snapshot." in request.url):
        open_with(profile, demo, of_here(code_block("docs/embedding.md", "html", "preload"), demo))


def test_the_package_for_bundlers(profile: BrowserContext, demo: Demo, tmp_path: Path) -> None:
    """Bundled by esbuild with the package of the service, the marketplace is shown."""
    script = tmp_path / "main.js"
    script.write_text(of_here(code_block("docs/embedding.md", "js", 'from "integration'), demo))
    page = open_with(profile, demo, f'<script type="module">{bundled(script, tmp_path)}</script>')

    expect(page.get_by_role("button", name="Connect Tickets")).to_be_visible()


def test_a_prompt_box_of_ones_own(open_page: OpenPage) -> None:
    """The lines on predict open what was predicted, or ask for other words."""
    page = open_page()
    page.evaluate(
        """code => {
          const Lines = (async () => {}).constructor;
          const askForOtherWords = () => document.body.append("other words");
          new Lines("sdk", "askForOtherWords", code)(new ServiceJS(options), askForOtherWords).catch(() => {});
        }""",
        code_block("docs/embedding.md", "js", "sdk.predict").text,
    )

    expect(page.get_by_role("button", name=re.compile("^Connect "))).to_be_visible()


def test_a_form_of_ones_own(open_page: OpenPage, demo: Demo) -> None:
    """A page draws the fields and lists the choices itself, and calls with what was chosen."""
    connect(demo)
    code = code_block("docs/embedding.md", "js", "sdk.getChoices").text
    page = open_page()
    page.evaluate(f"""async () => {{
      const sdk = new ServiceJS(options);
      const drawn = {{}};
      const drawField = (path, {{ title }}, isRequired) => {{ drawn[path] = [title, isRequired]; }};
      {code}
      window.drawn = drawn;
      window.called = [choices, cursor, result.network_code];
      window.outcome = result.outcome;
    }}""")

    drawn = page.evaluate("drawn")
    assert (["Project", True], ["Title", True]) == (drawn["project_id"], drawn["title"])
    assert [[{"value": "office", "label": "Office"}], "", "201"] == page.evaluate("called")
    assert re.fullmatch(r"Ticket \S+ created", page.evaluate("outcome.title"))
    assert {"title": "Title", "value": "Broken printer"} in page.evaluate("outcome.facts")


def test_the_look(profile: BrowserContext, demo: Demo) -> None:
    """By a script tag the marketplace is shown, and the page's style sheet reaches into it."""
    css = code_block("docs/embedding.md", "css", "::part").text
    shown = of_here(code_block("docs/embedding.md", "html", "script src="), demo)
    page = open_with(profile, demo, f"<style>{css}</style>{shown}")

    expect(page.get_by_role("button", name="Connect Tickets")).to_be_visible()
    color = "getComputedStyle(document.querySelector('[data-servicejs]')).getPropertyValue('--ifs-color-accent')"
    assert "#7a3ff2" == page.evaluate(color)


def test_the_readme(
    profile: BrowserContext, demo: Demo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a page its form calls the function once it is filled in; its backend creates another ticket and lists all."""
    said: list[str] = []
    profile.on("console", lambda message: said.append(message.text) if message.type == "log" else None)
    page = open_with(profile, demo, of_here(code_block("README.md", "html", "showFunctionUI"), demo))
    with page.expect_popup() as popup:
        page.get_by_role("button", name="Connect Tickets").click()
    allow_access(popup.value)
    choose(page, "Project (required)", "Office")
    expect(page.get_by_text("There are no fields to fill in.")).to_be_visible()
    with page.expect_console_message(lambda message: "The app answered" in message.text):
        page.get_by_role("button", name="Create a ticket").click()
    assert ["Tickets sandbox is connected", "The app answered 201"] == said

    code = of_here(code_block("README.md", "python", "Client("), demo).replace('"user-1"', repr(demo.user_id))
    monkeypatch.setenv("APP_KEY", demo.app_key)
    monkeypatch.setenv("APP_SECRET", demo.app_secret)
    exec(code, {})  # noqa: S102  the documentation's own code

    assert capsys.readouterr().out.splitlines().count("Printer on fire") >= 2
