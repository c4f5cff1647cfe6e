"""Connecting in Chromium: the real service, the real sandbox app, real windows."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.service_server.connect.connect_pages import WAIT, ConnectPages, key_field, popup, sign_in

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", params=["unsafe-none", "same-origin"])
def opener_policy(request: pytest.FixtureRequest) -> str:
    """Whether the provider's pages sever the window from its opener."""
    policy: str = request.param
    return policy


def test_oauth_in_a_popup(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """From our page to the provider's and back: the account is connected, and the window closes itself."""
    session = connect_pages.session()
    window = popup(profile, session["url"])
    with window.expect_event("close", timeout=WAIT * 1000):
        window.get_by_role("button", name="Sign in to Tickets").click()
        sign_in(window)
    state = connect_pages.state(session["id"])
    assert state["status"] == "connected"


def test_key_with_the_keyboard_alone(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """The field has the focus; a wrong key brings it back to the field with the reason; Enter sends."""
    session = connect_pages.session()
    page = profile.new_page()
    page.goto(f"{session['url']}?auth=key")
    page.keyboard.type("wrong-key")
    page.keyboard.press("Enter")
    field = key_field(page)
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#problem")).to_contain_text("did not accept this")
    page.keyboard.type(connect_pages.sandbox.api_keys["bob"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="is connected")).to_be_visible()
    assert connect_pages.state(session["id"])["status"] == "connected"


def test_declining_and_cancelling(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """A no on the provider's page, and Cancel on ours, both end the session as cancelled."""
    declined, cancelled = connect_pages.session(), connect_pages.session()
    page = profile.new_page()
    page.goto(declined["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    sign_in(page, decision="deny")
    expect(page.get_by_role("heading", name="Nothing was connected")).to_be_visible()
    page = profile.new_page()
    page.goto(cancelled["url"])
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Nothing was connected")).to_be_visible()
    assert {connect_pages.state(one["id"])["status"] for one in (declined, cancelled)} == {"cancelled"}


def test_closing_the_window_on_our_page(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Closing the window ends the session; reloading the page, or choosing another way, doesn't."""
    session = connect_pages.session()
    window = popup(profile, session["url"])
    window.reload()
    window.get_by_role("radio", name="API key").check()
    key_field(window).wait_for()
    assert connect_pages.state(session["id"], wait=4)["status"] == "pending"
    window.close(run_before_unload=True)
    assert connect_pages.state(session["id"], wait=WAIT)["status"] == "cancelled"


def test_closing_the_window_on_the_providers_page(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """A window closed at the provider can't be told from one that is severed: the session stays open."""
    session = connect_pages.session()
    window = popup(profile, session["url"])
    window.get_by_role("button", name="Sign in to Tickets").click()
    window.locator("input[name=username]").wait_for()
    window.close(run_before_unload=True)
    assert connect_pages.state(session["id"], wait=4)["status"] == "pending"


def test_redirect_mode(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Without a popup the browser comes back to the host page with a code, which the host's user redeems."""
    profile.route("https://host.test/**", lambda route: route.fulfill(body="host page"))
    session = connect_pages.session(redirect_url="https://host.test/settings")
    page = profile.new_page()
    page.goto(session["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    sign_in(page)
    page.wait_for_url("https://host.test/settings?*")
    assert connect_pages.state(session["id"])["status"] == "pending"
    assert connect_pages.redeem(session["id"], page.url)["status"] == "connected"


def test_redirect_mode_with_a_key(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """A form post leads back to the host page although forms may only post to us."""
    profile.route("https://host.test/**", lambda route: route.fulfill(body="host page"))
    session = connect_pages.session(redirect_url="https://host.test/settings")
    page = profile.new_page()
    page.goto(f"{session['url']}?auth=key")
    key_field(page).fill(connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    page.wait_for_url("https://host.test/settings?*")


def test_redirect_mode_that_comes_to_nothing(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Who cancels on a full page, or takes too long, is led back by a link that names the session and has no code."""
    profile.route("https://host.test/**", lambda route: route.fulfill(body="host page"))
    for end, status in ((cancel, "cancelled"), (run_out, "expired")):
        session = connect_pages.session(redirect_url="https://host.test/settings?tab=2")
        page = profile.new_page()
        page.goto(session["url"])
        end(connect_pages, page, session["id"])
        page.get_by_role("link", name="Back to Acme Helpdesk").click()
        page.wait_for_url(f"https://host.test/settings?tab=2&connect_session={session['id']}")
        assert status == connect_pages.state(session["id"])["status"]


def cancel(_: ConnectPages, page: Page, __: str) -> None:
    """Press Cancel."""
    page.get_by_role("button", name="Cancel").click()


def run_out(connect_pages: ConnectPages, _: Page, session_id: str) -> None:
    """Let the session's time be over."""
    connect_pages.expire(session_id)
