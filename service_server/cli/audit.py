"""`service-server audit`: what operators, keys and the command line did."""

import asyncio
import json
from pathlib import Path

import attrs
import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service_server.administration.permissions import ACTS
from service_server.cli.administration import opened_database, upgrade_database
from service_server.cli.options import SEEN_ID, as_json, data_directory, database_url, settings_for
from service_server.settings import Settings
from service_server.store import AuditEvent, AuditEvents, AuditFilter

_WIDTH = 200  # what changed is of no use cut


@click.command("audit")
@click.option("--by", help="Only what this operator, key or user of the command line did.")
@click.option("--act", type=click.Choice(sorted(ACTS)), metavar="ACT", help="Only this, such as application.created.")
@click.option("--subject", help="Only what was done to the thing with this id.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, help="How many at most, newest first.")
@click.option("--before", type=SEEN_ID, help="Go on before the event with this id.")
@as_json
@data_directory
@database_url
def audit_cli(
    by: str | None,
    act: str | None,
    subject: str | None,
    limit: int,
    before: str | None,
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """Show the audit trail: who changed what, when, from where. Newest first."""

    async def events(settings: Settings) -> list[AuditEvent]:
        async with opened_database(settings) as opened:
            matching = AuditFilter(actor=by, act=act, subject=subject)
            return await AuditEvents(opened).events(limit=limit, before=before, matching=matching)

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    found = asyncio.run(events(settings))
    if as_json:
        click.echo(json.dumps([attrs.asdict(each) for each in found], ensure_ascii=False))
        return
    table = Table("Time (UTC)", "Who", "From where", "What", "On what", "What changed", box=None, pad_edge=False)
    for each in found:
        where = each.via.replace("_", " ") + (f" {each.address}" if each.address else "")
        changes = json.dumps(each.changes, ensure_ascii=False) if each.changes else ""
        table.add_row(*map(Text, (each.at[:19].replace("T", " "), each.actor, where, each.act, each.subject, changes)))
    Console(width=_WIDTH).print(table)
    if len(found) == limit:
        click.echo(f"Go on with --before {found[-1].id}", err=True)
