"""Bringing a database's schema up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config

HERE = Path(__file__).parent


def upgrade(database_url: str) -> None:
    """Apply every migration the database has not seen; runs its own event loop, so call it before serving."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    command.upgrade(config, "head")
