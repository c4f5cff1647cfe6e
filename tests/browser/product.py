"""The demo as its user and its operator meet it: what is done on the host page, and what the sandbox app saw of it."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
from attrs import field, frozen
from playwright.sync_api import BrowserContext, Locator, Page, expect

from service_client import Client, sign
from tests.examples.sign_in import log_in
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService, http

ALICE, BOB = "Alice Andersson (Acme)", "Bob Berger (Globex)"
PATIENCE = 30_000  # milliseconds; a cold start of the SDK on a busy machine takes seconds

expect.set_options(timeout=PATIENCE)


@frozen
class Demo:
    """A running demo: where it is, and who its user and its operator are."""

    base_url: str
    host_url: str
    sandbox_url: str
    app_key: str
    app_secret: str
    user_id: str
    console_url: str = ""
    console_user: str = ""
    console_password: str = field(default="", repr=False)
    data_directory: Path = Path()

    def client(self, user_id: str | None = None) -> Client:
        """Return a client for a user, the demo's own by default."""
        return Client(
            self.base_url, app_key=self.app_key, user_id=user_id or self.user_id, secret=self.app_secret, retries=0
        )

    def credentials(self, user_id: str | None = None) -> dict[str, str]:
        """Return the SDK's options for a user."""
        user_id = user_id or self.user_id
        return {"appKey": self.app_key, "userId": user_id, "hash": sign(user_id, self.app_secret)}


@frozen
class Helpdesk:
    """The host page of the demo, open and ready."""

    page: Page

    @classmethod
    def open(cls, profile: BrowserContext, demo: Demo) -> "Helpdesk":
        """Open the host page and wait until the SDK is ready."""
        page = profile.new_page()
        page.goto(demo.host_url)
        helpdesk = cls(page)
        helpdesk.becomes("ready")
        return helpdesk

    @property
    def dialog(self) -> Locator:
        """What the SDK shows over the page."""
        return self.page.get_by_role("dialog")

    def becomes(self, state: str) -> None:
        """Wait until the page says that the SDK is `ready`, or has an `error`."""
        expect(self.page.locator(f"body[data-sdk={state}]")).to_have_count(1)

    def press(self, button: str) -> None:
        """Press one of the page's own buttons, by its id."""
        self.page.locator(f"#{button}").click()

    def outcome_of(self, button: str) -> tuple[str, Any]:
        """Press a button of the page and return what came of it."""
        self.press(button)
        return self.outcome(button)

    def outcome(self, button: str) -> tuple[str, Any]:
        """Wait until what a button started is over; `done`, `refused` or `error`, and what the page shows of it."""
        expect(self.page.locator(f"#{button}")).not_to_have_attribute("aria-busy", "true")
        result = self.page.locator("#result")
        return result.get_attribute("data-state") or "", json.loads(result.locator("pre").text_content() or "null")

    def events(self, name: str) -> list[dict[str, Any]]:
        """The payloads of an event's emissions so far, newest first."""
        shown = self.page.locator(f'#events li[data-event="{name}"] pre').all_text_contents()
        return [json.loads(text) for text in shown]

    def next_event(self, name: str, seen: int = 0) -> dict[str, Any]:
        """Wait for the emission of an event after the `seen` first ones."""
        expect(self.page.locator(f'#events li[data-event="{name}"]')).to_have_count(seen + 1)
        return self.events(name)[0]

    def accounts_told(self, name: str, seen: int = 0) -> list[str]:
        """The accounts that the emission of an event after the `seen` first ones tells, in its order."""
        return [account["display_name"] for account in self.next_event(name, seen)["connected_accounts"]]

    def open_window(self, button: Locator) -> Page:
        """Press a button that starts connecting, and return the window it opens once it shows our connect page."""
        with self.page.expect_popup() as opened:
            button.click()
        window = opened.value
        expect(window.get_by_role("button", name="Cancel")).to_be_visible()
        window.wait_for_load_state()  # by then its script can tell that it is closed
        return window

    def sign_in(self, button: Locator, user: str = "alice") -> None:
        """Press a button that starts connecting, go through the sandbox app's pages, and see the window close."""
        window = self.open_window(button)
        with window.expect_event("close", timeout=PATIENCE):
            allow_access(window, user)

    def enter_key(self, button: Locator, key: str) -> None:
        """Press a button that starts connecting, choose the other way, enter an API key, and see the window close."""
        window = self.open_window(button)
        with window.expect_event("close", timeout=PATIENCE):
            window.get_by_role("radio", name="API key").check()
            window.get_by_role("textbox", name="API key").fill(key)
            window.get_by_role("button", name="Connect").click()

    def connect(self, user: str = "alice") -> str:
        """Connect a user of the sandbox app by signing in; the account's id."""
        self.sign_in(self.page.locator("#connect-sandbox"), user)
        state, shown = self.outcome("connect-sandbox")
        assert "done" == state, shown
        account_id: str = shown["connectedAccountId"]
        return account_id

    def open_form(self) -> Locator:
        """Open the form of a new ticket and wait until it can be filled in."""
        self.press("create-ticket")
        form = self.dialog
        expect(form.get_by_label("Title (required)")).to_be_visible()
        return form


