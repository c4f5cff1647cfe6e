"""`service-server functions`: what can be called, and with what."""

import json
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service_server.administration.failures import AdministrationError
from service_server.catalog.catalog import Catalog
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.catalog.problems import nearest
from service_server.catalog.values import FunctionDefinition
from service_server.cli.options import as_json, connector_directories, kept_connectors

_TYPES = ("query", "mutation", "passthrough")


@click.command("functions")
@click.option("--search", metavar="TEXT", help="Only those with all these words in their name, description or app.")
@click.option("--app", "app_name", help="Only those of this app.")
@click.option("--type", "kind", type=click.Choice(_TYPES), help="Only those of this type.")
@as_json
@connector_directories
def functions_cli(
    search: str | None, app_name: str | None, kind: str | None, as_json: bool, connectors: tuple[Path, ...]
) -> None:
    """
    List or search the functions of all apps.

    `predict` finds the one that a request in plain words asks for.
    """
    catalog = load_catalog([SHIPPED, *connectors], kept_connectors())
    if app_name is not None and catalog.connector(app_name) is None:
        raise AdministrationError(f"There is no app named {app_name}{nearest(app_name, catalog.app_names) or '.'}")
    words = (search or "").casefold().split()
    found = [
        function
        for name, connector in catalog.connectors.items()
        if app_name in (None, name)
        for function in connector.functions.values()
        if kind in (None, function.type) and _has(words, function, connector.title)
    ]
    if as_json:
        click.echo(json.dumps([_described(each) for each in found], ensure_ascii=False))
    elif not found:
        click.echo("No function has all these words. `service-server predict` goes by what a request means.", err=True)
    else:
        _show(found)


def function_named(catalog: Catalog, name: str) -> FunctionDefinition:
    """The function of this name; AdministrationError names the one that is like it."""
    function = catalog.function(name)
    if function is None:
        app_name = name.partition("-")[0]
        connector = catalog.connector(app_name)
        names = list(connector.functions) if connector is not None else list(catalog.app_names)
        like = nearest(name if connector is not None else app_name, names)
        raise AdministrationError(f"There is no function named {name}{like or '.'} `functions` lists them.")
    return function


def _has(words: Sequence[str], function: FunctionDefinition, app_title: str) -> bool:
    text = f"{function.name} {function.title} {function.description} {app_title}".casefold()
    return all(word in text for word in words)


def _described(function: FunctionDefinition) -> dict[str, object]:
    return {
        "name": function.name,
        "title": function.title,
        "description": function.description,
        "type": function.type,
        "destructive": function.destructive,
        "parameters": {
            "type": "object",
            "properties": function.parameters["properties"],
            "required": list(function.parameters["required"]),
        },
    }


def _show(found: Sequence[FunctionDefinition]) -> None:
    table = Table("Function", "Type", "What it does", "Arguments", box=None, pad_edge=False)
    for each in found:
        required = set(each.parameters["required"])
        names = [name if name in required else f"[{name}]" for name in each.parameters["properties"]]
        kind = f"{each.type}, for good" if each.destructive else each.type
        # As text: square brackets in it are not Rich's.
        table.add_row(*map(Text, (each.name, kind, each.description, " ".join(names))))
    Console().print(table)
