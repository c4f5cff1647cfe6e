"""The processes that serve on one database, and what is left by those that end in the middle of calls."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence

import structlog
from attrs import frozen
from sqlalchemy import delete, insert, select

from service_server.store.away import tell_away
from service_server.store.calls import outcome_unknown
from service_server.store.clock import timestamp
from service_server.store.database import Database
from service_server.store.engines import AsyncConnection
from service_server.store.failures import DatabaseAway
from service_server.store.idempotency import given_back, no_longer_under_way
from service_server.store.kind import Listener
from service_server.store.tables import PROCESSES
from service_server.store.webhook_events import record_unknown_calls

LOOK_SECONDS = 5.0

_LOG = structlog.get_logger(__name__)


@frozen
class Recovered:
    """What dead processes had left open: calls that were perhaps sent, and keys of calls that were not."""

    calls: int
    keys: int


class Processes:
    """
    This process among the others on the database.

    A row says that it serves, and its presence that it lives. What is under way carries its id, and the database
    takes no new rows of a process whose own row has gone. So whoever finds that a process is dead may close its calls
    and free its keys: if it is alive after all, it can't send anything for them any more, and comes back under
    another id.
    """

    def __init__(
        self,
        database: Database,
        listener: Listener | None = None,
        *,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._database = database
        self._presence = database.presence(listener)
        self._look_seconds = look_seconds
        self._id: str | None = None

    @property
    def id(self) -> str | None:
        """The id of this process now; None before it serves."""
        return self._id

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Be one of the processes; clear up after dead ones at the beginning and every few seconds."""
        await self._join()
        await self.recover()
        staying = asyncio.create_task(self._stay(), name="process")
        try:
            yield
        finally:
            staying.cancel()
            await asyncio.gather(staying, return_exceptions=True)
            with contextlib.suppress(DatabaseAway):  # the next process clears up, then
                await self._leave()
            await self._presence.end()

    async def recover(self) -> Recovered:
        """
        Clear up after dead processes.

        A call that may change something is in the log before it is sent. So a call in the log gets an unknown outcome,
        and the idempotency key of a call that is not in it is free again.
        """
        others = await self._others()
        if not others:
            return Recovered(0, 0)
        async with self._database.write(turn="recovery") as connection:
            gone = await self._presence.gone(connection, others)
            recovered = await _clear_up(connection, gone)
        self._presence.forget(gone)
        if recovered.calls:
            _LOG.warning(
                "call.outcomes_unknown",
                message="they were cut off before their answer was seen",
                calls=recovered.calls,
            )
        return recovered

    async def _stay(self) -> None:
        """Clear up from time to time; show this process again if the others can't see it any more."""
        while True:
            await self._presence.wait_until_lost(self._look_seconds)
            try:
                if self._presence.is_shown() and await self._is_known():
                    await self.recover()
                else:
                    # The others may be doing the same right now, so look for dead processes only in the next round.
                    await self._join()
                    _LOG.warning("process.rejoined")
            except DatabaseAway as away:
                tell_away(away)
            except Exception:  # a defect in one round must not leave this process unseen for good
                _LOG.exception("process.not_seen_to")
                await asyncio.sleep(self._look_seconds)

    async def _join(self) -> None:
        """Show this process, under its old id if that is still known."""
        if self._id is not None:
            await self._presence.show(self._id)
            if await self._is_known():
                return
        self._id = secrets.token_hex(16)
        await self._presence.show(self._id)
        async with self._database.write() as connection:
            await connection.execute(insert(PROCESSES).values(id=self._id, started_at=timestamp()))

    async def _leave(self) -> None:
        if self._id is not None:
            async with self._database.write(turn="recovery") as connection:
                await _clear_up(connection, [self._id])

    async def _is_known(self) -> bool:
        async with self._database.read() as connection:
            return (await connection.scalar(select(PROCESSES.c.id).where(PROCESSES.c.id == self._id))) is not None

    async def _others(self) -> list[str]:
        async with self._database.read() as connection:
            return list(await connection.scalars(select(PROCESSES.c.id).where(PROCESSES.c.id != self._id)))


async def _clear_up(connection: AsyncConnection, gone: Sequence[str]) -> Recovered:
    if not gone:
        return Recovered(0, 0)
    keys = (await connection.execute(given_back(gone))).rowcount
    await connection.execute(no_longer_under_way(gone))
    await record_unknown_calls(connection, gone)
    calls = (await connection.execute(outcome_unknown(gone))).rowcount
    await connection.execute(delete(PROCESSES).where(PROCESSES.c.id.in_(gone)))
    return Recovered(calls, keys)
