"""Calls from the host page, and what operators see of them in the console."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.comboboxes import choose

from .conftest import Troubles
from .product import Demo, Helpdesk, control, requests_seen, tickets


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


def test_calls(helpdesk: Helpdesk, demo: Demo, console: Page, troubles: Troubles) -> None:
    """Their answers, page after page; refusals, which are not sent; and what the Function Calls log has of either."""
    troubles.expect("400")
    before = logged(console, demo, "sandbox-list-tickets")
    state, refused = helpdesk.outcome_of("list-tickets")
    detail = refused["error_details"][0]
    assert ("refused", "not_connected", "connect") == (state, detail["code"], detail["action"])
    assert [] == requests_seen(demo, "GET", "/api/v1/tickets")
    assert before == logged(console, demo, "sandbox-list-tickets")
    rows = console.get_by_role("table").get_by_role("row")
    console.goto(f"{demo.console_url}/calls/refused")
    expect(rows.nth(1)).to_contain_text("sandbox-list-tickets")
    expect(rows.nth(1)).to_contain_text("not_connected")

    helpdesk.connect("alice")
    state, result = helpdesk.outcome_of("list-tickets")
    pages: list[list[Any]] = [result["output"]]
    while result["next_page"]:
        assert "done" == state
        state, result = helpdesk.outcome_of("next-page")
        pages.append(result["output"])
    expect(helpdesk.page.locator("#next-page")).to_be_hidden()
    assert [20, 20, 5] == [len(page) for page in pages]
    assert tickets(demo, "alice") == [ticket for page in pages for ticket in page]

    state, result = helpdesk.outcome_of("passthrough")
    assert ("done", "200", "u-alice") == (state, result["network_code"], result["output"]["id"])
    assert "next_page" not in result

    reported = len(troubles.found)
    control(demo, "/_expire", {"user": "alice"})  # the service gets another access token, and nobody notices
    state, result = helpdesk.outcome_of("list-tickets")
    assert ("done", "200") == (state, result["network_code"])
    assert "oauth" in [request["auth"]["kind"] for request in requests_seen(demo, "GET", "/api/v1/tickets")]
    assert reported == len(troubles.found)

    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill("In the <em>log</em>")
    choose(form, "Project (required)", "Operations")
    form.get_by_label("Cost center (required)").fill("CC-1")
    form.get_by_role("button", name="Create a ticket").click()
    assert "done" == helpdesk.outcome("create-ticket")[0]
    console.get_by_role("link", name="Function Calls").click()
    newest = rows.filter(has_text="sandbox-create-ticket").first
    expect(newest).to_contain_text(demo.user_id)
    expect(newest).to_contain_text("201")
    newest.get_by_role("link").first.click()
    expect(console.get_by_text('"title": "In the <em>log</em>"').first).to_be_visible()
    expect(console.get_by_text('"cost_center": "CC-1"').first).to_be_visible()
