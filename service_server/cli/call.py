"""`service-server call`: one function in the account of one user."""

import asyncio
import json
import secrets
import sys
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem
from rich.console import Console

from service_client.models import Code
from service_server.administration.failures import AdministrationError
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.catalog.values import FunctionDefinition
from service_server.cli.administration import upgrade_database
from service_server.cli.functions import function_named
from service_server.cli.local_files import check_paths, saved, uploaded
from service_server.cli.one_user import OneUser, application_option, one_user, user_option
from service_server.cli.options import (
    DEFAULT_PUBLIC_URL,
    NUMBER,
    allowed_hosts,
    as_json,
    connector_directories,
    data_directory,
    database_url,
    kept_connectors,
    public_address,
    settings_for,
)
from service_server.cli.outputs import show
from service_server.errors import ServiceError
from service_server.json_texts.json_text import JsonText
from service_server.settings import Settings


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of functions, and behind one those of its arguments."""
    catalog = load_catalog(
        [SHIPPED, *(context.params.get("connectors") or ())], kept_connectors(context.params.get("data_dir"))
    )
    if parameter.name == "function":
        functions = [catalog.function(name) for name in catalog.names() if name.startswith(incomplete)]
        return [CompletionItem(each.name, help=each.description) for each in functions if each is not None]
    function = catalog.function(context.params.get("function") or "")
    properties = function.parameters["properties"] if function is not None else {}
    return [
        CompletionItem(f"{name}=" if schema.get("type") in ("string", "array") else f"{name}:=")
        for name, schema in properties.items()
        if name.startswith(incomplete)
    ]


@click.command("call")
@click.argument("function", shell_complete=_complete)
@click.argument("arguments", nargs=-1, metavar="[NAME=TEXT | NAME:=JSON]...", shell_complete=_complete)
@user_option
@application_option
@click.option("--account", type=NUMBER, help="Which of several accounts (`accounts` lists them).")
@click.option("--idempotency-key", help="A text of your own: with the same one a call is made once.")
@click.option("--yes", is_flag=True, help="Change data without asking.")
@click.option("--save", type=click.Path(path_type=Path), help="Where to write the file that the function gives.")
@as_json
@data_directory
@database_url
@public_address
@connector_directories
@allowed_hosts
def call_cli(
    function: str,
    arguments: tuple[str, ...],
    user_id: str,
    app_key: str | None,
    account: int | None,
    idempotency_key: str | None,
    yes: bool,
    save: Path | None,
    as_json: bool,
    data_dir: Path,
    database: str | None,
    public_url: str | None,
    connectors: tuple[Path, ...],
    allow_host: tuple[str, ...],
) -> None:
    """
    Call a function for a user, and show the app's answer.

    NAME=TEXT is read by the function's parameters ("yes" is no boolean, "true" is), NAME:=JSON is taken as it is. Where
    a function takes a file, TEXT is the path of one or its https address. What may change data is asked for first. It
    works on the service's data directory or database, beside a running service or without one. The exit status is 0
    only if the app answered with a success.

    To complete names: eval "$(_SERVICE_SERVER_COMPLETE=bash_source service-server)"; zsh and fish alike.
    """
    definition = function_named(load_catalog([SHIPPED, *connectors], kept_connectors(data_dir)), function)
    values = _read(definition, arguments)
    check_paths(definition, values, save)
    settings = settings_for(data_dir, database, public_url or DEFAULT_PUBLIC_URL, connectors, allow_host)
    upgrade_database(settings)
    answer = asyncio.run(
        _call(settings, user_id, app_key, definition.name, values, account, idempotency_key, yes, save)
    )
    if as_json:
        click.echo(JsonText.of(answer).text)
    else:
        _show(answer)
    sys.exit(0 if answer["network_code"].startswith("2") else 1)


def _read(function: FunctionDefinition, arguments: tuple[str, ...]) -> dict[str, Any]:
    from service_server.invoke.form_values import read_form

    texts: list[tuple[str, str]] = []
    values: dict[str, Any] = {}
    for each in arguments:
        name, separator, text = each.partition("=")
        if not separator or name in ("", ":"):
            raise AdministrationError(f"Arguments are NAME=TEXT or NAME:=JSON, not {each}.")
        if not name.endswith(":"):
            texts.append((name, text))
            continue
        try:
            values[name[:-1]] = json.loads(text)
        except ValueError as error:
            raise AdministrationError(f"{name[:-1]}: what stands behind := is not JSON: {error}.") from None
    read, problems = read_form(texts, function.parameters)
    twice = sorted(read.keys() & values.keys())
    if twice:
        raise AdministrationError(f"{twice[0]} is given more than once.")
    if problems:
        raise AdministrationError("\n".join(f"{problem.message}." for problem in problems))
    return {**read, **values}


async def _call(
    settings: Settings,
    user_id: str,
    app_key: str | None,
    name: str,
    values: dict[str, Any],
    account: int | None,
    key: str | None,
    yes: bool,
    save: Path | None,
) -> dict[str, Any]:
    # They take a second to import.
    from service_server.agents.confirmation import confirmation
    from service_server.files import Owner
    from service_server.invoke import CallRequest, JsonBody
    from service_server.invoke.check_arguments import check_arguments
    from service_server.invoke.choose_account import choose_account

    async with one_user(settings, user_id, app_key) as user:
        service, owner = user.service, Owner(user.application.id, user_id)
        function = function_named(service.catalog, name)
        async with uploaded(service.files, owner, function, values) as given:
            request = CallRequest(
                application_id=user.application.id,
                user_id=user_id,
                connector=service.catalog.connectors[function.app_name],
                function=function,
                body=JsonBody(given),
                connected_account_id=account,
                request_id=f"cli{secrets.token_hex(11)}",
            )
            try:
                if function.type != "query" and not yes:
                    chosen = await choose_account(request, service.accounts)
                    checked = check_arguments(request, chosen, service.vault).values
                    paths = {name: values[name] for name in function.files if name in values}
                    click.echo(confirmation(request, chosen, checked | paths), err=True)
                    click.confirm("Go on?", abort=True, err=True)
                executed, replayed = await service.invoker.call(request, key)
            except ServiceError as error:
                raise AdministrationError(await _told(user, function, error, account)) from None
        result = executed.result
        output = result.output.value() if hasattr(result.output, "value") else result.output
        if save is not None and not await saved(service.files, owner, output, save):
            click.echo("The function gave no file, so nothing was saved.", err=True)
    answer: dict[str, Any] = {"network_code": result.network_code, "output": output}
    if result.next_page is not None:
        answer["next_page"] = result.next_page
    if replayed:
        answer["replayed"] = True
    return answer


async def _told(user: OneUser, function: FunctionDefinition, error: ServiceError, account: int | None) -> str:
    """What to mend, line by line; with a link where an account is missing."""
    lines = [error.error, *(f"  {each.message}" for each in error.details if each.message != error.error)]
    if error.code == Code.ACCOUNT_REQUIRED:
        accounts = await user.service.accounts.of_user(user.application.id, user.user_id, function.app_name)
        lines += [f"  --account {each.id}  {each.display_name}" for each in accounts]
    if error.code == Code.NOT_CONNECTED:
        try:
            session = await user.service.connect.create(
                user.application, user.user_id, function.app_name, functions=[function.name]
            )
        except ServiceError as refused:
            lines.append(f"  No link to connect one can be made: {refused.error}")
        else:
            lines.append(f"  Connect one within ten minutes (the service has to run there): {session.url}")
    return "\n".join(lines)


def _show(answer: dict[str, Any]) -> None:
    console = Console()
    if not answer["network_code"].startswith("2"):
        click.echo(f"The app answered {answer['network_code']}.", err=True)
    show(answer["output"], console)
    if answer.get("next_page"):
        click.echo(f"There may be more: next_page={answer['next_page']}", err=True)
