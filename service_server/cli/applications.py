"""`service-server application`: the host applications that call the service, and their secrets."""

import asyncio
import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from service_server.administration.actors import command_line
from service_server.administration.administration import check_origin
from service_server.administration.brands import MOST_LOGO_BYTES, set_brand
from service_server.administration.failures import AdministrationError
from service_server.administration.live_secrets import secret_fingerprint
from service_server.cli.administration import administration, make_database, upgrade_database
from service_server.cli.options import as_json, data_directory, database_url, settings_for
from service_server.html_pages.colours import shades_of
from service_server.settings import Settings
from service_server.store import Application, Applications, Brand

_WIDTH = 200  # keys are of no use cut


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
            application, secret = await admin.create_application(command_line(), name, list(origin))
            return application.app_key, secret

    settings = settings_for(data_dir, database)
    make_database(settings)
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
    Console(width=_WIDTH).print(table)


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
            found = await found_application(admin.applications, application)
            if not retire_old:
                return await admin.add_secret(command_line(), found)
            if len(found.sealed_secrets) < 2:
                raise AdministrationError(
                    "There is only one live secret. Make the new one first: leave --retire-old out."
                )
            return await admin.retire_secret(command_line(), found, secret_fingerprint(found.sealed_secrets[-1])), None

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


@application_cli.command("origins")
@click.argument("application", metavar="NAME|KEY")
@click.option("--add", multiple=True, metavar="ORIGIN", help="A browser origin it may call from (repeatable).")
@click.option("--remove", multiple=True, metavar="ORIGIN", help="One that it may no longer call from (repeatable).")
@as_json
@data_directory
@database_url
def change_origins(
    application: str,
    add: tuple[str, ...],
    remove: tuple[str, ...],
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """Add and remove the origins of the pages that an application may be used in; without options, show them."""
    for each in add:
        check_origin(each)

    async def change(settings: Settings) -> Application:
        async with administration(settings) as admin:
            found = await found_application(admin.applications, application)
            for origin in remove:
                if origin not in found.allowed_origins:
                    raise AdministrationError(f"{origin} is no origin of {found.name}; nothing was changed.")
            for origin in add:
                found = await admin.allow_origin(command_line(), found, origin)
            for origin in remove:
                found = await admin.disallow_origin(command_line(), found, origin)
            return found

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    changed = asyncio.run(change(settings))
    if as_json:
        click.echo(json.dumps({"app_key": changed.app_key, "origins": list(changed.allowed_origins)}))
    else:
        click.echo("\n".join(changed.allowed_origins) or f"No page may use {changed.name}; --add allows one.")


@application_cli.command("rename")
@click.argument("application", metavar="NAME|KEY")
@click.argument("name", metavar="NEW-NAME")
@data_directory
@database_url
def rename_application(application: str, name: str, data_dir: Path, database: str | None) -> None:
    """Give an application another name here; key, secrets and what users see of it stay as they are."""

    async def rename(settings: Settings) -> Application:
        async with administration(settings) as admin:
            found = await found_application(admin.applications, application)
            return await admin.rename_application(command_line(), found, name)

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    click.echo(f"{asyncio.run(rename(settings)).app_key} is named {name} now.")


@application_cli.command("brand")
@click.argument("application", metavar="NAME|KEY")
@click.option("--name", help="What users know it by, in place of its name here.")
@click.option(
    "--colour", "--color", metavar="#RRGGBB", help="Of buttons and links; shades that can be read are made of it."
)
@click.option(
    "--logo",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A PNG, JPEG or WebP image, 64 KiB and 1,024 pixels on each side at most.",
)
@click.option(
    "--remove", multiple=True, type=click.Choice(["name", "colour", "logo"]), help="Take one away (repeatable)."
)
@as_json
@data_directory
@database_url
def brand_application(
    application: str,
    name: str | None,
    colour: str | None,
    logo: Path | None,
    remove: tuple[str, ...],
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """
    Set how users see an application while they connect accounts: its name, its logo, its colour.

    What isn't given stays as it is. Without options it says how users see it now.
    """
    content = None
    if logo is not None:
        with logo.open("rb") as stream:
            content = stream.read(MOST_LOGO_BYTES + 1)
    given: dict[str, str | bytes | None] = {"accent" if each == "colour" else each: None for each in remove}
    settings = {"name": name, "accent": colour, "logo": content}
    given |= {setting: value for setting, value in settings.items() if value is not None}

    async def change(settings: Settings) -> Brand:
        async with administration(settings) as admin:
            found = await found_application(admin.applications, application)
            if not given:
                return await admin.applications.brand(found.id)
            return await set_brand(command_line(), admin.applications, found.id, given)

    database_settings = settings_for(data_dir, database)
    upgrade_database(database_settings)
    brand = asyncio.run(change(database_settings))
    shades = None if brand.accent is None else shades_of(brand.accent)
    shown = {
        "name": brand.name,
        "colour": brand.accent,
        "colour_on_light": None if shades is None else shades.light.colour,
        "colour_on_dark": None if shades is None else shades.dark.colour,
        "logo": None if brand.logo is None else brand.logo.partition(";")[0].removeprefix("data:"),
    }
    if as_json:
        click.echo(json.dumps(shown))
        return
    told = (
        "none" if shades is None else f"{brand.accent} ({shades.light.colour} on light, {shades.dark.colour} on dark)"
    )
    click.echo(f"Name:   {brand.name or 'as it is named here'}\nColour: {told}\nLogo:   {shown['logo'] or 'none'}")


async def found_application(applications: Applications, name_or_key: str) -> Application:
    """The application of this name or App-Key; AdministrationError if there is none, or several."""
    named = [each for each in await applications.everyone() if name_or_key in (each.name, each.app_key)]
    if not named:
        raise AdministrationError(f"There is no application {name_or_key}; `application list` shows them.")
    if len(named) > 1:
        raise AdministrationError(f"Several applications are named {name_or_key}; use the App-Key of the one you mean.")
    return named[0]
