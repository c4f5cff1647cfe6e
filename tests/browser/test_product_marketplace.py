"""The marketplace on the host page: over it or in a container, connecting and disconnecting accounts."""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Demo, Troubles
from tests.browser.product import Helpdesk, api_key, start_over

pytestmark = pytest.mark.browser

ALICE, BOB = "Alice Andersson (Acme)", "Bob Berger (Globex)"


@pytest.fixture
def helpdesk(profile: BrowserContext, demo: Demo) -> Helpdesk:
    """The host page, with no account connected and the sandbox app as it started."""
    start_over(demo)
    return Helpdesk.open(profile, demo)


def names(event: dict[str, Any]) -> list[str]:
    """The accounts an event tells, in its order."""
    return [account["display_name"] for account in event["connected_accounts"]]


def focused(page: Page) -> str:
    """The id of what has the focus, inside of the SDK's shadow root too."""
    return page.locator("body").evaluate(
        "body => { const e = body.ownerDocument.activeElement; return (e.shadowRoot?.activeElement ?? e).id }"
    )


def test_modal_keeps_and_gives_back_the_focus(helpdesk: Helpdesk) -> None:
    """The modal holds the focus however often Tab is pressed; Escape closes it, and the focus returns."""
    page = helpdesk.page
    page.locator("#show-apps").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#app-sandbox-connect")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.locator("body").evaluate("body => body.ownerDocument.activeElement.closest('main') === null")
    page.keyboard.press("Escape")

    expect(helpdesk.dialog).to_have_count(0)
    expect(page.locator("#show-apps")).to_be_focused()


def test_inline_stands_in_its_container(helpdesk: Helpdesk) -> None:
    """Inline, the marketplace is part of the page: in its container, beside everything else."""
    page = helpdesk.page
    helpdesk.press("show-apps-inline")
    apps = page.locator("#apps-inline").get_by_role("listitem")

    expect(apps.filter(has_text="Tickets sandbox").get_by_role("button", name="Connect")).to_be_visible()
    expect(helpdesk.dialog).to_have_count(0)
    assert ("done", {"connected": False}) == helpdesk.outcome_of("is-connected")


def test_two_accounts_through_the_marketplace(helpdesk: Helpdesk, demo: Demo) -> None:
    """By the app's own sign-in, then by API key: each account is told at once, newest first, and stands in the list."""
    page = helpdesk.page
    helpdesk.press("show-apps")
    helpdesk.sign_in(page.locator("#app-sandbox-connect"), "alice")
    first = helpdesk.next_event("app-connected")
    expect(page.get_by_text("Tickets sandbox is connected.")).to_be_visible()
    page.get_by_role("button", name="Connected Tickets sandbox").click()
    helpdesk.enter_key(page.get_by_role("menuitem", name="Add another account"), api_key(demo, "bob"))
    second = helpdesk.next_event("app-connected", seen=1)

    assert [ALICE] == names(first)
    assert [BOB, ALICE] == names(second)
    assert second["connected_accounts"][0]["id"] == second["connected_account_id"]
    assert ("sandbox", "Tickets sandbox") == (second["name"], second["title"])
    expect(helpdesk.dialog.locator(".account-label")).to_have_text([BOB, ALICE])
    page.keyboard.press("Escape")
    assert ("done", {"connected": True}) == helpdesk.outcome_of("is-connected")


def test_disconnecting_asks_which_of_several(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """Of several accounts one must be named; the only one needs no name; each time the rest is told."""
    troubles.expect("400")
    alice, bob = helpdesk.connect("alice"), helpdesk.connect_by_key(demo, "bob")
    state, error = helpdesk.outcome_of("disconnect-sandbox")
    assert ("error", "account_required") == (state, error["code"])
    assert [] == helpdesk.events("app-disconnected")

    helpdesk.page.get_by_label("Account").select_option(bob)
    assert ("done", {"disconnected": True}) == helpdesk.outcome_of("disconnect-sandbox")
    told = helpdesk.next_event("app-disconnected")
    assert [ALICE] == names(told)
    assert int(bob) == told["connected_account_id"]

    assert ("done", {"disconnected": True}) == helpdesk.outcome_of("disconnect-sandbox")
    told = helpdesk.next_event("app-disconnected", seen=1)
    assert [] == names(told)
    assert int(alice) == told["connected_account_id"]
    assert ("done", {"connected": False}) == helpdesk.outcome_of("is-connected")
    state, error = helpdesk.outcome_of("disconnect-sandbox")
    assert ("error", "not_connected") == (state, error["code"])


def test_disconnecting_in_the_marketplace_asks_first(helpdesk: Helpdesk, demo: Demo) -> None:
    """Disconnect in an app's menu asks; Keep keeps; Disconnect again takes just that account, and tells the page."""
    helpdesk.connect("alice")
    bob = helpdesk.connect_by_key(demo, "bob")
    page = helpdesk.page
    helpdesk.press("show-apps")
    menu = page.get_by_role("button", name="Connected Tickets sandbox")
    ask = page.get_by_role("group", name=BOB).get_by_role("menuitem", name="Disconnect")
    menu.click()
    ask.click()
    page.get_by_role("button", name="Keep").click()
    menu.click()
    ask.click()
    assert [] == helpdesk.events("app-disconnected")
    page.locator(f"#account-{bob}-disconnect").click()

    assert [ALICE] == names(helpdesk.next_event("app-disconnected"))
    expect(helpdesk.dialog.locator(".account-label")).to_have_text([ALICE])
    expect(page.get_by_text(f"{BOB} is disconnected from Tickets sandbox.")).to_be_visible()


def test_a_menu_in_a_short_list_scrolls_nothing(helpdesk: Helpdesk) -> None:
    """With one app left by the search, its menu opens inside the dialog, whose heading stays where it is."""
    helpdesk.connect("alice")
    page = helpdesk.page
    helpdesk.press("show-apps")
    page.get_by_role("searchbox").fill("tickets sandbox")
    expect(helpdesk.dialog.locator(".app")).to_have_count(1)
    page.get_by_role("button", name="Connected Tickets sandbox").click()

    expect(page.get_by_role("menuitem", name="Add another account")).to_be_in_viewport()
    assert [0, 0] == helpdesk.dialog.evaluate("each => [each.scrollTop, each.scrollHeight - each.clientHeight]")


def test_same_account_twice_is_one(helpdesk: Helpdesk, demo: Demo) -> None:
    """Whoever connects the same third-party account again, in another way, still has one account."""
    by_sign_in, by_key = helpdesk.connect("alice"), helpdesk.connect_by_key(demo, "alice")

    assert by_sign_in == by_key
    assert [ALICE] == names(helpdesk.next_event("app-connected", seen=1))
