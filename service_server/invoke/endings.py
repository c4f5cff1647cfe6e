"""The ends of calls on their way into the database: written at once, or when it is back."""

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
    What is to be written of one call that is over.

    `again` is written where `writes` failed: part of it may stand there already. `result` is what repeats of the call
    are answered until that is done.
    """

    call_id: str
    writes: Sequence[Write]
    again: Sequence[Write] = ()
    result: CallResult | None = None


class Endings:
    """
    Writes how calls ended.

    A database that is away must not keep a call under way that is over, nor hold its idempotency key: what can't be
    written is tried again until it is. What is left when the process ends, the next one turns into an unknown outcome,
    as it does for a process that was killed.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, CallResult | None] = {}

    def result_of(self, call_id: str) -> CallResult | None:
        """The result of a call whose end the database has not taken yet."""
        return self._waiting.get(call_id)

    async def write(self, ending: Ending) -> None:
        """Write how a call ended; durable when it returns, unless the database is away. Never fails."""
        task = self._start(self._write(ending))
        # Not awaited itself: who is cancelled here must not take the end of a call with it.
        await asyncio.wait({task}, timeout=PATIENCE_SECONDS)

    def write_later(self, ending: Ending) -> None:
        """Write how a call ended once the database is back, which has just failed."""
        self._start(self._write_again(ending))

    async def drain(self) -> None:
        """Wait until everything is written."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def give_up(self) -> None:
        """Try no longer; the service is going down."""
        for task in self._tasks:
            task.cancel()
        if self._waiting:
            _LOG.error("the ends of calls could not be written; their outcome is unknown", calls=len(self._waiting))

    def _start(self, work: "Awaitable[None]") -> "asyncio.Task[None]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _write(self, ending: Ending) -> None:
        # Asked for in one go they are committed in one: no crash leaves a finished call whose answer can't be repeated.
        try:
            await _all(ending.writes)
        except Exception as failure:
            _LOG.warning("the end of a call is not written yet", call=ending.call_id, reason=type(failure).__name__)
            self.write_later(ending)

    async def _write_again(self, ending: Ending) -> None:
        if len(self._waiting) >= MOST_WAITING:
            _LOG.error("the end of a call was not written; its outcome is unknown", call=ending.call_id)
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
                _LOG.info("the end of a call is written", call=ending.call_id)
                break
        else:
            _LOG.error("the end of a call can't be written", call=ending.call_id)
        self._waiting.pop(ending.call_id, None)


async def _all(writes: Sequence[Write]) -> None:
    if len(writes) == 1:  # as of most calls: nothing to run beside it
        await writes[0]()
    else:
        await asyncio.gather(*(write() for write in writes))
