"""`service-server application`: the host applications that call the service, and their secrets."""

import asyncio
import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from service_server.administration.administration import AdministrationError, check_origin, secret_fingerprint
from service_server.cli.administration import administration, upgrade_database
from service_server.cli.options import as_json, data_directory, database_url, settings_for
from service_server.settings import Settings
from service_server.store import Application, Applications


@click.group("application")
def application_cli() -> None:
    """Host applications that call the service."""


@application_cli.command("create")
@click.argument("name")
@click.option("--origin", multiple=True, help="A browser origin it may call from (repeatable).")
@as_json
@data_directory
@database_url
def create_application(
    name: str,
    origin: tuple[str, ...],
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """Add a host application and print its key and secret; the secret is shown only now."""
    for each in origin:
        check_origin(each)

    async def create(settings: Settings) -> tuple[str, str]:
        async with administration(settings) as admin:
            application, secret = await admin.create_application(name, list(origin))
            return application.app_key, secret

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    app_key, secret = asyncio.run(create(settings))
    if as_json:
        click.echo(json.dumps({"app_key": app_key, "app_secret": secret}))
    else:
        click.echo(
            f"App-Key:    {app_key}\nApp secret: {secret}\nKeep the secret on your backend; it is not shown again."
        )


@application_cli.command("list")
@as_json
@data_directory
@database_url
def list_applications(as_json: bool, data_dir: Path, database: str | None) -> None:
    """List the host applications, their origins and how many live secrets each has."""

    async def everyone(settings: Settings) -> list[Application]:
        async with administration(settings) as admin:
            return await admin.applications.everyone()

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    rows = [
        {
            "name": each.name,
            "app_key": each.app_key,
            "origins": list(each.allowed_origins),
            "secrets": [secret_fingerprint(sealed) for sealed in each.sealed_secrets],
        }
        for each in asyncio.run(everyone(settings))
    ]
    if as_json:
        click.echo(json.dumps(rows))
        return
    table = Table("Name", "App-Key", "Live secrets", "Origins")
    for row in rows:
        table.add_row(str(row["name"]), str(row["app_key"]), str(len(row["secrets"])), "\n".join(row["origins"]))
    Console().print(table)


@application_cli.command("rotate-secret")
@click.argument("application", metavar="NAME|KEY")
@click.option("--retire-old", is_flag=True, help="End the older of two live secrets instead of making another.")
@as_json
@data_directory
@database_url
def rotate_secret(
    application: str,
    retire_old: bool,
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """
    Replace an application's secret without downtime; it is named, or given by its App-Key where names are shared.

    First without options: a second secret is made and printed, both work. Once every backend uses the new one, with
    --retire-old: the old one ends.
    """

    async def rotate(settings: Settings) -> tuple[Application, str | None]:
        async with administration(settings) as admin:
            found = await _found(admin.applications, application)
            if not retire_old:
                return await admin.add_secret(found)
            if len(found.sealed_secrets) < 2:
                raise AdministrationError(
                    "There is only one live secret. Make the new one first: leave --retire-old out."
                )
            return await admin.retire_secret(found, secret_fingerprint(found.sealed_secrets[-1])), None

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    changed, secret = asyncio.run(rotate(settings))
    if as_json:
        click.echo(json.dumps({"app_key": changed.app_key, **({} if secret is None else {"app_secret": secret})}))
    elif secret is None:
        click.echo(f"The old secret of {changed.name} ends within two seconds; the new one is the only one.")
    else:
        click.echo(
            f"App-Key:    {changed.app_key}\nApp secret: {secret}\nBoth secrets work now; this one is not shown again. "
            "Run this again with --retire-old once your backends use it."
        )


async def _found(applications: Applications, name_or_key: str) -> Application:
    named = [each for each in await applications.everyone() if name_or_key in (each.name, each.app_key)]
    if not named:
        raise AdministrationError(f"There is no application {name_or_key}; `application list` shows them.")
    if len(named) > 1:
        raise AdministrationError(f"Several applications are named {name_or_key}; use the App-Key of the one you mean.")
    return named[0]
