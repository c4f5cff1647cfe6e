"""Copies of a SQLite database."""

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from service_server.file_sync import sync
from service_server.store.failures import DatabaseUnusable
from service_server.store.snapshot import Snapshot, Watch
from service_server.store.sqlite_driver import WAIT_SECONDS

_PAGES = 1024  # copied between two reports of progress
_BESIDE = ("-wal", "-shm", "-journal")
_TABLES = r"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name"
_URL = "sqlite+aiosqlite:///"


@frozen
class SqliteCopies:
    """Copies of one file, which are SQLite files, too."""

    name: str

    @property
    def kind(self) -> str:
        """SQLite."""
        return "sqlite"

    def folder(self, data_directory: Path) -> Path:
        """The database's own folder, since the copy becomes the database by a second name."""
        return Path(self.name).absolute().parent

    def take(self, path: Path, watch: Watch) -> Snapshot:
        """Copy it page by page; writers go on, and what they write meanwhile is not in it."""
        origin = Path(self.name).absolute()
        if not origin.is_file():
            raise DatabaseUnusable(f"There is no database at {self.name}.")
        with self._border(), _opened(origin) as source, contextlib.closing(sqlite3.connect(path)) as copy:
            # Everything is read in one transaction: otherwise SQLite would start again whenever somebody has written.
            source.execute("BEGIN")
            snapshot = self._described(source)
            size = source.execute("PRAGMA page_size").fetchone()[0]

            def tell(_status: int, left: int, pages: int) -> None:
                watch((pages - left) * size, pages * size)

            source.backup(copy, pages=_PAGES, progress=tell)
            self._check(copy)
            return snapshot

    def refuse_unless_empty(self) -> None:
        """Refuse if there is a file, even one that only belongs to a database."""
        path = Path(self.name)
        for each in (path, *(path.with_name(path.name + ending) for ending in _BESIDE)):
            if os.path.lexists(each):
                raise DatabaseUnusable(
                    f"There is {each} already, and nothing is restored over it. Restore into another data directory, "
                    "or stop the service and move its files away first."
                )

    @contextlib.contextmanager
    def put(self, path: Path, watch: Watch) -> Iterator[str]:
        """Finish a file beside the place; it gets its name at the very end, at once and whole."""
        path.chmod(0o600)
        with self._border(), _opened(path) as copy:
            self._check(copy)
            self._described(copy)
        yield f"{_URL}{path}"
        with self._border(), _opened(path) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")  # all is in one file then
        sync(path)
        self.refuse_unless_empty()
        os.link(path, self.name)
        sync(path.parent)

    def _described(self, connection: sqlite3.Connection) -> Snapshot:
        tables = [name for (name,) in connection.execute(_TABLES)]
        if "alembic_version" not in tables or "vault_keys" not in tables:
            raise DatabaseUnusable(f"The database {self.name} is not one of this service.")
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
        counted = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}  # noqa: S608 - names of tables
        keys = dict(connection.execute("SELECT key_id, sealed_proof FROM vault_keys").fetchall())
        return Snapshot(revision, counted, keys)

    def _check(self, connection: sqlite3.Connection) -> None:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise DatabaseUnusable(f"The database {self.name} is damaged: {str(found)[:200]}.")

    @contextlib.contextmanager
    def _border(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:  # of the two files it is the copy that grows
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
            raise DatabaseUnusable(f"The database {self.name} could not be copied: {error}.") from None


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to an existing file, which begins no transactions by itself."""
    address = f"{path.as_uri()}?mode=rw"
    with contextlib.closing(
        sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
    ) as connection:
        yield connection
