"""`service-server operator`: who may sign in to the console."""

import asyncio
from pathlib import Path

import click

from service_server.cli.administration import administration, read_secret, upgrade_database
from service_server.cli.options import data_directory, database_url, settings_for
from service_server.settings import Settings


@click.group("operator")
def operator_cli() -> None:
    """People who may sign in to the console."""


@operator_cli.command("create")
@click.argument("name")
@click.option(
    "--password-file",
    type=click.Path(path_type=Path),
    help="A file with the password; - reads standard input (default: ask).",
)
@data_directory
@database_url
def create_operator(name: str, password_file: Path | None, data_dir: Path, database: str | None) -> None:
    """Add someone who may sign in to the console, or set a new password."""
    if password_file is not None:
        password = read_secret(password_file)
    else:
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True)

    async def create(settings: Settings) -> None:
        async with administration(settings) as admin:
            await admin.create_operator(name, password)

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    asyncio.run(create(settings))
    click.echo(f"{name} may sign in to the console.")
