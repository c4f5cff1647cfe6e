"""The prompt box of the marketplace on the host page: from a sentence to a ticket in the sandbox app, and back."""

import re

import pytest
from playwright.sync_api import Locator, expect

from .product import Demo, Helpdesk, connect, control, requests_seen, tickets

SENTENCE = "create a ticket about the broken printer in project Office, high priority"


def open_box(helpdesk: Helpdesk) -> Locator:
    """Open the marketplace and return its prompt box."""
    helpdesk.press("show-apps")
    box = helpdesk.dialog.get_by_role("textbox", name="What do you want to do?")
    expect(box).to_be_visible()
    return box


def test_a_sentence_becomes_a_ticket(helpdesk: Helpdesk, demo: Demo) -> None:
    """By keys alone: the form is filled in from the sentence and says so, nothing is sent before, then there it is."""
    connect(demo)
    before = len(tickets(demo))
    open_box(helpdesk)
    keyboard, modal = helpdesk.page.keyboard, helpdesk.dialog
    keyboard.press("Tab")  # past Close
    keyboard.press("Tab")
    keyboard.type(SENTENCE)
    keyboard.press("Enter")

    expect(modal.get_by_role("heading", name="Create a ticket")).to_be_visible()
    expect(modal.get_by_label("Title (required)")).to_be_focused()
    expect(modal.get_by_label("Title (required)")).to_have_value("broken printer")
    expect(modal.get_by_text("Suggested from “broken printer”.")).to_be_visible()
    expect(modal.get_by_label("Priority")).to_have_value("high")
    expect(modal.get_by_text(f"You said: “{SENTENCE}”")).to_be_visible()
    assert [] == requests_seen(demo, "POST", "/api/v1/tickets")

    expect(modal.get_by_label("Project (required)")).to_have_value("Office")
    modal.get_by_label("Title (required)").press("Enter")
    expect(modal.get_by_text(re.compile(r"^Ticket \S+ created$"))).to_be_visible()
    expect(modal.get_by_role("definition").first).to_have_text("broken printer")
    expect(modal.get_by_role("button", name="Back to the apps")).to_be_focused()
    keyboard.press("Enter")
    expect(modal.get_by_role("textbox", name="What do you want to do?")).to_have_value("")

    ticket = tickets(demo)[before]
    assert ("broken printer", "office", "high") == (ticket["title"], ticket["project_id"], ticket["priority"])
    told = helpdesk.next_event("function-called")
    assert ("sandbox-create-ticket", "201") == (told["function"], told["result"]["network_code"])


@pytest.mark.parametrize("size", [(667, 360), (320, 256), (375, 553)], ids=["phone on its side", "enlarged", "phone"])
def test_a_form_can_be_sent_where_there_is_little_height(helpdesk: Helpdesk, demo: Demo, size: tuple[int, int]) -> None:
    """A wheel or a finger brings every field and the button that sends into sight, however much stands above them."""
    connect(demo)
    helpdesk.page.set_viewport_size({"width": size[0], "height": size[1]})
    box, form = open_box(helpdesk), helpdesk.dialog
    box.fill(SENTENCE)
    box.press("Enter")
    send = form.get_by_role("button", name="Create a ticket").last
    expect(form.get_by_label("Title (required)")).to_be_focused()

    place = form.bounding_box()
    helpdesk.page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] - 10)
    helpdesk.page.mouse.wheel(0, 5000)

    expect(send).to_be_in_viewport(ratio=1)


def test_what_is_typed_survives_what_happens_around_it(helpdesk: Helpdesk, demo: Demo) -> None:
    """Words and cursor stay; Shift and Enter begin a line; Enter that ends a composition sends nothing."""
    connect(demo)
    box = open_box(helpdesk)
    box.press_sequentially("create a tikcet")
    box.press("ArrowLeft")
    helpdesk.dialog.get_by_role("searchbox", name="Search apps").fill("sandbox")
    expect(helpdesk.dialog.get_by_role("listitem").filter(has_text="Tickets sandbox").first).to_be_visible()
    expect(box).to_have_value("create a tikcet")
    assert 14 == box.evaluate("element => element.selectionStart")

    helpdesk.dialog.get_by_role("button", name="Connected Tickets sandbox").click()
    window = helpdesk.open_window(helpdesk.dialog.get_by_role("menuitem", name="Add another account"))
    helpdesk.dialog.get_by_role("button", name="Cancel").click()
    expect(box).to_have_value("create a tikcet")
    window.close()

    box.fill("sing")
    box.press("Shift+Enter")
    box.press_sequentially("me")
    box.evaluate("""element => element.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, composed: true }))""")
    expect(box).to_have_value("sing\nme")
    nothing = helpdesk.dialog.get_by_role("status").filter(has_text="Nothing matches that.")
    expect(nothing).to_have_count(0)
    box.press("Enter")
    expect(nothing).to_be_visible()
    expect(box).to_have_value("sing\nme")


def test_a_file_that_an_app_answers_with_can_be_saved(helpdesk: Helpdesk, demo: Demo) -> None:
    """It comes as the app sent it, and under a name that says what it is."""
    connect(demo)
    content = "%PDF-1.7 not really"
    fault = {"path": "/api/v1/tickets", "fault": "answer", "status": 200, "content_type": "application/pdf"}
    control(demo, "/_faults", fault | {"content": content, "times": 5})
    box = open_box(helpdesk)
    box.fill("list my tickets")
    box.press("Enter")
    helpdesk.dialog.get_by_role("button", name="List tickets").last.click()
    with helpdesk.page.expect_download() as started:
        helpdesk.dialog.get_by_role("link", name="Download").click()

    assert content == started.value.path().read_text()
    assert "List tickets.pdf" == started.value.suggested_filename


def test_a_form_that_the_app_refused_is_mended(helpdesk: Helpdesk, demo: Demo) -> None:
    """By keys alone: back to what was typed, with the app's words for why, and then it is done."""
    connect(demo)
    why = '{"error": {"message": "No tickets on Sundays."}}'
    refusal = {"path": "/api/v1/tickets", "method": "POST", "fault": "answer", "status": 422}
    control(demo, "/_faults", refusal | {"content": why, "content_type": "application/json"})
    box, modal, keyboard = open_box(helpdesk), helpdesk.dialog, helpdesk.page.keyboard
    box.fill(SENTENCE)
    box.press("Enter")
    title = modal.get_by_label("Title (required)")
    title.fill("Fire")
    expect(modal.get_by_label("Project (required)")).to_have_value("Office")
    title.press("Enter")
    expect(modal.get_by_role("button", name="Back to the form")).to_be_focused()
    keyboard.press("Enter")

    expect(modal.get_by_role("alert")).to_contain_text(
        "Tickets sandbox returned an error (422). No tickets on Sundays."
    )
    expect(modal.get_by_role("alert")).to_be_focused()
    expect(title).to_have_value("Fire")
    expect(modal.get_by_label("Project (required)")).to_have_value("Office")
    title.press("Enter")
    expect(modal.get_by_text(re.compile(r"^Ticket \S+ created$"))).to_be_visible()
    assert ["Fire", "Fire"] == [each["body"]["title"] for each in requests_seen(demo, "POST", "/api/v1/tickets")]
