"""The connect pages in Chromium: the real service beside the real sandbox app, and what a user does on the pages."""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import httpx
from attrs import define, field, frozen
from playwright.sync_api import BrowserContext, Locator, Page, Response

from tests.examples.processes import SandboxApp
from tests.real_apps.running import ROOT
from tests.service_server.connected_world import sandbox_post
from tests.service_server.processes import RunningService

CONNECTORS = Path(__file__).with_name("connectors")  # `desk`: the sandbox app again, with every kind of field
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WAIT = 20  # seconds
GUARDS = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


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

    def cancel(self, session_id: str) -> None:
        """End a session as the panel of the SDK does."""
        self._ask("DELETE", f"/connect_sessions/{session_id}")

    def accounts(self, app: str = "sandbox") -> list[dict[str, Any]]:
        """Ann's accounts of an app."""
        found: list[dict[str, Any]] = self._ask("GET", f"/apps/{app}")["connected_accounts"]
        return found

    def redeem(self, session_id: str, address: str) -> dict[str, object]:
        """Finalise a session with the code in the address that the browser came back to."""
        code = httpx.URL(address).params["code"]
        answer: dict[str, object] = self._ask("POST", f"/connect_sessions/{session_id}/redeem", json={"code": code})
        return answer

    def expire(self, session_id: str) -> None:
        """Let a session's time be over."""
        with contextlib.closing(sqlite3.connect(self.service.data_directory / "service.db")) as database, database:
            database.execute("UPDATE connect_sessions SET expires_at = 0 WHERE id = ?", (session_id,))

    def start_over(self) -> None:
        """Bring the sandbox app back to its start, and disconnect what Ann has connected."""
        sandbox_post(self.sandbox, "/_reset", {})
        for app in ("sandbox", "desk"):
            for account in self.accounts(app):
                self._ask("DELETE", f"/apps/{app}/connected_accounts/{account['id']}")

    def _ask(self, method: str, path: str, **request: Any) -> Any:
        with self.service.api("ann") as api:
            answer = api.request(method, path, **request)
            assert answer.is_success, answer.text
            return answer.json() if answer.content else None


@define(slots=False)  # Playwright keeps something with the object whose method it calls
class Seen:
    """What a browser said of our pages: script errors, breaches of their own policy, pages without their guards."""

    origin: str
    troubles: list[str] = field(factory=list)

    def watch(self, context: BrowserContext) -> None:
        """Take note from now on."""
        context.on("weberror", lambda error: self.troubles.append(str(error.error)))
        context.on(
            "console",
            lambda message: self.troubles.append(message.text) if "Content Security Policy" in message.text else None,
        )
        context.on("response", self._check)

    def _check(self, response: Response) -> None:
        if not response.url.startswith(f"{self.origin}/") or "text/html" not in response.headers.get(
            "content-type", ""
        ):
            return
        policy = response.headers.get("content-security-policy", "")
        if "frame-ancestors 'none'" not in policy or "default-src 'none'" not in policy or "unsafe" in policy:
            self.troubles.append(f"{response.url} has the policy {policy!r}")
        for name, value in GUARDS.items():
            if response.headers.get(name) != value:
                self.troubles.append(f"{response.url} has no {name}: {value}")


def sign_in(page: Page, username: str = "alice", decision: str = "allow") -> None:
    """Go through the sandbox's pages."""
    page.locator("input[name=username]").fill(username)
    page.locator("input[name=password]").fill(f"{username}-password")
    page.locator("button[type=submit]").click()
    page.locator(f"button[name=decision][value={decision}]").click()


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


def assert_accessible(page: Page) -> None:
    """Let axe look at the whole page."""
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))")
    # The page's own policy lets no other script in; what a debugger evaluates isn't under it.
    page.evaluate(AXE.read_text())
    found = page.evaluate(
        """async (tags) => {
          const { violations } = await axe.run(document, { runOnly: { type: "tag", values: tags } });
          return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => [node.html, node.failureSummary])]);
        }""",
        RULES,
    )
    assert [] == found
