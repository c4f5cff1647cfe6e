"""`service-server users`: all that is kept of one user, told or erased."""

import asyncio
import json
import sys
from pathlib import Path

import click

from service_server.administration.actors import command_line
from service_server.administration.failures import AdministrationError
from service_server.cli.administration import upgrade_database
from service_server.cli.one_user import application_option, one_user
from service_server.cli.options import (
    allowed_hosts,
    as_json,
    connector_directories,
    data_directory,
    database_url,
    settings_for,
)
from service_server.settings import Settings


@click.group("users")
def users_cli() -> None:
    """Users of applications, and what is kept of them."""


@users_cli.command("export")
@click.argument("user_id")
@application_option
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A new file (default: standard output).")
@data_directory
@database_url
@connector_directories
def export_user(
    user_id: str,
    app_key: str | None,
    out: Path | None,
    data_dir: Path,
    database: str | None,
    connectors: tuple[Path, ...],
) -> None:
    """
    Tell all that is kept of a user, as JSON lines: accounts, calls, files, connect sessions, webhook deliveries.

    Credentials are left out, and so is what files hold.
    """

    async def export(settings: Settings) -> None:
        async with one_user(settings, user_id, app_key) as who:
            lines = who.service.users.export(command_line(), who.application, who.user_id)
            if out is None:
                async for line in lines:
                    sys.stdout.write(line)
                return
            with out.open("x", encoding="utf-8") as file:
                out.chmod(0o600)
                async for line in lines:
                    file.write(line)

    settings = settings_for(data_dir, database, connectors=connectors)
    upgrade_database(settings)
    try:
        asyncio.run(export(settings))
    except FileExistsError:
        raise AdministrationError(f"{out} is there already; it is not written over.") from None


@users_cli.command("erase")
@click.argument("user_id")
@application_option
@click.option("--yes", is_flag=True, help="Don't ask for the user's id again.")
@as_json
@data_directory
@database_url
@connector_directories
@allowed_hosts
def erase_user(
    user_id: str,
    app_key: str | None,
    yes: bool,
    as_json: bool,
    data_dir: Path,
    database: str | None,
    connectors: tuple[Path, ...],
    allow_host: tuple[str, ...],
) -> None:
    """
    Revoke a user's accounts at their apps, and delete all that is kept of the user. This can't be undone.

    Broken off, it is begun again by the same command. Backups from before still hold the user.
    """
    if not yes and click.prompt("Type the user's id again to erase all that is kept of them", err=True) != user_id:
        raise AdministrationError("That is another id. Nothing was erased.")

    async def erase(settings: Settings) -> tuple[dict[str, int], int]:
        async with one_user(settings, user_id, app_key) as who:
            erased = await who.service.users.erase(command_line(), who.application, who.user_id)
            return dict(erased.counts), erased.not_revoked

    settings = settings_for(data_dir, database, connectors=connectors, allow_hosts=allow_host)
    upgrade_database(settings)
    counts, not_revoked = asyncio.run(erase(settings))
    if as_json:
        click.echo(json.dumps({**counts, "not_revoked": not_revoked}))
        return
    found = [f"{count} × {kind.replace('_', ' ')}" for kind, count in counts.items() if count]
    click.echo(f"Erased: {', '.join(found) or 'nothing was kept of this user'}.")
    if not_revoked:
        click.echo(f"{not_revoked} of the accounts could not be revoked at their apps: their tokens may still work.")
