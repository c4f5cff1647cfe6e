"""Files in a form, in Chromium and with the real service: chosen on the device, uploaded, handed over by their id."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from .conftest import OpenPage, Troubles, policy_of
from .product import Demo, connect

PDF = b"%PDF-1.7 the contract" * 1000


@pytest.fixture(autouse=True)
def function_with_a_file(profile: BrowserContext, demo: Demo, troubles: Troubles) -> None:
    """A function of the sandbox app takes a file, as far as the page knows; the user has an account there."""
    connect(demo)
    troubles.expect("503")

    def add_file(route: Route) -> None:
        answer = route.fetch()
        described = answer.json()
        described["parameters"] = {
            "type": "object",
            "required": ["title"],
            "properties": {
                "title": {"type": "string"},
                "contract": {"type": "string", "format": "file", "title": "Contract"},
            },
        }
        route.fulfill(response=answer, body=json.dumps(described))

    profile.route(re.compile(r"/functions/sandbox-create-ticket(\?.*)?$"), add_file)
    # What the service draws first is drawn from its own description; that it draws nothing is no failure.
    profile.route("**/first_screens", lambda route: route.fulfill(status=503, body="{}"))


def test_a_chosen_file_reaches_the_service(open_page: OpenPage, demo: Demo, tmp_path: Path) -> None:
    """Under the strictest policy: the file is uploaded once chosen, and its id, handed over, leads to its content."""
    file = tmp_path / "Contract Orsini.pdf"
    file.write_bytes(PDF)
    page = open_page(policy=policy_of(demo))
    page.evaluate("""() => {
      window.sdk = new ServiceJS({ ...options, locale: "en" });
      window.outcome = sdk.showFunctionUI("sandbox-create-ticket", { title: "Sign" });
    }""")
    form = page.get_by_role("dialog")
    form.get_by_label("Contract", exact=True).set_input_files(file)
    expect(form.get_by_text("Contract Orsini.pdf", exact=True)).to_be_visible()
    expect(form.get_by_text("21 KB")).to_be_visible()
    remove = form.get_by_role("button", name=re.compile("Remove.*Contract Orsini.pdf"))
    expect(remove).to_be_focused()

    form.get_by_role("button", name="Create").click()
    filled = page.evaluate("outcome")
    with demo.client() as client:
        kept = client.files.download(filled["contract"])
    assert (PDF, "Contract Orsini.pdf") == (kept.content, kept.name)


def test_a_file_that_is_too_large_is_refused_in_words(open_page: OpenPage, tmp_path: Path) -> None:
    """The service's own limit is what the field says, and another file can be chosen."""
    file = tmp_path / "film.mov"
    with file.open("wb") as stream:
        stream.truncate(30 * 2**20)
    page = open_page()
    page.evaluate("""() => {
      window.sdk = new ServiceJS({ ...options, locale: "en" });
      sdk.showFunctionUI("sandbox-create-ticket", { title: "Film" }).catch(() => {});
    }""")
    form = page.get_by_role("dialog")
    form.get_by_label("Contract", exact=True).set_input_files(file)
    expect(
        form.get_by_text(re.compile("“film.mov” could not be uploaded. The file is larger than 25 MiB."))
    ).to_be_visible()
    expect(form.get_by_label("Contract", exact=True)).to_be_visible()
