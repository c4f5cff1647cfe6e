"""What operators see in the console of what a user did on a host page."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Troubles
from tests.browser.product import Demo, Helpdesk, start_over
from tests.comboboxes import choose


@pytest.fixture
def console(profile: BrowserContext, demo: Demo) -> Page:
    """The console, with the demo's operator signed in."""
    page = profile.new_page()
    page.goto(demo.console_url)
    page.get_by_label("Operator").fill(demo.console_user)
    page.get_by_label("Password").fill(demo.console_password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


def logged(console: Page, demo: Demo, function: str) -> list[str]:
    """What the Function Calls log holds of a function."""
    console.goto(f"{demo.console_url}/calls?function={function}")
    expect(console.get_by_role("heading", name="Function Calls")).to_be_visible()
    return console.get_by_role("table").get_by_role("row").all_text_contents()


def test_executed_calls_are_logged_and_refused_ones_are_not(
    profile: BrowserContext, demo: Demo, console: Page, troubles: Troubles
) -> None:
    """The ticket a user created stands in the Function Calls log with its arguments; a refused call only elsewhere."""
    troubles.expect("400")
    start_over(demo)
    before = logged(console, demo, "sandbox-list-tickets")
    helpdesk = Helpdesk.open(profile, demo)
    assert "refused" == helpdesk.outcome_of("list-tickets")[0]
    assert before == logged(console, demo, "sandbox-list-tickets")
    helpdesk.connect("alice")
    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill("In the <em>log</em>")
    choose(form, "Project (required)", "Operations")
    form.get_by_label("Cost center (required)").fill("CC-1")
    form.get_by_role("button", name="Create a ticket").click()
    assert "done" == helpdesk.outcome("create-ticket")[0]

    console.get_by_role("link", name="Function Calls").click()
    rows = console.get_by_role("table").get_by_role("row")
    newest = rows.filter(has_text="sandbox-create-ticket").first
    expect(newest).to_contain_text(demo.user_id)
    expect(newest).to_contain_text("201")
    newest.get_by_role("link").first.click()
    expect(console.get_by_text('"title": "In the <em>log</em>"').first).to_be_visible()
    expect(console.get_by_text('"cost_center": "CC-1"').first).to_be_visible()

    console.goto(f"{demo.console_url}/calls/refused")
    expect(rows.nth(1)).to_contain_text("sandbox-list-tickets")
    expect(rows.nth(1)).to_contain_text("not_connected")
