"""What Excel needs beyond data: a search text in OData, and rows by the places of their columns."""

import re
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_PLACE = re.compile(r"(\d{1,5}) of (\d{1,5})")


def workbook_search(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the search text, that of all workbooks if nobody says; OData doubles apostrophes."""
    return {"text": arguments.get("search", ".xlsx").replace("'", "''")}


def columns_of_table(body: Any) -> Any:
    """Return a table's columns; their keys tell their places, from 1, and how many there are."""
    columns = body.get("value", [])
    return [{**column, "key": f"{place} of {len(columns)}"} for place, column in enumerate(columns, 1)]


def new_row(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a row from left to right, with nothing where no value is given."""
    places = {_place(key): value for key, value in arguments["row"].items()}
    widths = {width for _, width in places}
    if len(widths) != 1:
        raise InvalidRequest("row", "needs values by places of the same table, such as 1 of 3")
    (width,) = widths
    cells = {place: value for (place, _), value in places.items()}
    return {"values": [[cells.get(place) for place in range(1, width + 1)]]}


def _place(key: str) -> tuple[int, int]:
    match = _PLACE.fullmatch(key)
    place, width = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= place <= width <= 16384:  # columns of a sheet
        raise InvalidRequest("row", f"has the key {key[:20]}, which is not a place such as 1 of 3")
    return place, width
