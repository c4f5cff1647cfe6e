"""What Dropbox needs beyond data: what is said of a file stands in a header, as JSON, and times are those of UTC."""

import json
from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def place(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write where an uploaded file goes, and what becomes of one that is there already."""
    existing = arguments.get("existing", "rename")
    about = {
        "path": arguments["path"],
        "mode": "overwrite" if existing == "replace" else "add",
        "autorename": existing == "rename",
        "mute": arguments.get("mute", False),
    }
    return {"argument": json.dumps(about)}


def file_to_load(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which file is wanted."""
    return {"argument": json.dumps({"path": arguments["path"]})}


def end_of_link(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write when a link ends, where anybody says."""
    if "expires" not in arguments:
        return {}
    try:
        end = datetime.fromisoformat(arguments["expires"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("expires", "is not a moment that can be") from None
    return {"expires": end.strftime("%Y-%m-%dT%H:%M:%SZ")}
