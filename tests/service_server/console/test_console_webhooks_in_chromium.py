"""The pages of webhook endpoints as people see them: readable by eye and ear, at home in any window."""

import json

import pytest
from playwright.sync_api import Browser, expect

from tests.service_server.console.pages_in_chromium import assert_fine, signed_in
from tests.service_server.databases import execute
from tests.service_server.processes import RunningService, command

pytestmark = pytest.mark.browser

URL = "https://hooks.example.com/a/rather/long/address/of/a/backend/that/takes/what/happens?tenant=0123456789abcdef"
STATES = (("delivered", 1, "NULL"), ("failed", 29, "'It answered 500.'"), ("pending", 3, "'It answered 503.'"))
FIELDS = "(endpoint_id, account_id, event_id, event_type, body, state, attempts, due_at, status, problem, created_at)"


def endpoint_with_deliveries(service: RunningService) -> str:
    """An endpoint that fails, with deliveries in every state; nothing of them is sent, since none is due."""
    made = json.loads(command(service.data_directory, "webhook", "create", URL, "--app-key", service.app_key, "--json"))
    endpoint: str = made["id"]
    for number, (state, attempts, problem) in enumerate(STATES):
        row = f"'{endpoint}', {number}, 'evt_{number}', 'account.reconnect_required', '{{}}', '{state}', {attempts}"
        moments = f"9e9, {200 if state == 'delivered' else 'NULL'}, {problem}, 1.77e9"
        execute(service.data_directory, f"INSERT INTO webhook_deliveries {FIELDS} VALUES ({row}, {moments})")
    execute(service.data_directory, f"UPDATE webhook_endpoints SET failing_since = 1.77e9 WHERE id = '{endpoint}'")
    return endpoint


def test_every_page_is_accessible_and_fits(chromium: Browser, console_service: RunningService) -> None:
    """The list, its form, a secret, an endpoint with deliveries and a disabled one."""
    endpoint = endpoint_with_deliveries(console_service)
    with signed_in(chromium, console_service) as page:
        page.get_by_role("link", name="Webhooks").click()
        assert_fine(page, "webhooks")
        page.get_by_label("Application").select_option("Test host")
        page.get_by_label("URL").fill("http://plain.example.com")
        page.get_by_role("button", name="Create the endpoint").click()
        expect(page.get_by_role("alert")).to_be_visible()
        assert_fine(page, "webhooks-problem")
        page.get_by_label("URL").fill("https://hooks.example.com/new")
        page.get_by_label("call.finished").check()
        page.get_by_role("button", name="Create the endpoint").click()
        expect(page.get_by_text("shown only this once")).to_be_visible()
        assert_fine(page, "webhook-secret")
        page.get_by_role("link", name="I have kept it").click()
        assert_fine(page, "webhook-new")
        page.get_by_text("Remove the endpoint").click()
        page.get_by_role("button", name="Remove it for good").click()
        expect(page.get_by_role("status")).to_have_text("The endpoint was removed.")
        page.goto(f"{console_service.url}/console/webhooks/{endpoint}")
        expect(page.get_by_role("table").get_by_role("row")).to_have_count(4)
        assert_fine(page, "webhook-deliveries")
        page.get_by_role("button", name="Disable").click()
        expect(page.get_by_role("button", name="Enable")).to_be_visible()
        assert_fine(page, "webhook-disabled")
    command(console_service.data_directory, "webhook", "remove", endpoint)
