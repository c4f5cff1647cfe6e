"""What SharePoint needs beyond data: where to look, and search texts."""

from typing import Any


def site_search(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the search text for sites; all of them are found by an asterisk."""
    return {"text": arguments.get("search", "*")}


def place_in_library(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the folder to look into, else the top one, and write the search text; OData doubles apostrophes."""
    return {"folder": arguments.get("folder", "root"), "text": arguments.get("search", "").replace("'", "''")}
