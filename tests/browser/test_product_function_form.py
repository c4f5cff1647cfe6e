"""Creating a ticket by the function form: from the first look at it to the ticket in the third-party app."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.conftest import Demo, Troubles
from tests.browser.product import Helpdesk, control, requests_seen, start_over, tickets
from tests.comboboxes import add_choice, choose

pytestmark = pytest.mark.browser

TITLE = "The checkout button does <b>nothing</b> & more"


@pytest.fixture
def helpdesk(profile: BrowserContext, demo: Demo) -> Helpdesk:
    """The host page, with Alice's account connected and the sandbox app as it started."""
    start_over(demo)
    helpdesk = Helpdesk.open(profile, demo)
    helpdesk.connect("alice")
    return helpdesk


def choose_project(form: Locator, name: str, field: str) -> None:
    """Choose a project, and wait for one of its own fields."""
    choose(form, "Project (required)", name)
    expect(form.get_by_label(field)).to_be_visible()


def choose_project_without_fields(form: Locator) -> None:
    """Choose the project that has no fields of its own, and wait until the form says so."""
    choose(form, "Project (required)", "Documentation")
    expect(form.get_by_text("There are no fields to fill in.")).to_be_visible()


def submit(form: Locator) -> None:
    """Press the button that names what will be done."""
    form.get_by_role("button", name="Create a ticket").click()


def ticket_of(helpdesk: Helpdesk) -> dict[str, Any]:
    """The ticket that the page shows as the result."""
    state, result = helpdesk.outcome("create-ticket")
    assert ("done", "201") == (state, result["network_code"]), result
    ticket: dict[str, Any] = result["output"]
    return ticket


def answer(form: Locator, group: str, answer: str) -> None:
    """Press one of the buttons of a truth value."""
    segment = form.get_by_role("group", name=group).locator("label").filter(has_text=re.compile(f"^{answer}$"))
    segment.click()
    expect(segment.get_by_role("radio")).to_be_checked()


def test_everything_filled_in_arrives(helpdesk: Helpdesk, demo: Demo) -> None:
    """Text, choice, truth value, list, date and the project's own fields reach the app with their types."""
    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill(TITLE)
    choose_project(form, "Website", "Severity (required)")
    form.get_by_label("Description", exact=True).fill("First line\nSecond line")
    answer(form, "Urgent", "Yes")
    add_choice(form, "Labels", "bug")
    add_choice(form, "Labels", "checkout")
    choose(form, "Assignee", "Carla Costa")
    form.get_by_label("Due date").fill("2030-02-28")
    form.get_by_label("Severity (required)").select_option("high")
    form.get_by_label("Page views affected").fill("1200")
    answer(form, "Reproducible", "No")
    submit(form)

    shown = ticket_of(helpdesk)
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
    assert stored == shown
    assert [sent] == [request["body"] for request in requests_seen(demo, "POST", "/api/v1/tickets")]
    expect(helpdesk.dialog).to_have_count(0)


def test_what_is_left_out_is_not_sent(helpdesk: Helpdesk, demo: Demo) -> None:
    """Optional fields that nobody filled in are absent from the call, not empty."""
    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill("Short")
    choose_project_without_fields(form)
    submit(form)

    ticket_of(helpdesk)
    (request,) = requests_seen(demo, "POST", "/api/v1/tickets")
    assert {"title": "Short", "project_id": "documentation"} == {
        name: value for name, value in request["body"].items() if name != "fields"
    }
    assert not request["body"].get("fields")


def test_problems_stand_at_their_fields(helpdesk: Helpdesk, demo: Demo) -> None:
    """What is missing or of the wrong type is said at its field, which gets the focus; nothing is sent or lost."""
    form = helpdesk.open_form()
    title, views = form.get_by_label("Title (required)"), form.get_by_label("Page views affected")
    choose_project(form, "Website", "Severity (required)")
    views.fill("many")
    submit(form)

    expect(title).to_be_focused()
    for field, words in (
        (title, "Enter Title."),
        (form.get_by_label("Severity (required)"), "Severity"),
        (views, "number"),
    ):
        expect(field).to_have_attribute("aria-invalid", "true")
        described = (field.get_attribute("aria-describedby") or "").split()
        expect(form.locator(f'[id="{described[-1]}"]')).to_contain_text(words)
    expect(form.get_by_role("alert")).to_contain_text("3 things need your attention.")
    expect(views).to_have_value("many")
    assert [] == requests_seen(demo, "POST", "/api/v1/tickets")

    title.fill("Put right")
    form.get_by_label("Severity (required)").select_option("low")
    submit(form)
    expect(views).to_be_focused()
    views.fill("12.5")
    submit(form)
    assert {"severity": "low", "page_views": 12.5} == ticket_of(helpdesk)["fields"]


