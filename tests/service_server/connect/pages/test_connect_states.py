"""Every state of the connect pages: readable by eye and ear, at home in any window, and in no other page's frame."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.service_server.connect.connect_pages import (
    ConnectPages,
    assert_accessible,
    desk_page,
    fill_desk,
    key_field,
    sign_in,
)
from tests.service_server.connected_world import sandbox_post

pytestmark = pytest.mark.browser


def ask(pages: ConnectPages, page: Page) -> None:
    """The page as it comes, with what is folded unfolded."""
    desk_page(pages, page)
    for summary in page.locator("summary").all():
        summary.click()


def way(name: str) -> Callable[[ConnectPages, Page], None]:
    """The page with one of the ways chosen."""

    def choose(pages: ConnectPages, page: Page) -> None:
        desk_page(pages, page, name)

    return choose


def empty_fields(pages: ConnectPages, page: Page) -> None:
    """Sent without anything in it: the page itself says what is missing."""
    desk_page(pages, page, "Device key")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("Enter Serial number.")).to_be_visible()


def wrong_key(pages: ConnectPages, page: Page) -> None:
    """A key that the app refuses, said at the field."""
    page.goto(f"{pages.session()['url']}?auth=key")
    key_field(page).fill("wrong")
    page.get_by_role("button", name="Connect").click()
    expect(key_field(page)).to_have_attribute("aria-invalid", "true")


def wrong_credentials(pages: ConnectPages, page: Page) -> None:
    """Credentials that the app refuses, any of which may be wrong: said above them."""
    desk_page(pages, page, "Device key")
    fill_desk(page, team="acme", email="ann@example.com", serial="123456", api_key="wrong")
    page.get_by_role("button", name="Connect").click()
    expect(page.locator("#problem")).to_be_focused()


def leaving(pages: ConnectPages, page: Page) -> None:
    """On the way to the provider, whose page does not come."""
    page.route("**/oauth/authorize?*", lambda route: route.fulfill(status=204))
    page.goto(pages.session()["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    expect(page.get_by_role("heading", name="Going to Tickets sandbox")).to_be_visible()


def connected(pages: ConnectPages, page: Page) -> None:
    """The end that everybody wants."""
    page.goto(f"{pages.session()['url']}?auth=key")
    key_field(page).fill(pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_text("Acme Helpdesk can now use “Alice Andersson (Acme)”")).to_be_visible()


def reconnecting(pages: ConnectPages, page: Page) -> None:
    """The page for an account that is there already."""
    connected(pages, page)
    (account,) = pages.accounts()
    page.goto(pages.session(connected_account_id=account["id"])["url"])


def cancelled(pages: ConnectPages, page: Page) -> None:
    """The end after Cancel."""
    page.goto(pages.session()["url"])
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Nothing was connected")).to_be_visible()


def set_back(pages: ConnectPages, page: Page) -> None:
    """A failure that may pass, with another try."""
    sandbox_post(pages.sandbox, "/_faults", {"path": "/oauth/token", "fault": "server_error"})
    page.goto(pages.session()["url"])
    page.get_by_role("button", name="Sign in to Tickets").click()
    sign_in(page)
    expect(page.get_by_role("link", name="Try again")).to_be_visible()


def expired(pages: ConnectPages, page: Page) -> None:
    """A session whose time is over."""
    session = pages.session()
    page.goto(session["url"])
    pages.expire(session["id"])
    page.reload()


def not_set_up(pages: ConnectPages, page: Page) -> None:
    """An app that the operator has not set up."""
    page.goto(pages.session("kinto")["url"])


def unknown(pages: ConnectPages, page: Page) -> None:
    """A link that is none."""
    page.goto(f"{pages.service.url}/connect/unknown")


def foreign(pages: ConnectPages, page: Page) -> None:
    """A link that another browser has opened."""
    session = pages.session()
    page.goto(session["url"])
    page.context.clear_cookies()
    page.goto(session["url"])


STATES: dict[Callable[[ConnectPages, Page], None], str] = {
    ask: "Connect Desk – Acme Helpdesk",
    way("API key"): "Connect Desk – Acme Helpdesk",
    way("Device key"): "Connect Desk – Acme Helpdesk",
    way("Certificate"): "Connect Desk – Acme Helpdesk",
    empty_fields: "Error: Connect Desk – Acme Helpdesk",
    wrong_key: "Error: Connect Tickets sandbox – Acme Helpdesk",
    wrong_credentials: "Error: Connect Desk – Acme Helpdesk",
    leaving: "Going to Tickets sandbox…",
    connected: "Tickets sandbox is connected",
    reconnecting: "Reconnect Tickets sandbox – Acme Helpdesk",
    cancelled: "Nothing was connected",
    set_back: "Tickets sandbox was not connected",
    expired: "This took too long",
    not_set_up: "Kinto was not connected",
    unknown: "This link is not valid",
    foreign: "This link belongs to another browser",
}


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_every_state_is_accessible(
    connect_pages: ConnectPages, profile: BrowserContext, state: Callable[[ConnectPages, Page], None], colours: str
) -> None:
    """In every state, light and dark, axe finds no violation of WCAG 2.2 AA, and the title tells the state."""
    page = profile.new_page()
    page.emulate_media(color_scheme="dark" if colours == "dark" else "light")
    state(connect_pages, page)

    expect(page).to_have_title(STATES[state])
    assert_accessible(page)


@pytest.mark.parametrize(("width", "height"), [(480, 720), (1280, 900), (360, 640), (320, 568), (240, 360), (640, 450)])
def test_every_size_of_window_will_do(
    connect_pages: ConnectPages, profile: BrowserContext, width: int, height: int
) -> None:
    """A popup, a full page, a phone, and either enlarged to 200 %: nothing to scroll sideways, nothing too small."""
    page = profile.new_page()
    page.set_viewport_size({"width": width, "height": height})
    for state in (ask, wrong_credentials, not_set_up, foreign):
        state(connect_pages, page)
        assert width >= page.evaluate("document.documentElement.scrollWidth"), state.__name__
        # A radio's target is its whole card.
        targets = "button:visible, a.primary, .field input:visible, textarea:visible, summary:visible, .way:visible"
        for target in page.locator(targets).all():
            box = target.bounding_box()
            assert box is not None, target.evaluate("each => each.outerHTML")
            least = 44 if "primary" in (target.get_attribute("class") or "") else 24
            assert least <= box["height"], target.evaluate("each => each.outerHTML")


def test_no_page_can_frame_it(connect_pages: ConnectPages, chromium: Browser) -> None:
    """Inside a frame, of the service's own origin even, nothing is shown that could be clicked."""
    context = chromium.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{connect_pages.service.url}/health")
    page.evaluate(
        """url => new Promise((loaded) => {
          const frame = document.createElement("iframe");
          frame.onload = loaded;
          frame.src = url;
          document.body.append(frame);
        })""",
        connect_pages.session()["url"],
    )
    (_, frame) = page.frames
    assert 0 == frame.get_by_role("button", name="Cancel").count()
    assert any("frame-ancestors" in text for text in said), said
    context.close()
