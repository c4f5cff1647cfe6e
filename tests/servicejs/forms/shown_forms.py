"""Function forms in a real browser: the shell's own scripts, with the screen in this process in the worker's place."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
from attrs import define
from playwright.async_api import Browser, Locator, Page, Route, expect

from examples.gallery.form_driver import Driver
from servicejs.screens.screen import Gesture

ASSETS = Path(__file__).parents[3] / "web_assets"
SURFACE_STYLES = ("surface.css", "controls.css", "form.css")
expect.set_options(timeout=15_000)  # a busy machine is no defect of the form
ORIGIN = "https://host.example"
START = """
<!doctype html><html lang="en"><title>Host</title><body><button id="before">Before</button>
<script>var FRAME_CSS = %s, SURFACE_CSS = %s, SHELL_WORDS = {}, LOCALES = ["en"], RIGHT_TO_LEFT = [];</script>
<script type="module">
  import * as content from "/scripts/surface_content.js";
  import { openSurface, takeContent, updateSurface } from "/scripts/surfaces.js";
  takeContent(content);
  const send = (gesture) => window.took(gesture);
  window.surface = openSurface({ owner: {}, instance: "1", modal: true, locale: "en", send });
  window.paint = (html) => updateSurface(window.surface, html, "Form");
</script>
"""


@define(eq=False)
class ShownForm:
    """A form on a page, painted whenever its screen asks for it."""

    driver: Driver
    page: Page
    paintings: set[asyncio.Task[None]] = attrs.field(factory=set)

    def element(self, element_id: str) -> Locator:
        """Find an element of the form."""
        return self.page.locator(f'[id="{element_id}"]')

    async def paint(self) -> None:
        """Show the form as it is now."""
        await self.page.evaluate("(html) => window.paint(html)", self.driver.screen.render())

    def repaint(self) -> None:
        """Show the form soon."""
        task = asyncio.create_task(self.paint())
        self.paintings.add(task)
        task.add_done_callback(self.paintings.discard)

    async def finished(self) -> tuple[dict[str, Any], int | None]:
        """Wait until the form is handed over, and return what it said."""
        async with asyncio.timeout(20):
            while not self.driver.finished:
                await self.page.wait_for_timeout(20)
        return self.driver.finished[0]

    async def take(self, gesture: dict[str, Any]) -> None:
        """Hand a gesture of the page to the screen."""
        gesture.pop("popup", None)
        await self.driver.screen.handle(Gesture(**gesture))


@asynccontextmanager
async def shown_in(browser: Browser, driver: Driver, **context: Any) -> AsyncIterator[ShownForm]:
    """Show a form in Chromium, with the scripts and styles of the shell."""
    profile = await browser.new_context(timezone_id="Europe/Berlin", **context)
    page = await profile.new_page()
    form = ShownForm(driver, page)
    await page.route(f"{ORIGIN}/**", _serve)
    # Playwright marks the function it is given, which a method of a slotted class does not allow.
    await page.expose_function("took", lambda gesture: form.take(gesture))
    await page.goto(f"{ORIGIN}/")
    await page.wait_for_function("Boolean(window.paint)")
    driver.on_refresh = form.repaint
    await form.paint()
    starting = asyncio.create_task(driver.screen.start())
    yield form
    driver.on_refresh = lambda: None
    starting.cancel()
    await driver.close()
    await asyncio.gather(*form.paintings)
    await profile.close()


async def _serve(route: Route) -> None:
    path = route.request.url.removeprefix(ORIGIN)
    if path == "/":
        surface = "".join((ASSETS / "styles" / name).read_text() for name in SURFACE_STYLES)
        given = tuple(json.dumps(each) for each in ((ASSETS / "styles" / "servicejs.css").read_text(), surface))
        await route.fulfill(body=START % given, content_type="text/html")
    elif path.startswith("/scripts/"):
        await route.fulfill(body=(ASSETS / path[1:]).read_text(), content_type="text/javascript")
    else:
        await route.fulfill(status=404)
