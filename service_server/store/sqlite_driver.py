"""What every call reads and writes, on SQLite's own driver: reads on the event loop, commits in their own thread."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from service_server.store.engines import AsyncEngine
from service_server.store.failures import DatabaseBusy
from service_server.store.kind import Group
from service_server.store.prepared import Arguments, DriverStatement

WAIT_SECONDS = 10.0
"""How long a writer waits for those of other processes, which SQLite lets write one after the other."""
PRAGMAS = ("journal_mode=WAL", "secure_delete=ON")
_TURN_SECONDS = 60.0
_SMALL_CHARACTERS = 64 * 1024
# Every checkpoint waits for the disk twice: with one after each 500 rows, a tenth of a call's time went there. This
# many rows leave a log of about 20 MB at the most.
_ROWS_BETWEEN_CHECKPOINTS = 2000


class WritersTurn:
    """
    The turn that a writer holds: writers in one process wait here, in the order in which they came.

    Waiting for SQLite's own lock means trying again and again.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> None:
        """Wait for the turn; raises DatabaseBusy."""
        try:
            async with asyncio.timeout(_TURN_SECONDS):
                await self._lock.acquire()
        except TimeoutError:
            raise DatabaseBusy("others have been writing for too long") from None

    async def __aexit__(self, *_: object) -> None:
        """End the turn."""
        self._lock.release()

    @property
    def is_taken(self) -> bool:
        """Whether somebody writes."""
        return self._lock.locked()


class SqliteDriver:
    """
    Three connections to the file, beside those of SQLAlchemy.

    A read takes SQLite microseconds, a tenth of what it takes to hand it to a thread and back. So it runs where it is
    asked for, and waits for nobody. So does a small commit that need not be on the disk, while nobody else writes.
    Every other commit waits for the disk, or for others, and does so in its thread.
    """

    def __init__(self, path: str, turn: WritersTurn, readers: AsyncEngine) -> None:
        self._path = path
        self._turn = turn
        self._readers = readers
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._quick_writer: sqlite3.Connection | None = None
        self._rows_since_checkpoint = 0
        self._checkpoint: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="group commit")

    async def fetch(self, statement: DriverStatement, arguments: Arguments) -> Sequence[Sequence[Any]]:
        """Read what a statement finds."""
        try:
            return self._reading().execute(statement.sql, arguments).fetchall()
        except sqlite3.OperationalError as error:
            if not is_locked(error):
                raise
        # Somebody has the file locked, which is rare and short; one of the other readers waits for it.
        async with self._readers.connect() as connection:
            return (await connection.exec_driver_sql(statement.sql, arguments)).all()

    async def commit(self, groups: Sequence[Group], *, durable: bool) -> None:
        """Write all of it or, when that raises, nothing."""
        if not durable and not self._turn.is_taken and _is_small(groups) and self._commit_at_once(groups):
            return
        async with self._turn:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, groups, durable)

    async def close(self) -> None:
        """Close every connection."""
        if self._checkpoint is not None:
            await self._checkpoint
        for connection in (self._reader, self._quick_writer):
            if connection is not None:
                connection.close()
        self._reader = self._quick_writer = None
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_writer)
        self._thread.shutdown()

    def _reading(self) -> sqlite3.Connection:
        if self._reader is None:
            self._reader = _opened(self._path, 0.0, "query_only=ON")
        return self._reader

    def _commit_at_once(self, groups: Sequence[Group]) -> bool:
        """Commit here and now; False, with nothing done, if another process is writing at this moment."""
        try:
            if self._quick_writer is None:
                self._quick_writer = _opened(
                    self._path, 0.0, *PRAGMAS, "foreign_keys=ON", "synchronous=NORMAL", "wal_autocheckpoint=0"
                )
            _run(self._quick_writer, groups)
        except sqlite3.Error as error:
            writer = self._quick_writer
            if writer is not None and not _is_rolled_back(writer):
                writer.close()  # which rolls back, too
                self._quick_writer = None
            if is_locked(error):
                return False
            raise
        self._rows_since_checkpoint += sum(len(rows) for _, rows in groups)
        if self._rows_since_checkpoint >= _ROWS_BETWEEN_CHECKPOINTS:
            self._rows_since_checkpoint = 0
            self._checkpoint = asyncio.create_task(self._move_to_the_file(), name="checkpoint")
        return True

    async def _move_to_the_file(self) -> None:
        """
        Move what was committed here from the log to its place in the file; this waits for the disk.

        Others wait for it: beside commits it would never reach the end of the log, which would grow on and on.
        """
        with contextlib.suppress(DatabaseBusy, sqlite3.Error):  # the next one moves it
            async with self._turn:
                await asyncio.get_running_loop().run_in_executor(self._thread, self._move)

    def _move(self) -> None:
        self._writing().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _commit(self, groups: Sequence[Group], durable: bool) -> None:
        connection = self._writing()
        try:
            # Set for each commit: FULL waits until it is on the disk, with everything that was committed before.
            connection.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
            _run(connection, groups)
        except BaseException:
            if not _is_rolled_back(connection):
                self._close_writer()  # which rolls back, too
            raise

    def _writing(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = _opened(self._path, WAIT_SECONDS, *PRAGMAS, "foreign_keys=ON")
        return self._writer

    def _close_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with contextlib.suppress(sqlite3.Error):
                writer.close()


def is_locked(error: object) -> bool:
    """Whether SQLite says that somebody else holds what is needed."""
    return "database is locked" in str(error)


def _is_small(groups: Sequence[Group]) -> bool:
    """Whether writing it holds up the others no longer than a request may."""
    characters = sum(
        len(value) for _, rows in groups for row in rows for value in row if isinstance(value, str | bytes)
    )
    return characters <= _SMALL_CHARACTERS


def _run(connection: sqlite3.Connection, groups: Sequence[Group]) -> None:
    """Run it all in one transaction, which stays open if a part fails."""
    connection.execute("BEGIN IMMEDIATE")
    for statement, rows in groups:
        connection.executemany(statement.sql, rows)
    connection.execute("COMMIT")


def _is_rolled_back(connection: sqlite3.Connection) -> bool:
    """Roll back what is open; False if that fails."""
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    except sqlite3.Error:
        return False
    return True


def _opened(path: str, wait_seconds: float, *pragmas: str) -> sqlite3.Connection:
    """A connection for the calling thread, which begins no transaction by itself."""
    connection = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None)
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection
