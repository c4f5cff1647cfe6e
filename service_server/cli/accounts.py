"""`service-server accounts`: the accounts that a user has connected."""

import asyncio
import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service_client.models import CONVERTER
from service_server.cli.administration import opened_database, upgrade_database
from service_server.cli.one_user import application_of, application_option, check_user_id, user_option
from service_server.cli.options import as_json, data_directory, database_url, settings_for
from service_server.settings import Settings
from service_server.store import Account, Accounts, Applications


@click.command("accounts")
@user_option
@application_option
@click.option("--app", "app_name", help="Only those in this app.")
@as_json
@data_directory
@database_url
def accounts_cli(
    user_id: str, app_key: str | None, app_name: str | None, as_json: bool, data_dir: Path, database: str | None
) -> None:
    """List a user's connected accounts, without secrets. Newest first."""

    async def connected(settings: Settings) -> list[Account]:
        async with opened_database(settings) as opened:
            application = await application_of(Applications(opened), app_key)
            return await Accounts(opened).of_user(application.id, user_id, app_name)

    check_user_id(user_id)
    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    accounts = asyncio.run(connected(settings))
    if as_json:
        told = [{"app": each.app_name, **CONVERTER.unstructure(each.public())} for each in accounts]
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    if not accounts:
        click.echo(f"{user_id} has no account{'' if app_name is None else f' in {app_name}'}.", err=True)
        return
    table = Table("App", "Id", "Account", "State", "Changed", box=None, pad_edge=False)
    for each in accounts:
        public = each.public()
        state = public.state if public.state_reason is None else f"{public.state}: {public.state_reason}"
        when = public.modified_at.astimezone().strftime("%Y-%m-%d %H:%M")
        table.add_row(*map(Text, (each.app_name, str(public.id), public.display_name, state, when)))
    Console().print(table)