def test_another_project_brings_its_own_fields(helpdesk: Helpdesk, demo: Demo) -> None:
    """The custom fields follow the project, the rest of the form stays as it was, and only the last ones are sent."""
    form = helpdesk.open_form()
    expect(form.get_by_text("Choose Project first")).to_be_visible()
    form.get_by_label("Title (required)").fill("Moves")
    choose_project(form, "Website", "Severity (required)")
    form.get_by_label("Severity (required)").select_option("high")
    choose_project(form, "Billing", "Invoice number (required)")
    expect(form.get_by_label("Severity (required)")).to_have_count(0)
    form.get_by_label("Invoice number (required)").fill("R-17")
    form.get_by_label("Amount (required)").fill("99.90")
    expect(form.get_by_label("Title (required)")).to_have_value("Moves")
    submit(form)

    ticket = ticket_of(helpdesk)
    assert ("Moves", "billing") == (ticket["title"], ticket["project_id"])
    assert {"invoice_number": "R-17", "amount": 99.9} == ticket["fields"]


def test_choices_that_fail_can_be_asked_again(helpdesk: Helpdesk, demo: Demo) -> None:
    """When the app fails to list the choices the field says so and offers Retry; the form goes on."""
    fault = {"path": "/api/v1/projects", "fault": "server_error", "times": 10}
    control(demo, "/_faults", fault)
    form = helpdesk.open_form()
    retry = form.get_by_role("button", name="Retry : Project")
    expect(retry).to_be_visible()
    control(demo, "/_reset", {"parts": ["faults"]})
    retry.click()

    choose_project(form, "Website", "Severity (required)")


def test_the_chosen_account_gives_the_choices_and_gets_the_call(helpdesk: Helpdesk, demo: Demo) -> None:
    """With several accounts the form asks which; its projects fill the list, and the call goes to it."""
    helpdesk.connect_by_key(demo, "bob")
    form = helpdesk.open_form()
    expect(form.get_by_label("Project (required)")).to_have_attribute("placeholder", "Choose an account first")
    form.get_by_label("Account (required)").select_option("Bob Berger (Globex)")
    choose_project(form, "Hardware", "Serial number (required)")
    form.get_by_label("Title (required)").fill("For Bob")
    form.get_by_label("Serial number (required)").fill("SN-1")
    submit(form)

    assert "u-bob" == ticket_of(helpdesk)["created_by"]["id"]
    assert "For Bob" == tickets(demo, "bob")[-1]["title"]
    assert "For Bob" not in [ticket["title"] for ticket in tickets(demo, "alice")]


def test_giving_up_sends_nothing(helpdesk: Helpdesk, demo: Demo) -> None:
    """Escape and Cancel close the form, give the focus back, and reject with `cancelled`."""
    for give_up in ("Escape", "Cancel"):
        form = helpdesk.open_form()
        if give_up == "Escape":
            helpdesk.page.keyboard.press("Escape")
        else:
            form.get_by_role("button", name="Cancel").click()
        state, error = helpdesk.outcome("create-ticket")
        assert ("error", "cancelled") == (state, error["code"])
        expect(helpdesk.page.locator("#create-ticket")).to_be_focused()
    assert [] == requests_seen(demo, "POST", "/api/v1/tickets")


def test_what_the_app_refuses_is_shown(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """An executed call that the app refused is a result with its status and the app's own words."""
    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill("x" * 201)
    choose_project_without_fields(form)
    submit(form)

    state, result = helpdesk.outcome("create-ticket")
    assert ("done", "422") == (state, result["network_code"])
    assert "title" == result["output"]["error"]["fields"][0]["field"]
    assert [] == troubles.found
