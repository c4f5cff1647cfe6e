"""A service of its own for a host page: it goes away and comes back, and has an app that is asked for little."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from attrs import define, field
from playwright.sync_api import BrowserContext, expect

from tests.comboboxes import choose
from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port, running
from tests.service_server.calls.clerk import clerk
from tests.service_server.catalog.connector_folder import parameter
from tests.service_server.processes import configure_app, create_application, service

from .conftest import OpenPage, Troubles
from .product import ALICE, PATIENCE, Demo, Helpdesk, allow_access

USER = "demo-user"


@define
class Switch:
    """A service that can be stopped and started again on its port and data directory."""

    data_directory: Path
    port: int
    application: dict[str, str]
    sandbox: SandboxApp
    _running: contextlib.ExitStack = field(factory=contextlib.ExitStack)

    def start(self) -> None:
        """Run the service, until it answers."""
        allowed = ("--allow-host", urlsplit(self.sandbox.url).netloc)
        started = service(self.data_directory, *allowed, port=self.port, application=self.application)
        self._running.enter_context(started)

    def stop(self) -> None:
        """End the service."""
        self._running.close()


def clerk_with_choices(folder: Path) -> Path:
    """Write an app that is asked for little, and has a form whose choices need more."""
    app = clerk()
    source = {"function": "list-projects", "value": "id", "label": "name"}
    app.functions["list-projects"] |= {"scopes": ["tickets:write"], "output": "items"}
    line = parameter(title="Project", **{"x-source": source})
    app.functions["create-ticket"]["parameters"]["properties"]["line"] = line
    app.write(folder, "clerk")
    return folder


@pytest.fixture(scope="module")
def parts(bundle: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Switch, Demo]]:
    """The parts of a demo as processes of their own, the service running."""
    folder, port, host_port = tmp_path_factory.mktemp("service"), free_port(), free_port()
    base_url, host_url = f"http://127.0.0.1:{port}", f"http://localhost:{host_port}"
    page = [sys.executable, "-m", "examples.browser", "--port", str(host_port), "--public-url", host_url]
    with pytest.MonkeyPatch.context() as patch, sandbox_app(f"{base_url}/oauth/callback") as sandbox:
        patch.setenv("SERVICE_CONNECTORS", str(clerk_with_choices(tmp_path_factory.mktemp("connectors"))))
        application = create_application(folder, "Helpdesk", host_url)
        key, secret = application["app_key"], application["app_secret"]
        page += ["--service-url", base_url, "--app-key", key, "--user-id", USER]
        client = {"client_id": sandbox.client_id, "client_secret": sandbox.client_secret}
        for app in ("sandbox", "clerk"):
            configure_app(folder, app, **client, variables={"base_url": sandbox.url})
        switch = Switch(folder, port, application, sandbox)
        with running(page, env={"DEMO_APP_SECRET": secret}) as host:
            host.first_json_line()
            switch.start()
            yield switch, Demo(base_url, host_url, sandbox.url, key, secret, USER)
            switch.stop()


@pytest.fixture(scope="module")
def demo(parts: tuple[Switch, Demo]) -> Demo:
    """This service in place of the demo's."""
    return parts[1]


def test_an_outage_is_told_and_passes(profile: BrowserContext, parts: tuple[Switch, Demo], troubles: Troubles) -> None:
    """A restart costs no connection; while it is away calls and lists say so; then a form goes on as filled in."""
    troubles.expect(
        "can do without", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE"
    )
    switch, demo = parts
    helpdesk = Helpdesk.open(profile, demo)
    window = helpdesk.open_window(helpdesk.page.locator("#connect-sandbox"))
    switch.stop()
    switch.start()
    with window.expect_event("close", timeout=PATIENCE):
        allow_access(window)
    assert "done" == helpdesk.outcome("connect-sandbox")[0]
    assert [ALICE] == helpdesk.accounts_told("app-connected")

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
    expect(dialog.locator(".account-label")).to_have_text([ALICE])
    helpdesk.page.keyboard.press("Escape")
    state, result = helpdesk.outcome_of("list-tickets")
    assert ("done", "200", 20) == (state, result["network_code"], len(result["output"]))
    assert [1, 1] == [len(helpdesk.events(name)) for name in ("ready", "app-connected")]

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


def test_a_form_reconnects_for_a_permission_that_is_missing(open_page: OpenPage) -> None:
    """Choices that need another permission offer Reconnect; the consent names it, and then the choices are there."""
    page = open_page()
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    with page.expect_popup() as opened:
        page.evaluate("() => { window.connecting = sdk.connectApp('clerk') }")
    with opened.value.expect_event("close", timeout=PATIENCE):
        allow_access(opened.value)
    account = page.evaluate("() => connecting")
    page.evaluate("() => { sdk.showFunctionUI('clerk-create-ticket', {}).catch(() => {}) }")
    form = page.get_by_role("dialog")
    expect(form).to_contain_text("Needs permission in Clerk: tickets:write")
    expect(form).to_contain_text("hasn’t been given yet for “Alice Andersson” in Clerk: tickets:write")
    with page.expect_popup() as opened:
        form.get_by_role("button", name="Reconnect").click()
    window = opened.value
    expect(window.get_by_role("heading", name="Reconnect Clerk")).to_be_visible()
    expect(window.locator("main")).to_contain_text("also do this with the account: Find")
    window.get_by_role("button", name="Sign in to Tickets").click()
    with window.expect_event("close", timeout=PATIENCE):
        window.get_by_role("button", name="Allow").click()

    form.get_by_role("combobox", name="Project").click()
    expect(form.get_by_role("option", name="Website")).to_be_visible()
    expect(form.get_by_role("button", name="Reconnect")).to_have_count(0)
    accounts = page.evaluate("() => sdk.getConnectedAccounts('clerk')")
    assert [account] == [str(each["id"]) for each in accounts]
