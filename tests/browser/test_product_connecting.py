"""Connecting that does not go straight through: called off in the panel, on our page or at the provider, or blocked."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Troubles
from tests.browser.product import PATIENCE, Demo, Helpdesk, allow_access, control


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
    """A window closed at the provider can't be noticed: the panel stays, and opens it again."""
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    window.get_by_role("button", name="Sign in to Tickets").click()
    expect(window.get_by_label("User name")).to_be_visible()
    window.close(run_before_unload=True)
    expect(helpdesk.dialog).to_contain_text("Waiting for you to finish")

    helpdesk.sign_in(helpdesk.dialog.get_by_role("button", name="Open again"))

    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert 1 == len(helpdesk.next_event("app-connected")["connected_accounts"])


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
