"""`service-server admin-key`: the keys that programs use the admin API with."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service_server.administration.actors import command_line
from service_server.administration.admin_keys import LONGEST_DAYS, KeyAdministration
from service_server.administration.permissions import ROLES
from service_server.cli.administration import make_database, opened_database, upgrade_database
from service_server.cli.options import as_json, data_directory, database_url, settings_for
from service_server.settings import Settings
from service_server.store import AdminKey, AdminKeys
from service_server.store.clock import timestamp

Result = TypeVar("Result")


@click.group("admin-key")
def admin_key_cli() -> None:
    """Keys for programs that use the admin API."""


@admin_key_cli.command("create")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="viewer", help="What it may do.")
@click.option("--contents", is_flag=True, help="A viewer's key: also see the arguments and outputs of calls.")
@click.option("--days", type=click.IntRange(1, LONGEST_DAYS), help="How long it lasts (default: until it is removed).")
@as_json
@data_directory
@database_url
def create_key(
    name: str, role: str, contents: bool, days: int | None, as_json: bool, data_dir: Path, database: str | None
) -> None:
    """Make a key and print it; it is shown only now."""

    async def create(admin: KeyAdministration) -> tuple[AdminKey, str]:
        return await admin.create(command_line(), name, role, sees_contents=contents, days=days)

    key, text = _run(settings_for(data_dir, database), create, make_database)
    if as_json:
        click.echo(json.dumps({"id": key.id, "key": text}))
    else:
        click.echo(f"Key: {text}\nKeep it where {name} keeps its secrets; it is not shown again.")


@admin_key_cli.command("list")
@as_json
@data_directory
@database_url
def list_keys(as_json: bool, data_dir: Path, database: str | None) -> None:
    """List the keys, newest first, without what opens anything."""
    keys = _run(settings_for(data_dir, database), lambda admin: admin.everyone(command_line()))
    rows = [_told(each) for each in keys]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    table = Table("Id", "Name", "Role", "Made by", "Last used (UTC)", "Ends (UTC)", box=None, pad_edge=False)
    for row in rows:
        used, ends = (_short(row[name]) or "never" for name in ("last_used_at", "expires_at"))
        table.add_row(*map(Text, (row["id"], row["name"], row["role"], row["created_by"], used, ends)))
    Console().print(table)


@admin_key_cli.command("remove")
@click.argument("key_id", metavar="ID")
@data_directory
@database_url
def remove_key(key_id: str, data_dir: Path, database: str | None) -> None:
    """End a key at once and for good."""
    _run(settings_for(data_dir, database), lambda admin: admin.remove(command_line(), key_id))
    click.echo(f"{key_id} is removed.")


def _told(key: AdminKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "role": key.role,
        "sees_contents": key.sees_contents,
        "created_at": key.created_at,
        "created_by": key.created_by,
        "last_used_at": None if key.last_used_at is None else timestamp(key.last_used_at),
        "expires_at": None if key.expires_at is None else timestamp(key.expires_at),
    }


def _short(moment: str | None) -> str | None:
    return None if moment is None else moment[:16].replace("T", " ")


def _run(
    settings: Settings,
    work: Callable[[KeyAdministration], Awaitable[Result]],
    prepare: Callable[[Settings], None] = upgrade_database,
) -> Result:
    async def opened() -> Result:
        async with opened_database(settings) as database:
            return await work(KeyAdministration(AdminKeys(database)))

    prepare(settings)
    return asyncio.run(opened())
