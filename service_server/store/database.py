"""The database: connections for reading, transactions for writing, and many small writes committed as one."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from attrs import define
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import Executable

from service_server.store.database_url import kind_of
from service_server.store.failures import DatabaseAway
from service_server.store.kind import Presence

Parameters = Mapping[str, Any]


@define
class _Write:
    statement: Executable
    parameters: Parameters
    done: asyncio.Future[None]


class Database:
    """
    One database of SQLite or PostgreSQL; how they differ is the business of its kind.

    What `commit_soon` takes is committed together with all else that waits at that moment: durable when it returns,
    at a fraction of the cost of a transaction each.
    """

    def __init__(self, url: str) -> None:
        self._kind = kind_of(url)
        self._engines = self._kind.engines()
        self._waiting: list[_Write] = []
        self._wake = asyncio.Event()
        self._committer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to take writes; the schema is brought up to date by `migrations` before."""
        self._committer = asyncio.create_task(self._commit_waiting(), name="group commit")

    async def close(self) -> None:
        """Commit what waits, take nothing more and close every connection."""
        committer, self._committer = self._committer, None
        if committer is not None:
            self._wake.set()
            await committer
        await self._engines.close()

    def presence(self, heard: Callable[[str], None]) -> Presence:
        """The sign of life of a process on this database."""
        return self._kind.presence(heard)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; each statement sees one consistent state."""
        with self._border():
            async with self._engines.readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self, *, turn: str | None = None) -> AsyncIterator[AsyncConnection]:
        """
        A transaction, committed when the block ends and rolled back when it raises.

        Of transactions with the same `turn` one runs at a time, in all processes: whoever looks for a row before
        writing it takes one, unless the statement itself settles who was first.
        """
        with self._border():
            async with self._engines.writers.begin() as connection:
                if turn is not None:
                    await self._kind.take_turn(connection, turn)
                yield connection

    async def announce(self, connection: AsyncConnection, announcement: str) -> None:
        """Tell the other processes, once the transaction is committed; only some databases carry it to them."""
        await self._kind.announce(connection, announcement)

    async def commit_soon(self, statement: Executable, parameters: Parameters) -> None:
        """Run one statement in the next group commit; returns once it is durable."""
        if self._committer is None:
            raise RuntimeError("the database is not open")
        write = _Write(statement, parameters, asyncio.get_running_loop().create_future())
        self._waiting.append(write)
        self._wake.set()
        await write.done

    async def _commit_waiting(self) -> None:
        while self._committer is not None or self._waiting:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            if not batch:
                continue
            try:
                await self._commit_again(batch)
            except DatabaseAway as away:
                _settle(batch, away)
            except Exception:  # one bad row must not take the others with it
                for write in batch:
                    await self._commit_alone(write)
            else:
                _settle(batch)

    async def _commit_alone(self, write: _Write) -> None:
        try:
            await self._commit_again([write])
        except Exception as error:
            _settle([write], error)
        else:
            _settle([write])

    async def _commit_again(self, batch: Sequence[_Write]) -> None:
        """Commit; once more if that failed on the way, before anybody could know of a commit, for a passing reason."""
        for is_last in (False, True):
            executed = False
            try:
                with self._border():
                    async with self._engines.committer.begin() as connection:
                        for statement, rows in _grouped(batch):
                            await connection.execute(statement, rows)
                        executed = True
            except DatabaseAway as away:
                if is_last or executed or not away.passing:
                    raise
            else:
                return

    @contextmanager
    def _border(self) -> Iterator[None]:
        """The one border at which the driver's failures become ours."""
        try:
            yield
        except Exception as error:
            translated = self._kind.translated(error)
            if translated is error:
                raise
            # What a driver's own error quotes (rows) would reach the log with it.
            raise translated from None


def _grouped(batch: Sequence[_Write]) -> list[tuple[Executable, list[Parameters]]]:
    """Neighbours with the same statement run as one; the order is kept."""
    groups: list[tuple[Executable, list[Parameters]]] = []
    for write in batch:
        if groups and groups[-1][0] is write.statement:
            groups[-1][1].append(write.parameters)
        else:
            groups.append((write.statement, [write.parameters]))
    return groups


def _settle(batch: Sequence[_Write], error: Exception | None = None) -> None:
    """Tell those who wait how it went."""
    for write in batch:
        if write.done.done():  # its caller has gone
            continue
        if error is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(error)
