"""
Write all form cases into one HTML page, to look at them: `python -m tests.servicejs.forms.gallery PAGE.html`.

Open it in a browser; `?theme=dark` is the browser's own preference (emulate it in the developer tools).
"""

import asyncio
import sys
from pathlib import Path

from tests.servicejs.forms.form_cases import CASES

STYLES = Path(__file__).parents[3] / "web_assets" / "styles"
PAGE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; background: #e8eaf0; }
body { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr)); gap: 24px; margin: 16px;
       align-items: start; }
h1 { font-size: 14px; margin: 0 0 6px; }
.surface { border-radius: 12px; overflow: hidden; box-shadow: 0 4px 24px #0003; }
@media (prefers-color-scheme: dark) { :root { background: #0b0d12; color: #e8eaf0; } }
"""


async def gallery(names: list[str]) -> str:
    """Return the page with the named cases (none: all)."""
    styles = "\n".join(sheet.read_text() for sheet in sorted(STYLES.glob("*.css"), reverse=True))
    sections = []
    for name in names or CASES:
        driver = await CASES[name]()
        sections.append(f'<section><h1>{name}</h1><div class="surface">{driver.screen.render()}</div></section>')
        await driver.close()
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><style>{PAGE}{styles}</style>"
    return f"<!doctype html><html lang=en><title>Function forms</title>{head}<body>{''.join(sections)}"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(gallery(sys.argv[2:])))
