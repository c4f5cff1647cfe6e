"""The overview and the pages of calls as people see them: readable by eye and ear, at home in any window."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, sync_playwright

from service_server.store import Sums
from tests.chromium import ARGUMENTS, CHROMIUM
from tests.service_server.console.pages_in_chromium import SCHEMES, WIDTHS, assert_fine, signed_in
from tests.service_server.console.test_console_overview import count
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for these tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def watched(console_service: RunningService) -> RunningService:
    """The service after two days with calls."""

    async def fill() -> None:
        for hour in range(48):
            calls = 40 + (hour * 37) % 90
            await count(
                console_service,
                hour,
                "zoom",
                "zoom-send-message",
                Sums(calls, hour % 9, hour % 4, calls * 80.0, calls * 2.5),
            )
            await count(
                console_service,
                hour,
                "sandbox",
                "sandbox-list-tickets",
                Sums(calls // 2, 0, 0, calls * (60.0 if hour < 24 else 9.0), calls * 1.0),
            )
        await count(console_service, 2, "sandbox", "sandbox-get-ticket", Sums(300, 200, 0, 9_000.0, 300.0))

    with ThreadPoolExecutor(1) as apart:  # Playwright has the loop of this thread
        apart.submit(asyncio.run, fill()).result()
    return console_service


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_overview_is_accessible_and_fits(
    chromium: Browser, watched: RunningService, width: int, scheme: str
) -> None:
    """With charts in each range, and their figures as a table."""
    with signed_in(chromium, watched, width, scheme) as page:
        assert_fine(page, "overview")
        page.get_by_role("link", name="8 weeks").click()
        page.get_by_text("The charts as a table").click()
        assert_fine(page, "overview-weeks")
