"""`service-server connector`: listing, checking, beginning and trying connectors."""

import json
import re
import sys
from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from service_server.administration.failures import AdministrationError
from service_server.catalog.check import check
from service_server.catalog.folders import CONNECTOR_FILE
from service_server.catalog.load import SHIPPED, load_catalog, load_connector, shipped_double
from service_server.catalog.requests import check_base_url
from service_server.catalog.scaffold import ScaffoldAuth, write_scaffold
from service_server.cli.callback import callback_told
from service_server.cli.openapi import directory_of_connectors, import_openapi
from service_server.cli.options import (
    as_json,
    connector_directories,
    kept_connectors,
    public_address,
    public_url_or_default,
)
from service_server.cli.try_connector import try_connector

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_errors = Console(stderr=True, soft_wrap=True)


@click.group("connector")
def connector_cli() -> None:
    """Connector files."""


connector_cli.add_command(import_openapi)
connector_cli.add_command(try_connector)


@connector_cli.command("list")
@as_json
@connector_directories
def list_connectors(as_json: bool, connectors: tuple[Path, ...]) -> None:
    """List the apps and their functions."""
    catalog = load_catalog([SHIPPED, *connectors], kept_connectors())
    rows = [
        {"name": each.name, "title": each.title, "functions": sorted(each.functions)}
        for each in catalog.connectors.values()
    ]
    if as_json:
        click.echo(json.dumps(rows))
        return
    for row in rows:
        click.echo(f"{row['name']} ({row['title']})")
        for function in row["functions"]:
            click.echo(f"  {function}")


@connector_cli.command("check")
@click.argument("path", type=click.Path(path_type=Path))
@public_address
def check_connector(path: Path, public_url: str | None) -> None:
    """Check a connector's folder, or a folder of connectors; names file, line and key of each problem."""
    problems = check(path)
    for problem in problems:
        _errors.print(str(problem), highlight=False, markup=False)
    if problems:
        sys.exit(1)
    click.echo("No problems found.")
    connector = load_connector(path)[0] if (path / CONNECTOR_FILE).is_file() else None
    if connector and (told := callback_told(connector, public_url_or_default(public_url))) is not None:
        click.echo(told)


@connector_cli.command("new")
@click.argument("name")
@click.option("--title", help="The name that people read.")
@click.option("--base-url", default="https://api.example.com", help="Where the app's API is.")
@click.option("--auth", default="api_key", help=", ".join(get_args(ScaffoldAuth)))
@directory_of_connectors
def new_connector(name: str, title: str | None, base_url: str, auth: str, directory: Path) -> None:
    """
    Write the beginning of a connector, which works and says what to change.

    NAME is the app's: lower case, digits and underscores.
    """
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
        click.echo(str(path))
    click.echo(
        f"Change them, then:\n"
        f"  service-server connector check {folder}\n"
        f"  service-server connector try {name} list-items --connectors {directory}\n"
        f"  service-server serve --connectors {directory}"
    )
