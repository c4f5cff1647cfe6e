"""What Mailchimp needs beyond data: moments in UTC."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def in_utc(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write in UTC when a campaign is sent or since when members changed: Mailchimp passes other offsets over."""
    moments = ("schedule_time", "since_last_changed")
    return {name: _in_utc(arguments[name], name) for name in moments if name in arguments}


def _in_utc(moment: str, name: str) -> str:
    try:
        return datetime.fromisoformat(moment.upper()).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        raise InvalidRequest(name, "is not a moment that can be") from None
