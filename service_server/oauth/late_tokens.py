"""Tokens that an app issued while the database was away: kept as soon as it is back, since the app has no others."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable

import structlog

from service_server.store import DatabaseAway

KEEPING_SECONDS = 300.0
"""For how long it is tried; what could not be kept by then is lost."""
_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 0.5
_PATIENCE_SECONDS = 2 * _LONGEST_PAUSE_SECONDS

_LOG = structlog.get_logger(__name__)


class LateTokens:
    """What is still to be kept, by what it is for."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def __contains__(self, key: Hashable) -> bool:
        """Whether something is still to be kept."""
        return key in self._tasks

    def keep(self, key: Hashable, account_id: int, keep: Callable[[], Awaitable[object]]) -> None:
        """Try again and again, until it is kept or fails for another reason than that the database is away."""
        task = self._tasks[key] = asyncio.create_task(self._keep(account_id, keep), name="tokens to be kept")
        task.add_done_callback(lambda _: self._tasks.pop(key))

    async def wait(self, key: Hashable) -> None:
        """Wait a moment until it is kept, where something is still to be; raises DatabaseAway."""
        task = self._tasks.get(key)
        if task is not None and not (await asyncio.wait({task}, timeout=_PATIENCE_SECONDS))[0]:
            raise DatabaseAway("tokens that an app has issued could not be kept yet")

    async def drain(self) -> None:
        """Wait until nothing is still to be kept."""
        await asyncio.gather(*self._tasks.values())

    async def _keep(self, account_id: int, keep: Callable[[], Awaitable[object]]) -> None:
        clock = asyncio.get_running_loop().time
        give_up_at, pause = clock() + KEEPING_SECONDS, _FIRST_PAUSE_SECONDS
        reason = "the database is away"
        while clock() < give_up_at:
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            try:
                await keep()
            except DatabaseAway:
                continue
            except Exception as defect:
                reason = type(defect).__name__
                break
            return
        _LOG.error("account.tokens_lost", account=account_id, reason=reason)
