"""`service-server connector import-openapi`: a connector's folder out of an OpenAPI document."""

import json
import re
import sys
from pathlib import Path

import click

from service_server.administration.failures import AdministrationError
from service_server.catalog.load import shipped_double
from service_server.cli.options import as_json
from service_server.openapi_import.document import ImportRefused
from service_server.openapi_import.steps import Choice, Imported, import_file

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NOT_WHOLE = 3


directory_of_connectors = click.option(
    "--directory",
    type=click.Path(path_type=Path),
    default=Path("connectors"),
    help="The folder of connectors.",
)


@click.command("import-openapi")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="The app's name: lower case, digits and underscores.")
@click.option("--title", help="The name that people read (default: the file's).")
@click.option(
    "--include", multiple=True, help="Only this tag or, with a slash before it, path and all below it (repeatable)."
)
@click.option(
    "--all", "keeps_all", is_flag=True, help="Import what nobody needs in a form too, such as what is deprecated."
)
@directory_of_connectors
@as_json
def import_openapi(
    file: Path,
    name: str,
    title: str | None,
    include: tuple[str, ...],
    keeps_all: bool,
    directory: Path,
    as_json: bool,
) -> None:
    """
    Write a connector out of an OpenAPI document, and say what was left out or flattened and why.

    FILE is OpenAPI 3.0 or 3.1 or Swagger 2.0, as JSON or YAML.

    Ends with 0 when everything asked for was imported, with 3 when some operations or ways to sign in were left out,
    and with 1, having written nothing, when the document can't be imported.
    """
    if not _NAME.fullmatch(name):
        raise AdministrationError(f"{name[:100]} is not a name such as acme_desk: it begins with a letter.")
    if title is not None and (not title.isprintable() or not 0 < len(title) <= 200):
        raise AdministrationError("--title is 1 to 200 printable characters.")
    if (taken := shipped_double(directory / name)) is not None:
        raise AdministrationError(f"Choose another name than {name}: {taken.message.partition(';')[0]}.")
    try:
        folder, imported = import_file(file, Choice(name, title, include, keeps_all), directory)
    except FileExistsError:
        raise AdministrationError(f"{directory / name} is there already; nothing was changed.") from None
    except ImportRefused as error:
        if as_json:
            faults = [{"where": fault.where, "message": fault.message} for fault in error.faults]
            click.echo(json.dumps({"error": "The document can't be imported.", "faults": faults}))
            sys.exit(1)
        lines = "\n".join(f"  {fault}" for fault in error.faults)
        raise AdministrationError(f"{file} can't be imported; nothing was written.\n{lines}") from None
    if as_json:
        click.echo(json.dumps({"folder": str(folder), **imported.report.described()}))
    else:
        _show(folder, imported, directory)
    sys.exit(0 if imported.report.is_whole else _NOT_WHOLE)


def _show(folder: Path, imported: Imported, directory: Path) -> None:
    click.echo(f"Wrote {folder}: {imported.connector['title']}, from {imported.report.version}.")
    for line in imported.report.summary():
        click.echo(line)
    name = imported.connector["name"]
    example = min(imported.functions, key=lambda stem: (imported.functions[stem]["type"], stem))
    click.echo(
        f"\n{folder / 'IMPORT.md'} says it all. Look at the functions, delete those that nobody needs, then:\n"
        f"  service-server connector check {folder}\n"
        f"  service-server connector try {name} {example} --connectors {directory}\n"
        f"  service-server serve --connectors {directory}"
    )
