"""The service goes away while a host page is open, and comes back: the page is told, and goes on without a reload."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from attrs import define, field
from playwright.sync_api import BrowserContext, expect

from tests.browser.conftest import Troubles
from tests.browser.product import PATIENCE, Demo, Helpdesk, allow_access
from tests.comboboxes import choose
from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port, running
from tests.service_server.processes import RunningService, configure_app, create_application, service

USER = "demo-user"


@define
class Switch:
    """A service that can be stopped and started again on its port and data directory."""

    data_directory: Path
    port: int
    application: dict[str, str]
    sandbox: SandboxApp
    _running: contextlib.ExitStack = field(factory=contextlib.ExitStack)

    def start(self) -> RunningService:
        """Run the service, until it answers."""
        allowed = ("--allow-host", urlsplit(self.sandbox.url).netloc)
        started = service(self.data_directory, *allowed, port=self.port, application=self.application)
        return self._running.enter_context(started)

    def stop(self) -> None:
        """End the service."""
        self._running.close()


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Switch, Demo]]:
    """The parts of a demo as processes of their own, the service not yet started."""
    folder, port, host_port = tmp_path_factory.mktemp("service"), free_port(), free_port()
    base_url, host_url = f"http://127.0.0.1:{port}", f"http://localhost:{host_port}"
    application = create_application(folder, "Helpdesk", host_url)
    key, secret = application["app_key"], application["app_secret"]
    page = [sys.executable, "-m", "examples.browser", "--port", str(host_port), "--public-url", host_url]
    page += ["--service-url", base_url, "--app-key", key, "--user-id", USER]
    with sandbox_app(f"{base_url}/oauth/callback") as sandbox, running(page, env={"DEMO_APP_SECRET": secret}) as host:
        client = {"client_id": sandbox.client_id, "client_secret": sandbox.client_secret}
        configure_app(folder, "sandbox", **client, variables={"base_url": sandbox.url})
        host.first_json_line()
        yield Switch(folder, port, application, sandbox), Demo(base_url, host_url, sandbox.url, key, secret, USER)


@pytest.fixture
def switch(parts: tuple[Switch, Demo]) -> Iterator[Switch]:
    """The service, running when a test begins and stopped after it."""
    parts[0].start()
    yield parts[0]
    parts[0].stop()


@pytest.fixture
def helpdesk(profile: BrowserContext, parts: tuple[Switch, Demo], switch: Switch, troubles: Troubles) -> Helpdesk:
    """The host page, ready, with no account connected; requests that get no answer are expected here."""
    troubles.expect(
        "can do without", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE"
    )
    with parts[1].client() as client:
        for account in client.connected_accounts.list("sandbox"):
            client.connected_accounts.disconnect("sandbox", account.id)
    return Helpdesk.open(profile, parts[1])


def test_outage_is_told_and_passes(helpdesk: Helpdesk, switch: Switch) -> None:
    """While the service is away every call says so and the marketplace offers to try again; then all works again."""
    helpdesk.connect("alice")
    switch.stop()
    for button in ("list-tickets", "is-connected", "disconnect-sandbox", "create-ticket", "connect-sandbox"):
        state, error = helpdesk.outcome_of(button)
        assert ("error", "unreachable") == (state, error["code"])
        assert "reach" in error["message"]
        expect(helpdesk.dialog).to_have_count(0)
    helpdesk.press("show-apps")
    dialog = helpdesk.dialog
    expect(dialog.get_by_role("alert")).to_contain_text("The apps could not be loaded.")
    again = dialog.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    again.click()
    expect(dialog.get_by_role("alert")).to_have_count(0)  # it is trying; what stood there was of the first time
    expect(dialog.get_by_role("alert")).to_contain_text("The apps could not be loaded.")

    switch.start()
    again.click()
    expect(dialog.locator(".account-label")).to_have_text(["Alice Andersson (Acme)"])
    helpdesk.page.keyboard.press("Escape")
    state, result = helpdesk.outcome_of("list-tickets")
    assert ("done", "200", 20) == (state, result["network_code"], len(result["output"]))
    assert [1, 1] == [len(helpdesk.events(name)) for name in ("ready", "app-connected")]


def test_connecting_outlasts_a_restart(helpdesk: Helpdesk, switch: Switch) -> None:
    """A restart while a user is about to connect costs nothing: the window goes on, and the page hears of it."""
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    switch.stop()
    switch.start()
    with window.expect_event("close", timeout=PATIENCE):
        allow_access(window)

    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert ["Alice Andersson (Acme)"] == [
        account["display_name"] for account in helpdesk.next_event("app-connected")["connected_accounts"]
    ]


def test_form_outlasts_an_outage(helpdesk: Helpdesk, switch: Switch) -> None:
    """What was filled in is still there after an outage, the choices are loaded on Retry, and the call is made."""
    helpdesk.connect("alice")
    form = helpdesk.open_form()
    form.get_by_label("Title (required)").fill("Outlasts")
    form.get_by_role("combobox", name="Project (required)").click()
    expect(form.get_by_role("option", name="Billing")).to_be_visible()
    switch.stop()
    choose(form, "Project (required)", "Billing")
    retry = form.get_by_role("button", name="Retry : Custom fields")
    expect(retry).to_be_visible()
    switch.start()
    retry.click()
    form.get_by_label("Invoice number (required)").fill("R-1")
    form.get_by_label("Amount (required)").fill("5")
    form.get_by_role("button", name="Create a ticket").click()

    state, result = helpdesk.outcome("create-ticket")
    assert ("done", "201", "Outlasts") == (state, result["network_code"], result["output"]["title"])
