"""The overview and the pages of calls as people see them: readable by eye and ear, at home in any window."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from service_server.store import Sums
from service_server.store.call_ids import call_id
from tests.service_server.console.pages_in_chromium import assert_fine, signed_in
from tests.service_server.console.test_console_calls import a_call, record
from tests.service_server.console.test_console_overview import count
from tests.service_server.databases import execute
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.browser


def apart(work: Coroutine[Any, Any, None]) -> None:
    """Run it in another thread, since Playwright has the loop of this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@pytest.fixture(scope="module")
def watched(console_service: RunningService) -> RunningService:
    """The service after two days with calls."""

    async def fill() -> None:
        for hour in range(48):
            calls = 40 + (hour * 37) % 90
            zoom = Sums(calls, hour % 9, hour % 4, calls * 80.0, calls * 2.5)
            sandbox = Sums(calls // 2, 0, 0, calls * (60.0 if hour < 24 else 9.0), calls * 1.0)
            await count(console_service, hour, "zoom", "zoom-send-message", zoom)
            await count(console_service, hour, "sandbox", "sandbox-list-tickets", sandbox)
        await count(console_service, 2, "sandbox", "sandbox-get-ticket", Sums(300, 200, 0, 9_000.0, 300.0))

    apart(fill())
    return console_service


def test_the_overview_is_accessible_and_fits(chromium: Browser, watched: RunningService) -> None:
    """With charts in each range, and their figures as a table."""
    with signed_in(chromium, watched) as page:
        assert_fine(page, "overview")
        page.get_by_role("link", name="8 weeks").click()
        page.get_by_text("The charts as a table").click()
        assert_fine(page, "overview-weeks")


def test_the_pages_of_calls_are_accessible_and_fit(chromium: Browser, watched: RunningService) -> None:
    """The list with all its filters and the export, a call with its time, its code and what running it again does."""
    user = "seen"
    call = a_call(
        user_id=user,
        function_name="sandbox-create-ticket",
        function_type="mutation",
        arguments={"title": "Printer on fire", "project_id": "office"},
        output={"id": 7},
        duration_ms=420.0,
        app_ms=230.0,
        renewal_ms=120.0,
        waiting_ms=50.0,
    )
    apart(record(watched, call, *(a_call(user_id=user, network_code=code) for code in ("200", "404", "503"))))
    with signed_in(chromium, watched) as page:
        page.goto(f"{watched.url}/console/calls?user={user}&since=7d")
        page.get_by_text("Export").click()
        assert_fine(page, "calls")
        page.goto(f"{watched.url}/console/calls/{call.id}")
        page.get_by_text("curl", exact=True).click()
        assert_fine(page, "call")
        page.get_by_label("Yes, do it once more").check()
        page.get_by_role("button", name="Run it again").click()
        expect(page.get_by_role("alert")).to_contain_text("The call was refused, and nothing was sent")
        assert_fine(page, "call-refused")
        page.goto(f"{watched.url}/console/calls/refused")
        assert_fine(page, "refused")


def test_the_list_follows_what_is_called(chromium: Browser, watched: RunningService) -> None:
    """New calls come in at their place, one that has ended says so, and the page stays where its reader is."""
    user, ids = "live", sorted(call_id() for _ in range(3))
    under_way = a_call(id=ids[0], user_id=user, outcome="started", network_code=None, duration_ms=None, output=None)
    apart(record(watched, under_way, a_call(id=ids[1], user_id=user)))
    with signed_in(chromium, watched) as page:
        page.goto(f"{watched.url}/console/calls?user={user}")
        rows = page.locator("#rows tr")
        expect(rows).to_have_count(2)
        page.get_by_role("button", name="Follow live").click()
        apart(record(watched, a_call(id=ids[2], user_id=user), a_call(user_id="somebody else")))
        expect(page.locator("#told")).to_have_text("1 new call")
        assert [ids[2], ids[1], ids[0]] == rows.evaluate_all("rows => rows.map((row) => row.dataset.id)")
        statement = f"UPDATE calls SET outcome = 'finished', network_code = '200' WHERE id = '{ids[0]}'"
        execute(watched.data_directory, statement)
        expect(rows.nth(2)).to_contain_text("Succeeded")
        assert_fine(page, "live")
        page.context.clear_cookies()
        expect(page.locator("#told")).to_have_text("Stopped: sign in again, or reload the page.")
        expect(page.get_by_role("button", name="Follow live")).to_have_attribute("aria-pressed", "false")


def test_explanations_and_code_are_accessible_and_fit(chromium: Browser, watched: RunningService) -> None:
    """What fits with its signals, and why something else doesn't; the code that embeds an application."""
    with signed_in(chromium, watched) as page:
        page.goto(f"{watched.url}/console/prediction?app=sandbox&prompt=create+a+ticket+titled+Fire")
        assert_fine(page, "prediction")
        page.goto(f"{watched.url}/console/prediction?prompt=the+ticket+was+deleted")
        assert_fine(page, "prediction-refused")
        page.goto(f"{watched.url}/console/applications/1/embedding")
        assert_fine(page, "embedding")
