"""When a delivery that failed is tried again, and when no more."""

import random

FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 3600.0
GIVE_UP_SECONDS = 24 * 3600.0
"""How long after its event a delivery is tried."""
DISABLE_SECONDS = 3 * 24 * 3600.0
"""How long nothing may arrive at an endpoint before nothing is sent to it any more."""
LONGEST_REQUESTED_PAUSE_SECONDS = 3600.0
"""For how long an endpoint may ask to be left alone by `Retry-After`."""

_GROWTH = 3.0
_JITTER = 0.2
_HIGHEST_POWER = 10


def next_attempt(attempts: int, created_at: float, moment: float) -> float | None:
    """When to try again after so many attempts, the last of them at `moment`; None if it is given up."""
    if moment - created_at >= GIVE_UP_SECONDS:
        return None
    pause: float = min(FIRST_PAUSE_SECONDS * _GROWTH ** min(attempts - 1, _HIGHEST_POWER), LONGEST_PAUSE_SECONDS)
    return moment + pause * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311  nobody gains by guessing it
