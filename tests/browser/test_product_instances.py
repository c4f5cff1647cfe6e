"""A page of a host application's own making: two users at once, and calls that were made wrongly."""

import json
from collections.abc import Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import PATIENCE, Demo, Troubles, allow_access, error_of
from tests.browser.product import start_over

pytestmark = pytest.mark.browser

PAGES = Path(__file__).with_name("pages")
SECOND_USER = "second-user"
WRONG_CALLS = [
    ("showApps([], 'inline')", "container_not_found", "containerId is required"),
    ("showApps([], 'sideways')", "invalid_argument", "MarketplaceRenderModes"),
    ("showApps('sandbox')", "invalid_argument", "apps"),
    ("showApps(['sandbox', 'sandbocks'])", "unknown_app", "sandbocks"),
    ("eventEmitter.on('app-conected', () => {})", "unknown_event", "app-connected"),
    ("eventEmitter.unsub('nothing')", "unknown_event", "app-disconnected"),
    ("connectApp()", "invalid_argument", "appName"),
    ("connectApp('sandbocks')", "unknown_app", "sandbocks"),
    ("disconnectApp('sandbocks')", "unknown_app", "sandbocks"),
    ("disconnectApp('sandbox', 'first')", "invalid_argument", "connectedAccountId"),
    ("isAppConnected('sandbocks')", "unknown_app", "sandbocks"),
    ("getConnectedAccounts('sandbocks')", "unknown_app", "sandbocks"),
    ("getFunction('sandbox-create-tickets')", "unknown_function", "sandbox-create-tickets"),
    ("showFunctionUI('sandbox-create-tickets', {})", "unknown_function", "sandbox-create-tickets"),
    ("showFunctionUI('sandbox-create-ticket', 'title')", "invalid_argument", "params"),
    ("invokeFunction('sandbox-list-tickets', [])", "invalid_argument", "params"),
    ("invokeFunction('sandbox-list-tickets', {}, 'alice')", "invalid_argument", "connectedAccountId"),
]


@pytest.fixture
def page_url(demo: Demo) -> Iterator[str]:
    """Serves the page of two users on an origin of its own; gives its address."""
    users = {"first": demo.credentials(), "second": demo.credentials(SECOND_USER)}
    script = f"{demo.base_url}/servicejs/v1/servicejs.js"
    html = Template((PAGES / "two_users.html").read_text()).substitute(script=script, options=escape(json.dumps(users)))
    files = {"/": ("text/html", html), "/two_users.js": ("text/javascript", (PAGES / "two_users.js").read_text())}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            media_type, text = files.get(self.path, ("text/plain", ""))
            self.send_response(200 if self.path in files else 404)
            self.send_header("Content-Type", f"{media_type}; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def two_users(profile: BrowserContext, demo: Demo, page_url: str) -> Page:
    """The page, with both instances ready and no account connected to either user."""
    with demo.client(SECOND_USER) as client:
        for account in client.connected_accounts.list("sandbox"):
            client.connected_accounts.disconnect("sandbox", account.id)
    start_over(demo)
    page = profile.new_page()
    page.goto(page_url)
    for name in ("first", "second"):
        expect(heard(page, name, "ready")).to_have_count(1)
    return page


def heard(page: Page, name: str, event: str) -> Locator:
    """What an instance heard of an event."""
    return page.locator(f'#heard-{name} [data-event="{event}"]')


def test_instances_are_strangers_to_each_other(two_users: Page, demo: Demo) -> None:
    """Two users on one page: each instance knows its own user, accounts and events only."""
    for name in ("first", "second"):
        two_users.evaluate("([name, mode]) => window[name].showApps([], mode, 'apps-' + name)", [name, "inline"])
    with two_users.expect_popup() as opened:
        two_users.locator("#connect-first").click()
    with opened.value.expect_event("close", timeout=PATIENCE):
        allow_access(opened.value)
    expect(heard(two_users, "first", "app-connected")).to_have_count(1)

    assert [True, False] == two_users.evaluate("Promise.all([first, second].map(sdk => sdk.isAppConnected('sandbox')))")
    expect(two_users.locator("#apps-first .account-label")).to_have_text(["Alice Andersson (Acme)"])
    expect(two_users.locator("#apps-second .account-label")).to_have_count(0)
    assert 0 == heard(two_users, "second", "app-connected").count()
    ready = [json.loads(heard(two_users, name, "ready").text_content() or "") for name in ("first", "second")]
    assert [demo.user_id, SECOND_USER] == [payload["user_id"] for payload in ready]

    two_users.evaluate("second.eventEmitter.unsub('app-disconnected')")
    two_users.evaluate("first.disconnectApp('sandbox')")
    expect(heard(two_users, "first", "app-disconnected")).to_have_count(1)
    expect(two_users.locator("#apps-first .account-label")).to_have_count(0)


def test_end_of_one_leaves_the_other(two_users: Page) -> None:
    """Destroying one instance takes its own surfaces away; the other goes on."""
    for name in ("first", "second"):
        two_users.evaluate("name => window[name].showApps([], 'inline', 'apps-' + name)", name)
    two_users.evaluate("first.destroy()")

    expect(two_users.locator("#apps-first [data-servicejs]")).to_have_count(0)
    assert two_users.evaluate("second.isAppConnected('sandbox')") is False
    expect(two_users.locator("#apps-second").get_by_role("button", name="Connect").first).to_be_visible()
    assert "destroyed" == error_of(two_users, "first.isAppConnected('sandbox')")["code"]


def test_wrong_calls_are_explained(two_users: Page, troubles: Troubles) -> None:
    """What a developer got wrong rejects with a code and with words that name it, and leaves nothing on the page."""
    troubles.expect("404")
    for call, code, words in WRONG_CALLS:
        error = error_of(two_users, f"first.{call}")
        assert (call, code, True) == (call, error.get("code"), error.get("isServiceError")), error
        assert words in error["message"]
        expect(two_users.locator("[data-servicejs]")).to_have_count(0)


def test_unknown_function_is_a_result_of_calling(two_users: Page, troubles: Troubles) -> None:
    """invokeFunction resolves with the refusal: what was not executed is a result too."""
    troubles.expect("404")
    result = two_users.evaluate("first.invokeFunction('sandbox-create-tickets', {})")

    assert ["unknown_function"] == [detail["code"] for detail in result["error_details"]]
    assert "network_code" not in result
