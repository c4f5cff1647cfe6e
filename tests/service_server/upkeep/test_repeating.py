"""Work that is done again and again: what goes wrong ends nothing, and doesn't fill the log."""

import asyncio
from collections.abc import Callable

from structlog.testing import capture_logs

from service_server.events import Seldom
from service_server.store import DatabaseAway
from service_server.upkeep.repeating import repeated


async def test_a_failure_that_passes_is_told_once_until_it_has_passed() -> None:
    """A database that stays away for hours is one line a minute; the next time that it goes is told at once."""
    outcomes = [DatabaseAway("gone")] * 5 + [None] + [DatabaseAway("gone again")] * 5 + [ValueError("a defect")]
    done = asyncio.Event()

    async def work() -> None:
        if not outcomes:
            done.set()
            return
        outcome = outcomes.pop(0)
        if outcome is not None:
            raise outcome

    with capture_logs() as logged:
        async with repeated(work, 0, "thing.not_done", passing=DatabaseAway):
            await done.wait()

    assert [("warning", "gone"), ("warning", "gone again"), ("error", None)] == [
        (line["log_level"], line.get("reason")) for line in logged
    ]


def test_seldom_is_once_in_its_time() -> None:
    """However often it is asked; what came in between puts nothing off."""
    moments = iter([0.0, 1.0, 9.9, 10.0, 10.1, 25.0])
    clock: Callable[[], float] = moments.__next__
    seldom = Seldom(10.0, clock)

    assert [True, False, False, True, False, True] == [seldom.is_due() for _ in range(6)]
