"""What Google Sheets needs beyond data: Drive's search language, ranges by sheet, and rows by their columns."""

import re
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_CELLS = re.compile(r"([A-Za-z]{0,3})([1-9]\d{0,6})?(?::([A-Za-z]{0,3})([1-9]\d{0,6})?)?", re.ASCII)
_FROZEN = {"rows": "frozenRowCount", "columns": "frozenColumnCount"}
_COLORS = {
    "black": {},
    "white": {"red": 1, "green": 1, "blue": 1},
    "gray": {"red": 0.8, "green": 0.8, "blue": 0.8},
    "red": {"red": 0.92, "green": 0.26, "blue": 0.21},
    "orange": {"red": 1, "green": 0.6},
    "yellow": {"red": 1, "green": 0.95, "blue": 0.4},
    "green": {"red": 0.42, "green": 0.75, "blue": 0.35},
    "blue": {"red": 0.29, "green": 0.53, "blue": 0.91},
    "purple": {"red": 0.6, "green": 0.4, "blue": 0.8},
    "pink": {"red": 0.96, "green": 0.6, "blue": 0.75},
}


def spreadsheet_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on files: spreadsheets, and those of a name where one is asked for."""
    query = "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false"
    if "name" in arguments:
        escaped = arguments["name"].replace("\\", "\\\\").replace("'", "\\'")
        query += f" and name contains '{escaped}'"
    return {"q": query}


def first_row(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the first row of a sheet, in which its columns have their names."""
    return {"range": f"{_sheet(arguments)}!1:1"}


def columns_of_sheet(body: Any) -> Any:
    """Return the columns that the first row names; their keys are their letters."""
    rows = body.get("values") if isinstance(body, dict) else None
    names = rows[0] if rows else []
    return {"columns": [{"key": _letters(at), "title": str(name)} for at, name in enumerate(names) if name != ""]}


def new_row(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a row from left to right, with nothing where no value is given."""
    cells = {_position(column): value for column, value in arguments["row"].items()}
    if not cells:
        raise InvalidRequest("row", "has no cell with a value")
    return {"range": _sheet(arguments), "values": [[cells.get(at) for at in range(max(cells) + 1)]]}


def rows_by_their_index(arguments: dict[str, Any]) -> dict[str, Any]:
    """Count rows as the API does: from 0, up to the one behind the last."""
    first = arguments["first_row"]
    last = arguments.get("last_row", first)
    if last < first:
        raise InvalidRequest("last_row", "comes before the first row")
    return {"startIndex": int(first) - 1, "endIndex": int(last)}


def cells_to_format(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which cells look how: a field that is named is changed, and to nothing where no value stands for it."""
    looks: dict[str, Any] = {name: arguments[name] for name in ("bold", "italic") if name in arguments}
    if "text_color" in arguments:
        looks["foregroundColorStyle"] = {"rgbColor": _COLORS[arguments["text_color"]]}
    written: dict[str, Any] = {"textFormat": looks} if looks else {}
    fields = [f"textFormat.{name}" for name in looks]
    if "color" in arguments:
        fields.append("backgroundColorStyle")
        if arguments["color"] != "none":
            written["backgroundColorStyle"] = {"rgbColor": _COLORS[arguments["color"]]}
    if not fields:
        raise InvalidRequest("color", "or another look has to be given")
    return {"range": _grid(arguments["cells"]), "format": written, "fields": f"userEnteredFormat({','.join(fields)})"}


def _grid(cells: str) -> dict[str, int]:
    """Read B2, A1:D1, 1:1 or A:A as the API counts: from 0, up to the one behind the last; an end may be open."""
    match = _CELLS.fullmatch(cells.strip().replace("$", ""))
    if match is None or not any(match.groups()):
        raise InvalidRequest("cells", "must be written as B2, A1:D1, 3:3 or A:C")
    column, row, last_column, last_row = match.groups()
    if ":" not in cells:
        last_column, last_row = column, row
    columns = sorted(_position(each, "cells") for each in (column, last_column) if each)
    rows = sorted(int(each) for each in (row, last_row) if each)
    return {
        **({"startColumnIndex": columns[0], "endColumnIndex": columns[-1] + 1} if columns else {}),
        **({"startRowIndex": rows[0] - 1} if row else {}),
        **({"endRowIndex": rows[-1]} if last_row else {}),
    }


def frozen(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write how many rows and columns stay in sight: the first row, where nobody says."""
    counts = {sent: int(arguments[name]) for name, sent in _FROZEN.items() if name in arguments} or {
        "frozenRowCount": 1
    }
    return {"grid": counts, "fields": ",".join(f"gridProperties.{name}" for name in counts)}


def rows_to_insert(arguments: dict[str, Any]) -> dict[str, Any]:
    """Count new rows as the API does: from 0, up to the one behind the last."""
    start = int(arguments["before_row"]) - 1
    return {"start": start, "end": start + int(arguments.get("count", 1)), "inherit": start > 0}


def column_of_sheet(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the number of a sheet by its name, and the place of one of its columns."""
    found = [each["properties"] for each in before["sheets"] if each["properties"]["title"] == arguments["sheet"]]
    if not found:
        raise InvalidRequest("sheet", "isn't in this spreadsheet")
    at = _position(arguments["column"], "column")
    return {
        "sheet": found[0]["sheetId"],
        "column": at,
        "behind": at + 1,
        "first": 1 if arguments.get("header", True) else 0,
    }


def _sheet(arguments: dict[str, Any]) -> str:
    """Write a sheet's name as ranges do: in apostrophes, its own doubled."""
    return "'" + str(arguments["sheet"]).replace("'", "''") + "'"


def _letters(position: int) -> str:
    letters = ""
    while position >= 0:
        position, digit = divmod(position, 26)
        letters, position = chr(ord("A") + digit) + letters, position - 1
    return letters


def _position(column: str, field: str = "row") -> int:
    if not (column.isascii() and column.isalpha() and len(column) <= 3):
        raise InvalidRequest(field, f"has the key {column[:20]}, which is not a column such as A")
    position = 0
    for letter in column.upper():
        position = position * 26 + ord(letter) - ord("A") + 1
    return position - 1
