"""`service-server operator`: who may sign in to the console, and as what."""

import asyncio
import json
import warnings
from collections.abc import Awaitable, Callable
from getpass import GetPassWarning
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service_server.administration.actors import command_line
from service_server.administration.failures import AdministrationError
from service_server.administration.operators import OperatorAdministration
from service_server.administration.permissions import ROLES
from service_server.administration.sessions import SessionAdministration
from service_server.cli.administration import make_database, opened_database, read_secret, upgrade_database
from service_server.cli.options import as_json, data_directory, database_url, settings_for
from service_server.settings import Settings
from service_server.store import Operator, Operators, OperatorSession, OperatorSessions
from service_server.store.clock import timestamp

Result = TypeVar("Result")

_sees_contents = click.option("--contents", is_flag=True, help="A viewer: also see the arguments and outputs of calls.")
_password_file = click.option(
    "--password-file",
    type=click.Path(path_type=Path),
    help="A file with the password; - reads standard input (default: ask).",
)


@click.group("operator")
def operator_cli() -> None:
    """People who may sign in to the console."""


@operator_cli.command("create")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), help="What they may do (default: owner, which is everything).")
@_sees_contents
@_password_file
@data_directory
@database_url
def create_operator(
    name: str, role: str | None, contents: bool, password_file: Path | None, data_dir: Path, database: str | None
) -> None:
    """Add someone who may sign in to the console, or give them a new password (and a role, if it is given)."""
    password = _password(password_file)

    async def create(admin: OperatorAdministration) -> None:
        if await admin.operators.get(name) is None:
            await admin.add(command_line(), name, password, role or "owner", sees_contents=contents)
            return
        await admin.set_password(command_line(), name, password)
        if role is not None:
            await admin.set_role(command_line(), name, role, sees_contents=contents)

    _run(settings_for(data_dir, database), create, make_database)
    click.echo(f"{name} may sign in to the console.")


@operator_cli.command("list")
@as_json
@data_directory
@database_url
def list_operators(as_json: bool, data_dir: Path, database: str | None) -> None:
    """List the operators and their roles."""

    async def everyone(admin: OperatorAdministration) -> list[Operator]:
        return await admin.everyone(command_line())

    found = _run(settings_for(data_dir, database), everyone)
    if as_json:
        rows = [
            {"name": each.name, "role": each.role, "sees_contents": each.sees_contents, "created_at": each.created_at}
            for each in found
        ]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    table = Table("Name", "Role", "Added (UTC)", box=None, pad_edge=False)
    for each in found:
        role = f"{each.role}, sees contents" if each.sees_contents and each.role == "viewer" else each.role
        table.add_row(*map(Text, (each.name, role, each.created_at[:16].replace("T", " "))))
    Console().print(table)


@operator_cli.command("role")
@click.argument("name")
@click.argument("role", type=click.Choice(ROLES))
@_sees_contents
@data_directory
@database_url
def set_role(name: str, role: str, contents: bool, data_dir: Path, database: str | None) -> None:
    """
    Give an operator another role.

    An owner may do everything. A developer may do all but manage operators and keys and read the audit trail. A viewer
    changes nothing, and sees no arguments and outputs of calls without --contents.
    """
    _run(
        settings_for(data_dir, database),
        lambda admin: admin.set_role(command_line(), name, role, sees_contents=contents),
    )
    click.echo(f"{name} is {'an owner' if role == 'owner' else f'a {role}'} now.")


@operator_cli.command("password")
@click.argument("name")
@_password_file
@data_directory
@database_url
def set_password(name: str, password_file: Path | None, data_dir: Path, database: str | None) -> None:
    """Give an operator another password; whoever is signed in with the old one is not any more."""
    password = _password(password_file)
    _run(settings_for(data_dir, database), lambda admin: admin.set_password(command_line(), name, password))
    click.echo(f"{name} has a new password.")


@operator_cli.command("remove")
@click.argument("name")
@data_directory
@database_url
def remove_operator(name: str, data_dir: Path, database: str | None) -> None:
    """Remove an operator; their sessions end at once. The last owner stays."""
    _run(settings_for(data_dir, database), lambda admin: admin.remove(command_line(), name))
    click.echo(f"{name} is removed.")


@operator_cli.command("sessions")
@click.argument("name", required=False)
@click.option("--end", is_flag=True, help="End all sessions of the operator, in every process.")
@as_json
@data_directory
@database_url
def list_sessions(name: str | None, end: bool, as_json: bool, data_dir: Path, database: str | None) -> None:
    """List where operators are signed in to the console, last seen first; or end all sessions of one of them."""
    if end and name is None:
        raise AdministrationError("Say whose sessions are to end.")

    async def work(settings: Settings) -> list[OperatorSession] | int:
        async with opened_database(settings) as opened:
            admin = SessionAdministration(OperatorSessions(opened), Operators(opened))
            if end and name is not None:
                return await admin.end_all(command_line(), name)
            return await admin.living(command_line(), name)

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    found = asyncio.run(work(settings))
    if isinstance(found, int):
        click.echo(
            f"{found} {'session' if found == 1 else 'sessions'} of {name} {'has' if found == 1 else 'have'} ended."
        )
        return
    rows = [
        {
            "operator": each.operator,
            "browser": each.browser,
            "address": each.address,
            "signed_in_at": timestamp(each.created_at),
            "seen_at": timestamp(each.seen_at),
        }
        for each in found
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    table = Table("Operator", "Browser", "Address", "Signed in (UTC)", "Last seen", box=None, pad_edge=False)
    for row in rows:
        moments = (row[key][:16].replace("T", " ") for key in ("signed_in_at", "seen_at"))
        table.add_row(*map(Text, (row["operator"], row["browser"], row["address"], *moments)))
    Console().print(table)


def _run(
    settings: Settings,
    work: Callable[[OperatorAdministration], Awaitable[Result]],
    prepare: Callable[[Settings], None] = upgrade_database,
) -> Result:
    async def opened() -> Result:
        async with opened_database(settings) as database:
            return await work(OperatorAdministration(Operators(database)))

    prepare(settings)
    return asyncio.run(opened())


def _password(file: Path | None) -> str:
    if file is not None:
        return read_secret(file)
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        except GetPassWarning:
            raise AdministrationError(
                "There is no terminal to ask for the password in. Give it by --password-file; - reads standard input."
            ) from None
    return password
