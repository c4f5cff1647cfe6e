"""What OneDrive needs beyond data: where to look, a search text in OData, and people as objects."""

from typing import Any


def place_in_drive(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the folder to look into, else the top one, and write the search text; OData doubles apostrophes."""
    return {"folder": arguments.get("folder", "root"), "text": arguments.get("search", "").replace("'", "''")}


def people(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make recipients of e-mail addresses, who get an e-mail unless somebody says otherwise."""
    recipients = [{"email": address} for address in arguments["emails"]]
    return {"recipients": recipients, "send": arguments.get("send_invitation", True)}
