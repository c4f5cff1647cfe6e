"""The pages of operators, keys and the audit trail as people see them."""

import pytest
from playwright.sync_api import Browser, expect

from tests.service_server.console.operator_browser import PASSWORD
from tests.service_server.console.pages_in_chromium import assert_fine, signed_in
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.browser


def test_every_page_is_accessible_and_fits(chromium: Browser, console_service: RunningService) -> None:
    """An operator is added, given a role and removed, a key made and removed, and the trail says so."""
    name = "mia"
    with signed_in(chromium, console_service) as page:
        page.get_by_role("link", name="Operators").click()
        form = page.get_by_role("region", name="Add an operator")
        form.get_by_label("Name").fill("ada")
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button").click()
        expect(page.get_by_role("alert")).to_have_text("There is an operator ada already.")
        form.get_by_label("Name").fill(name)
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button").click()
        expect(page.get_by_role("status")).to_have_text("They may sign in now.")
        page.get_by_label(f"Role of {name}").click()
        row = page.get_by_role("listitem").filter(has_text=name)
        row.get_by_role("combobox", name="Role").select_option("developer")
        assert_fine(page, "operators")
        row.get_by_role("button", name="Save").click()
        expect(row).to_contain_text("Developer")
        key = page.get_by_role("region", name="Make a key")
        key.get_by_label("Name").fill("robot")
        key.get_by_role("button").click()
        expect(page.get_by_text("shown only this once")).to_be_visible()
        assert_fine(page, "key")
        page.get_by_role("link", name="I have kept it").click()
        assert_fine(page, "keys")
        page.get_by_label("Remove the key robot").click()
        page.get_by_role("listitem").filter(has_text="robot").get_by_role("button").click()
        expect(page.get_by_role("status")).to_contain_text("The key was removed.")
        page.get_by_label(f"Remove {name}", exact=True).click()
        row.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("status")).to_contain_text("The operator was removed")
        page.get_by_role("link", name="Audit").click()
        assert_fine(page, "audit")
        page.get_by_label("On what").fill(name)
        page.get_by_role("button", name="Filter").click()
        expect(page.get_by_role("table").get_by_role("row")).to_have_count(4)
        expect(page.get_by_role("table")).to_contain_text('role: "viewer" → "developer"')
