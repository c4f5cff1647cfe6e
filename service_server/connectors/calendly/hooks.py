"""What Calendly needs beyond data: the ids that its addresses ask for, which end its URIs, and moments in UTC."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


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
    """Write when a meeting begins in UTC."""
    try:
        moment = datetime.fromisoformat(arguments["start_time"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("start_time", "is not a moment that can be") from None
    return {"start_time": moment.strftime("%Y-%m-%dT%H:%M:%SZ")}
