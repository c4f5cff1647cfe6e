"""What Typeform needs beyond data: moments in UTC, to the second."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def in_utc(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write since and until when responses are wanted, as far as it is given."""
    return {name: _in_utc(arguments[name], name) for name in ("since", "until") if name in arguments}


def _in_utc(moment: str, name: str) -> str:
    try:
        return datetime.fromisoformat(moment.upper()).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        raise InvalidRequest(name, "is not a moment that can be") from None
