"""The host page of the demo: one script tag of another origin, a strict policy, and what bad credentials do."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import Demo, OpenPage, Troubles, error_of
from tests.browser.product import Helpdesk

pytestmark = pytest.mark.browser

METHODS = {
    "showApps": "",
    "connectApp": "'sandbox'",
    "disconnectApp": "'sandbox'",
    "isAppConnected": "'sandbox'",
    "getConnectedAccounts": "'sandbox'",
    "showFunctionUI": "'sandbox-create-ticket', {}",
    "invokeFunction": "'sandbox-list-tickets', {}",
    "getFunction": "'sandbox-list-tickets'",
}


def test_ready_on_another_origin_with_one_script(profile: BrowserContext, demo: Demo, troubles: Troubles) -> None:
    """One script tag of the service makes the SDK ready on a page of another site, and nothing complains."""
    helpdesk = Helpdesk.open(profile, demo)
    scripts = [tag.get_attribute("src") or "" for tag in helpdesk.page.locator("script").all()]

    assert urlsplit(demo.host_url).hostname != urlsplit(demo.base_url).hostname
    assert [f"{demo.base_url}/servicejs/v1/servicejs.js"] == [src for src in scripts if src.startswith("http")]
    assert demo.user_id == helpdesk.next_event("ready")["user_id"]
    assert [] == troubles.found


def test_wrong_hash_is_told_and_refuses_every_method(open_page: OpenPage, troubles: Troubles) -> None:
    """Credentials that are wrong emit `error`, also to late listeners, and every method rejects with it."""
    troubles.expect("401")
    page = open_page(hash="0" * 64)
    page.evaluate("window.sdk = new ServiceJS(options)")
    page.evaluate("new Promise(heard => sdk.eventEmitter.on('error', heard)).then(error => window.told = error)")

    assert "unauthenticated" == page.evaluate("told.code")
    for method, arguments in METHODS.items():
        refused = error_of(page, f"sdk.{method}({arguments})")
        assert ("unauthenticated", 401, True) == (refused["code"], refused["status"], refused["isServiceError"])
    expect(page.locator("[data-servicejs]")).to_have_count(0)
