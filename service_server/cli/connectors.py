"""`service-server connector`: listing, checking, beginning and trying connectors."""

import json
import re
import sys
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.console import Console

from service_server.administration.administration import AdministrationError
from service_server.catalog.check import check
from service_server.catalog.folders import CONNECTOR_FILE
from service_server.catalog.load import SHIPPED, load_catalog, load_connector, shipped_double
from service_server.catalog.requests import check_base_url
from service_server.catalog.scaffold import ScaffoldAuth, write_scaffold
from service_server.cli.callback import callback_told
from service_server.cli.openapi import import_openapi
from service_server.cli.options import ConnectorDirectories, PublicUrl, public_url_or_default
from service_server.cli.try_connector import try_connector

connector_cli = typer.Typer(no_args_is_help=True, help="Connector files.")
connector_cli.command("import-openapi")(import_openapi)
connector_cli.command("try")(try_connector)

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
def check_connector(path: Path, public_url: PublicUrl = None) -> None:
    """Check a connector's folder, or a folder of connectors; names file, line and key of each problem."""
    problems = check(path)
    for problem in problems:
        _errors.print(str(problem), highlight=False, markup=False)
    if problems:
        sys.exit(1)
    typer.echo("No problems found.")
    connector = load_connector(path)[0] if (path / CONNECTOR_FILE).is_file() else None
    if connector and (told := callback_told(connector, public_url_or_default(public_url))) is not None:
        typer.echo(told)


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
    if (taken := shipped_double(folder)) is not None:
        raise AdministrationError(f"Choose another name than {name}: {taken.message.partition(';')[0]}.")
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
