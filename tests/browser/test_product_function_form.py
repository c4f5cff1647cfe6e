"""Creating a ticket by the function form: from the first look at it to the ticket in the third-party app."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.comboboxes import add_choice, choose

from .conftest import OpenPage
from .product import Demo, Helpdesk, connect, requests_seen, tickets

TITLE = "The checkout button does <b>nothing</b> & more"


def answer(form: Locator, group: str, answer: str) -> None:
    """Press one of the buttons of a truth value."""
    segment = form.get_by_role("group", name=group).locator("label").filter(has_text=re.compile(f"^{answer}$"))
    segment.click()
    expect(segment.get_by_role("radio")).to_be_checked()


def test_everything_filled_in_arrives(helpdesk: Helpdesk, demo: Demo) -> None:
    """Text, choice, truth value, list, date and the project's own fields reach the app with their types."""
    connect(demo)
    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill(TITLE)
    choose(form, "Project (required)", "Website")
    expect(form.get_by_label("Severity (required)")).to_be_visible()
    form.get_by_label("Description", exact=True).fill("First line\nSecond line")
    answer(form, "Urgent", "Yes")
    add_choice(form, "Labels", "bug")
    add_choice(form, "Labels", "checkout")
    choose(form, "Assignee", "Carla Costa")
    form.get_by_label("Due date").fill("2030-02-28")
    form.get_by_label("Severity (required)").select_option("high")
    form.get_by_label("Page views affected").fill("1200")
    answer(form, "Reproducible", "No")
    form.get_by_role("button", name="Create a ticket").dblclick()  # twice is once

    state, result = helpdesk.outcome("create-ticket")
    assert ("done", "201") == (state, result["network_code"]), result
    sent = {
        "title": TITLE,
        "project_id": "website",
        "description": "First line\nSecond line",
        "urgent": True,
        "labels": ["bug", "checkout"],
        "assignee_id": "u-carla",
        "due_date": "2030-02-28",
        "fields": {"severity": "high", "page_views": 1200, "reproducible": False},
    }
    stored = tickets(demo)[-1]
    assert sent == {name: stored[name] for name in sent}
    assert stored == result["output"]
    assert [sent] == [request["body"] for request in requests_seen(demo, "POST", "/api/v1/tickets")]
    expect(helpdesk.dialog).to_have_count(0)


def test_a_form_stands_in_an_element_of_the_page(open_page: OpenPage, demo: Demo) -> None:
    """Inline, the form takes its element's width and no focus, goes on as ever, and leaves the element empty."""
    connect(demo, "bob")
    page: Page = open_page('<input id="own" aria-label="Own"><div id="place" style="max-width: 30rem"></div>')
    page.set_viewport_size({"width": 390, "height": 700})
    page.get_by_label("Own").focus()
    page.evaluate("""() => {
      const inline = { renderMode: ServiceJS.MarketplaceRenderModes.INLINE, containerId: "place" };
      const given = ["sandbox-create-ticket", { title: "Here" }, undefined, inline];
      window.filled = new ServiceJS(options).showFunctionUI(...given);
    }""")
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


def test_escape_keeps_what_was_typed(helpdesk: Helpdesk, demo: Demo) -> None:
    """To the last letter, and without a reload; Cancel and Start over take it away."""
    connect(demo, "bob")
    keyboard = helpdesk.page.keyboard
    form = helpdesk.open_form()
    title = form.get_by_label("Title (required)")
    title.fill("")
    title.press_sequentially("Half a sen")
    keyboard.press("Escape")
    expect(form).to_have_count(0)

    helpdesk.open_form()
    expect(title).to_have_value("Half a sen")
    expect(form.get_by_text("What you filled in before is back.")).to_be_visible()
    form.get_by_role("button", name="Start over").click()
    expect(title).not_to_have_value("Half a sen")
    title.fill("Other words")
    form.get_by_role("button", name="Cancel").click()
    expect(form).to_have_count(0)

    helpdesk.open_form()
    expect(title).not_to_have_value("Other words")


def test_half_a_date_is_not_left_out(helpdesk: Helpdesk, demo: Demo) -> None:
    """The browser says that there is more to type, and nothing is sent before."""
    connect(demo, "bob")
    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill("Due")
    choose(form, "Project (required)", "Hardware")
    form.get_by_label("Serial number (required)").fill("SN-1")
    due = form.get_by_label("Due date")
    due.press("0")
    due.press("2")
    form.get_by_label("Title (required)").press("Enter")

    expect(due).to_be_focused()
    expect(form).to_be_visible()
    due.fill("2030-02-28")
    form.get_by_role("button", name="Create a ticket").click()
    assert "done" == helpdesk.outcome("create-ticket")[0]
    assert ["2030-02-28"] == [each["body"]["due_date"] for each in requests_seen(demo, "POST", "/api/v1/tickets")]
