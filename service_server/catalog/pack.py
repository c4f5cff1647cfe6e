"""
The parsed and checked form of a directory's connectors in one SQLite file, so that the next start reads only that.

What files say is kept as JSON, beside the icons and the texts of hooks, which are checked whenever they are compiled. A
pack is written beside its place and moved there, and never changed afterwards: a process that has one open goes on with
what it opened. It is only ever a shortcut; one that is missing, torn, altered or of another version is left aside.
"""

import contextlib
import hashlib
import json
import os
import sqlite3
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import structlog
from attrs import field, frozen

from service_client.models import FunctionType
from service_server.catalog.folders import file_of_function

_UNFINISHED_SECONDS = 3600
_UNUSED_SECONDS = 30 * 24 * 3600
_PAGES_KEPT_KIBIBYTES = 64  # what is compiled is kept elsewhere
_TABLES: Final = """
CREATE TABLE packs (rules TEXT NOT NULL, digest TEXT NOT NULL);
CREATE TABLE connectors (name TEXT PRIMARY KEY, digest TEXT NOT NULL, signature TEXT, functions TEXT NOT NULL);
CREATE TABLE files (app TEXT, name TEXT, content BLOB NOT NULL, PRIMARY KEY (app, name));
"""
_ALL: Final = ("SELECT * FROM connectors ORDER BY name", "SELECT * FROM files ORDER BY app, name")

_LOG = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Entry:
    """
    One connector in a pack.

    `digest` is that of its folder's contents and `signature` what the file system said of them, None where it could
    not be relied on. `functions` has the types of its functions by their short names.
    """

    digest: str
    signature: str | None
    functions: Mapping[str, FunctionType]


Files: TypeAlias = Mapping[str, bytes]
"""The contents of a connector's files by their names in its folder, of YAML files in JSON."""

Connectors: TypeAlias = Callable[[], Iterable[tuple[str, Entry, Files]]]
"""What gives connectors by their names."""


@frozen(eq=False)
class Pack:
    """Connectors of one directory, by name; what their files say is read when it is asked for."""

    entries: Mapping[str, Entry]
    _database: sqlite3.Connection
    _turn: threading.Lock = field(factory=threading.Lock)

    def __attrs_post_init__(self) -> None:
        weakref.finalize(self, self._database.close)  # whoever still has a connector of it may read on

    def file(self, app: str, name: str) -> bytes | None:
        """Return the content of a connector's file, None where it has none of this name."""
        with self._turn:
            found = self._database.execute("SELECT content FROM files WHERE app = ? AND name = ?", (app, name))
            return next((content for (content,) in found), None)

    def value(self, app: str, name: str) -> dict[str, Any]:
        """Return what a connector's YAML file says."""
        content = self.file(app, name)
        if content is None:
            raise OSError("a pack of connectors has lost what it had when it was opened")
        return dict(json.loads(content))

    def files(self, app: str) -> Files:
        """Return the contents of all files of a connector."""
        with self._turn:
            return dict(self._database.execute("SELECT name, content FROM files WHERE app = ?", (app,)).fetchall())

    def functions(self, app: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield what the files of an app's functions say, by their short names."""
        for stem in self.entries[app].functions:
            yield stem, self.value(app, file_of_function(stem))


EMPTY = Pack({}, sqlite3.connect(":memory:", check_same_thread=False))


def open_pack(path: Path | None, rules: str) -> Pack:
    """Return the pack in a file, an empty one where it can't be used; `rules` is the version it must be of."""
    if path is None or not path.exists():
        return EMPTY
    try:
        if not _is_own(path):
            raise ValueError("others may write it")
        pack = _opened(path, rules)
    except (OSError, ValueError, sqlite3.Error) as error:
        _LOG.warning("catalogue_cache.damaged", file=str(path), reason=_reason(error))
        return EMPTY
    if pack is not EMPTY:
        with contextlib.suppress(OSError):
            os.utime(path)  # it is in use
    return pack


def _reason(error: Exception) -> str | None:
    """What is wrong, without the path, which is told beside it."""
    return error.strerror if isinstance(error, OSError) else str(error)


def _is_own(path: Path) -> bool:
    """Whether nobody else can have written the file: it says where requests with credentials go."""
    status = path.stat()
    return not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def _opened(path: Path, rules: str) -> Pack:
    """Open a pack that is whole; that of other rules counts as an empty one."""
    # It never changes, so that SQLite needs neither locks nor to look for a journal.
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    try:
        database.execute(f"PRAGMA cache_size = -{_PAGES_KEPT_KIBIBYTES}")
        made_by, digest = database.execute("SELECT rules, digest FROM packs").fetchone() or ("", "")
        if made_by == rules:
            if database.execute("PRAGMA integrity_check(1)").fetchall() != [("ok",)] or digest != _digest(database):
                raise ValueError("altered")
            return Pack(_entries(database), database)
    except BaseException:
        database.close()
        raise
    database.close()
    return EMPTY


def _digest(database: sqlite3.Connection) -> str:
    digest = hashlib.sha256()
    for statement in _ALL:
        for row in database.execute(statement):
            for value in row:
                content = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value or b""
                digest.update(b"%d:" % len(content))
                digest.update(content)
    return digest.hexdigest()


def _entries(database: sqlite3.Connection) -> dict[str, Entry]:
    rows = database.execute("SELECT * FROM connectors ORDER BY name")
    return {
        name: Entry(digest=digest, signature=signature, functions=json.loads(functions))
        for name, digest, signature, functions in rows
    }


def write_pack(path: Path | None, rules: str, connectors: Connectors) -> Pack:
    """
    Write connectors to a pack, which takes the place of the one at `path`, and return it.

    Without a path, or where it can't be written, it is kept in memory; they may be asked for once more for that.
    """
    if path is not None:
        try:
            _write_file(path, rules, connectors)
            return _opened(path, rules)
        except (OSError, ValueError, sqlite3.Error) as error:
            _LOG.warning("catalogue_cache.not_written", file=str(path), reason=_reason(error))
    database = sqlite3.connect(":memory:", check_same_thread=False)
    _fill(database, rules, connectors)
    return Pack(_entries(database), database)


def _write_file(path: Path, rules: str, connectors: Connectors) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_left_over(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    os.close(descriptor)
    try:
        with contextlib.closing(sqlite3.connect(temporary)) as database:
            database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")  # it is whole or left aside
            _fill(database, rules, connectors)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _fill(database: sqlite3.Connection, rules: str, connectors: Connectors) -> None:
    database.executescript(_TABLES)
    for name, entry, files in connectors():
        row = (name, entry.digest, entry.signature, json.dumps(entry.functions))
        database.execute("INSERT INTO connectors VALUES (?, ?, ?, ?)", row)
        database.executemany("INSERT INTO files VALUES (?, ?, ?)", [(name, *file) for file in files.items()])
    database.execute("INSERT INTO packs VALUES (?, ?)", (rules, _digest(database)))
    database.commit()


def _remove_left_over(path: Path) -> None:
    """Delete what processes that were killed had begun to write, and packs of directories that nobody reads."""
    for file in path.parent.glob("connectors-*.pack*"):
        longest = _UNUSED_SECONDS if file.suffix == path.suffix else _UNFINISHED_SECONDS
        with contextlib.suppress(OSError):
            if file != path and file.stat().st_mtime < time.time() - longest:
                file.unlink()
