"""What Box needs beyond data: an upload says in a JSON text what the file is called and where it goes."""

import json
from typing import Any


def upload(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the name and the folder of a file that is uploaded; 0 is the folder at the top."""
    attributes = {"name": arguments["name"], "parent": {"id": arguments.get("parent", "0")}}
    return {"attributes": json.dumps(attributes)}
