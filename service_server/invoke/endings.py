"""Writes the ends of calls to the database: at once, or when it is back."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import structlog
from attrs import frozen

from service_client.models import CallResult
from service_server.store import DatabaseAway

PATIENCE_SECONDS = 10.0
"""How long an answer waits for its end to be written."""
MOST_WAITING = 1000
MOST_TRIES = 10
"""How often a write is tried that fails for another reason than that the database is away."""
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0

Write: TypeAlias = Callable[[], Awaitable[None]]

_LOG = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Ending:
    """
    What is to be written about one call that is over.

    `again` is written if `writes` failed, since a part of it may have been written. Until that is done, repeats of the
    call are answered with `result`.
    """

    call_id: str
    writes: Sequence[Write]
    again: Sequence[Write] = ()
    result: CallResult | None = None


class Endings:
    """
    Writes how calls ended.

    When the database is away, a finished call must not stay under way, nor its idempotency key stay taken: what can't
    be written is tried again until it can. If this process ends before that, the next one marks the outcome as unknown,
    as it does for a process that was killed.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, CallResult | None] = {}

    @property
    def waiting(self) -> int:
        """How many calls have ended and are not written yet."""
        return len(self._waiting)

    def result_of(self, call_id: str) -> CallResult | None:
        """The result of a call whose end the database has not taken yet."""
        return self._waiting.get(call_id)

    async def write(self, ending: Ending) -> None:
        """Write how a call ended; durable when it returns, unless the database is away. Never fails."""
        task = self._start(self._write(ending))
        # Not awaited directly: if this caller is cancelled, the end of the call must still be written.
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)

    def write_later(self, ending: Ending) -> None:
        """Write how a call ended once the database, which has just failed, is back."""
        self._start(self._write_again(ending))

    async def drain(self) -> None:
        """Wait until everything is written."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def give_up(self) -> None:
        """Stop trying; the service is going down."""
        for task in self._tasks:
            task.cancel()
        if self._waiting:
            _LOG.error("call.ends_lost", calls=len(self._waiting))

    def _start(self, work: "Awaitable[None]") -> "asyncio.Task[None]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _write(self, ending: Ending) -> None:
        # Started together, they are committed together: no crash leaves a finished call whose answer can't be repeated.
        try:
            await _all(ending.writes)
        except Exception as failure:
            _LOG.warning("call.end_delayed", call=ending.call_id, reason=type(failure).__name__)
            self.write_later(ending)

    async def _write_again(self, ending: Ending) -> None:
        if len(self._waiting) >= MOST_WAITING:
            _LOG.error("call.end_lost", call=ending.call_id)
            return
        self._waiting[ending.call_id] = ending.result
        pause, failures = FIRST_PAUSE_SECONDS, 0
        while failures < MOST_TRIES:
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
            try:
                await _all(ending.again or ending.writes)
            except DatabaseAway:
                continue
            except Exception:
                failures += 1
            else:
                _LOG.info("call.end_written", call=ending.call_id)
                break
        else:
            _LOG.error("call.end_not_written", call=ending.call_id)
        self._waiting.pop(ending.call_id, None)


async def _all(writes: Sequence[Write]) -> None:
    if len(writes) == 1:  # as for most calls: there is nothing to run beside it
        await writes[0]()
    else:
        await asyncio.gather(*(write() for write in writes))
