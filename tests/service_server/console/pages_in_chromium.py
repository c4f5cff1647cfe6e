"""An operator in Chromium: signs in, and looks at pages in every window and colour."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.service_server.connect.connect_pages import assert_accessible
from tests.service_server.console.operator_browser import PASSWORD
from tests.service_server.processes import RunningService

WIDTHS, SCHEMES = (360, 1280), ("light", "dark")


@contextmanager
def signed_in(chromium: Browser, service: RunningService, width: int, scheme: str) -> Iterator[Page]:
    """A page of the console, with its operator signed in; nothing may go wrong in its scripts."""
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
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
    """By axe's rules, and without scrolling sideways; with SERVICE_PICTURES a picture is taken."""
    page.mouse.move(0, 0)
    folder = os.environ.get("SERVICE_PICTURES")
    if folder:
        size = page.viewport_size or {"width": 0}
        dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        page.screenshot(path=Path(folder) / f"{name}-{size['width']}{'-dark' if dark else ''}.png", full_page=True)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name


def _is_trouble(message: ConsoleMessage) -> bool:
    """An error, but for the browser's own word about a page that was answered with a status of refusal."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")
