"""`service-server db`: the schema of the database."""

import typer

from service_server.cli.administration import upgrade_database
from service_server.cli.options import DEFAULT_DATA_DIRECTORY, DatabaseUrl, DataDirectory, settings_for

db_cli = typer.Typer(no_args_is_help=True, help="The database.")


@db_cli.command("upgrade")
def upgrade_schema(data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY, database: DatabaseUrl = None) -> None:
    """Bring the database's schema up to date (`serve` does it too)."""
    upgrade_database(settings_for(data_dir, database))
    typer.echo("The database is up to date.")
