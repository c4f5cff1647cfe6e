"""`service-server app`: what the operator sets for third-party apps."""

import asyncio
import sys
from pathlib import Path

import click

from service_server.administration.actors import command_line
from service_server.administration.administration import Administration
from service_server.administration.app_setup import AppSetup, Tried, failed
from service_server.administration.failures import AdministrationError
from service_server.catalog.values import Connector
from service_server.cli.administration import (
    administration,
    find_connector,
    make_database,
    opened_database_and_vault,
    read_secret,
    upgrade_database,
)
from service_server.cli.applications import found_application
from service_server.cli.callback import callback_told
from service_server.cli.options import (
    allowed_hosts,
    connector_directories,
    data_directory,
    database_url,
    public_address,
    public_url_or_default,
    settings_for,
)
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.settings import Settings
from service_server.store import AppConfigurations, Applications, AuditEvents


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
@click.option(
    "--application",
    metavar="NAME|KEY",
    help="Set them for this application alone: they take the place of all that is set for the others.",
)
@data_directory
@database_url
@connector_directories
@public_address
def configure_app(
    name: str,
    client_id: str | None,
    client_secret_file: Path | None,
    var: tuple[str, ...],
    application: str | None,
    data_dir: Path,
    database: str | None,
    connectors: tuple[Path, ...],
    public_url: str | None,
) -> None:
    """
    Set the OAuth2 client of an app and the variables of its deployment.

    What isn't given stays as it is. Tells the callback URL, under which this service has to be registered with the app;
    without options it does only that.
    """
    if client_id == "":  # in the console that takes it away; here it is a variable of a script that was not set
        raise AdministrationError("The client id is empty.")
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
            found = None if application is None else await found_application(admin.applications, application)
            await admin.configure_app(
                command_line(),
                connector,
                client_id=client_id,
                client_secret=secret,
                variables=variables,
                application_id=None if found is None else found.id,
            )

    settings = settings_for(data_dir, database, public_url_or_default(public_url), connectors)
    connector = find_connector(settings, name)
    if client_id is None and secret is None and not variables:
        click.echo("Nothing was set: give --client-id, --client-secret-file or --var.")
    else:
        make_database(settings)
        asyncio.run(configure(settings, connector))
        click.echo(f"Configured {name}{'' if application is None else f' for {application} alone'}.")
    if (told := callback_told(connector, settings.public_url)) is not None:
        click.echo(told)


@app_cli.command("share")
@click.argument("name")
@click.option("--application", metavar="NAME|KEY", required=True, help="The application that has its own settings.")
@data_directory
@database_url
@connector_directories
def share_app(name: str, application: str, data_dir: Path, database: str | None, connectors: tuple[Path, ...]) -> None:
    """
    Take an application's own settings of an app away, so that it does with those of the others again.

    Its users reconnect the accounts that were connected with an OAuth2 client of its own.
    """

    async def share(settings: Settings, connector: Connector) -> None:
        async with administration(settings) as admin:
            found = await found_application(admin.applications, application)
            if not await admin.share_app(command_line(), connector, found.id):
                raise AdministrationError(f"{application} has no settings of its own for {connector.name}.")

    settings = settings_for(data_dir, database, connectors=connectors)
    connector = find_connector(settings, name)
    upgrade_database(settings)
    asyncio.run(share(settings, connector))
    click.echo(f"{application} does with the settings of {name} that all others have.")


@app_cli.command("try")
@click.argument("name")
@click.option("--application", metavar="NAME|KEY", help="The settings of this application, where it has its own.")
@data_directory
@database_url
@connector_directories
@public_address
@allowed_hosts
def try_app(
    name: str,
    application: str | None,
    data_dir: Path,
    database: str | None,
    connectors: tuple[Path, ...],
    public_url: str | None,
    allow_host: tuple[str, ...],
) -> None:
    """
    Try the sign-in settings of an app with the app itself, as far as that can be done without a user.

    The sign-in page has to answer, and the token endpoint to refuse nothing but a made-up code. The exit status is 1 if
    anything fails.
    """

    async def tried(settings: Settings, connector: Connector) -> list[Tried]:
        async with opened_database_and_vault(settings) as (database, vault):
            applications = Applications(database)
            found = None if application is None else await found_application(applications, application)
            admin = Administration(vault, applications, AppConfigurations(database))
            of_app = await admin.app_settings(connector, None if found is None else found.id)
            async with Sender(OnwardSettings(allow_hosts=settings.allow_hosts)) as sender:
                setup = AppSetup(sender, AuditEvents(database), settings.callback_url)
                return await setup.try_sign_in(command_line(), connector, of_app)

    settings = settings_for(data_dir, database, public_url_or_default(public_url), connectors, allow_host)
    connector = find_connector(settings, name)
    upgrade_database(settings)
    found = asyncio.run(tried(settings, connector))
    for each in found:
        click.echo(f"{each.result:8}{each.way}, {each.what}: {each.told}")
    if failed(found):
        sys.exit(1)
