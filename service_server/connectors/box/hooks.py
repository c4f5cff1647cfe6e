"""What Box needs beyond data: an upload says in a JSON text what the file is called and where it goes."""

import json
from typing import Any


def folder(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the folder to list; 0 is the one at the top."""
    return {"folder": arguments.get("folder", "0")}


def upload(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the name and the folder of a file that is uploaded; 0 is the folder at the top."""
    attributes = {"name": arguments["name"], "parent": {"id": arguments.get("parent", "0")}}
    return {"attributes": json.dumps(attributes)}
