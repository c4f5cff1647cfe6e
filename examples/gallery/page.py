"""Puts all states onto one page, each in a shadow root as on a host page: `python -m examples.gallery.page FILE`."""

import asyncio
import html
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import web_assets
from examples.gallery import form_states, marketplace_states
from servicejs.language import is_right_to_left, spoken

STYLES = Path(web_assets.__file__).parent / "styles"
SHEETS = ("servicejs.css", "surface.css", "controls.css", "marketplace.css", "connecting.css", "form.css")
ICON = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>"
    "<rect x='2' y='2' width='20' height='20' rx='5' fill='%233556d8'/></svg>"
)
"""In place of the apps' own icons: the page has no service to ask for them."""

PAGE_STYLE = Path(__file__).with_name("gallery.css")


async def states() -> AsyncIterator[tuple[str, str, str]]:
    """Yield every state: its name, what it is, and its HTML."""
    for name, marketplace in marketplace_states.STATES.items():
        yield name, marketplace.__doc__ or "", await marketplace()
    for name, form in form_states.STATES.items():
        driver = await form()
        yield name, form.__doc__ or "", driver.screen.render()
        await driver.close()


async def gallery_page() -> str:
    """Return the page, whole in itself: style sheets and all."""
    sheets = "".join(_style(STYLES / name) for name in SHEETS)
    language = f"lang={spoken()} dir={'rtl' if is_right_to_left() else 'ltr'}"
    sections = [
        f"<section id={name}><h2>{html.escape(name.replace('-', ' '))}</h2><p>{html.escape(words)}</p>"
        f"<div data-servicejs=inline {language}><template shadowrootmode=open>{sheets}"
        f"<div class=frame part=frame>{shown}</div></template></div></section>"
        async for name, words, shown in states()
    ]
    head = (
        "<meta charset=utf-8><meta name=viewport content='width=device-width'><title>ServiceJS: every state</title>"
        f"{_style(PAGE_STYLE)}"
    )
    page = "".join(re.sub(r'(<img src=")[^"]*', rf"\1{ICON}", section) for section in sections)
    return f"<!doctype html><html lang=en>{head}<body><h1>ServiceJS: every state</h1><main>{page}</main>"


def _style(file: Path) -> str:
    return f"<style>{file.read_text(encoding='utf-8')}</style>"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(gallery_page()), encoding="utf-8")
