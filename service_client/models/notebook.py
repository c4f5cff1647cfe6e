"""
How apps, functions and results look in a notebook.

All text is escaped, because others wrote it, and cut to a limit. Colours come from the page around it, so that it can
be read on light and dark backgrounds.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from service_client.models.app import App
    from service_client.models.call import CallResult
    from service_client.models.function import Function

MOST_ROWS, MOST_COLUMNS = 20, 8
LONGEST_CELL, LONGEST_TEXT = 120, 4000

# On a page without a doctype, a table inherits neither colour nor font by itself.
_TABLE = "border-collapse:collapse;margin:.4em 0;color:inherit;font:inherit"
_CELL = "text-align:left;vertical-align:top;padding:.15em .8em .15em 0;border-bottom:1px solid rgba(128,128,128,.35)"
_SMALL = "opacity:.75"


def app_html(app: "App") -> str:
    """An app with the accounts that are connected in it."""
    about = _line(app.title, app.name, *app.categories)
    accounts = [(each.id, each.display_name, _state(each.state, each.state_reason)) for each in app.connected_accounts]
    if not accounts:
        return f"{about}{_paragraph(app.description)}{_note('No account is connected.')}"
    return f"{about}{_paragraph(app.description)}{_table(('id', 'account', 'state'), accounts)}"


def function_html(function: "Function") -> str:
    """A function with its parameters, and the values that a prompt gave for them."""
    for_good = ("can't be undone",) if function.meta is not None and function.meta.destructive else ()
    about = _line(function.name, function.type, *for_good) + _paragraph(function.description)
    parameters = function.parameters
    rows: list[tuple[Any, ...]] = []
    for name, schema in parameters.properties.items():
        required = "required" if name in parameters.required else ""
        rows.append((name, schema.get("type", ""), required, schema.get("description") or schema.get("title", "")))
    listed = _table(("argument", "type", "", "what it is"), rows) if rows else _note("It takes no arguments.")
    if function.arguments is None:
        return about + listed
    return f"{about}{listed}{_note('The prompt says:')}{_json(function.arguments)}"


def result_html(result: "CallResult") -> str:
    """What the app answered: a list of objects as a table, everything else as JSON."""
    code = _line(result.network_code, "succeeded" if result.succeeded else "the app answered with an error")
    shown = _rows(result.output) if _is_rows(result.output) else _json(result.output)
    more = _note("There may be more: pass next_page on.") if result.next_page else ""
    return f"{code}{shown}{more}"


def _rows(rows: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(str(name) for row in rows[:MOST_ROWS] for name in row))
    table = _table(names[:MOST_COLUMNS], [[row.get(name) for name in names[:MOST_COLUMNS]] for row in rows])
    left_out = names[MOST_COLUMNS:]
    return table + (_note(f"Left out: {', '.join(left_out)}") if left_out else "")


def _table(head: Iterable[str], rows: Sequence[Iterable[Any]]) -> str:
    titles = "".join(f'<th style="{_CELL}">{_cell(each)}</th>' for each in head)
    lines = "".join(f"<tr>{''.join(map(_data, row))}</tr>" for row in rows[:MOST_ROWS])
    more = _note(f"… and {len(rows) - MOST_ROWS} more") if len(rows) > MOST_ROWS else ""
    return f'<table style="{_TABLE}"><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>{more}'


def _data(value: Any) -> str:
    return f'<td style="{_CELL}">{_cell(value)}</td>'


def _cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _shortened(text, LONGEST_CELL)


def _json(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return f'<pre style="white-space:pre-wrap">{_shortened(text, LONGEST_TEXT)}</pre>'


def _line(name: str, *notes: str) -> str:
    small = "".join(f' <span style="{_SMALL}">· {_shortened(each, LONGEST_CELL)}</span>' for each in notes)
    return f"<div><strong>{_shortened(name, LONGEST_CELL)}</strong>{small}</div>"


def _paragraph(text: str) -> str:
    return f"<div>{_shortened(text, LONGEST_TEXT)}</div>" if text else ""


def _note(text: str) -> str:
    return f'<div style="{_SMALL}">{_shortened(text, LONGEST_TEXT)}</div>'


def _state(state: str, reason: str | None) -> str:
    return state if reason is None else f"{state}: {reason}"


def _shortened(text: str, longest: int) -> str:
    return escape(text if len(text) <= longest else f"{text[: longest - 1]}…")


def _is_rows(output: object) -> "TypeGuard[Sequence[Mapping[str, Any]]]":
    return _is_list(output) and len(output) > 0 and all(isinstance(each, Mapping) for each in output)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
