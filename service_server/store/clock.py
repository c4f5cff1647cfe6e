"""Time as it is kept: seconds since the epoch for comparing, UTC text with microseconds for showing."""

import time
from datetime import UTC, datetime


def now() -> float:
    """The current time in seconds since the epoch."""
    return time.time()


def moment(seconds: float) -> datetime:
    """A moment as the models of the API have it; rounded as `timestamp` rounds it."""
    return datetime.fromtimestamp(seconds, UTC)


def timestamp(seconds: float | None = None) -> str:
    """A moment (default: now) as `YYYY-MM-DDThh:mm:ss.ssssssZ`, which sorts as text."""
    return moment(now() if seconds is None else seconds).isoformat(timespec="microseconds")[: -len("+00:00")] + "Z"
