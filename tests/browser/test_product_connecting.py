"""Connecting that does not go straight through: called off in the panel, on our page or at the provider, or blocked."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import PATIENCE, Demo, Troubles, allow_access
from tests.browser.product import Helpdesk, api_key, control, start_over

pytestmark = pytest.mark.browser


@pytest.fixture
def helpdesk(profile: BrowserContext, demo: Demo) -> Helpdesk:
    """The host page, with no account connected and the sandbox app as it started."""
    start_over(demo)
    return Helpdesk.open(profile, demo)


def cancel(window: Page) -> None:
    """Press Cancel on our own page."""
    window.get_by_role("button", name="Cancel").click()


def close(window: Page) -> None:
    """Close the window on our own page."""
    window.close(run_before_unload=True)


def deny(window: Page) -> None:
    """Sign in at the provider, and say no there."""
    window.get_by_role("button", name="Sign in to Tickets").click()
    window.get_by_label("User name").fill("alice")
    window.get_by_label("Password").fill("alice-password")
    window.get_by_role("button", name="Sign in").click()
    window.get_by_role("button", name="Deny").click()


@pytest.mark.parametrize("give_up", [cancel, close, deny])
def test_giving_up_in_the_window_is_told(helpdesk: Helpdesk, demo: Demo, give_up: Callable[[Page], None]) -> None:
    """Cancel or closing on our page, and Deny on the provider's, reject with `cancelled`; nothing is connected."""
    give_up(helpdesk.open_window(helpdesk.page.locator("#connect-sandbox")))
    state, error = helpdesk.outcome("connect-sandbox")

    assert ("error", "cancelled") == (state, error["code"])
    expect(helpdesk.dialog).to_have_count(0)
    expect(helpdesk.page.locator("#connect-sandbox")).to_be_focused()
    assert ("done", {"connected": False}) == helpdesk.outcome_of("is-connected")
    assert [] == helpdesk.events("app-connected")


def test_window_closed_at_the_provider_leaves_the_panel(helpdesk: Helpdesk) -> None:
    """A window closed at the provider can't be noticed: the panel stays, can open it again, and Cancel ends it."""
    panel = helpdesk.dialog
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    window.get_by_role("button", name="Sign in to Tickets").click()
    expect(window.get_by_label("User name")).to_be_visible()
    window.close(run_before_unload=True)
    expect(panel).to_contain_text("Waiting for you to finish")

    again = helpdesk.open_window(panel.get_by_role("button", name="Open again"))
    again.get_by_role("button", name="Sign in to Tickets").click()
    expect(again.get_by_label("User name")).to_be_visible()
    again.close(run_before_unload=True)
    panel.get_by_role("button", name="Cancel").click()
    state, error = helpdesk.outcome("connect-sandbox")

    assert ("error", "cancelled") == (state, error["code"])
    expect(panel).to_have_count(0)


def test_window_opened_again_connects(helpdesk: Helpdesk) -> None:
    """Whoever closed the window by mistake opens it again from the panel, and finishes there."""
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    window.get_by_role("button", name="Sign in to Tickets").click()
    expect(window.get_by_label("User name")).to_be_visible()
    window.close(run_before_unload=True)
    helpdesk.sign_in(helpdesk.dialog.get_by_role("button", name="Open again"))

    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert 1 == len(helpdesk.next_event("app-connected")["connected_accounts"])


def test_blocked_window_leaves_a_link_that_works(helpdesk: Helpdesk) -> None:
    """Where the browser opens no window the panel offers a link, and connecting goes on from there."""
    page = helpdesk.page
    page.locator("body").evaluate("body => { body.ownerDocument.defaultView.open = () => null }")
    helpdesk.press("connect-sandbox")
    link = helpdesk.dialog.get_by_role("link", name="Open Tickets sandbox")
    expect(link).to_be_focused()
    with page.context.expect_page() as opened:
        link.click()
    with opened.value.expect_event("close", timeout=PATIENCE):
        allow_access(opened.value)

    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert 1 == len(helpdesk.next_event("app-connected")["connected_accounts"])


def test_wrong_key_can_be_put_right(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """A key that the app refuses is said at its field; the host page goes on waiting until it is right."""
    troubles.expect("422")
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    window.get_by_role("radio", name="API key").check()
    window.get_by_role("textbox", name="API key").fill("wrong")
    window.get_by_role("button", name="Connect").click()
    expect(window.get_by_role("textbox", name="API key")).to_have_attribute("aria-invalid", "true")
    expect(window.get_by_role("textbox", name="API key")).to_have_value("")
    expect(helpdesk.dialog).to_contain_text("Waiting for you to finish")
    window.get_by_role("textbox", name="API key").fill(api_key(demo, "bob"))
    with window.expect_event("close", timeout=PATIENCE):
        window.get_by_role("button", name="Connect").click()

    assert "done" == helpdesk.outcome("connect-sandbox")[0]


def test_app_that_is_down_while_connecting(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """When the app fails as the credentials are tried, the window says so and lets one try again, which works."""
    troubles.expect("400")
    control(demo, "/_faults", {"path": "/api/v1/me", "fault": "server_error", "times": 10})
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    allow_access(window)
    expect(window.get_by_role("heading", name="Tickets sandbox was not connected")).to_be_visible()
    control(demo, "/_reset", {"parts": ["faults"]})
    window.get_by_role("link", name="Try again").click()
    window.get_by_role("button", name="Sign in to Tickets").click()
    with window.expect_event("close", timeout=PATIENCE):
        window.get_by_role("button", name="Allow").click()

    assert "done" == helpdesk.outcome("connect-sandbox")[0]


def test_giving_up_before_a_form_can_be_repeated(helpdesk: Helpdesk) -> None:
    """A form that needs an account first offers to connect again after a cancelled attempt, then goes on."""
    helpdesk.press("create-ticket")
    connect = helpdesk.dialog.get_by_role("button", name="Connect Tickets sandbox")
    cancel(helpdesk.open_window(connect))
    expect(helpdesk.dialog.get_by_role("alert")).to_contain_text("cancelled")
    helpdesk.sign_in(connect)

    expect(helpdesk.dialog.get_by_label("Title (required)")).to_be_visible()
    assert 1 == len(helpdesk.next_event("app-connected")["connected_accounts"])
