"""What Zoom needs beyond data: moments written in its one way, and the days of which recordings are listed."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_LONGEST = timedelta(days=30)  # Zoom lists a month at most


def start_in_utc(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write when a meeting begins in UTC, if that is given."""
    if "start_time" not in arguments:
        return {}
    try:
        start = datetime.fromisoformat(arguments["start_time"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("start_time", "is not a moment that can be") from None
    return {"start_time": start.strftime("%Y-%m-%dT%H:%M:%SZ")}


def days_of_recordings(arguments: dict[str, Any]) -> dict[str, Any]:
    """Say from which day to which to list: the last 30 days, or as many before or after the one that is given."""
    first, last = (date.fromisoformat(arguments[name]) if name in arguments else None for name in ("from", "to"))
    try:
        if last is None:  # tomorrow, since Zoom's days are those of UTC
            last = first + _LONGEST if first else datetime.now(UTC).date() + timedelta(days=1)
        return {"from": (first or last - _LONGEST).isoformat(), "to": last.isoformat()}
    except OverflowError:
        raise InvalidRequest("to" if first is None else "from", "is not a day that can be") from None
