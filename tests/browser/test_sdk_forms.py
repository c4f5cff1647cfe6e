"""Function forms in a real browser, up to the call."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.comboboxes import choose

from .conftest import Demo, OpenPage, allow_access
from .test_sdk_first_screen import connect


@pytest.fixture
def connected_page(profile: BrowserContext, host_page: Page) -> Page:
    """The host page, with one account of the sandbox app."""
    with profile.expect_page() as opened:
        host_page.get_by_role("button", name="Connect Tickets", exact=True).click()
    allow_access(opened.value)
    expect(host_page.locator("#result")).to_have_attribute("data-state", "done")
    return host_page


def test_a_form_is_filled_in_and_called(connected_page: Page, demo: Demo) -> None:
    """Choices come from the account, what was filled in is what is sent, and the app's answer comes back."""
    page = connected_page
    page.get_by_role("button", name="Create ticket").click()
    form = page.get_by_role("dialog")
    choose(form, "Project (required)", "Website")
    form.get_by_label("Title").fill("The door squeaks")
    form.get_by_label("Severity (required)").select_option(index=1)
    form.get_by_role("button", name="Create").click()

    expect(page.locator("#result")).to_contain_text("Answered with 201")
    expect(page.locator("#result")).to_contain_text("The door squeaks")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_form_stands_in_an_element_of_the_page(open_page: OpenPage, demo: Demo, width: int) -> None:
    """Inline, the form takes its element's width and no focus, goes on as ever, and leaves the element empty."""
    connect(demo)
    page = open_page('<input id="own" aria-label="Own"><div id="place" style="max-width: 30rem"></div>')
    page.set_viewport_size({"width": width, "height": 700})
    page.get_by_label("Own").focus()
    page.evaluate(
        """() => {
          const inline = { renderMode: ServiceJS.MarketplaceRenderModes.INLINE, containerId: "place" };
          const given = ["sandbox-create-ticket", { title: "Here" }, undefined, inline];
          window.filled = new ServiceJS(options).showFunctionUI(...given);
        }"""
    )
    form = page.locator("#place")
    expect(form.get_by_label("Title (required)")).to_have_value("Here")
    expect(page.get_by_label("Own")).to_be_focused()
    expect(page.get_by_role("dialog")).to_have_count(0)
    choose(form, "Project (required)", "Hardware")
    form.get_by_label("Serial number (required)").fill("SN-1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    form.get_by_role("button", name="Create a ticket").click()

    filled = {"title": "Here", "project_id": "hardware", "fields": {"serial_number": "SN-1"}}
    assert filled == page.evaluate("filled")
    expect(page.locator("[data-servicejs]")).to_have_count(0)


def test_pressing_twice_calls_once(connected_page: Page) -> None:
    """A double click on the form's button is one result for the host page, and one call."""
    page = connected_page
    calls: list[str] = []
    page.context.on("request", lambda each: calls.append(each.method) if "/sandbox-create-ticket" in each.url else None)
    page.get_by_role("button", name="Create ticket").click()
    form = page.get_by_role("dialog")
    choose(form, "Project (required)", "Website")
    form.get_by_label("Title").fill("Only once")
    form.get_by_label("Severity (required)").select_option(index=1)
    form.get_by_role("button", name="Create").dblclick()

    expect(page.locator("#result")).to_contain_text("Answered with 201")
    assert 1 == calls.count("POST")


def test_what_is_missing_is_said_at_the_field(connected_page: Page) -> None:
    """Submitting an incomplete form sends nothing, and the focus goes to what is wrong."""
    page = connected_page
    page.get_by_role("button", name="Create ticket").click()
    form = page.get_by_role("dialog")
    expect(form.get_by_label("Title")).to_be_visible()
    form.get_by_role("button", name="Create").click()

    expect(form.locator("[aria-invalid=true]").first).to_be_focused()
    expect(form.get_by_role("alert").first).to_be_visible()


def test_typing_is_never_lost_to_a_repaint(connected_page: Page) -> None:
    """Fast typing, with choices arriving meanwhile, ends in the very text, with the caret at its end."""
    page = connected_page
    page.get_by_role("button", name="Create ticket").click()
    form = page.get_by_role("dialog")
    title = form.get_by_label("Title")
    title.click()
    text = "A long title that is typed at speed while choices load, with ümlauts"

    page.keyboard.type(text, delay=5)

    expect(title).to_have_value(text)
    expect(title).to_be_focused()
    assert len(text) == title.evaluate("element => element.selectionStart")


def test_connecting_comes_first(profile: BrowserContext, host_page: Page) -> None:
    """Without an account the form's place offers to connect, and the form follows."""
    host_page.get_by_role("button", name="Create ticket").click()
    dialog = host_page.get_by_role("dialog")
    with profile.expect_page() as opened:
        dialog.get_by_role("button", name="Connect Tickets sandbox").click()
    allow_access(opened.value)

    expect(dialog.get_by_label("Title")).to_be_visible()
    host_page.keyboard.press("Escape")
    expect(host_page.locator("#result")).to_contain_text('"code": "cancelled"')


def test_calls_answer_with_results_and_refusals(open_page: OpenPage) -> None:
    """invokeFunction resolves with the refusal of a call that cannot be executed."""
    page = open_page()

    result = page.evaluate("new ServiceJS(options).invokeFunction('sandbox-list-tickets', {})")

    assert ["not_connected"] == [detail["code"] for detail in result["error_details"]]
    assert "connect" == result["error_details"][0]["action"]
