"""The windows in which accounts are connected: severed from their page, left over, several at once; reconnecting."""

import re

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.browser.conftest import Troubles
from tests.browser.product import PATIENCE, Demo, Helpdesk, allow_access, control, start_over
from tests.browser.test_sdk_accessibility import assert_accessible

ALICE, BOB = "Alice Andersson (Acme)", "Bob Berger (Globex)"


@pytest.fixture
def severing_helpdesk(profile: BrowserContext, demo: Demo) -> Helpdesk:
    """The host page with `Cross-Origin-Opener-Policy: same-origin`, keeping what `window.open` gives it."""
    start_over(demo)

    def sever(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "Cross-Origin-Opener-Policy": "same-origin"})

    profile.route(f"{demo.host_url}/", sever)
    helpdesk = Helpdesk.open(profile, demo)
    helpdesk.page.evaluate("""() => {
      const { open } = window;
      window.open = (...given) => (window.opened = open.apply(window, given));
    }""")
    return helpdesk


def test_connecting_from_a_page_that_severs_its_windows(severing_helpdesk: Helpdesk) -> None:
    """Where the page can't see its window any more, the account still arrives and the window still closes itself."""
    page = severing_helpdesk.page
    window = severing_helpdesk.open_window(page.locator("#connect-sandbox"))
    page.wait_for_function("opened.closed")  # so it looks from there, though the window is open
    assert not window.is_closed()
    with window.expect_event("close", timeout=PATIENCE):
        allow_access(window)

    assert "done" == severing_helpdesk.outcome("connect-sandbox")[0]
    assert [ALICE] == [
        each["display_name"] for each in severing_helpdesk.next_event("app-connected")["connected_accounts"]
    ]


def test_cancelling_in_a_severed_window(severing_helpdesk: Helpdesk) -> None:
    """Cancel and closing on our page are told to a page that can't see its window."""
    connect = severing_helpdesk.page.locator("#connect-sandbox")
    severing_helpdesk.open_window(connect).get_by_role("button", name="Cancel").click()
    state, error = severing_helpdesk.outcome("connect-sandbox")
    assert ("error", "cancelled") == (state, error["code"])

    severing_helpdesk.open_window(connect).close(run_before_unload=True)
    state, error = severing_helpdesk.outcome("connect-sandbox")
    assert ("error", "cancelled") == (state, error["code"])


def test_cancel_in_the_panel_reaches_the_window(helpdesk: Helpdesk) -> None:
    """A window left open when the panel is cancelled, or left by Escape, says so by itself, and closes."""
    cancel = helpdesk.dialog.get_by_role("button", name="Cancel")
    for give_up in (cancel.click, lambda: helpdesk.page.keyboard.press("Escape")):
        window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
        with window.expect_event("close", timeout=PATIENCE):
            give_up()
            expect(window.get_by_role("heading", name="Nothing was connected")).to_be_visible()

        state, error = helpdesk.outcome("connect-sandbox")
        assert ("error", "cancelled") == (state, error["code"])


def test_two_panels_at_once(helpdesk: Helpdesk, profile: BrowserContext, demo: Demo) -> None:
    """Two tabs of the host page connect two accounts at the same time; each is told of its own."""
    other = Helpdesk.open(profile, demo)
    first = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    second = other.open_window(other.page.locator("#connect-sandbox"))
    with first.expect_event("close", timeout=PATIENCE):
        allow_access(first)
    expect(other.dialog).to_contain_text("Waiting for you to finish")
    assert not second.is_closed()
    second.get_by_role("button", name="Cancel").click()

    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert ("error", "cancelled") == (other.outcome("connect-sandbox")[0], other.outcome("connect-sandbox")[1]["code"])
    assert 1 == len(helpdesk.events("app-connected"))
    assert [] == other.events("app-connected")


def stale(helpdesk: Helpdesk, demo: Demo) -> int:
    """Connect Alice, and let the app refuse her access from then on; the account's id."""
    account_id = helpdesk.connect("alice")
    control(demo, "/_revoke", {"user": "alice"})
    assert "done" == helpdesk.outcome_of("list-tickets")[0]  # it was sent, and the app's no is what it was answered
    state, refused = helpdesk.outcome_of("list-tickets")
    detail = refused["error_details"][0]
    assert ("refused", "reconnect_required", "reconnect") == (state, detail["code"], detail["action"])
    return int(account_id)


def test_reconnecting_in_place(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """The list says which account needs it and why; reconnecting keeps the id, refreshes the list, is told once."""
    troubles.expect("400")
    account_id = stale(helpdesk, demo)
    helpdesk.press("show-apps")
    dialog = helpdesk.dialog
    row = dialog.locator(f"#account-{account_id}")
    expect(row.locator(".account-reason")).to_have_text(re.compile("^Needs reconnecting .*refused"))
    assert_accessible(helpdesk.page)
    reconnect = row.get_by_role("button", name="Reconnect")
    expect(reconnect).to_have_accessible_description(f"{ALICE} {row.locator('.account-reason').text_content()}")

    window = helpdesk.open_window(reconnect)
    expect(dialog.get_by_role("heading", name="Reconnect Tickets sandbox")).to_be_visible()
    expect(dialog.get_by_role("status")).to_contain_text(f"You sign in there as {ALICE}")
    expect(window.get_by_text(f"Sign in again as {ALICE}")).to_be_visible()
    with window.expect_event("close", timeout=PATIENCE):
        window.get_by_role("button", name="Sign in to Tickets").click()
        window.get_by_role("button", name="Allow").click()

    expect(dialog.get_by_text(f"{ALICE} is connected again.")).to_be_visible()
    expect(row.get_by_role("button", name="Reconnect")).to_have_count(0)
    expect(row.locator(".account-reason")).to_have_count(0)
    told = helpdesk.next_event("app-connected", seen=1)
    assert [(account_id, "active", None)] == [
        (each["id"], each["state"], each["state_reason"]) for each in told["connected_accounts"]
    ]
    helpdesk.page.keyboard.press("Escape")
    assert "done" == helpdesk.outcome_of("list-tickets")[0]
    assert 2 == len(helpdesk.events("app-connected"))


def test_reconnecting_as_someone_else(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """Signing in as another user is refused with both names, and the account can still be reconnected."""
    troubles.expect("400")
    account_id = stale(helpdesk, demo)
    helpdesk.page.context.clear_cookies()  # so that the app asks who signs in
    helpdesk.press("show-apps")
    window = helpdesk.open_window(helpdesk.dialog.get_by_role("button", name="Reconnect"))
    allow_access(window, "bob")
    told = window.get_by_role("alert")
    expect(told).to_contain_text(f"You signed in as “{BOB}”, but the account to reconnect is “{ALICE}”.")
    (cookie,) = (each["name"] for each in window.context.cookies() if each["name"] != "connect")  # the app's own
    window.context.clear_cookies(name=cookie)
    window.get_by_role("link", name="Try again").click()
    with window.expect_event("close", timeout=PATIENCE):
        allow_access(window, "alice")

    expect(helpdesk.dialog.get_by_text(f"{ALICE} is connected again.")).to_be_visible()
    told_accounts = helpdesk.next_event("app-connected", seen=1)["connected_accounts"]
    assert [(account_id, ALICE)] == [(each["id"], each["display_name"]) for each in told_accounts]
