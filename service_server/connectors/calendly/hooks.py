"""What Calendly needs beyond data: the ids that its addresses ask for, which end its URIs, and moments in UTC."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_MOMENTS = ("start_time", "end_time", "min_start_time", "max_start_time")


def with_ids(body: Any) -> Any:
    """Give every item of a list, or the one resource, its id beside its URI."""
    if isinstance(body, dict):
        items = body.get("collection")
        for item in items if isinstance(items, list) else [body.get("resource")]:
            if isinstance(item, dict) and isinstance(item.get("uri"), str):
                item["id"] = item["uri"].rpartition("/")[2]
    return body


def with_no_show_ids(body: Any) -> Any:
    """Give every invitee who didn't come the id of the mark that says so."""
    items = body.get("collection") if isinstance(body, dict) else None
    for item in items if isinstance(items, list) else []:
        mark = item.get("no_show") if isinstance(item, dict) else None
        if isinstance(mark, dict) and isinstance(mark.get("uri"), str):
            item["no_show_id"] = mark["uri"].rpartition("/")[2]
    return body


def in_utc(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the moments that are given in UTC, as Calendly wants all of them."""
    return {name: _in_utc(arguments[name], name) for name in _MOMENTS if name in arguments}


def _in_utc(moment: str, name: str) -> str:
    try:
        return datetime.fromisoformat(moment.upper()).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        raise InvalidRequest(name, "is not a moment that can be") from None
