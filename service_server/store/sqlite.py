"""SQLite: one file, many readers beside one writer."""

import asyncio
import contextlib
import fcntl
import os
import sqlite3
import stat
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import structlog
from attrs import frozen
from sqlalchemy import URL, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from service_server.store.engines import AsyncConnection, AsyncEngine, create_async_engine
from service_server.store.failures import DatabaseAway, DatabaseBusy, DatabaseUnusable, RowRefused
from service_server.store.kind import Connections, Listener
from service_server.store.sqlite_driver import PRAGMAS, WAIT_SECONDS, SqliteDriver, WritersTurn, is_locked

_SCHEMA_SECONDS = 1.0  # then a change of the schema says what it waits for, and tries again
_HEADER = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-journal")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_FOREIGN_KEY = "FOREIGN KEY constraint failed"


_LOG = structlog.get_logger(__name__)


@frozen
class Sqlite:
    """
    One SQLite file in WAL mode.

    Reads run in parallel; writes take turns on one connection (SQLite allows one writer anyway, and waiting here is
    cheaper than waiting for its lock).
    """

    url: URL

    @classmethod
    def at(cls, database_url: str) -> "Sqlite":
        """The database of a URL; raises DatabaseUnusable."""
        try:
            url = make_url(database_url)
        except ArgumentError:
            url = None
        if url is None or url.drivername != "sqlite+aiosqlite" or url.database in (None, "", ":memory:"):
            raise DatabaseUnusable(
                "The database has to be a file of SQLite, sqlite+aiosqlite:///PATH, or one of PostgreSQL, "
                "postgresql://USER@HOST:PORT/NAME."
            )
        folder = Path(url.database or "").absolute().parent
        if not folder.is_dir():
            raise DatabaseUnusable(f"The database's folder {folder} does not exist.")
        return cls(url)

    @property
    def name(self) -> str:
        """The file."""
        return str(self.url.database)

    @property
    def partitions(self) -> None:
        """None: one file is not divided."""
        return None

    def prepare(self) -> None:
        """
        Create the file, or remove other users' access to it.

        SQLite gives the files that it makes beside it the same permissions.
        """
        path = Path(self.name)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        if _is_database(path):
            for each in (path, *(path.with_name(path.name + ending) for ending in _BESIDE)):
                _keep_private(each)

    def connections(self) -> Connections:
        """Some connections for reading, one for transactions, and the driver's own for what every call needs."""
        # A read is one statement, which sees one consistent state by itself: there is no transaction to begin and end.
        # Errors go to the log, which must not hold what users sent and got.
        readers = create_async_engine(
            self.url,
            pool_size=4,
            max_overflow=0,
            pool_reset_on_return=None,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
        )
        writer = create_async_engine(self.url, pool_size=1, max_overflow=0, hide_parameters=True)
        _configure(readers)
        _configure(writer, begin="BEGIN IMMEDIATE")
        turn = WritersTurn()
        return Connections(readers, writer, SqliteDriver(self.name, turn, readers), turn)

    def looking(self) -> AsyncEngine:
        """Connections that write nothing."""
        engine = create_async_engine(self.url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        _configure(engine)
        return engine

    @contextlib.asynccontextmanager
    async def changing_schema(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that keeps every other writer out from its beginning to its end."""
        engine = create_async_engine(self.url, poolclass=NullPool)
        _configure(engine, begin="BEGIN IMMEDIATE", foreign_keys=False, wait_seconds=_SCHEMA_SECONDS)
        try:
            async with engine.begin() as connection:
                yield connection
        finally:
            await engine.dispose()

    async def take_turn(self, connection: AsyncConnection, name: str) -> None:
        """Nothing to do: every transaction is alone from its beginning."""

    async def announce(self, connection: AsyncConnection, announcement: str) -> None:
        """Nothing to do: nobody listens, so other processes have to look."""

    def translated(self, error: Exception) -> Exception:
        """Translate what the driver calls operational to the database being away; likewise a process taken for dead."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(cause, sqlite3.OperationalError):
            return (
                DatabaseBusy("another process is writing to the file") if is_locked(cause) else DatabaseAway(str(cause))
            )
        if type(cause) is sqlite3.DatabaseError:  # the file is damaged, or no database
            return DatabaseAway(str(cause))
        if isinstance(error, PoolTimeout) or _FOREIGN_KEY in str(cause):
            return DatabaseAway(str(error))
        if isinstance(error, sqlite3.IntegrityError):
            return RowRefused(str(error))
        return error

    def presence(self, listener: Listener | None) -> "LockedFile":
        """A locked file beside the database; nothing is heard from other processes."""
        return LockedFile(self.name)


class LockedFile:
    """The sign of life of a process: a file that it keeps locked; the system releases the lock with the process."""

    def __init__(self, database: str) -> None:
        self._database = Path(database).resolve()
        self._path: Path | None = None
        self._file: int | None = None

    async def show(self, process_id: str) -> None:
        """Lock a new file of this name; raises DatabaseAway."""
        await self.end()
        path = self._path_of(process_id)
        try:
            self._file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise DatabaseAway(f"{path} cannot be locked: {error.strerror}") from error
        self._path = path

    def is_shown(self) -> bool:
        """Whether the file is still there; it stays locked as long as this process lives."""
        return self._path is not None and self._path.exists()

    async def wait_until_lost(self, seconds: float) -> None:
        """Wait; the lock cannot be lost."""
        await asyncio.sleep(seconds)

    async def gone(self, connection: AsyncConnection, process_ids: Sequence[str]) -> list[str]:
        """The processes whose file nobody holds."""
        return [each for each in process_ids if not _is_locked(self._path_of(each))]

    def forget(self, process_ids: Sequence[str]) -> None:
        """Remove their files."""
        for each in process_ids:
            with contextlib.suppress(OSError):
                self._path_of(each).unlink()

    async def end(self) -> None:
        """Remove the file and its lock."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        if self._file is not None:
            os.close(self._file)
        self._path = self._file = None

    def _path_of(self, process_id: str) -> Path:
        return self._database.with_name(f"{self._database.name}-process-{process_id}")


def _is_database(path: Path) -> bool:
    """Whether a file may be changed: one that somebody named by mistake is left as it is, and refused later."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        return file.read(len(_HEADER)) in (b"", _HEADER)
    return True


def _keep_private(path: Path) -> None:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & _OTHERS:
            path.chmod(mode & ~_OTHERS)
            _LOG.warning(
                "database.file_made_private", message="others could open it; now only its owner can", file=str(path)
            )
    except FileNotFoundError:
        pass
    except PermissionError:  # another user's, who lets us use it
        _LOG.warning("database.file_open_to_others", message="its owner should run chmod go= on it", file=str(path))


def _is_locked(path: Path) -> bool:
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:  # we may not open it, so it is somebody's
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def _configure(
    engine: AsyncEngine, begin: str | None = None, *, foreign_keys: bool = True, wait_seconds: float = WAIT_SECONDS
) -> None:
    """Set SQLite up for many readers beside one writer, and decide ourselves when transactions begin."""

    def on_connect(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # turn off sqlite3's own, or it would begin transactions by itself
        cursor = connection.cursor()
        foreign = f"foreign_keys={'ON' if foreign_keys else 'OFF'}"
        for pragma in (f"busy_timeout={wait_seconds * 1000:.0f}", *PRAGMAS, "synchronous=FULL", foreign):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def on_begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", on_connect)
    if begin is not None:
        event.listen(engine.sync_engine, "begin", on_begin)
