"""What Dropbox needs beyond data: beside the content of a file all else is said in a header, as JSON."""

import json
from typing import Any


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
