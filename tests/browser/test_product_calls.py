"""Calls from the host page."""

from typing import Any

from playwright.sync_api import expect

from .conftest import OpenPage, Troubles, error_of
from .product import Demo, Helpdesk, connect, control, requests_seen, start_over, tickets


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


def test_an_id_is_never_rounded(open_page: OpenPage, demo: Demo) -> None:
    """JavaScript has no such number: as a `bigint` or as digits, the app gets it exactly; no JSON is a clear error."""
    start_over(demo)
    connect(demo)
    page = open_page()
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    for given in ("9007199254740993n", "'9007199254740995'", "1234567890123456n", "1001n"):
        page.evaluate(f"sdk.invokeFunction('sandbox-delete-ticket', {{ ticket_id: {given} }})")
    circle = "(() => { const circle = {}; circle.circle = circle; return circle; })()"
    refused = error_of(page, f"sdk.invokeFunction('sandbox-delete-ticket', {circle})")

    for number in (9007199254740993, 9007199254740995, 1234567890123456, 1001):
        assert 1 == len(requests_seen(demo, "DELETE", f"/api/v1/tickets/{number}"))
    assert (True, "invalid_argument") == (refused["isServiceError"], refused["code"])
