"""An operator in Chromium: signs in, and looks at pages in every window and colour."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.service_server.connect.connect_pages import assert_accessible
from tests.service_server.console.operator_browser import PASSWORD
from tests.service_server.processes import RunningService

LOOKS = tuple(itertools.product((1280, 360), ("light", "dark")))


@contextmanager
def signed_in(chromium: Browser, service: RunningService) -> Iterator[Page]:
    """A page of the console, with its operator signed in; nothing may go wrong in its scripts."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page, troubles = context.new_page(), list[str]()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if _is_trouble(message) else None)
    page.goto(f"{service.url}/console")
    page.get_by_label("Operator").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    yield page
    context.close()
    assert [] == troubles


def assert_fine(page: Page, name: str) -> None:
    """
    By axe's rules, and without scrolling sideways, in each window and colour; the last is a small and dark one.

    With SERVICE_PICTURES pictures are taken.
    """
    page.mouse.move(0, 0)  # what was pressed may give way to another button, whose colours would just be changing
    folder = os.environ.get("SERVICE_PICTURES")
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if folder:
            page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=True)
        assert_accessible(page)
        fits = page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert fits, (name, width, scheme)


def _is_trouble(message: ConsoleMessage) -> bool:
    """An error, but for the browser's own word about a page that was answered with a status of refusal."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")
