"""The database: connections for reading, one for writing, and many small writes committed as one."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from attrs import define
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql import Executable

Parameters = Mapping[str, Any]


class DatabaseAway(Exception):
    """The database does not answer or takes no writes (locked, full, gone): what was asked for was not done."""


@define
class _Write:
    statement: Executable
    parameters: Parameters
    done: asyncio.Future[None]


class Database:
    """
    One SQLite file in WAL mode.

    Reads run beside each other; writes take turns on one connection (SQLite allows one writer anyway, and waiting
    here is cheaper than waiting for its lock). What `commit_soon` takes is committed together with all else that
    waits at that moment: durable when it returns, at a fraction of the cost of a transaction each.
    """

    def __init__(self, url: str) -> None:
        # A read is one statement, which sees one consistent state by itself: no transaction to begin and end.
        # Errors go to the log, where what users sent and got has no place.
        self._readers = create_async_engine(
            url,
            pool_size=4,
            max_overflow=0,
            pool_reset_on_return=None,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        )
        self._writer = create_async_engine(url, pool_size=1, max_overflow=0, pool_timeout=60, hide_parameters=True)
        _configure(self._readers)
        _configure(self._writer, begin="BEGIN IMMEDIATE")
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
        await self._readers.dispose()
        await self._writer.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; each statement sees one consistent state."""
        with _telling_when_away():
            async with self._readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed when the block ends and rolled back when it raises."""
        with _telling_when_away():
            async with self._writer.begin() as connection:
                yield connection

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
            try:
                await self._commit(batch)
            except Exception:  # one bad row must not take the others with it
                for write in batch:
                    await self._commit_alone(write)
            else:
                _resolve(batch)

    async def _commit(self, batch: Sequence[_Write]) -> None:
        async with self.write() as connection:
            for statement, rows in _grouped(batch):
                await connection.execute(statement, rows)

    async def _commit_alone(self, write: _Write) -> None:
        try:
            await self._commit([write])
        except Exception as error:
            if not write.done.done():
                write.done.set_exception(error)
        else:
            _resolve([write])


@contextmanager
def _telling_when_away() -> Iterator[None]:
    """The one border at which the driver's failures become ours."""
    try:
        yield
    except (OperationalError, PoolTimeout) as error:
        raise DatabaseAway(str(error.orig if isinstance(error, OperationalError) else error)) from error


def _grouped(batch: Sequence[_Write]) -> list[tuple[Executable, list[Parameters]]]:
    """Neighbours with the same statement run as one; the order is kept."""
    groups: list[tuple[Executable, list[Parameters]]] = []
    for write in batch:
        if groups and groups[-1][0] is write.statement:
            groups[-1][1].append(write.parameters)
        else:
            groups.append((write.statement, [write.parameters]))
    return groups


def _resolve(batch: Sequence[_Write]) -> None:
    for write in batch:
        if not write.done.done():  # its caller may have gone
            write.done.set_result(None)


def _configure(engine: AsyncEngine, begin: str | None = None) -> None:
    """Set SQLite up for many readers beside one writer, and take over when transactions begin."""

    def on_connect(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # sqlite3's; else it begins by itself
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "secure_delete=ON",
            "busy_timeout=10000",
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def on_begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", on_connect)
    if begin is not None:
        event.listen(engine.sync_engine, "begin", on_begin)
