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
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import structlog
from attrs import Factory, field, frozen

from service_client.models import FunctionType
from service_server.catalog.connector_folder import CheckedFolder

_UNFINISHED_SECONDS = 3600
_UNUSED_SECONDS = 30 * 24 * 3600
_PAGES_KEPT_KIBIBYTES = 64  # what is compiled is kept elsewhere
_TABLES: Final = """
CREATE TABLE packs (rules TEXT NOT NULL, digest TEXT NOT NULL);
CREATE TABLE connectors (
    name TEXT PRIMARY KEY, digest TEXT NOT NULL, signature TEXT, file TEXT NOT NULL, icon BLOB NOT NULL, hooks BLOB
);
CREATE TABLE functions (app TEXT, stem TEXT, type TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (app, stem));
"""
_ALL: Final = ("SELECT * FROM connectors ORDER BY name", "SELECT * FROM functions ORDER BY app, stem")

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
    functions: dict[str, FunctionType] = Factory(dict)


@frozen(eq=False)
class Pack:
    """Connectors of one directory, by name; what their files say is read when it is asked for."""

    entries: Mapping[str, Entry]
    _database: sqlite3.Connection
    _turn: threading.Lock = field(factory=threading.Lock)

    def __attrs_post_init__(self) -> None:
        weakref.finalize(self, self._database.close)  # whoever still has a connector of it may read on

    def connector(self, name: str) -> tuple[dict[str, Any], bytes, bytes | None]:
        """Return what a connector's file says, its icon, and the text of its hooks, None where it has none."""
        file, icon, hooks = self._row("SELECT file, icon, hooks FROM connectors WHERE name = ?", name)
        return json.loads(file), icon, hooks

    def function(self, name: str, stem: str) -> dict[str, Any]:
        """Return what a function's file says."""
        (file,) = self._row("SELECT file FROM functions WHERE app = ? AND stem = ?", name, stem)
        return dict(json.loads(file))

    def rows_of(self, name: str) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]]:
        """Return the row of a connector and those of its functions, for another pack."""
        with self._turn:
            rows = self._database.execute("SELECT * FROM functions WHERE app = ?", (name,)).fetchall()
        return self._row("SELECT * FROM connectors WHERE name = ?", name), rows

    def _row(self, statement: str, *names: str) -> tuple[Any, ...]:
        with self._turn:
            row: tuple[Any, ...] | None = self._database.execute(statement, names).fetchone()
        if row is None:
            raise OSError("a pack of connectors has lost what it had when it was opened")
        return row


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
    rows = database.execute("SELECT name, digest, signature FROM connectors ORDER BY name")
    entries = {name: Entry(digest=digest, signature=signature) for name, digest, signature in rows}
    for app, stem, kind in database.execute("SELECT app, stem, type FROM functions ORDER BY app, stem"):
        entries[app].functions[stem] = kind
    return entries


class PackWriter:
    """Fills a new pack."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def add(self, name: str, folder: CheckedFolder, digest: str, signature: str | None) -> None:
        """Add a connector that has just been read."""
        contents = (_json(folder.report.document.value), folder.icon.content, folder.app.hooks.content)
        functions = {stem: report.document.value for stem, report in folder.reports.items()}
        rows = [(name, stem, value["type"], _json(value)) for stem, value in functions.items()]
        self._insert((name, digest, signature, *contents), rows)

    def copy(self, name: str, entry: Entry, pack: Pack) -> None:
        """Add a connector that another pack has."""
        (_, _, _, *contents), functions = pack.rows_of(name)
        self._insert((name, entry.digest, entry.signature, *contents), functions)

    def _insert(self, connector: tuple[Any, ...], functions: list[tuple[Any, ...]]) -> None:
        self._database.execute("INSERT INTO connectors VALUES (?, ?, ?, ?, ?, ?)", connector)
        self._database.executemany("INSERT INTO functions VALUES (?, ?, ?, ?)", functions)


def write_pack(path: Path | None, rules: str, fill: Callable[[PackWriter], None]) -> Pack:
    """
    Write what `fill` adds to a pack, which takes the place of the one at `path`, and return it.

    Without a path, or where it can't be written, it is kept in memory; `fill` may be called once more for that.
    """
    if path is not None:
        try:
            _write_file(path, rules, fill)
            return _opened(path, rules)
        except (OSError, ValueError, sqlite3.Error) as error:
            _LOG.warning("catalogue_cache.not_written", file=str(path), reason=_reason(error))
    database = sqlite3.connect(":memory:", check_same_thread=False)
    _fill(database, rules, fill)
    return Pack(_entries(database), database)


def _write_file(path: Path, rules: str, fill: Callable[[PackWriter], None]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_left_over(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    os.close(descriptor)
    try:
        with contextlib.closing(sqlite3.connect(temporary)) as database:
            database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")  # it is whole or left aside
            _fill(database, rules, fill)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _fill(database: sqlite3.Connection, rules: str, fill: Callable[[PackWriter], None]) -> None:
    database.executescript(_TABLES)
    fill(PackWriter(database))
    database.execute("INSERT INTO packs VALUES (?, ?)", (rules, _digest(database)))
    database.commit()


def _remove_left_over(path: Path) -> None:
    """Delete what processes that were killed had begun to write, and packs of directories that nobody reads."""
    for file in path.parent.glob("connectors-*.pack*"):
        longest = _UNUSED_SECONDS if file.suffix == path.suffix else _UNFINISHED_SECONDS
        with contextlib.suppress(OSError):
            if file != path and file.stat().st_mtime < time.time() - longest:
                file.unlink()


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
