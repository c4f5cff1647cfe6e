"""What works before Python is there: drawn by the service, taken over by the worker without anything being lost."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from .conftest import HeldBack, OpenPage, Troubles, error_of, let_python_come
from .product import Demo, allow_access, connect

APPS = "sdk.showApps()"
FORM = "sdk.showFunctionUI('sandbox-create-ticket', {})"
MARK = "node => { node.mark = 'the same' }"


@pytest.fixture
def asked(profile: BrowserContext, demo: Demo) -> list[str]:
    """What the test's pages ask of the API."""
    asked: list[str] = []
    others = ("/servicejs/", "/icons/", "/connect/", "/assets/")

    def add(request: Request) -> None:
        path = request.url.removeprefix(demo.base_url)
        if path != request.url and request.method != "OPTIONS" and not path.startswith(others):
            asked.append(f"{request.method} {path}")

    profile.on("request", add)
    return asked


def begin(page: Page, call: str) -> None:
    """Call something that shows a dialog, and keep what comes of it in `outcome`."""
    page.evaluate(f"""() => {{
      window.heard = [];
      window.sdk = new ServiceJS(options);
      for (const event of ["ready", "error"]) sdk.eventEmitter.on(event, () => heard.push(event));
      window.outcome = {call}.then((value) => value ?? "done", ({{ code }}) => code);
    }}""")


def test_the_marketplace_works_before_python(
    open_page: OpenPage, python: HeldBack, asked: list[str], troubles: Troubles
) -> None:
    """Apps stand there, a search narrows them, and what was typed is what Python goes on from, without asking again."""
    page = open_page()
    begin(page, APPS)
    search, sandbox = page.get_by_role("searchbox"), page.get_by_role("heading", name="Tickets sandbox")
    expect(sandbox).to_be_visible()
    assert "done" == page.evaluate("outcome")
    search.press_sequentially("air")
    expect(sandbox).to_be_hidden()
    expect(page.get_by_role("heading", name="Airtable")).to_be_visible()
    search.evaluate(MARK)

    let_python_come(page, python)

    expect(sandbox).to_have_count(0)
    expect(search).to_be_focused()
    assert "the same" == search.evaluate("node => node.mark")
    assert "air" == search.input_value()
    page.keyboard.type("x")
    expect(page.get_by_text("No app matches “airx”.")).to_be_visible()
    assert ["POST /first_screens", "GET /functions/sandbox-create-ticket?include=meta"] == asked
    assert ["ready"] == page.evaluate("heard")


def test_a_menu_works_before_python(open_page: OpenPage, python: HeldBack, demo: Demo) -> None:
    """It opens, closes, and has windows opened and called off; what waits for Python is done by it then."""
    connect(demo, "bob")
    page = open_page()
    begin(page, APPS)
    page.get_by_role("searchbox").fill("tickets")
    button = page.get_by_role("button", name="Connected Tickets sandbox")
    button.click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    for call_off in (page.get_by_role("button", name="Cancel").click, lambda: page.keyboard.press("Escape")):
        button.click()
        with page.expect_popup() as opened:
            page.get_by_role("menuitem", name="Add another account").click()
        expect(opened.value.get_by_role("button", name="Cancel")).to_be_visible()
        expect(page.get_by_role("button", name="Open again")).to_be_visible()
        with opened.value.expect_event("close"):
            call_off()
            expect(button).to_be_focused()
        assert "tickets" == page.get_by_role("searchbox").input_value()
    button.press("ArrowDown")
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    expect(page.get_by_text("One moment.")).to_be_visible()

    let_python_come(page, python)

    expect(page.get_by_role("button", name="Keep")).to_be_focused()
    expect(page.get_by_text("One moment.")).to_have_count(0)
    expect(page.locator("#apps h3")).to_have_count(1)


def test_connect_app_works_before_python(open_page: OpenPage, python: HeldBack, asked: list[str]) -> None:
    """`connectApp` gets to the app at once; Python waits for its end, and the call resolves with the account."""
    page = open_page('<button id="go" onclick="window.outcome = sdk.connectApp(\'sandbox\')">Go</button>')
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    with page.expect_popup() as opened:
        page.locator("#go").click()
    with opened.value.expect_event("close"):
        allow_access(opened.value)

    let_python_come(page, python)

    assert page.evaluate("outcome").isdigit()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert 1 == asked.count("POST /first_screens")
    assert not [each for each in asked if each.startswith("POST /apps")]


