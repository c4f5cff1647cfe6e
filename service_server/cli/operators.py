"""`service-server operator`: who may sign in to the console."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from service_server.cli.administration import administration, read_secret, upgrade_database
from service_server.cli.options import DEFAULT_DATA_DIRECTORY, DatabaseUrl, DataDirectory, settings_for
from service_server.settings import Settings

operator_cli = typer.Typer(no_args_is_help=True, help="People who may sign in to the console.")


@operator_cli.command("create")
def create_operator(
    name: str,
    password_file: Annotated[
        Path | None,
        typer.Option("--password-file", help="A file with the password; - reads standard input (default: ask)."),
    ] = None,
    data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY,
    database: DatabaseUrl = None,
) -> None:
    """Add someone who may sign in to the console, or set a new password."""
    if password_file is not None:
        password = read_secret(password_file)
    else:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)

    async def create(settings: Settings) -> None:
        async with administration(settings) as admin:
            await admin.create_operator(name, password)

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    asyncio.run(create(settings))
    typer.echo(f"{name} may sign in to the console.")
