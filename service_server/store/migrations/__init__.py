"""Bringing a database's schema up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

HERE = Path(__file__).parent


class DatabaseUnusable(Exception):
    """The database cannot be opened or is not one of this service; says why."""


def upgrade(database_url: str) -> None:
    """
    Apply every migration the database has not seen; runs its own event loop, so call it before serving.

    Raises `DatabaseUnusable`.
    """
    url = _sqlite_file(database_url)
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except DatabaseError as error:
        raise DatabaseUnusable(f"The database {url.database} cannot be used: {error.orig}.") from error
    except CommandError as error:
        raise DatabaseUnusable(
            f"The database {url.database} was made by another version of the service: {error}."
        ) from error


def _sqlite_file(database_url: str) -> URL:
    try:
        url = make_url(database_url)
    except ArgumentError:
        raise DatabaseUnusable("--database takes a URL such as sqlite+aiosqlite:////var/lib/service.db.") from None
    if url.drivername != "sqlite+aiosqlite" or url.database in (None, "", ":memory:"):
        raise DatabaseUnusable("The database has to be a file of SQLite: sqlite+aiosqlite:///PATH.")
    folder = Path(url.database or "").absolute().parent
    if not folder.is_dir():
        raise DatabaseUnusable(f"The database's folder {folder} does not exist.")
    return url
