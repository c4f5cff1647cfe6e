"""Empty databases of both kinds for tests, and what another program would read in them."""

import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from attrs import frozen

from service_server.store.migrations import upgrade
from tests.service_server.postgresql import PostgreSQLServer, query

Kind = Literal["sqlite", "postgresql"]
BOTH_KINDS = [pytest.param(kind, marks=[pytest.mark.postgresql] * (kind != "sqlite")) for kind in get_args(Kind)]
ON_SQLITE = pytest.mark.parametrize("empty_databases", ["sqlite"], indirect=True)
"""Marks tests whose rule depends on no database, though what they are given is made on each kind."""
_SQLITE = "sqlite+aiosqlite:///"
_NOTE = "database-url"


@frozen
class EmptyDatabases:
    """Makes databases of one kind that have the schema and nothing in it; `template` is one of them."""

    template: str
    server: PostgreSQLServer | None = None

    @contextlib.contextmanager
    def new(self, folder: Path) -> Iterator[str]:
        """The URL of a new one: on the server, else `service.db` in the folder."""
        if self.server is None:
            shutil.copy(self.template, folder / "service.db")
            yield sqlite_url(folder)
        else:
            with self.server.database(self.template) as url:
                yield url


def sqlite_url(folder: Path) -> str:
    """The URL of the SQLite database in a folder."""
    return f"{_SQLITE}{folder / 'service.db'}"


@cache
def _empty_sqlite() -> bytes:
    """A SQLite database with the schema and nothing in it."""
    with tempfile.TemporaryDirectory(prefix="schema-") as name:
        with ThreadPoolExecutor(1) as aside:  # whoever asks may be running an event loop
            aside.submit(upgrade, sqlite_url(Path(name))).result()
        return Path(name, "service.db").read_bytes()


def put_empty_database(data_directory: Path) -> None:
    """
    Put a database with the schema and nothing in it where a data directory is to have SQLite and has none yet.

    Every command would make it, by applying each migration there is; that they do is what tests of commands are for.
    """
    file = data_directory / "service.db"
    if database_of(data_directory) == sqlite_url(data_directory) and not file.exists():
        data_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(_empty_sqlite())


def note_database(data_directory: Path, url: str) -> None:
    """Have the service and the commands that tests run on this folder use a database."""
    data_directory.mkdir(parents=True, exist_ok=True)
    (data_directory / _NOTE).write_text(url)


def database_of(data_directory: Path) -> str:
    """The URL of the database that the service uses with this folder."""
    note = data_directory / _NOTE
    return note.read_text() if note.exists() else sqlite_url(data_directory)


def dictionaries(database: str | Path, statement: str) -> list[dict[str, Any]]:
    """The rows that a query finds in the database of a URL or a data directory, by column; JSON in them stays text."""
    (found,) = _found(database, [statement])
    return found


def whole_tables(database: str | Path, names: Sequence[str]) -> list[list[dict[str, Any]]]:
    """The rows of each of these tables as `dictionaries` gives them, all asked for at once."""
    return _found(database, [f"SELECT * FROM {name}" for name in names])


def _found(database: str | Path, statements: Sequence[str]) -> list[list[dict[str, Any]]]:
    url = database if isinstance(database, str) else database_of(database)
    if url.startswith(_SQLITE):
        with contextlib.closing(sqlite3.connect(url.removeprefix(_SQLITE))) as connection:
            connection.row_factory = sqlite3.Row
            return [[dict(row) for row in connection.execute(each)] for each in statements]
    found: list[list[dict[str, Any]]] = [[] for _ in statements]
    numbered = (
        f"SELECT json_build_array({number}, row_to_json(found)) FROM ({each}) AS found"
        for number, each in enumerate(statements)
    )
    for line in query(url, *numbered).splitlines():
        number, row = json.loads(line)
        found[number].append({name: _as_text(value) for name, value in row.items()})
    return found


def rows(database: str | Path, statement: str) -> list[tuple[Any, ...]]:
    """The rows that a query finds in the database of a URL or a data directory."""
    return [tuple(row.values()) for row in dictionaries(database, statement)]


def execute(database: str | Path, statement: str) -> None:
    """Change something the way another program would."""
    url = database if isinstance(database, str) else database_of(database)
    if url.startswith(_SQLITE):
        with contextlib.closing(sqlite3.connect(url.removeprefix(_SQLITE), timeout=30)) as connection, connection:
            connection.execute(statement)
    else:
        query(url, statement)


def _as_text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict | list) else value
