"""The connect pages in Chromium: the real service beside the real sandbox app, and what a user does on the pages."""

import shutil
from pathlib import Path
from typing import Any

from attrs import frozen
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.examples.processes import SandboxApp
from tests.service_server.catalog.connector_folder import ConnectorFolder
from tests.service_server.databases import execute
from tests.service_server.function_files import mutation, query
from tests.service_server.processes import RunningService

DESK = Path(__file__).with_name("desk.yaml")  # the sandbox app again, with every kind of field
LISTED = ("events", "labels", "people", "projects", "queues", "tickets", "users")
WAIT = 20  # seconds
TICKETS = "Tickets sandbox is connected"


@frozen
class ConnectPages:
    """A running service beside a sandbox app, and the connect sessions of its user Ann."""

    service: RunningService
    sandbox: SandboxApp

    def session(self, app: str = "sandbox", **body: object) -> dict[str, str]:
        """Open a connect session."""
        opened: dict[str, str] = self._ask("POST", f"/apps/{app}/connect_sessions", json=body)
        return opened

    def state(self, session_id: str, wait: int = 0) -> dict[str, object]:
        """How a session stands."""
        found: dict[str, object] = self._ask("GET", f"/connect_sessions/{session_id}", params={"wait": wait})
        return found

    def status(self, session: dict[str, str], wait: int = 0) -> object:
        """How a session stands, in a word."""
        return self.state(session["id"], wait)["status"]

    def cancel(self, session: dict[str, str]) -> None:
        """End a session as the panel of the SDK does."""
        self._ask("DELETE", f"/connect_sessions/{session['id']}")

    def accounts(self, app: str = "sandbox") -> list[dict[str, Any]]:
        """Ann's accounts of an app."""
        found: list[dict[str, Any]] = self._ask("GET", f"/apps/{app}")["connected_accounts"]
        return found

    def expire(self, session: dict[str, str]) -> None:
        """Let a session's time be over."""
        execute(self.service.data_directory, f"UPDATE connect_sessions SET expires_at = 0 WHERE id = '{session['id']}'")

    def start_over(self) -> None:
        """Bring the sandbox app back to its start, and disconnect what Ann has connected."""
        self.sandbox.control("/_reset", {})
        for app in ("sandbox", "desk"):
            for account in self.accounts(app):
                self._ask("DELETE", f"/apps/{app}/connected_accounts/{account['id']}")

    def _ask(self, method: str, path: str, **request: Any) -> Any:
        with self.service.api("ann") as api:
            answer = api.request(method, path, **request)
            assert answer.is_success, answer.text
            return answer.json() if answer.content else None


def write_desk(connectors: Path) -> None:
    """Write `desk` into a folder of connectors: one function that changes something, and more that read than shown."""
    functions = {f"list-{each}": query({"get": "/things"}, title=f"List {each}") for each in LISTED}
    close = mutation({"delete": "/tickets/1"}, title="Close a ticket")
    folder = ConnectorFolder(functions={**functions, "close-ticket": close}).write(connectors, "desk")
    shutil.copy(DESK, folder / "connector.yaml")  # its fields stand in an order


def watched(context: BrowserContext) -> list[str]:
    """What a browser says of our pages from now on: script errors, and breaches of their own policy."""
    troubles: list[str] = []

    def note(text: str) -> None:
        if "Content Security Policy" in text:
            troubles.append(text)

    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on("console", lambda message: note(message.text))
    return troubles


def press(page: Page, name: str) -> None:
    """Press a button."""
    page.get_by_role("button", name=name).click()


def shows(page: Page, heading: str) -> None:
    """Wait until a page has a heading."""
    expect(page.get_by_role("heading", name=heading)).to_be_visible(timeout=WAIT * 1000)


def leave(page: Page, session: dict[str, str]) -> None:
    """Set out for the sandbox's pages in a session."""
    page.goto(session["url"])
    press(page, "Sign in to Tickets")
    page.locator("input[name=username]").wait_for()


def sign_in(page: Page, username: str = "alice", decision: str = "allow") -> None:
    """Go through the sandbox's pages."""
    page.locator("input[name=username]").fill(username)
    page.locator("input[name=password]").fill(f"{username}-password")
    page.locator("button[type=submit]").click()
    page.locator(f"button[name=decision][value={decision}]").click()


def type_key(page: Page, key: str, button: str = "Connect") -> None:
    """Fill in the field of the sandbox's API key, and send it."""
    key_field(page).fill(key)
    press(page, button)


def popup(profile: BrowserContext, url: str) -> Page:
    """A window that a page of another origin opened, as the SDK does."""
    opener = profile.new_page()
    opener.goto("about:blank")
    with opener.expect_popup() as opened:
        opener.evaluate("url => { window.popup = window.open(url, 'connect', 'width=480,height=720') }", url)
    return opened.value


def key_field(page: Page) -> Locator:
    """The field of the sandbox's API key."""
    return page.get_by_role("textbox", name="API key")


def desk_page(pages: ConnectPages, page: Page, way: str | None = None) -> dict[str, str]:
    """Open the page of `desk`, with one of its ways chosen by its title; the connect session."""
    session = pages.session("desk")
    page.goto(session["url"])
    if way is not None:
        page.get_by_role("radio", name=way).check()
    return session


def fill_desk(page: Page, **values: str) -> None:
    """Fill in fields of `desk`, by the names in its connector."""
    names = {"team": "Team", "email": "Email address", "serial": "Serial number", "api_key": "Key of the device"}
    for name, value in values.items():
        page.get_by_role("textbox", name=names[name]).fill(value)
