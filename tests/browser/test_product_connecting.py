"""Connecting on the host page: called off, failing, in windows the page can't see, several at once; reconnecting."""

import re

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.accessibility import assert_accessible

from .conftest import Troubles
from .product import ALICE, BOB, PATIENCE, Demo, Helpdesk, allow_access, control, start_over


def deny(window: Page) -> None:
    """Sign in at the provider, and say no there."""
    window.get_by_role("button", name="Sign in to Tickets").click()
    window.get_by_label("User name").fill("alice")
    window.get_by_label("Password").fill("alice-password")
    window.get_by_role("button", name="Sign in").click()
    window.get_by_role("button", name="Deny").click()


def cancel(window: Page) -> None:
    """Press Cancel on our own page."""
    window.get_by_role("button", name="Cancel").click()


def close(window: Page) -> None:
    """Close the window on our own page."""
    window.close(run_before_unload=True)


def assert_cancelled(helpdesk: Helpdesk) -> None:
    """The call is over, and was given up."""
    state, error = helpdesk.outcome("connect-sandbox")
    assert ("error", "cancelled") == (state, error["code"])


def test_giving_up_is_told(helpdesk: Helpdesk) -> None:
    """Cancel and closing on our page, Deny on the provider's, Cancel and Escape in the panel, which end the window."""
    page = helpdesk.page
    button = page.locator("#connect-sandbox")
    for give_up in (cancel, close, deny):
        give_up(helpdesk.open_window(button))
        assert_cancelled(helpdesk)
        expect(helpdesk.dialog).to_have_count(0)
        expect(button).to_be_focused()
    for leave in (helpdesk.dialog.get_by_role("button", name="Cancel").click, lambda: page.keyboard.press("Escape")):
        window = helpdesk.open_window(button)
        with window.expect_event("close", timeout=PATIENCE):
            leave()
            expect(window.get_by_role("heading", name="Nothing was connected")).to_be_visible()
        assert_cancelled(helpdesk)

    assert ("done", {"connected": False}) == helpdesk.outcome_of("is-connected")
    assert [] == helpdesk.events("app-connected")


def test_connecting_outlasts_what_goes_wrong(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """A window closed at the provider is noticed and opened again; an app that fails can be tried again there."""
    troubles.expect("400")
    control(demo, "/_faults", {"path": "/api/v1/me", "fault": "server_error", "times": 10})
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    window.get_by_role("button", name="Sign in to Tickets").click()
    expect(window.get_by_label("User name")).to_be_visible()
    expect(helpdesk.dialog).to_contain_text("Waiting for you to finish")
    window.close(run_before_unload=True)
    expect(helpdesk.dialog.get_by_role("status")).to_contain_text("The window seems to be closed.")
    again = helpdesk.dialog.get_by_role("button", name="Open again")
    expect(again).to_be_focused()

    window = helpdesk.open_window(again)
    expect(helpdesk.dialog).to_contain_text("Waiting for you to finish")
    allow_access(window)
    expect(window.get_by_role("heading", name="Tickets sandbox was not connected")).to_be_visible()
    control(demo, "/_reset", {"parts": ["faults"]})
    window.get_by_role("link", name="Try again").click()
    window.get_by_role("button", name="Sign in to Tickets").click()
    with window.expect_event("close", timeout=PATIENCE):
        window.get_by_role("button", name="Allow").click()

    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert 1 == len(helpdesk.next_event("app-connected")["connected_accounts"])


def test_a_page_that_severs_its_windows(profile: BrowserContext, demo: Demo) -> None:
    """Where the page can't see its window any more, cancelling and the account still arrive; the window closes."""
    start_over(demo)

    def sever(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "Cross-Origin-Opener-Policy": "same-origin"})

    profile.route(f"{demo.host_url}/", sever)
    helpdesk = Helpdesk.open(profile, demo)
    page = helpdesk.page
    page.evaluate("""() => {
      const { open } = window;
      window.open = (...given) => (window.opened = open.apply(window, given));
    }""")
    for give_up in (cancel, close):
        give_up(helpdesk.open_window(page.locator("#connect-sandbox")))
        assert_cancelled(helpdesk)

    window = helpdesk.open_window(page.locator("#connect-sandbox"))
    page.wait_for_function("opened.closed")  # so it looks from there, though the window is open
    assert not window.is_closed()
    with window.expect_event("close", timeout=PATIENCE):
        allow_access(window)
    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert [ALICE] == helpdesk.accounts_told("app-connected")


def test_reconnecting(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """The list says who needs it and why; it keeps the id, is told once, and refuses another person by name."""
    troubles.expect("400")
    page, dialog = helpdesk.page, helpdesk.dialog
    account_id = int(helpdesk.connect("alice"))
    control(demo, "/_revoke", {"user": "alice"})
    assert "done" == helpdesk.outcome_of("list-tickets")[0]  # it was sent, and the app's no is what it was answered
    state, refused = helpdesk.outcome_of("list-tickets")
    detail = refused["error_details"][0]
    assert ("refused", "reconnect_required", "reconnect") == (state, detail["code"], detail["action"])

    page.context.clear_cookies()  # so that the app asks who signs in
    helpdesk.press("show-apps")
    row = dialog.locator(f"#account-{account_id}")
    expect(row.locator(".account-reason")).to_have_text(re.compile("^Needs reconnecting .*refused"))
    assert_accessible(page)
    reconnect = row.get_by_role("button", name="Reconnect")
    expect(reconnect).to_have_accessible_description(f"{ALICE} {row.locator('.account-reason').text_content()}")
    window = helpdesk.open_window(reconnect)
    expect(dialog.get_by_role("heading", name="Reconnect Tickets sandbox")).to_be_visible()
    expect(dialog.get_by_role("status")).to_contain_text(f"You sign in there as {ALICE}")
    expect(window.get_by_text(f"Sign in again as {ALICE}")).to_be_visible()

    allow_access(window, "bob")
    refusal = f"You signed in as “{BOB}”, but the account to reconnect is “{ALICE}”."
    expect(window.get_by_role("alert")).to_contain_text(refusal)
    (cookie,) = (each["name"] for each in window.context.cookies() if each["name"] != "connect")  # the app's own
    window.context.clear_cookies(name=cookie)
    window.get_by_role("link", name="Try again").click()
    with window.expect_event("close", timeout=PATIENCE):
        allow_access(window, "alice")

    expect(dialog.get_by_text(f"{ALICE} is connected again.")).to_be_visible()
    expect(row.get_by_role("button", name="Reconnect")).to_have_count(0)
    expect(row.locator(".account-reason")).to_have_count(0)
    told = helpdesk.next_event("app-connected", seen=1)
    assert [(account_id, ALICE, "active", None)] == [
        (each["id"], each["display_name"], each["state"], each["state_reason"]) for each in told["connected_accounts"]
    ]
    page.keyboard.press("Escape")
    assert "done" == helpdesk.outcome_of("list-tickets")[0]
    assert 2 == len(helpdesk.events("app-connected"))
