"""Writes a connector's folder: all of it, or nothing."""

import colorsys
import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from service_server.openapi_import.emit import yaml_of

REPORT_FILE = "IMPORT.md"


def write_connector(
    folder: Path, connector: Mapping[str, Any], functions: Mapping[str, str], report: str
) -> list[Path]:
    """
    Write a connector that was checked before; `functions` are the texts of theirs by their stems. Returns the files.

    Raises:
        FileExistsError: the folder is there already; nothing is changed.
    """
    if folder.exists() or folder.is_symlink():
        raise FileExistsError(str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    # A service that watches the folder of connectors takes the one around it for no connector, and this one not yet.
    around = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    unfinished = around / folder.name
    try:
        (unfinished / "functions").mkdir(parents=True)
        contents = {
            "connector.yaml": connector_text(connector),
            "icon.svg": icon_of(connector["name"], connector["title"]),
            REPORT_FILE: report,
            **{f"functions/{stem}.yaml": text for stem, text in functions.items()},
        }
        for name, text in contents.items():
            (unfinished / name).write_text(text, encoding="utf-8")
        unfinished.rename(folder)
    finally:
        shutil.rmtree(around, ignore_errors=True)
    return [folder / name for name in contents]


def connector_text(connector: Mapping[str, Any]) -> str:
    """Return `connector.yaml`, with a blank line before each part as people write it."""
    parts = [yaml_of({key: value}) for key, value in connector.items()]
    head = [
        part for key, part in zip(connector, parts, strict=True) if key in ("name", "title", "description", "docs_url")
    ]
    return "\n".join(["".join(head), *parts[len(head) :]])


def icon_of(name: str, title: str) -> str:
    """Return a plain tile with the app's first letter, in a colour that is always the same for a name."""
    hue = hashlib.sha256(name.encode()).digest()[0] / 256
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue, 0.32, 0.5))
    letter = next((character for character in title if character.isalnum()), name[0]).upper()[:1]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" role="img" aria-label="{escape(title)}">\n'
        f'  <rect width="24" height="24" rx="5" fill="#{red:02x}{green:02x}{blue:02x}"/>\n'
        f'  <text x="12" y="17" text-anchor="middle" font-family="sans-serif" font-size="14" fill="#fff">'
        f"{escape(letter)}</text>\n"
        f"</svg>\n"
    )
