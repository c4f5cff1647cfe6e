"""What every call reads and writes, directly on asyncpg, which keeps its statements prepared."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import asyncpg

from service_server.store.failures import DatabaseAway
from service_server.store.kind import Group
from service_server.store.postgresql_failures import FAILURES, reason
from service_server.store.prepared import Arguments, DriverStatement

_CLOSING_SECONDS = 2.0
# Applies until the end of the transaction: what it writes survives this process, but perhaps not a server crash.
_BEGIN = {True: "BEGIN", False: "BEGIN; SET LOCAL synchronous_commit TO off"}


class PostgreSQLDriver:
    """
    Some sessions for reads, and one for group commits, so that these never queue.

    A session that the server has closed, or that was interrupted in the middle, is replaced when it is needed again.
    """

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]], readers: int) -> None:
        self._connect = connect
        self._free: list[asyncpg.Connection] = []
        self._places = asyncio.Semaphore(readers)
        self._committer: asyncpg.Connection | None = None

    async def fetch(self, statement: DriverStatement, arguments: Arguments) -> Sequence[Sequence[Any]]:
        """Read what a statement finds."""
        async with self._places:
            session = await self._usable(self._free.pop() if self._free else None)
            try:
                async with _ended_if_broken_off(session):
                    records: list[Any] = await session.fetch(statement.sql, *arguments)
            finally:
                if not session.is_closed():
                    self._free.append(session)
            return records

    async def commit(self, groups: Sequence[Group], *, durable: bool) -> None:
        """Write all of it or, if that raises, nothing; if the commit itself fails, nobody knows which."""
        session = self._committer = await self._usable(self._committer)
        async with _ended_if_broken_off(session):
            try:
                await session.execute(_BEGIN[durable])
                for statement, rows in groups:
                    await session.executemany(statement.sql, rows)
            except asyncpg.PostgresError:
                if not session.is_closed():
                    await session.execute("ROLLBACK")
                raise
            try:
                await session.execute("COMMIT")
            except FAILURES as error:
                raise DatabaseAway(reason(error)) from None

    async def close(self) -> None:
        """Close every session."""
        sessions = [*self._free, *([self._committer] if self._committer is not None else [])]
        self._free, self._committer = [], None
        for session in sessions:
            with contextlib.suppress(*FAILURES):
                await session.close(timeout=_CLOSING_SECONDS)

    async def _usable(self, session: asyncpg.Connection | None) -> asyncpg.Connection:
        if session is not None and not session.is_closed():
            return session
        session = await self._connect()
        # JSON as text: the columns' types have made text of what is written; only reading is left to do here.
        async with _ended_if_broken_off(session):
            await session.set_type_codec("json", schema="pg_catalog", encoder=str, decoder=json.loads, format="text")
        return session


@contextlib.asynccontextmanager
async def _ended_if_broken_off(session: asyncpg.Connection) -> AsyncIterator[None]:
    """End a session that was interrupted in the middle of something."""
    try:
        yield
    except asyncpg.PostgresError:
        raise
    except BaseException:
        session.terminate()
        raise
