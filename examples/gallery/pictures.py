"""
The pictures of docs/embedding.md, taken of states of the gallery: `./dev pictures`.

They are made again only on purpose, since each browser and font draws a little otherwise; a test holds that they are
the ones that the page shows.
"""

import asyncio
import itertools
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attrs import frozen
from playwright.sync_api import Browser, sync_playwright

from examples.gallery.page import gallery_page

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
CHROMIUM = Path("/usr/bin/chromium")
LARGEST_BYTES = 60 * 1024

# One state alone on the page, as tall as it is.
_ALONE = """
  section:not(#{state}), h1, section > :is(h2, p) {{ display: none; }}
  body, main {{ margin: 0; display: block; }}
  section > div {{ max-height: none; padding: 12px; }}
"""


@frozen
class Picture:
    """A state of the gallery in a window of this width, in CSS pixels; `height` cuts off what is below."""

    state: str
    width: int
    height: int | None = None


PICTURES = {
    "marketplace": Picture("apps", 560, 620),
    "marketplace-on-a-phone": Picture("apps", 390, 720),
    "connecting": Picture("waiting-for-the-window", 560),
    "form": Picture("predicted", 560, 640),
    "outcome": Picture("done", 560),
}
"""By the name of the file."""


# The gallery's icons are all one, and a name in it tries what names may hold.
_COLOURS = ("3556d8", "c2410c", "0f766e", "7c3aed", "be185d", "4d7c0f")


def for_readers(html: str) -> str:
    """Return the gallery with an icon of its own for each app in a list, and with names as apps have them."""
    sections = re.split(r"(?=<section )", html.replace("Chat &lt;&amp; talk&gt;", "Chat"))
    return "".join(map(_in_colours, sections))


def _in_colours(section: str) -> str:
    colours = itertools.cycle(_COLOURS)
    return re.sub(f"%23{_COLOURS[0]}", lambda _: f"%23{next(colours)}", section)


def take(browser: Browser, html: str, picture: Picture) -> bytes:
    """Return a picture as PNG."""
    page = browser.new_page(
        viewport={"width": picture.width, "height": picture.height or 400},
        color_scheme="light",
        reduced_motion="reduce",
    )
    try:
        page.set_content(html)
        page.add_style_tag(content=_ALONE.format(state=picture.state))
        if picture.height is not None:
            return page.screenshot()
        return page.locator(f"#{picture.state} > div").screenshot()
    finally:
        page.close()


def main() -> None:
    """Take all pictures."""
    with ThreadPoolExecutor(1) as thread:  # in this one, Playwright keeps an event loop running
        html = for_readers(thread.submit(asyncio.run, gallery_page()).result())
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-lcd-text"])
        for name, picture in PICTURES.items():
            content = take(browser, html, picture)
            if len(content) > LARGEST_BYTES:
                sys.exit(f"{name} is larger than {LARGEST_BYTES} bytes: {len(content)}; show less of it")
            (FOLDER / f"{name}.png").write_bytes(content)
        browser.close()


if __name__ == "__main__":
    main()
