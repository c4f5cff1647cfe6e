"""`service-server app`: what the operator sets for third-party apps."""

import asyncio
from pathlib import Path

import click

from service_server.administration.actors import command_line
from service_server.administration.failures import AdministrationError
from service_server.catalog.values import Connector
from service_server.cli.administration import administration, find_connector, read_secret, upgrade_database
from service_server.cli.callback import callback_told
from service_server.cli.options import (
    connector_directories,
    data_directory,
    database_url,
    public_address,
    public_url_or_default,
    settings_for,
)
from service_server.settings import Settings


@click.group("app")
def app_cli() -> None:
    """Third-party apps of the catalogue."""


@app_cli.command("configure")
@click.argument("name")
@click.option("--client-id")
@click.option(
    "--client-secret-file", type=click.Path(path_type=Path), help="A file with the secret; - reads standard input."
)
@click.option("--var", multiple=True, help="NAME=VALUE of an operator's variable (repeatable).")
@data_directory
@database_url
@connector_directories
@public_address
def configure_app(
    name: str,
    client_id: str | None,
    client_secret_file: Path | None,
    var: tuple[str, ...],
    data_dir: Path,
    database: str | None,
    connectors: tuple[Path, ...],
    public_url: str | None,
) -> None:
    """
    Set the OAuth2 client of an app and the variables of its deployment.

    Tells the callback URL, under which this service has to be registered with the app.
    """
    variables = {}
    for pair in var:
        variable, separator, value = pair.partition("=")
        if not separator:
            raise AdministrationError(f"--var takes NAME=VALUE, not {pair}.")
        variables[variable] = value
    secret = None
    if client_secret_file is not None:
        secret = read_secret(client_secret_file)
        if not secret:
            raise AdministrationError("The client secret is empty.")

    async def configure(settings: Settings, connector: Connector) -> None:
        async with administration(settings) as admin:
            await admin.configure_app(
                command_line(), connector, client_id=client_id, client_secret=secret, variables=variables
            )

    settings = settings_for(data_dir, database, public_url_or_default(public_url), connectors)
    connector = find_connector(settings, name)
    upgrade_database(settings)
    asyncio.run(configure(settings, connector))
    click.echo(f"Configured {name}.")
    if (told := callback_told(connector, settings.public_url)) is not None:
        click.echo(told)
