"""Copies of whole databases: taken from one in use, and put where there is none yet."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from service_server.store.snapshot import Snapshot, Watch
from service_server.store.sqlite import Sqlite
from service_server.store.sqlite_copies import SqliteCopies


class Copies(Protocol):
    """
    Copies of one database; `name` says which one, without its password, and `kind` of which kind it is.

    On any failure DatabaseUnusable or DatabaseAway is raised, or OSError where a file can't be written, and nothing is
    left behind but a file that the caller has named.
    """

    @property
    def name(self) -> str:
        """Which database this is, as messages may say it."""

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`: a copy of one kind can't be put into the other."""

    def folder(self, data_directory: Path) -> Path:
        """The folder that a copy has to be in before it is put in place."""

    def take(self, path: Path, watch: Watch) -> Snapshot:
        """Write a copy to a new file: all of it as it was at one moment, while others go on reading and writing."""

    def refuse_unless_empty(self) -> None:
        """Raise DatabaseUnusable if there is anything that a copy would be mixed with."""

    def put(self, path: Path, watch: Watch) -> AbstractContextManager[str]:
        """
        Put a copy in place; the code in the context finishes it, at the URL that it gets.

        If that raises, the place is empty again.
        """


def copies_of(database_url: str) -> Copies:
    """The copies of the database of a `--database` URL; raises DatabaseUnusable."""
    if database_url.startswith("postgres"):  # see `database_url.kind_of`
        from service_server.store.postgresql import PostgreSQL
        from service_server.store.postgresql_copies import PostgreSQLCopies

        database = PostgreSQL.at(database_url)
        return PostgreSQLCopies(database.dsn, database.name)
    return SqliteCopies(Sqlite.at(database_url).name)
