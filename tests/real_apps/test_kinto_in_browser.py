"""Kinto as a user of a host page meets it: connected in a popup, and a record made by the form of its collection."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from service_client import sign
from tests.chromium import ARGUMENTS, CHROMIUM
from tests.comboboxes import choose
from tests.real_apps.kinto_world import KintoWorld, create_companies
from tests.real_apps.running import ROOT

PATIENCE = 30_000  # milliseconds; a cold start of the SDK on a busy machine takes seconds
USER = "browser-user"
HOST_PAGE = """<!doctype html><html lang="en"><title>Acme Desk</title>
<script src="{service}/servicejs/v1/servicejs.js"></script>
<button id="connect">Connect Kinto</button> <button id="create">New company</button>"""

pytestmark = [pytest.mark.real_apps, pytest.mark.browser]


@pytest.fixture
def profile() -> Iterator[BrowserContext]:
    """A browser profile of its own, without the font that the provider's pages ask the internet for."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        context.route("**://fonts.googleapis.com/**", lambda route: route.abort())
        troubles: list[str] = []
        context.on("weberror", lambda error: troubles.append(str(error.error)))
        yield context
        browser.close()
    assert [] == troubles


@pytest.fixture
def host_page(world: KintoWorld, profile: BrowserContext) -> Page:
    """A page of the host application with an instance of the SDK that is ready."""
    subprocess.run([sys.executable, "-m", "servicejs.bundle"], cwd=ROOT, check=True)
    html = HOST_PAGE.format(service=world.service.url)
    profile.route(f"{world.origin}/", lambda route: route.fulfill(body=html, content_type="text/html"))
    page = profile.new_page()
    page.goto(f"{world.origin}/")
    options = {"appKey": world.service.app_key, "userId": USER, "hash": sign(USER, world.service.app_secret)}
    page.evaluate(
        """async (options) => {
          const sdk = new ServiceJS(options);
          const connected = [];
          sdk.eventEmitter.on("app-connected", (event) => connected.push(event));
          const onClick = (id, act) => document.getElementById(id).addEventListener("click", () => {
            window.outcome = act().catch((error) => ({ rejected: String(error), code: error.code }));
          });
          onClick("connect", async () => ({ id: await sdk.connectApp("kinto"), event: connected[0] }));
          onClick("create", async () => {
            const filled = await sdk.showFunctionUI("kinto-create-record", {});
            return { filled, result: await sdk.invokeFunction("kinto-create-record", filled) };
          });
          await new Promise((ready) => sdk.eventEmitter.on("ready", ready));
        }""",
        options,
    )
    return page


def outcome(page: Page) -> dict[str, Any]:
    """What came of the button pressed last."""
    found: dict[str, Any] = page.evaluate("window.outcome")
    return found


def connect(page: Page, login: str) -> dict[str, Any]:
    """Press the page's button and go through the service's and the provider's pages in the popup."""
    with page.expect_popup() as opened:
        page.locator("#connect").click()
    popup = opened.value
    with popup.expect_event("close", timeout=PATIENCE):
        popup.get_by_role("button", name="Sign in with the OpenID provider").click()
        popup.locator("input[name=login]").fill(login)
        popup.locator("input[name=password]").fill("any")
        popup.locator("button[type=submit]").click()
        popup.get_by_role("button", name="Continue").click()
    return outcome(page)


def test_a_record_is_made_by_the_form_of_its_schema(world: KintoWorld, host_page: Page) -> None:
    """Connected through the provider's own pages, a user fills in the fields of the collection's JSON Schema."""
    connected = connect(host_page, "browser")
    assert "id" in connected, connected
    with world.client(USER) as client:
        where = create_companies(client, "from-browser")

        host_page.locator("#create").click()
        form = host_page.get_by_role("dialog")
        choose(form, "Bucket (required)", where["bucket"])
        choose(form, "Collection (required)", where["collection"])
        form.get_by_label("Company name (required)").fill("Möbel & Söhne <b>")
        form.get_by_label("Stage", exact=True).select_option("won")
        form.get_by_label("Employees").fill("12")
        active = form.get_by_role("group", name="Active customer").locator("label").filter(has_text="Yes")
        active.click()
        expect(active.get_by_role("radio")).to_be_checked()
        form.get_by_role("button", name="Create a record").click()
        made = outcome(host_page)
        (record,) = client.functions.items("kinto-list-records", where)
        (account,) = client.connected_accounts.list("kinto")

    sent = {"name": "Möbel & Söhne <b>", "stage": "won", "employees": 12, "active": True}
    assert {**where, "data": sent} == made["filled"]
    assert "201" == made["result"]["network_code"]
    assert sent == {name: record[name] for name in sent}
    assert record["id"] == made["result"]["output"]["data"]["id"]
    assert (str(account.id), "Account browser") == (connected["id"], account.display_name)
    assert ["Account browser"] == [each["display_name"] for each in connected["event"]["connected_accounts"]]
