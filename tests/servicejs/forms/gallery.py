"""
Write all form cases into one HTML page, to look at them: `python -m tests.servicejs.forms.gallery PAGE.html`.
"""

import asyncio
import sys
from pathlib import Path

from tests.servicejs.forms.form_cases import CASES

STYLES = Path(__file__).parents[3] / "web_assets" / "styles"
PAGE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; background: light-dark(#e8eaf0, #0b0d12); }
body { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr)); gap: 24px; margin: 16px;
       align-items: start; }
h1 { font-size: 14px; margin: 0 0 6px; }
"""


async def gallery(names: list[str]) -> str:
    """Return the page with the named cases (none: all), each in a shadow root as on a host page."""
    styles = "".join((STYLES / name).read_text() for name in ("servicejs.css", "controls.css", "form.css"))
    sections = []
    for name in names or CASES:
        driver = await CASES[name]()
        surface = f'<style>{styles}</style><div class="frame">{driver.screen.render()}</div>'
        sections.append(
            f"<section><h1>{name}</h1><div><template shadowrootmode=open>{surface}</template></div></section>"
        )
        await driver.close()
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><style>{PAGE}</style>"
    return f"<!doctype html><html lang=en><title>Function forms</title>{head}<body>{''.join(sections)}"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(gallery(sys.argv[2:])))
