"""What Google Sheets needs beyond data: the search language of Google Drive, which lists spreadsheets."""

from typing import Any


def spreadsheet_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on files: spreadsheets, and those of a name where one is asked for."""
    query = "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false"
    if "name" in arguments:
        escaped = arguments["name"].replace("\\", "\\\\").replace("'", "\\'")
        query += f" and name contains '{escaped}'"
    return {"q": query}
