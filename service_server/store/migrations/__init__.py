"""Bringing a database's schema up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DatabaseError

from service_server.store.database_url import kind_of
from service_server.store.failures import DatabaseAway, DatabaseUnusable

__all__ = ["DatabaseUnusable", "upgrade"]

HERE = Path(__file__).parent


def upgrade(database_url: str, revision: str = "head") -> None:
    """
    Apply every migration that the database has not seen, up to a revision; runs its own event loop, so call it before
    serving.

    Of processes that do so at the same time one migrates, and the others wait for it. Raises `DatabaseUnusable`.
    """
    kind = kind_of(database_url)
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["kind"] = kind
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise DatabaseUnusable(
            f"The database {kind.name} was made by another version of the service: {error}."
        ) from error
    except (DatabaseAway, DatabaseError) as error:
        reason = kind.translated(error)
        told = str(reason.orig) if isinstance(reason, DatabaseError) else str(reason)
        raise DatabaseUnusable(f"The database {kind.name} cannot be used: {told}.") from None
