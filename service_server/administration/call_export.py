"""Writes calls as a file: JSON lines, or CSV for spreadsheets. It is made as it is read, however long the log is."""

import csv
import io
import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, Literal, TypeAlias, get_args

import attrs

from service_server.store import Call, Refusal

ExportFormat: TypeAlias = Literal["jsonl", "csv"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
MEDIA_TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv"}
_CONTENTS = ("arguments", "output")
_OURS_ONLY = ("process_id",)
_CHUNK_CHARACTERS = 64 * 1024
# Spreadsheets take a text that begins so for a formula, and run it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


async def export(
    entries: AsyncIterable[Call] | AsyncIterable[Refusal],
    kind: type[Call] | type[Refusal],
    form: str,
    *,
    contents: bool,
) -> AsyncIterator[bytes]:
    """
    The pieces of a file with the entries in their order; with `contents` also the calls' arguments and outputs.

    In CSV these are JSON, and a text that a spreadsheet would run as a formula has an apostrophe before it.
    """
    left_out = _OURS_ONLY if contents else (*_OURS_ONLY, *_CONTENTS)
    names = [each.name for each in attrs.fields(kind) if each.name not in left_out]
    written = io.StringIO()
    table = csv.writer(written)
    if form == "csv":
        table.writerow(names)
    async for entry in entries:
        values = {name: getattr(entry, name) for name in names}
        if form == "csv":
            table.writerow([_cell(name, value) for name, value in values.items()])
        else:
            written.write(json.dumps(values) + "\n")
        if written.tell() >= _CHUNK_CHARACTERS:
            yield _taken(written)
    yield _taken(written)


def _cell(name: str, value: Any) -> Any:
    if name in _CONTENTS:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value


def _taken(written: io.StringIO) -> bytes:
    text = written.getvalue()
    written.seek(0)
    written.truncate()
    return text.encode("utf-8", "replace")  # in CSV; half a surrogate pair, which JSON can carry
