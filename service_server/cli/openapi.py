"""`service-server connector import-openapi`: a connector's folder out of an OpenAPI document."""

import json
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from service_server.administration.administration import AdministrationError
from service_server.openapi_import.problems import ImportRefused
from service_server.openapi_import.steps import Choice, Imported, import_file

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NOT_WHOLE = 3


def import_openapi(
    file: Annotated[Path, typer.Argument(help="OpenAPI 3.0 or 3.1 or Swagger 2.0, as JSON or YAML.")],
    name: Annotated[str, typer.Option("--name", help="The app's name: lower case, digits and underscores.")],
    title: Annotated[
        str | None, typer.Option("--title", help="The name that people read (default: the file's).")
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option("--include", help="Only this tag or, with a slash before it, path and all below it (repeatable)."),
    ] = None,
    deprecated: Annotated[bool, typer.Option("--deprecated", help="Import deprecated operations too.")] = False,
    directory: Annotated[Path, typer.Option("--directory", help="The folder of connectors.")] = Path("connectors"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """
    Write a connector out of an OpenAPI document, and say what was left out or flattened and why.

    Ends with 0 when everything asked for was imported, with 3 when some operations or ways to sign in were left out,
    and with 1, having written nothing, when the document can't be imported.
    """
    if not _NAME.fullmatch(name):
        raise AdministrationError(f"{name[:100]} is not a name such as acme_desk: it begins with a letter.")
    if title is not None and (not title.isprintable() or not 0 < len(title) <= 200):
        raise AdministrationError("--title is 1 to 200 printable characters.")
    try:
        folder, imported = import_file(file, Choice(name, title, tuple(include or ()), deprecated), directory)
    except FileExistsError:
        raise AdministrationError(f"{directory / name} is there already; nothing was changed.") from None
    except ImportRefused as error:
        if as_json:
            faults = [{"where": fault.where, "message": fault.message} for fault in error.faults]
            typer.echo(json.dumps({"error": "The document can't be imported.", "faults": faults}))
            sys.exit(1)
        lines = "\n".join(f"  {fault}" for fault in error.faults)
        raise AdministrationError(f"{file} can't be imported; nothing was written.\n{lines}") from None
    if as_json:
        typer.echo(json.dumps({"folder": str(folder), **imported.report.described()}))
    else:
        _show(folder, imported, directory)
    sys.exit(0 if imported.report.is_whole else _NOT_WHOLE)


def _show(folder: Path, imported: Imported, directory: Path) -> None:
    typer.echo(f"Wrote {folder}: {imported.connector['title']}, from {imported.report.version}.")
    for line in imported.report.summary():
        typer.echo(line)
    name = imported.connector["name"]
    example = min(imported.functions, key=lambda stem: (imported.functions[stem]["type"], stem))
    typer.echo(
        f"\n{folder / 'IMPORT.md'} says it all. Look at the functions, delete those that nobody needs, then:\n"
        f"  service-server connector check {folder}\n"
        f"  service-server connector try {name} {example} --connectors {directory}\n"
        f"  service-server serve --connectors {directory}"
    )
