"""What Calendly's answers lack: the ids that its addresses ask for, which stand only at the end of each URI."""

from typing import Any


def with_ids(body: Any) -> Any:
    """Give every item of a list, or the one resource, its id beside its URI."""
    if isinstance(body, dict):
        items = body.get("collection")
        for item in items if isinstance(items, list) else [body.get("resource")]:
            if isinstance(item, dict) and isinstance(item.get("uri"), str):
                item["id"] = item["uri"].rpartition("/")[2]
    return body
