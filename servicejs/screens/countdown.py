"""The seconds until something that the service refused may be tried again."""

import asyncio
import math
import time
from collections.abc import Callable

LONGEST_SECONDS = 600
"""A longer wait needs no countdown: nobody sits through it."""

SECONDS_SHOWN = 90
"""Up to this many, every second is counted; above it, only minutes."""


def wait_of(error: BaseException) -> float:
    """Return the seconds that an error asks to wait; 0 where it asks for none, or for more than is counted."""
    seconds = getattr(error, "retry_after", None)
    return float(seconds) if isinstance(seconds, int | float) and 0 < seconds <= LONGEST_SECONDS else 0.0


async def count_down(seconds: float, tell: Callable[[int], None]) -> None:
    """Call `tell` with the whole seconds that are left, at once and whenever they have changed, down to 0."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        tell(math.ceil(left))
        # A page in the background has few ticks, so the time left is read from the clock each time.
        await asyncio.sleep(left % 1 or 1.0 if left <= SECONDS_SHOWN else min(left % 60 or 60.0, left - SECONDS_SHOWN))
    tell(0)
