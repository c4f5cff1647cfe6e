"""What Google Sheets needs beyond data: Drive's search language, ranges by sheet, and rows by their columns."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest


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


def _sheet(arguments: dict[str, Any]) -> str:
    """Write a sheet's name as ranges do: in apostrophes, its own doubled."""
    return "'" + str(arguments["sheet"]).replace("'", "''") + "'"


def _letters(position: int) -> str:
    letters = ""
    while position >= 0:
        position, digit = divmod(position, 26)
        letters, position = chr(ord("A") + digit) + letters, position - 1
    return letters


def _position(column: str) -> int:
    if not (column.isascii() and column.isalpha() and len(column) <= 3):
        raise InvalidRequest("row", f"has the key {column[:20]}, which is not a column such as A")
    position = 0
    for letter in column.upper():
        position = position * 26 + ord(letter) - ord("A") + 1
    return position - 1
