"""What DocuSign needs beyond data: it has to be told of what kind a document is, and since when to list envelopes."""

from datetime import UTC, datetime, timedelta
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_ENDINGS = {
    "application/pdf": "pdf",
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/rtf": "rtf",
    "image/jpeg": "jpg",
    "image/png": "png",
    "text/html": "html",
    "text/plain": "txt",
}


def document(arguments: dict[str, Any]) -> dict[str, Any]:
    """Tell what a document is called and of what kind it is: by its name, else by its media type."""
    file = arguments["file"]
    name = arguments.get("file_name", file["name"])
    _, dot, ending = file["name"].rpartition(".")
    if not (dot and ending.isalnum()):
        ending = _ENDINGS.get(file["media_type"].partition(";")[0].strip(), "")
    if not ending:
        raise InvalidRequest("file", "has a name without an ending such as .pdf, so nobody knows of what kind it is")
    return {"name": name, "ending": ending.lower()}


def changed_since(arguments: dict[str, Any]) -> dict[str, Any]:
    """Say since which day envelopes are listed, which DocuSign insists on: 30 days ago, where nobody says."""
    return {"from_date": arguments.get("from_date") or (datetime.now(UTC) - timedelta(days=30)).date().isoformat()}