def allow_access(popup: Page, user: str = "alice") -> None:
    """Go the whole way through the service's connect page and the sandbox app's sign-in and consent."""
    popup.get_by_role("button", name="Sign in to Tickets").click()
    popup.get_by_label("User name").fill(user)
    popup.get_by_label("Password").fill(f"{user}-password")
    popup.get_by_role("button", name="Sign in").click()
    popup.get_by_role("button", name="Allow").click()


def connect(demo: Demo, user: str = "alice") -> int:
    """Connect a user of the sandbox app by API key and without a browser; the account's id."""
    nobody: Any = None  # its program is not ours to end
    service = RunningService(demo.base_url, demo.data_directory, nobody, demo.app_key, demo.app_secret)
    return connect_by_key(service, demo.user_id, api_key(demo, user))


def disconnect_all(demo: Demo) -> None:
    """Leave the demo's user without an account."""
    with demo.client() as client:
        for account in client.connected_accounts.list("sandbox"):
            client.connected_accounts.disconnect("sandbox", account.id)


def api_key(demo: Demo, user: str) -> str:
    """The API key of a user of the sandbox app, from the page where the app shows it."""
    with http(demo.sandbox_url) as visitor:
        log_in(visitor, user, f"{user}-password")
        found = re.search(r"<code[^>]* data-api-key[^>]*>([^<]+)<", visitor.get("/account/api-keys").text)
        assert found is not None
        return found[1]


def start_over(demo: Demo) -> None:
    """Bring the sandbox app back to the state of its start."""
    control(demo, "/_reset", {})


def control(demo: Demo, path: str, body: dict[str, Any]) -> None:
    """Use one of the sandbox app's controls for testers."""
    with http(demo.sandbox_url) as sandbox:
        sandbox.post(path, json=body).raise_for_status()


def requests_seen(demo: Demo, method: str, path: str) -> list[dict[str, Any]]:
    """The requests that reached the sandbox app, as it wrote them down, oldest first."""
    with http(demo.sandbox_url) as sandbox:
        log = sandbox.get("/_log", params={"path": path}).raise_for_status().json()
    return [entry for entry in log["requests"] if entry["method"] == method]


def tickets(demo: Demo, user: str = "alice") -> list[dict[str, Any]]:
    """All tickets of a user, oldest first, asked of the sandbox app itself."""
    found: list[dict[str, Any]] = []
    cursor = ""
    with http(demo.sandbox_url, {"X-Api-Key": api_key(demo, user)}) as sandbox:
        while cursor is not None:
            query = httpx.QueryParams({"limit": 100} | ({"cursor": cursor} if cursor else {}))
            page = sandbox.get("/api/v1/tickets", params=query).raise_for_status().json()
            found += page["items"]
            cursor = page["next_cursor"]
    return found
