"""A permission that is missing: the form offers to reconnect, and the user gives it there and then."""

import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.product import PATIENCE, Demo, allow_access
from tests.examples.processes import sandbox_app
from tests.real_apps.running import ROOT, free_port
from tests.service_server.calls.clerk import clerk
from tests.service_server.catalog.connector_folder import parameter
from tests.service_server.processes import configure_app, create_application, service

HOST = "http://host.localhost"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A service that asks an app for little, and has a form whose choices need more."""
    subprocess.run([sys.executable, "-m", "servicejs.bundle"], cwd=ROOT, check=True)
    data, port = tmp_path_factory.mktemp("data"), free_port()
    folder = clerk()
    source = {"function": "list-projects", "value": "id", "label": "name"}
    folder.functions["list-projects"] |= {"scopes": ["tickets:write"], "output": "items"}
    folder.functions["create-ticket"]["parameters"]["properties"]["line"] = parameter(
        title="Project", **{"x-source": source}
    )
    connectors = tmp_path_factory.mktemp("connectors")
    folder.write(connectors, "clerk")
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback") as app, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVICE_CONNECTORS", str(connectors))
        application = create_application(data, "Helpdesk", HOST)
        client = {"client_id": app.client_id, "client_secret": app.client_secret}
        configure_app(data, "clerk", **client, variables={"base_url": app.url})
        allowed = ("--allow-host", urlsplit(app.url).netloc)
        with service(data, *allowed, port=port, application=application) as running:
            yield Demo(running.url, HOST, app.url, running.app_key, running.app_secret, "ann")


def connect(page: Page, start: str) -> str:
    """Begin connecting by a script of the page, allow everything, and return the account's id."""
    with page.expect_popup() as opened:
        page.evaluate(f"() => {{ window.connecting = {start} }}")
    window = opened.value
    with window.expect_event("close", timeout=PATIENCE):
        allow_access(window)
    account: str = page.evaluate("() => window.connecting")
    return account


def test_the_form_reconnects_for_what_is_missing(open_page: OpenPage) -> None:
    """Choices that need another permission offer Reconnect; the consent names it, and then the choices are there."""
    page = open_page()
    page.evaluate("async () => { window.sdk = new ServiceJS(options); }")
    account = connect(page, "sdk.connectApp('clerk')")
    page.evaluate("() => { window.filling = sdk.showFunctionUI('clerk-create-ticket', {}) }")
    form = page.get_by_role("dialog")
    expect(form).to_contain_text("Needs permission in Clerk: tickets:write")
    expect(form).to_contain_text("hasn’t been given yet for “Alice Andersson” in Clerk: tickets:write")
    reconnect = form.get_by_role("button", name="Reconnect")
    with page.expect_popup() as opened:
        reconnect.click()
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
