"""Connecting in Chromium: windows that close, are closed, reloaded, gone back from, and not alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.service_server.connect.connect_pages import (
    TICKETS,
    WAIT,
    ConnectPages,
    key_field,
    leave,
    popup,
    press,
    shows,
    sign_in,
    type_key,
)
from tests.service_server.connecting import given_values
from tests.service_server.processes import http

pytestmark = pytest.mark.browser


def test_two_windows_side_by_side(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Each is for an account of its own, one by the provider's pages, and closes itself once that is connected."""
    sessions = [connect_pages.session(), connect_pages.session()]
    first, second = (popup(profile, session["url"]) for session in sessions)
    press(first, "Sign in to Tickets")
    first.locator("input[name=username]").wait_for()
    second.get_by_role("radio", name="API key").check()
    with second.expect_event("close", timeout=WAIT * 1000):
        type_key(second, connect_pages.sandbox.api_keys["bob"])
    with first.expect_event("close", timeout=WAIT * 1000):
        sign_in(first)

    ids = [connect_pages.state(session["id"])["connected_account_id"] for session in sessions]
    names = {account["id"]: account["display_name"] for account in connect_pages.accounts()}
    assert ["Alice Andersson (Acme)", "Bob Berger (Globex)"] == [names[account_id] for account_id in ids]


def test_only_closing_the_last_page_of_ours_ends_a_session(
    connect_pages: ConnectPages, profile: BrowserContext
) -> None:
    """Reloading it, choosing another way, closing an older tab, or a window at the provider, which may be severed."""
    closed, elsewhere, in_tabs = (connect_pages.session() for _ in range(3))
    window, away = popup(profile, closed["url"]), popup(profile, elsewhere["url"])
    window.reload()
    window.get_by_role("radio", name="API key").check()
    key_field(window).wait_for()
    press(away, "Sign in to Tickets")
    away.locator("input[name=username]").wait_for()
    away.close(run_before_unload=True)
    tabs = [profile.new_page() for _ in range(3)]
    for tab in tabs:
        tab.goto(f"{in_tabs['url']}?auth=key")
    tabs[1].close(run_before_unload=True)

    assert "pending" == connect_pages.status(closed, wait=4)
    assert ["pending", "pending"] == [connect_pages.status(each) for each in (elsewhere, in_tabs)]
    window.close(run_before_unload=True)
    type_key(tabs[2], connect_pages.sandbox.api_keys["alice"])
    for tab in (tabs[0], tabs[2]):  # what is finished in one shows in the other
        shows(tab, TICKETS)
    assert "cancelled" == connect_pages.status(closed, wait=WAIT)


def test_what_ends_elsewhere_shows(connect_pages: ConnectPages, profile: BrowserContext, page: Page) -> None:
    """A window closes itself after Cancel in the panel; a page that offers another try takes it back; time runs out."""
    session = connect_pages.session()
    window = popup(profile, session["url"])
    window.get_by_role("button", name="Cancel").wait_for()
    with window.expect_event("close", timeout=WAIT * 1000):
        connect_pages.cancel(session)
        shows(window, "Nothing was connected")
        expect(window.get_by_text("You can close this window.")).to_be_visible()

    connect_pages.sandbox.fault("/oauth/token", "server_error")
    session = connect_pages.session()
    leave(page, session)
    sign_in(page)
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    connect_pages.cancel(session)
    shows(page, "Nothing was connected")

    session = connect_pages.session()
    page.goto(session["url"])
    connect_pages.expire(session)
    shows(page, "This took too long")
    expect(page.get_by_text("Go back to Acme Helpdesk and start again.")).to_be_visible()


def test_back_from_the_provider(connect_pages: ConnectPages, page: Page) -> None:
    """Back leads to a page that works: the same way can be chosen there again, or another one."""
    leave(page, connect_pages.session())
    page.go_back()
    press(page, "Sign in to Tickets")
    page.locator("input[name=username]").wait_for()
    page.go_back()
    page.get_by_role("radio", name="API key").check()
    type_key(page, connect_pages.sandbox.api_keys["alice"])
    shows(page, TICKETS)
    page.go_back()
    shows(page, TICKETS)


def test_sent_twice(connect_pages: ConnectPages) -> None:
    """Where no script keeps one from pressing twice, both answers say that it worked, and there is one account."""
    connect_pages.start_over()
    connect_pages.sandbox.fault("/api/v1/me", "slow", seconds=1, times=2)
    path = f"/connect/{connect_pages.session()['id']}"
    with http(connect_pages.service.url) as browser, ThreadPoolExecutor() as pool:
        form = given_values(browser.get(f"{path}?auth=key").text)
        form["field.api_key"] = connect_pages.sandbox.api_keys["alice"]
        sent = [pool.submit(browser.post, path, data=form, follow_redirects=True) for _ in range(2)]
        answers = [each.result().text for each in sent]
    assert [True, True] == [TICKETS in answer for answer in answers], answers
    assert 1 == len(connect_pages.accounts())


def test_a_forwarded_link_stays_with_its_first_browser(
    connect_pages: ConnectPages, chromium: Browser, profile: BrowserContext, page: Page
) -> None:
    """The second browser gets no page to go on with and learns nothing of how it stands; the first one goes on."""
    session = connect_pages.session()
    page.goto(f"{session['url']}?auth=key")
    other = chromium.new_context()
    stranger = other.new_page()
    stranger.goto(session["url"])
    expect(stranger.get_by_role("heading", name="This link belongs to another browser")).to_be_focused()
    assert 0 == stranger.get_by_role("button").count()
    assert {"status": "refused"} == other.request.get(f"{session['url']}/state").json()
    assert {"status": "pending"} == profile.request.get(f"{session['url']}/state").json()
    type_key(page, connect_pages.sandbox.api_keys["alice"])
    shows(page, TICKETS)
    other.close()


def test_redirect_mode(connect_pages: ConnectPages, profile: BrowserContext, page: Page) -> None:
    """A form post leads back to the host page; who cancels or takes too long, by a link that names the session."""
    profile.route("https://host.test/**", lambda route: route.fulfill(body="host page"))
    for end in ("typed in", "cancelled", "expired"):
        session = connect_pages.session(redirect_url="https://host.test/settings?tab=2")
        page.goto(f"{session['url']}?auth=key")
        if end == "typed in":
            type_key(page, connect_pages.sandbox.api_keys["alice"])
            page.wait_for_url(f"https://host.test/settings?tab=2&connect_session={session['id']}&code=*")
            continue
        if end == "cancelled":
            press(page, "Cancel")
        else:
            connect_pages.expire(session)
        page.get_by_role("link", name="Back to Acme Helpdesk").click()
        page.wait_for_url(f"https://host.test/settings?tab=2&connect_session={session['id']}")
        assert end == connect_pages.status(session)
