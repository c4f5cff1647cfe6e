"""What an app answered, for people: a list as a table, one object as its fields, everything else as JSON."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

MOST_COLUMNS = 6
_LONGEST_CELL = 60


def show(output: Any, console: Console) -> None:
    """Print an output."""
    if isinstance(output, list) and output and all(isinstance(each, dict) for each in output):
        _show_rows(output, console)
    elif isinstance(output, dict) and output and not any(isinstance(each, (dict, list)) for each in output.values()):
        table = Table(box=None, pad_edge=False, show_header=False)
        for name, value in output.items():
            table.add_row(Text(name, style="bold"), Text(_plain(value)))
        console.print(table)
    else:
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, indent=2)
        console.print(Text(_printable(text, keep="\n")))


def _show_rows(rows: Sequence[dict[str, Any]], console: Console) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    # Lists and objects inside rows would fill the screen; --json shows them.
    plain = [name for name in names if not any(isinstance(row.get(name), (dict, list)) for row in rows)]
    shown = (plain or names)[:MOST_COLUMNS]
    table = Table(*shown, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(_shortened(_plain(row.get(name)))) for name in shown))
    console.print(table)
    if len(names) > len(shown):
        left_out = [name for name in names if name not in shown]
        console.print(Text(f"Left out, and in --json: {_shortened(', '.join(left_out))}", style="dim"))


def _plain(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _printable(text)


def _printable(text: str, keep: str = "") -> str:
    """Without what would command the terminal, since others wrote it."""
    return "".join(each if each.isprintable() or each in keep else " " for each in text)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 1]}…"
