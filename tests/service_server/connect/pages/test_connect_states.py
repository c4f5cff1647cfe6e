"""Every state of the connect pages: readable by eye and ear, and at home in any window."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.accessibility import assert_page_accessible
from tests.service_server.connect.connect_pages import (
    TICKETS,
    ConnectPages,
    desk_page,
    fill_desk,
    key_field,
    leave,
    press,
    shows,
    sign_in,
    type_key,
)

pytestmark = pytest.mark.browser

Reach = Callable[[ConnectPages, Page], None]


def ask(pages: ConnectPages, page: Page) -> None:
    """The page as it comes, with what is folded unfolded."""
    desk_page(pages, page)
    for summary in page.locator("summary").all():
        summary.click()


def way(name: str) -> Reach:
    """The page with one of the ways chosen."""

    def choose(pages: ConnectPages, page: Page) -> None:
        desk_page(pages, page, name)

    return choose


def empty_fields(pages: ConnectPages, page: Page) -> None:
    """Sent without anything in it: the page itself says what is missing."""
    desk_page(pages, page, "Device key")
    press(page, "Connect")
    expect(page.get_by_text("Enter Serial number.")).to_be_visible()


def wrong_key(pages: ConnectPages, page: Page) -> None:
    """A key that the app refuses, said at the field, which has the focus as at the beginning."""
    page.goto(f"{pages.session()['url']}?auth=key")
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    expect(key_field(page)).to_have_attribute("aria-invalid", "true")
    expect(key_field(page)).to_be_focused()
    expect(page.locator("#problem")).to_contain_text("did not accept this")


def wrong_credentials(pages: ConnectPages, page: Page) -> None:
    """Credentials that the app refuses, any of which may be wrong: said above them."""
    desk_page(pages, page, "Device key")
    fill_desk(page, team="acme", email="ann@example.com", serial="123456", api_key="wrong")
    press(page, "Connect")
    expect(page.locator("#problem")).to_be_focused()


def leaving(pages: ConnectPages, page: Page) -> None:
    """On the way to the provider, whose page does not come."""
    page.route("**/oauth/authorize?*", lambda route: route.fulfill(status=204))
    page.goto(pages.session()["url"])
    press(page, "Sign in to Tickets")
    shows(page, "Going to Tickets sandbox")


def connected(pages: ConnectPages, page: Page) -> None:
    """The end that everybody wants."""
    page.goto(f"{pages.session()['url']}?auth=key")
    type_key(page, pages.sandbox.api_keys["alice"])
    expect(page.get_by_text("Acme Helpdesk can now use “Alice Andersson (Acme)”")).to_be_visible()


def reconnecting(pages: ConnectPages, page: Page) -> None:
    """The page for an account that is there already."""
    connected(pages, page)
    (account,) = pages.accounts()
    page.goto(pages.session(connected_account_id=account["id"])["url"])


def cancelled(pages: ConnectPages, page: Page) -> None:
    """The end after Cancel."""
    page.goto(pages.session()["url"])
    press(page, "Cancel")
    shows(page, "Nothing was connected")


def set_back(pages: ConnectPages, page: Page) -> None:
    """A failure that may pass, with another try."""
    pages.sandbox.fault("/oauth/token", "server_error")
    leave(page, pages.session())
    sign_in(page)
    expect(page.get_by_role("link", name="Try again")).to_be_visible()


def expired(pages: ConnectPages, page: Page) -> None:
    """A session whose time is over."""
    session = pages.session()
    page.goto(session["url"])
    pages.expire(session)
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


STATES: dict[Reach, str] = {
    ask: "Connect Desk – Acme Helpdesk",
    way("API key"): "Connect Desk – Acme Helpdesk",
    way("Device key"): "Connect Desk – Acme Helpdesk",
    way("Certificate"): "Connect Desk – Acme Helpdesk",
    empty_fields: "Error: Connect Desk – Acme Helpdesk",
    wrong_key: "Error: Connect Tickets sandbox – Acme Helpdesk",
    wrong_credentials: "Error: Connect Desk – Acme Helpdesk",
    leaving: "Going to Tickets sandbox…",
    connected: TICKETS,
    reconnecting: "Reconnect Tickets sandbox – Acme Helpdesk",
    cancelled: "Nothing was connected",
    set_back: "Tickets sandbox was not connected",
    expired: "This took too long",
    not_set_up: "Kinto was not connected",
    unknown: "This link is not valid",
    foreign: "This link belongs to another browser",
}
SIZES = [(480, 720), (1280, 900), (360, 640), (320, 568), (240, 360), (640, 450)]
"""A popup, a full page, a phone, and either enlarged to 200 %."""


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_accessible(connect_pages: ConnectPages, page: Page, state: Reach) -> None:
    """Its title tells it; in light and dark axe finds no violation of WCAG 2.2 AA; no size of window is too small."""
    state(connect_pages, page)
    expect(page).to_have_title(STATES[state])
    for dark in (False, True):
        page.emulate_media(color_scheme="dark" if dark else "light")
        assert_page_accessible(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert width >= page.evaluate("document.documentElement.scrollWidth"), width
        assert [] == page.evaluate(TOO_SMALL), width


# A radio's target is its whole card.
TOO_SMALL = """() => {
  const targets = document.querySelectorAll("button, a.primary, .field input, textarea, summary, .way");
  return [...targets].filter((each) => {
    const { height } = each.getBoundingClientRect();
    const least = each.matches(".primary") ? 44 : 24;
    return each.checkVisibility({ visibilityProperty: true }) && height > 0 && height < least;
  }).map((each) => each.outerHTML);
}"""
