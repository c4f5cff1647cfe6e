"""`service-server connector`: listing, checking, beginning and trying connectors."""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.console import Console

from service_server.administration import AdministrationError
from service_server.catalog.check import check
from service_server.catalog.load import SHIPPED, connector_named, load_catalog
from service_server.catalog.requests import check_base_url
from service_server.catalog.scaffold import ScaffoldAuth, write_scaffold
from service_server.catalog.values import AuthMethod, Connector, FunctionDefinition, OAuth2Code
from service_server.cli.openapi import import_openapi
from service_server.cli.options import AllowHosts, ConnectorDirectories
from service_server.cli.trial import Outcome, Trial, read_arguments, run

connector_cli = typer.Typer(no_args_is_help=True, help="Connector files.")
connector_cli.command("import-openapi")(import_openapi)

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_errors = Console(stderr=True, soft_wrap=True)


@connector_cli.command("list")
def list_connectors(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
    connectors: ConnectorDirectories = None,
) -> None:
    """List the apps and their functions."""
    catalog = load_catalog([SHIPPED, *(connectors or ())])
    rows = [
        {"name": each.name, "title": each.title, "functions": sorted(each.functions)}
        for each in catalog.connectors.values()
    ]
    if as_json:
        typer.echo(json.dumps(rows))
        return
    for row in rows:
        typer.echo(f"{row['name']} ({row['title']})")
        for function in row["functions"]:
            typer.echo(f"  {function}")


@connector_cli.command("check")
def check_connector(path: Path) -> None:
    """Check a connector's folder, or a folder of connectors; names file, line and key of each problem."""
    problems = check(path)
    for problem in problems:
        _errors.print(str(problem), highlight=False, markup=False)
    if problems:
        sys.exit(1)
    typer.echo("No problems found.")


@connector_cli.command("new")
def new_connector(
    name: Annotated[str, typer.Argument(help="The app's name: lower case, digits and underscores.")],
    title: Annotated[str | None, typer.Option("--title", help="The name that people read.")] = None,
    base_url: Annotated[str, typer.Option("--base-url", help="Where the app's API is.")] = "https://api.example.com",
    auth: Annotated[str, typer.Option("--auth", help=", ".join(get_args(ScaffoldAuth)))] = "api_key",
    directory: Annotated[Path, typer.Option("--directory", help="The folder of connectors.")] = Path("connectors"),
) -> None:
    """Write the beginning of a connector, which works and says what to change."""
    kinds: dict[str, ScaffoldAuth] = {kind: kind for kind in get_args(ScaffoldAuth)}
    if not _NAME.fullmatch(name):
        raise AdministrationError(f"{name[:100]} is not a name such as acme_desk: it begins with a letter.")
    if auth not in kinds:
        raise AdministrationError(f"--auth is one of {', '.join(kinds)}; more are described in the connector's schema.")
    try:
        url = check_base_url(base_url)
    except ValueError as error:
        raise AdministrationError(f"--base-url {base_url[:100]}: {error}.") from None
    words = title or name.replace("_", " ").capitalize()
    if not words.isprintable() or len(words) > 200:
        raise AdministrationError("--title is 1 to 200 printable characters.")
    folder = directory / name
    try:
        files = write_scaffold(folder, words, url, kinds[auth])
    except FileExistsError:
        raise AdministrationError(f"{folder} is there already; nothing was changed.") from None
    for path in files:
        typer.echo(str(path))
    typer.echo(
        f"Change them, then:\n"
        f"  service-server connector check {folder}\n"
        f"  service-server connector try {name} list-items --connectors {directory}\n"
        f"  service-server serve --connectors {directory}"
    )


