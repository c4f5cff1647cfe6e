"""`service-server calls`: searches the Function Calls log and the refused calls, shows and repeats a call, exports."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import attrs
import click
from rich.console import Console

from service_server.administration.actors import command_line
from service_server.administration.call_export import EXPORT_FORMATS, export
from service_server.administration.call_filters import CODE_CLASSES, OUTCOMES, read_filter
from service_server.administration.failures import AdministrationError
from service_server.cli.administration import opened_database, upgrade_database
from service_server.cli.one_user import calling_service
from service_server.cli.options import (
    SEEN_ID,
    allowed_hosts,
    as_json,
    connector_directories,
    data_directory,
    database_url,
    settings_for,
)
from service_server.cli.outputs import show
from service_server.settings import Settings
from service_server.store import AuditEvents, Call, CallFilter, CallLog, Refusal
from service_server.store.call_ids import moment_of

Command = Callable[..., Any]
_SHOWN = ("id", "started_at", "function_name", "user_id", "outcome", "network_code")
_WIDTH = 200  # ids are of no use cut
_SHOWN_OF_REFUSED = ("at", "function_name", "user_id", "code", "error", "request_id")
_OPTIONS = (
    click.option("--application", default="", help="The application's number."),
    click.option("--user-id", "user", default="", help="Whose calls."),
    click.option("--app", default="", help="The app's name."),
    click.option("--function", default="", help="The function's full name."),
    click.option("--outcome", default="", help=f"One of {', '.join(OUTCOMES)}."),
    click.option("--code", default="", help=f"One of {', '.join(CODE_CLASSES)}; of refused calls the error's code."),
    click.option("--since", default="", help="In UTC, such as 2026-11-23T08:30, or a time ago such as 90m, 24h, 7d."),
    click.option("--until", default="", help="As --since."),
    click.option("--request", default="", help="The request's id."),
    click.option("--refused", is_flag=True, help="The calls that were refused before anything was sent."),
)


def _filters(command: Command) -> Command:
    """Options that say which calls are meant."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.group("calls")
def calls_cli() -> None:
    """Search, show, export and repeat calls."""


@calls_cli.command("list")
@_filters
@click.option("--limit", type=click.IntRange(1, 1000), default=50, help="How many at most, newest first.")
@click.option("--before", type=SEEN_ID, help="Go on before the call with this id.")
@as_json
@data_directory
@database_url
def list_calls(
    limit: int, before: str | None, as_json: bool, refused: bool, data_dir: Path, database: str | None, **asked: str
) -> None:
    """List calls, newest first, without their arguments and outputs."""
    matching, settings = read_filter(asked, refused=refused), _settings(data_dir, database)

    async def found() -> tuple[list[dict[str, Any]], str | None, bool]:
        async with opened_database(settings) as opened:
            log = CallLog(opened)
            search = log.refusals if refused else log.calls
            page = await search(limit=limit, before=before, matching=matching)
            return [attrs.asdict(each) for each in page.entries], page.older, page.cut

    rows, older, cut = asyncio.run(found())
    names = _SHOWN_OF_REFUSED if refused else _SHOWN
    if as_json:
        click.echo(json.dumps({"calls": [_plain(row) for row in rows], "older": older}))
        return
    if rows:
        show([{name: row[name] for name in names} for row in rows], Console(width=_WIDTH))
    else:
        click.echo("There are no such calls.", err=True)
    if older is not None:
        reached = f"Searched back to {moment_of(older)}. " if cut else ""
        click.echo(f"{reached}Go on with --before {older}", err=True)


@calls_cli.command("show")
@click.argument("call_id")
@data_directory
@database_url
def show_call(call_id: str, data_dir: Path, database: str | None) -> None:
    """Print a call with its arguments and output, as JSON."""
    settings = _settings(data_dir, database)

    async def found() -> Call | None:
        async with opened_database(settings) as opened:
            call = await CallLog(opened).get(call_id)
            if call is not None:
                await AuditEvents(opened).add(command_line().does("call.read", call.id, function=call.function_name))
            return call

    call = asyncio.run(found())
    if call is None:
        raise _unknown(call_id)
    click.echo(json.dumps(_plain(attrs.asdict(call, recurse=False)), indent=2))


@calls_cli.command("replay")
@click.argument("call_id")
@click.option("--confirm", is_flag=True, help="Also where it may change something.")
@data_directory
@database_url
@connector_directories
@allowed_hosts
def replay_call(
    call_id: str,
    confirm: bool,
    data_dir: Path,
    database: str | None,
    connectors: tuple[Path, ...],
    allow_host: tuple[str, ...],
) -> None:
    """
    Run a call once more, for the same user and account, and print the new call's id.

    Give the service's own --connectors and --allow-host. `calls show` tells what the app answered.
    """
    settings = settings_for(data_dir, database, connectors=connectors, allow_hosts=allow_host)
    upgrade_database(settings)
    again = asyncio.run(_replay(settings, call_id, confirmed=confirm))
    click.echo("The call was run again, but is not in the log." if again is None else again)


async def _replay(settings: Settings, call_id: str, *, confirmed: bool) -> str | None:
    from service_server.invoke.replay import replay  # it takes a second to import

    actor = attrs.evolve(command_line(), request_id=f"cli{secrets.token_hex(11)}")
    async with calling_service(settings) as service:
        call = await service.calls.get(call_id)
        if call is None:
            raise _unknown(call_id)
        return await replay(
            call,
            actor,
            confirmed=confirmed,
            catalog=service.catalog,
            invoker=service.invoker,
            calls=service.calls,
            audit=service.audit,
        )


@calls_cli.command("export")
@_filters
@click.option("--format", "form", type=click.Choice(EXPORT_FORMATS), default="jsonl", help="JSON lines, or CSV.")
@click.option("--contents", is_flag=True, help="With the calls' arguments and outputs.")
@click.option("--output", "path", type=click.File("xb", lazy=True), default="-", help="A new file, or - to print.")
@data_directory
@database_url
def export_calls(
    form: str, contents: bool, path: Any, refused: bool, data_dir: Path, database: str | None, **asked: str
) -> None:
    """Write all calls that match, newest first, however many they are."""
    matching, settings = read_filter(asked, refused=refused), _settings(data_dir, database)

    async def write() -> None:
        async with opened_database(settings) as opened:
            log, filters = CallLog(opened), {name: text for name, text in asked.items() if text}
            await AuditEvents(opened).add(command_line().does("calls.exported", filters=filters, contents=contents))
            async for piece in _pieces(log, matching, form, contents=contents, refused=refused):
                path.write(piece)

    asyncio.run(write())


def _pieces(log: CallLog, matching: CallFilter, form: str, *, contents: bool, refused: bool) -> AsyncIterator[bytes]:
    if refused:
        return export(log.each_refusal(matching), Refusal, form, contents=False)
    return export(log.each(matching, contents=contents), Call, form, contents=contents)


def _unknown(call_id: str) -> AdministrationError:
    return AdministrationError(f"There is no call {call_id[:64]} in the log; `calls list` shows ids.")


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "process_id"}


def _settings(data_dir: Path, database: str | None) -> Settings:
    """Where the log is, in a schema that is up to date."""
    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    return settings
