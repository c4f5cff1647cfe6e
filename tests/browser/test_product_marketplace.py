"""The marketplace on the host page: over it or in a container, connecting and disconnecting accounts."""

from playwright.sync_api import expect

from .conftest import Troubles
from .product import ALICE, BOB, Demo, Helpdesk, api_key, connect


def test_two_accounts_come_and_go(helpdesk: Helpdesk, demo: Demo, troubles: Troubles) -> None:
    """Each is told at once, newest first; of several the one to disconnect must be named, the only one needn't."""
    troubles.expect("400")
    page = helpdesk.page
    helpdesk.press("show-apps")
    helpdesk.sign_in(page.locator("#app-sandbox-connect"), "alice")
    first = helpdesk.next_event("app-connected")
    expect(page.get_by_text("Tickets sandbox is connected.")).to_be_visible()
    page.get_by_role("button", name="Connected Tickets sandbox").click()
    helpdesk.enter_key(page.get_by_role("menuitem", name="Add another account"), api_key(demo, "bob"))
    second = helpdesk.next_event("app-connected", seen=1)

    assert [ALICE] == [account["display_name"] for account in first["connected_accounts"]]
    assert [BOB, ALICE] == helpdesk.accounts_told("app-connected", seen=1)
    alice, bob = first["connected_account_id"], second["connected_account_id"]
    assert [bob, alice] == [account["id"] for account in second["connected_accounts"]]
    assert ("sandbox", "Tickets sandbox") == (second["name"], second["title"])
    expect(helpdesk.dialog.locator(".account-label")).to_have_text([BOB, ALICE])
    page.keyboard.press("Escape")
    assert ("done", {"connected": True}) == helpdesk.outcome_of("is-connected")

    state, error = helpdesk.outcome_of("disconnect-sandbox")
    assert ("error", "account_required") == (state, error["code"])
    assert [] == helpdesk.events("app-disconnected")
    page.get_by_label("Account").select_option(str(bob))
    for seen, (account, left) in enumerate(((bob, [ALICE]), (alice, []))):
        assert ("done", {"disconnected": True}) == helpdesk.outcome_of("disconnect-sandbox")
        assert account == helpdesk.next_event("app-disconnected", seen)["connected_account_id"]
        assert left == helpdesk.accounts_told("app-disconnected", seen)
    assert ("done", {"connected": False}) == helpdesk.outcome_of("is-connected")
    state, error = helpdesk.outcome_of("disconnect-sandbox")
    assert ("error", "not_connected") == (state, error["code"])


def test_disconnecting_in_the_marketplace_asks_first(helpdesk: Helpdesk, demo: Demo) -> None:
    """Disconnect in an app's menu asks; Keep keeps; Disconnect again takes just that account, and tells the page."""
    connect(demo)
    bob = connect(demo, "bob")
    page = helpdesk.page
    helpdesk.press("show-apps")
    menu = page.get_by_role("button", name="Connected Tickets sandbox")
    ask = page.get_by_role("group", name=BOB).get_by_role("menuitem", name="Disconnect")
    menu.click()
    ask.click()
    keep = page.get_by_role("button", name="Keep")
    expect(keep).to_be_focused()
    keep.press("Enter")
    expect(menu).to_be_focused()
    menu.click()
    ask.click()
    assert [] == helpdesk.events("app-disconnected")
    page.locator(f"#account-{bob}-disconnect").click()

    assert [ALICE] == helpdesk.accounts_told("app-disconnected")
    expect(helpdesk.dialog.locator(".account-label")).to_have_text([ALICE])
    expect(page.get_by_text(f"{BOB} is disconnected from Tickets sandbox.")).to_be_visible()
