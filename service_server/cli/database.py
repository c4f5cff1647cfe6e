"""`service-server db`: the schema of the database."""

from pathlib import Path

import click

from service_server.cli.administration import make_database
from service_server.cli.options import data_directory, database_url, settings_for


@click.group("db")
def db_cli() -> None:
    """The database."""


@db_cli.command("upgrade")
@data_directory
@database_url
def upgrade_schema(data_dir: Path, database: str | None) -> None:
    """Bring the database's schema up to date (`serve` does it too)."""
    make_database(settings_for(data_dir, database))
    click.echo("The database is up to date.")
