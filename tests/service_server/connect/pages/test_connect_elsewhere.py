"""Connect pages that are not alone: ended from the panel or another tab, reloaded, gone back to, open twice."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.service_server.connect.connect_pages import WAIT, ConnectPages, key_field, popup, sign_in
from tests.service_server.connected_world import sandbox_post
from tests.service_server.connecting import given_values
from tests.service_server.processes import http

pytestmark = pytest.mark.browser


def test_cancelled_in_the_panel(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """A window that is still open after Cancel in the panel says so by itself, and then closes itself."""
    session = connect_pages.session()
    window = popup(profile, session["url"])
    window.get_by_role("button", name="Cancel").wait_for()
    with window.expect_event("close", timeout=WAIT * 1000):
        connect_pages.cancel(session["id"])
        expect(window.get_by_role("heading", name="Nothing was connected")).to_be_visible()
        expect(window.get_by_text("You can close this window.")).to_be_visible()


def test_cancelled_while_an_error_is_shown(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """A page that offers another try takes it back once the session has been cancelled."""
    sandbox_post(connect_pages.sandbox, "/_faults", {"path": "/oauth/token", "fault": "server_error"})
    session = connect_pages.session()
    page = profile.new_page()
    page.goto(session["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    sign_in(page)
    expect(page.get_by_role("link", name="Try again")).to_be_visible()
    connect_pages.cancel(session["id"])
    expect(page.get_by_role("heading", name="Nothing was connected")).to_be_visible()


def test_time_runs_out(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """A page whose session expires while it is open says so, and what to do."""
    session = connect_pages.session()
    page = profile.new_page()
    page.goto(session["url"])
    connect_pages.expire(session["id"])
    expect(page.get_by_role("heading", name="This took too long")).to_be_visible()
    expect(page.get_by_text("Go back to Acme Helpdesk and start again.")).to_be_visible()


def test_two_tabs_of_one_session(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """What is finished in one tab shows in the other; closing the older one ends nothing before."""
    session = connect_pages.session()
    first, second, third = profile.new_page(), profile.new_page(), profile.new_page()
    for page in (first, second, third):
        page.goto(f"{session['url']}?auth=key")
    second.close(run_before_unload=True)
    assert "pending" == connect_pages.state(session["id"], wait=4)["status"]
    key_field(third).fill(connect_pages.sandbox.api_keys["alice"])
    third.get_by_role("button", name="Connect").click()
    for page in (first, third):
        expect(page.get_by_role("heading", name="Tickets sandbox is connected")).to_be_visible()


def test_two_sessions_side_by_side(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Two windows of one browser, each for an account of its own, don't come into each other's way."""
    sessions = [connect_pages.session(), connect_pages.session()]
    first, second = (popup(profile, session["url"]) for session in sessions)
    first.get_by_role("button", name="Sign in to Tickets").click()
    first.locator("input[name=username]").wait_for()
    second.get_by_role("radio", name="API key").check()
    key_field(second).fill(connect_pages.sandbox.api_keys["bob"])
    with second.expect_event("close", timeout=WAIT * 1000):
        second.get_by_role("button", name="Connect").click()
    with first.expect_event("close", timeout=WAIT * 1000):
        sign_in(first)

    ids = [connect_pages.state(session["id"])["connected_account_id"] for session in sessions]
    names = {account["id"]: account["display_name"] for account in connect_pages.accounts()}
    assert ["Alice Andersson (Acme)", "Bob Berger (Globex)"] == [names[account_id] for account_id in ids]


def test_back_from_the_provider(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Back leads to a page that works: another way can be chosen there, or the same one again."""
    session = connect_pages.session()
    page = profile.new_page()
    page.goto(session["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    page.locator("input[name=username]").wait_for()
    page.go_back()
    page.get_by_role("button", name="Sign in to Tickets").click()
    page.locator("input[name=username]").wait_for()
    page.go_back()
    page.get_by_role("radio", name="API key").check()
    key_field(page).fill(connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("heading", name="Tickets sandbox is connected")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Tickets sandbox is connected")).to_be_visible()


def test_reload_after_a_mistake(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Opening the link again after an error starts over, and connects."""
    session = connect_pages.session()
    page = profile.new_page()
    page.goto(f"{session['url']}?auth=key")
    key_field(page).fill("wrong")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.goto(f"{session['url']}?auth=key")
    expect(page.get_by_role("alert")).to_have_count(0)
    key_field(page).fill(connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("heading", name="Tickets sandbox is connected")).to_be_visible()


def test_sent_twice(connect_pages: ConnectPages) -> None:
    """Where no script keeps one from pressing twice, both answers say that it worked, and there is one account."""
    connect_pages.start_over()
    sandbox_post(connect_pages.sandbox, "/_faults", {"path": "/api/v1/me", "fault": "slow", "seconds": 1, "times": 2})
    path = f"/connect/{connect_pages.session()['id']}"
    with http(connect_pages.service.url) as browser, ThreadPoolExecutor() as pool:
        form = given_values(browser.get(f"{path}?auth=key").text)
        form["field.api_key"] = connect_pages.sandbox.api_keys["alice"]
        sent = [pool.submit(browser.post, path, data=form, follow_redirects=True) for _ in range(2)]
        answers = [each.result().text for each in sent]
    assert [True, True] == ["Tickets sandbox is connected" in answer for answer in answers], answers
    assert 1 == len(connect_pages.accounts())


def test_a_forwarded_link_stays_with_its_first_browser(
    connect_pages: ConnectPages, chromium: Browser, profile: BrowserContext
) -> None:
    """The second browser gets no page to go on with and learns nothing of how it stands; the first one goes on."""
    session = connect_pages.session()
    page = profile.new_page()
    page.goto(f"{session['url']}?auth=key")
    other = chromium.new_context()
    stranger = other.new_page()
    stranger.goto(session["url"])
    expect(stranger.get_by_role("heading", name="This link belongs to another browser")).to_be_focused()
    assert 0 == stranger.get_by_role("button").count()
    assert {"status": "refused"} == other.request.get(f"{session['url']}/state").json()
    assert {"status": "pending"} == profile.request.get(f"{session['url']}/state").json()
    key_field(page).fill(connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("heading", name="Tickets sandbox is connected")).to_be_visible()
    other.close()