@connector_cli.command("try")
def try_function(
    app: Annotated[str, typer.Argument(help="The app's name.")],
    function: Annotated[str, typer.Argument(help="The function, with or without the app's name before it.")],
    arg: Annotated[list[str] | None, typer.Option("--arg", help="NAME=VALUE of an argument (repeatable).")] = None,
    var: Annotated[list[str] | None, typer.Option("--var", help="NAME=VALUE of one of the app's variables.")] = None,
    auth: Annotated[str | None, typer.Option("--auth", help="The id of a way to sign in (default: the first).")] = None,
    credentials: Annotated[
        Path | None,
        typer.Option(
            "--credentials",
            help="A file with a JSON object of what the user would type in, or of an access_token; - reads standard "
            "input (default: ask).",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Change data without asking.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    connectors: ConnectorDirectories = None,
    allow_host: AllowHosts = None,
) -> None:
    """Run one function with a credential at hand; shows the request without its secrets, the answer and the times."""
    connector = connector_named([SHIPPED, *(connectors or ())], app)
    if connector is None:
        raise AdministrationError(f"There is no app named {app}; `connector list` shows the apps.")
    definition = _function(connector, function)
    method = _method(connector, auth)
    trial = Trial(
        connector=connector,
        function=definition,
        auth=method,
        variables=_variables(connector, _pairs("--var", var)),
        arguments=read_arguments(definition, _pairs("--arg", arg)),
        credentials=_asked(method) if credentials is None else _read(credentials),
        allow_hosts=tuple(allow_host or ()),
    )
    if definition.type != "query" and not yes:
        typer.confirm(f"“{definition.title}” may change data in {connector.title}. Go on?", abort=True, err=True)
    _show(asyncio.run(run(trial)), as_json)


def _function(connector: Connector, name: str) -> FunctionDefinition:
    full = name if name.startswith(f"{connector.name}-") else f"{connector.name}-{name}"
    definition = connector.functions.get(full)
    if definition is None:
        known = ", ".join(each.removeprefix(f"{connector.name}-") for each in connector.functions)
        raise AdministrationError(f"{connector.title} has no function {name}; it has: {known}.")
    return definition


def _method(connector: Connector, auth: str | None) -> AuthMethod:
    method = connector.auth[0] if auth is None else connector.auth_method(auth)
    if method is None:
        raise AdministrationError(f"--auth is one of {', '.join(each.id for each in connector.auth)}.")
    return method


def _pairs(option: str, texts: list[str] | None) -> list[tuple[str, str]]:
    pairs = []
    for text in texts or ():
        name, separator, value = text.partition("=")
        if not separator:
            raise AdministrationError(f"{option} takes NAME=VALUE, not {text[:100]}.")
        pairs.append((name, value))
    return pairs


def _variables(connector: Connector, given: list[tuple[str, str]]) -> dict[str, str]:
    values = {name: variable.default for name, variable in connector.variables.items() if variable.default is not None}
    for name, value in given:
        variable = connector.variables.get(name)
        problem = f"there is no variable {name}" if variable is None else variable.problem(value)
        if problem:
            raise AdministrationError(f"--var {name}: {problem}.")
        values[name] = value
    return values


def _asked(method: AuthMethod) -> dict[str, str]:
    """Ask for what a user would type in; secrets are not shown, and never stand on the command line."""
    if isinstance(method, OAuth2Code):
        return {"access_token": typer.prompt("Access token", hide_input=True, err=True)}
    return {name: typer.prompt(field.title, hide_input=field.secret, err=True) for name, field in method.fields.items()}


def _read(path: Path) -> dict[str, str]:
    try:
        value = json.loads(sys.stdin.read() if str(path) == "-" else path.read_text())
    except ValueError:  # its message would show what is in it
        raise AdministrationError("--credentials holds no JSON.") from None
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise AdministrationError("--credentials takes a JSON object of texts.")
    return value


def _show(outcome: Outcome, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(outcome.described()))
        return
    console = Console(soft_wrap=True)
    console.print(f"[bold]{outcome.method}[/bold]", end=" ")
    console.print(outcome.url, highlight=False, markup=False)
    for name, value in outcome.headers.items():
        console.print(f"{name}: {value}", style="dim", highlight=False, markup=False)
    if outcome.body is not None:
        console.print_json(data=outcome.body)
    good = "green" if 200 <= outcome.status < 300 else "red"
    times = f"{outcome.milliseconds:.0f} ms"
    if outcome.sign_in_milliseconds is not None:
        times += f", and {outcome.sign_in_milliseconds:.0f} ms to sign in"
    console.print(f"\n[{good}]{outcome.status}[/{good}] in {times}")
    if outcome.output is not None:
        console.print_json(data=outcome.output)
