"""Calls from the host page: paging through results, requests of one's own, and the refusal of calls."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import Demo, Troubles
from tests.browser.product import Helpdesk, control, requests_seen, start_over, tickets

pytestmark = pytest.mark.browser


@pytest.fixture
def helpdesk(profile: BrowserContext, demo: Demo) -> Helpdesk:
    """The host page, with no account connected and the sandbox app as it started."""
    start_over(demo)
    return Helpdesk.open(profile, demo)


def test_paging_to_the_end(helpdesk: Helpdesk, demo: Demo) -> None:
    """Page after page, until `next_page` is empty, every ticket comes once and in order."""
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


def test_passthrough_brings_the_apps_own_answer(helpdesk: Helpdesk, demo: Demo) -> None:
    """A free request goes to the app's own API with the user's credentials; the body comes back as it is."""
    helpdesk.connect("alice")
    state, result = helpdesk.outcome_of("passthrough")

    assert ("done", "200", "u-alice") == (state, result["network_code"], result["output"]["id"])
    assert "next_page" not in result


def test_expired_access_goes_unnoticed(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """When the access token has run out the service gets another one; the user sees only the answer."""
    helpdesk.connect("alice")
    control(demo, "/_expire", {"user": "alice"})

    state, result = helpdesk.outcome_of("list-tickets")
    assert ("done", "200") == (state, result["network_code"])
    assert "oauth" in [request["auth"]["kind"] for request in requests_seen(demo, "GET", "/api/v1/tickets")]
    assert [] == troubles.found


def test_revoked_access_asks_to_reconnect(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """Access taken back at the app: it says 401, the next call what to do, the marketplace offers it, and it works."""
    troubles.expect("400")
    account_id = helpdesk.connect("alice")
    control(demo, "/_revoke", {"user": "alice"})
    state, noticed = helpdesk.outcome_of("list-tickets")
    assert ("done", "401") == (state, noticed["network_code"])
    state, refused = helpdesk.outcome_of("list-tickets")
    assert ("refused", "reconnect_required", "reconnect") == (
        state,
        refused["error_details"][0]["code"],
        refused["error_details"][0]["action"],
    )

    helpdesk.press("show-apps")
    dialog = helpdesk.dialog
    expect(dialog.get_by_text("Needs reconnecting")).to_be_visible()
    helpdesk.allow(dialog.get_by_role("button", name="Reconnect"))
    again = helpdesk.next_event("app-connected", seen=1)
    assert [int(account_id)] == [account["id"] for account in again["connected_accounts"]]
    expect(dialog.get_by_text("Needs reconnecting")).to_have_count(0)
    helpdesk.page.keyboard.press("Escape")
    assert "done" == helpdesk.outcome_of("list-tickets")[0]


def test_call_without_an_account_is_refused(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """Nothing is sent for a user who has connected nothing; the refusal says what to do."""
    troubles.expect("400")
    state, refused = helpdesk.outcome_of("list-tickets")

    assert ("refused", "not_connected", "connect") == (
        state,
        refused["error_details"][0]["code"],
        refused["error_details"][0]["action"],
    )
    assert [] == requests_seen(demo, "GET", "/api/v1/tickets")
