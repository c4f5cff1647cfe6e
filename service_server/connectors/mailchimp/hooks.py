"""What Mailchimp needs beyond data: moments in UTC."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def in_utc(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write when a campaign is sent in UTC."""
    try:
        moment = datetime.fromisoformat(arguments["schedule_time"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("schedule_time", "is not a moment that can be") from None
    return {"schedule_time": moment.isoformat(timespec="seconds")}
