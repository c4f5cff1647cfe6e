"""Writes a connector's folder: all of it, or nothing."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service_server.catalog.icons import plain_icon
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
            "icon.svg": plain_icon(connector["name"], connector["title"]),
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
