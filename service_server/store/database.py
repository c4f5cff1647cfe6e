"""The database: connections for reading, transactions for writing, and many small writes committed as one."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from operator import attrgetter
from typing import Any, TypeVar

from attrs import define

from service_server.store.database_url import kind_of
from service_server.store.engines import AsyncConnection
from service_server.store.failures import DatabaseAway
from service_server.store.kind import Group, Listener, Partitions, Presence
from service_server.store.prepared import Arguments, DriverStatement, Parameters, PreparedStatement

_Result = TypeVar("_Result")


@define
class _Write:
    statement: DriverStatement
    arguments: Arguments
    durable: bool
    row: tuple[Any, ...]
    done: asyncio.Future[None]


class Database:
    """
    One SQLite or PostgreSQL database; its kind handles the differences.

    What every call reads and writes are prepared statements, run by the driver itself (`fetch`, `commit_soon`);
    everything else goes through SQLAlchemy (`read`, `write`). Everything that waits in `commit_soon` at a moment is
    committed together, at a fraction of the cost of a transaction each.
    """

    def __init__(self, url: str) -> None:
        self._kind = kind_of(url)
        self._connections = self._kind.connections()
        self._dialect = self._connections.readers.dialect
        self._waiting: list[_Write] = []
        self._wake = asyncio.Event()
        self._committer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to take writes; `migrations` must have brought the schema up to date before."""
        self._committer = asyncio.create_task(self._commit_waiting(), name="group commit")

    async def close(self) -> None:
        """Commit what waits, refuse anything more and close every connection."""
        committer, self._committer = self._committer, None
        if committer is not None:
            self._wake.set()
            await committer
        await self._connections.close()

    @property
    def system(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._dialect.name

    @property
    def writes_waiting(self) -> int:
        """How many writes wait for the next group commit."""
        return len(self._waiting)

    def presence(self, listener: Listener | None) -> Presence:
        """The sign of life of a process on this database."""
        return self._kind.presence(listener)

    @property
    def partitions(self) -> Partitions | None:
        """What divides the log by time; None if it is not divided."""
        return self._kind.partitions

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; each statement sees one consistent state."""
        with self._border():
            async with self._connections.readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self, *, turn: str | None = None) -> AsyncIterator[AsyncConnection]:
        """
        A transaction, committed when the block ends and rolled back when it raises.

        Of transactions with the same `turn` only one runs at a time, across all processes. Whoever looks for a row
        before writing it takes a turn, unless the statement itself settles who was first.
        """
        with self._border():
            async with self._connections.turn, self._connections.writers.begin() as connection:
                if turn is not None:
                    await self._kind.take_turn(connection, turn)
                yield connection

    async def announce(self, connection: AsyncConnection, announcement: str) -> None:
        """Tell the other processes once the transaction is committed; only some databases pass it on."""
        await self._kind.announce(connection, announcement)

    async def fetch(self, statement: PreparedStatement, parameters: Parameters) -> list[dict[str, Any]]:
        """The rows that a prepared statement finds, by column."""
        prepared = statement.on(self._dialect)
        arguments = prepared.arguments(parameters)
        return prepared.rows(await self._again(lambda: self._connections.driver.fetch(prepared, arguments)))

    async def commit_soon(self, statement: PreparedStatement, parameters: Parameters, *, durable: bool = True) -> None:
        """
        Run one statement in the next group commit.

        When it returns, the statement is committed, and stays so if this process is killed. With `durable` it is also
        on the disk: that takes as long as the disk does, for everything that is committed with it.
        """
        await self._soon(statement, parameters, durable)

    async def commit_together_soon(
        self, statement: PreparedStatement, rows: Sequence[Parameters], *, durable: bool = True
    ) -> None:
        """Run one statement for several rows as `commit_soon` does, all of them in the same commit."""
        await asyncio.gather(*[self._soon(statement, parameters, durable) for parameters in rows])

    def _soon(self, statement: PreparedStatement, parameters: Parameters, durable: bool) -> "asyncio.Future[None]":
        if self._committer is None:
            raise RuntimeError("the database is not open")
        prepared = statement.on(self._dialect)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        row = tuple(parameters[name] for name in statement.row)
        self._waiting.append(_Write(prepared, prepared.arguments(parameters), durable, row, done))
        self._wake.set()
        return done

    async def _commit_waiting(self) -> None:
        while self._committer is not None or self._waiting:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            if not batch:
                continue
            try:
                await self._commit(batch)
            except DatabaseAway as away:
                _settle(batch, away)
            except Exception:  # one bad row must not take the others with it
                for write in batch:
                    await self._commit_alone(write)
            else:
                _settle(batch)

    async def _commit_alone(self, write: _Write) -> None:
        try:
            await self._commit([write])
        except Exception as error:
            _settle([write], error)
        else:
            _settle([write])

    async def _commit(self, batch: Sequence[_Write]) -> None:
        groups, durable = _grouped(batch), any(write.durable for write in batch)
        await self._again(lambda: self._connections.driver.commit(groups, durable=durable))

    async def _again(self, work: Callable[[], Awaitable[_Result]]) -> _Result:
        """Do it; try once more if it failed for a passing reason before anything was done."""
        try:
            with self._border():
                return await work()
        except DatabaseAway as away:
            if not away.passing:
                raise
        with self._border():
            return await work()

    @contextmanager
    def _border(self) -> Iterator[None]:
        """The one place where the driver's failures become ours."""
        try:
            yield
        except Exception as error:
            translated = self._kind.translated(error)
            if translated is error:
                raise
            # Otherwise what a driver's own error quotes (rows) would reach the log with it.
            raise translated from None


def _grouped(batch: Sequence[_Write]) -> list[Group]:
    """
    Neighbours with the same statement run as one; writes to the same row keep their order.

    Rows that other processes may write, too, go last and in the order of their keys: two commits that lock some of the
    same rows, each in its own order, would wait for each other.
    """
    groups = itertools.groupby(sorted(batch, key=attrgetter("row")), attrgetter("statement"))
    return [(statement, [write.arguments for write in writes]) for statement, writes in groups]


def _settle(batch: Sequence[_Write], error: Exception | None = None) -> None:
    """Tell those who wait how it went."""
    for write in batch:
        if write.done.done():  # its caller has gone
            continue
        if error is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(error)