def test_a_form_is_filled_in_before_python(open_page: OpenPage, python: HeldBack, demo: Demo, asked: list[str]) -> None:
    """What is typed stays, also while Python comes, and a button that was pressed does its work then."""
    connect(demo, "bob")
    page = open_page()
    begin(page, FORM)
    title = page.get_by_label("Title (required)")
    title.press_sequentially("Broken")
    title.evaluate(MARK)
    page.get_by_role("button", name="Show the request").click()
    expect(page.get_by_text("One moment. This will happen as soon as everything has loaded.")).to_be_visible()
    title.focus()

    let_python_come(page, python)

    expect(page.get_by_label("Request")).to_contain_text('"title": "Broken"')
    expect(title).to_be_focused()
    title.press_sequentially(" printer")
    assert ("the same", "Broken printer") == (title.evaluate("node => node.mark"), title.input_value())
    expect(page.get_by_text("One moment.")).to_have_count(0)
    page.keyboard.press("Escape")
    assert "cancelled" == page.evaluate("outcome")
    assert 1 == asked.count("POST /first_screens")
    assert "GET /apps/sandbox" not in asked


def test_a_list_is_opened_before_python(open_page: OpenPage, python: HeldBack, demo: Demo) -> None:
    """A combobox opens, says what it waits for and keeps what is typed; the list comes with Python, in its place."""
    connect(demo, "bob")
    page = open_page()
    begin(page, FORM)
    project = page.get_by_role("combobox", name="Project (required)")
    project.click()
    expect(page.get_by_text("Loading choices…").filter(visible=True)).to_have_count(1)
    project.press_sequentially("rese")
    project.press("Enter")
    project.evaluate(MARK)

    let_python_come(page, python)

    expect(project).to_have_value("Research")
    expect(project).to_be_focused()
    assert "the same" == project.evaluate("node => node.mark")
    expect(page.get_by_label("Hypothesis (required)")).to_be_visible()


def test_wrong_credentials_are_told_before_python(open_page: OpenPage, python: HeldBack, troubles: Troubles) -> None:
    """A call whose credentials the service refuses rejects at once, with the service's own words."""
    troubles.expect("401")
    page = open_page(hash="0" * 64)
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")

    error = error_of(page, APPS)

    assert ("unauthenticated", 401, True) == (error["code"], error["status"], error["isServiceError"])
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_start_that_stalls_says_so_above_what_is_drawn(open_page: OpenPage, python: HeldBack) -> None:
    """The service has answered, the bundle doesn't come: words and a way to try again, and the list goes on working."""
    page = open_page()
    page.clock.install()
    begin(page, APPS)
    sandbox = page.get_by_role("heading", name="Tickets sandbox")
    expect(sandbox).to_be_visible()
    page.get_by_role("searchbox").fill("tickets")
    page.clock.fast_forward(10_000)
    expect(page.get_by_role("alert")).to_contain_text("This is taking longer than it should.")
    expect(sandbox).to_be_visible()
    page.clock.fast_forward(60_000)
    expect(page.get_by_role("alert")).to_be_visible()
    python.let_through()

    page.get_by_role("button", name="Try again").click()
    page.evaluate("sdk.getFunction('sandbox-create-ticket')")

    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#apps h3")).to_have_count(1)
    assert "tickets" == page.get_by_role("searchbox").input_value()


def test_a_bundle_that_is_missing_is_told_above_what_is_drawn(
    open_page: OpenPage, profile: BrowserContext, troubles: Troubles
) -> None:
    """The service draws, but its files can't be had: what is drawn stays with what was typed, and can go on later."""
    troubles.expect(
        "Failed to load resource", "net::ERR", "Failed to fetch", "could not be fetched", "starts more slowly"
    )
    files = re.compile(r"/servicejs/v1/(snapshot|python|pyodide|plain_boot)\.")
    profile.route(files, lambda route: route.abort("connectionrefused"))
    page = open_page()
    begin(page, APPS)
    page.get_by_role("searchbox").fill("tickets")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Part of this could not be loaded.")
    assert ["error"] == page.evaluate("heard")
    profile.unroute(files)

    alert.get_by_role("button", name="Try again").click()

    page.evaluate("sdk.getFunction('sandbox-create-ticket')")
    expect(alert).to_have_count(0)
    expect(page.get_by_role("heading", name="Airtable")).to_have_count(0)
    assert "tickets" == page.get_by_role("searchbox").input_value()


def test_escape_keeps_a_draft_that_the_worker_has_not_painted_yet(open_page: OpenPage, demo: Demo) -> None:
    """The worker has the call but has painted nothing yet: Escape leaves the form, and the draft as it is."""
    connect(demo, "bob")
    page = open_page()
    page.evaluate("""() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, ...more) {
        if (String(message).includes('"showFunctionUI"')) window.handedOver = true;
        else postMessage.call(this, message, ...more);
      };
      const key = `servicejs:${options.appKey}:${options.userId}:sandbox-create-ticket`;
      sessionStorage.setItem(key, JSON.stringify({ given: {}, filled: { title: "Half a sen" } }));
    }""")
    begin(page, FORM)
    title = page.get_by_role("dialog").get_by_label("Title")
    expect(title).to_have_value("Half a sen")
    page.wait_for_function("window.handedOver")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert 1 == page.evaluate("sessionStorage.length")
    assert "cancelled" == page.evaluate("outcome")
