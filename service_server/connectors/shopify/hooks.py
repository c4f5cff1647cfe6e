"""What Shopify needs beyond data: tags that are added, where an update replaces all of them."""

from typing import Any


def tags_to_add(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the tags to add, and for the condition of the query whether there are any."""
    tags = arguments.get("tags") or []
    return {"tags": tags, "tagged": bool(tags)}
