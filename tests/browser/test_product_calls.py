"""Calls from the host page."""

from typing import Any

from playwright.sync_api import expect

from .conftest import Troubles
from .product import Demo, Helpdesk, control, requests_seen, tickets


def test_calls(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """What comes of them is what the app answered, page after page; a refusal says what to do, and isn't sent."""
    troubles.expect("400")
    state, refused = helpdesk.outcome_of("list-tickets")
    detail = refused["error_details"][0]
    assert ("refused", "not_connected", "connect") == (state, detail["code"], detail["action"])
    assert [] == requests_seen(demo, "GET", "/api/v1/tickets")

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
