"""`service-server users`: all that is kept of one user, told or erased."""

import asyncio
import json
import sys
from pathlib import Path

import click
from rich.console import Console

from service_server.administration.actors import command_line
from service_server.administration.failures import AdministrationError
from service_server.cli.administration import opened_database, upgrade_database
from service_server.cli.one_user import application_option, one_user
from service_server.cli.options import (
    NUMBER,
    allowed_hosts,
    as_json,
    connector_directories,
    data_directory,
    database_url,
    settings_for,
)
from service_server.cli.outputs import show
from service_server.settings import Settings
from service_server.store import Account, AccountFilter, Accounts


@click.group("users")
def users_cli() -> None:
    """Users, and what the service keeps about them."""


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
                try:
                    out.chmod(0o600)
                    async for line in lines:
                        file.write(line)
                except BaseException:
                    out.unlink()  # a part of a person's data would pass for all of it
                    raise

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


@users_cli.command("accounts")
@click.option("--application", type=NUMBER, help="Only those of the application with this number.")
@click.option("--user-id", "user", help="Only those of this user.")
@click.option("--app", help="Only those in this app.")
@click.option("--state", type=click.Choice(["active", "reconnect_required"]), help="Only these.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, help="How many at most, connected last first.")
@click.option("--before", type=NUMBER, help="Go on before the account with this number.")
@as_json
@data_directory
@database_url
def search_accounts(
    application: int | None,
    user: str | None,
    app: str | None,
    state: str | None,
    limit: int,
    before: int | None,
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """Search the accounts of all users; no secret is shown."""
    matching = AccountFilter(application_id=application, user_id=user, app_name=app, state=state)

    async def search(settings: Settings) -> list[Account]:
        async with opened_database(settings) as opened:
            return await Accounts(opened).search(matching, limit=limit, before=before)

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    found = asyncio.run(search(settings))
    rows = [
        {
            "id": each.id,
            "application": each.application_id,
            "user_id": each.user_id,
            "app": each.app_name,
            "account": each.display_name,
            "state": each.state,
        }
        for each in found
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    if not rows:
        click.echo("There are no such accounts.", err=True)
        return
    show(rows, Console())
    if len(found) == limit:
        click.echo(f"Go on with --before {found[-1].id}", err=True)


@users_cli.command("disconnect")
@click.argument("account_id", type=NUMBER)
@data_directory
@database_url
@connector_directories
@allowed_hosts
def disconnect_account(
    account_id: int, data_dir: Path, database: str | None, connectors: tuple[Path, ...], allow_host: tuple[str, ...]
) -> None:
    """Revoke an account at its app where possible, and erase its credentials; its calls stay in the log."""

    async def disconnect(settings: Settings) -> bool:
        from service_server.service import running_service  # it takes a second to import

        async with running_service(settings) as service:
            account = await service.accounts.get(account_id)
            if account is None:
                raise AdministrationError(f"There is no account {account_id}; `users accounts` shows them.")
            try:
                return await service.users.disconnect(command_line(), account)
            finally:
                await service.credentials.drain()

    settings = settings_for(data_dir, database, connectors=connectors, allow_hosts=allow_host)
    upgrade_database(settings)
    revoked = asyncio.run(disconnect(settings))
    told = "" if revoked else " Its app could not be told: its tokens may still work."
    click.echo(f"The account {account_id} is disconnected.{told}")
