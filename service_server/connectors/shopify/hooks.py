"""What Shopify needs beyond data: tags that are added or taken off, where an update replaces all of them."""

from typing import Any


def changed_tags(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the tags to add and to take off, and for the conditions of the query whether there are any."""
    added, removed = arguments.get("tags") or [], arguments.get("remove_tags") or []
    return {"added": added, "adds": bool(added), "removed": removed, "removes": bool(removed)}
