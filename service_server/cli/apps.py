"""`service-server app`: what the operator sets for third-party apps."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from service_server.administration.administration import AdministrationError
from service_server.catalog.values import Connector
from service_server.cli.administration import administration, find_connector, read_secret, upgrade_database
from service_server.cli.callback import callback_told
from service_server.cli.options import (
    DEFAULT_DATA_DIRECTORY,
    ConnectorDirectories,
    DatabaseUrl,
    DataDirectory,
    PublicUrl,
    public_url_or_default,
    settings_for,
)
from service_server.settings import Settings

app_cli = typer.Typer(no_args_is_help=True, help="Third-party apps of the catalogue.")


@app_cli.command("configure")
def configure_app(
    name: str,
    client_id: Annotated[str | None, typer.Option("--client-id")] = None,
    client_secret_file: Annotated[
        Path | None, typer.Option("--client-secret-file", help="A file with the secret; - reads standard input.")
    ] = None,
    var: Annotated[list[str] | None, typer.Option("--var", help="NAME=VALUE of an operator's variable.")] = None,
    data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY,
    database: DatabaseUrl = None,
    connectors: ConnectorDirectories = None,
    public_url: PublicUrl = None,
) -> None:
    """
    Set the OAuth2 client of an app and the variables of its deployment.

    Tells the callback URL, under which this service has to be registered with the app.
    """
    variables = {}
    for pair in var or ():
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
            await admin.configure_app(connector, client_id=client_id, client_secret=secret, variables=variables)

    settings = settings_for(data_dir, database, public_url_or_default(public_url), connectors)
    connector = find_connector(settings, name)
    upgrade_database(settings)
    asyncio.run(configure(settings, connector))
    typer.echo(f"Configured {name}.")
    if (told := callback_told(connector, settings.public_url)) is not None:
        typer.echo(told)
