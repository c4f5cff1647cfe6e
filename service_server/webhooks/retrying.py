"""When a delivery that failed is tried again, and when no more."""

import random
from email.utils import parsedate_to_datetime

FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 3600.0
GIVE_UP_SECONDS = 24 * 3600.0
"""How long after its event a delivery is tried."""
DISABLE_SECONDS = 3 * 24 * 3600.0
"""How long nothing may arrive at an endpoint before nothing is sent to it any more."""
LONGEST_REQUESTED_PAUSE_SECONDS = 3600.0

_GROWTH = 3.0
_JITTER = 0.2
_HIGHEST_POWER = 10


def next_attempt(attempts: int, created_at: float, moment: float) -> float | None:
    """When to try again after so many attempts, the last of them at `moment`; None if it is given up."""
    if moment - created_at >= GIVE_UP_SECONDS:
        return None
    pause: float = min(FIRST_PAUSE_SECONDS * _GROWTH ** min(attempts - 1, _HIGHEST_POWER), LONGEST_PAUSE_SECONDS)
    return moment + pause * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311  nobody gains by guessing it


def requested_pause(retry_after: str | None, moment: float) -> float:
    """How many seconds an endpoint asks to be left alone by `Retry-After`, within limits; 0 if it says nothing."""
    if retry_after is None:
        return 0.0
    text = retry_after.strip()
    try:
        seconds = float(text) if text.isascii() and text.isdigit() else parsedate_to_datetime(text).timestamp() - moment
    except (ValueError, OverflowError):
        return 0.0
    return min(max(seconds, 0.0), LONGEST_REQUESTED_PAUSE_SECONDS)
