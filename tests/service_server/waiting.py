"""Waits for what others do and tell nobody of: another process, an app, a count that a test keeps."""

import asyncio
import time
from collections.abc import Callable

LONG_SECONDS = 120  # within which anything happens, however busy the machine is
_PAUSE_SECONDS = 0.01


async def until(holds: Callable[[], object]) -> None:
    """Look again and again, beside the event loop, until something holds; raises `TimeoutError`."""
    async with asyncio.timeout(LONG_SECONDS):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110  there is no event of theirs to wait for
            await asyncio.sleep(_PAUSE_SECONDS)


def wait_until(holds: Callable[[], object]) -> None:
    """The same where there is no event loop."""
    end = time.monotonic() + LONG_SECONDS
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(_PAUSE_SECONDS)
