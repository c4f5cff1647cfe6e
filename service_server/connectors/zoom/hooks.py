"""What Zoom needs beyond data: moments written in its one way."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def start_in_utc(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write when a meeting begins in UTC, if that is given."""
    if "start_time" not in arguments:
        return {}
    try:
        start = datetime.fromisoformat(arguments["start_time"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("start_time", "is not a moment that can be") from None
    return {"start_time": start.strftime("%Y-%m-%dT%H:%M:%SZ")}
