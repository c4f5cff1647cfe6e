"""Applies, with Alembic, the migrations that a database has not seen."""

from pathlib import Path

from alembic import command
from alembic.config import Config

from service_server.store.kind import DatabaseKind


def change(kind: DatabaseKind, revision: str, wait_seconds: float) -> None:
    """Bring a database to a revision; errors are raised as they come."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["kind"] = kind
    config.attributes["wait_seconds"] = wait_seconds
    command.upgrade(config, revision)
