"""Reads folders of connectors to one catalogue; a connector is there because its folder is."""

import hashlib
import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml
from attrs import evolve

from service_server.catalog.catalog import Catalog
from service_server.catalog.connector_file import ConnectorFile, compile_connector, read_connector_file
from service_server.catalog.document import DocumentError, read_document
from service_server.catalog.folders import CONNECTOR_FILE, connector_folders, content_digest, signature_of
from service_server.catalog.function_file import FunctionFile, compile_function, read_function_file
from service_server.catalog.icons import IconError, read_icon
from service_server.catalog.pack import Entry, Pack, PackWriter, Parsed, open_pack, write_pack
from service_server.catalog.passthrough import PASSTHROUGH, passthrough_function
from service_server.catalog.problems import CatalogError, Problem, Report
from service_server.catalog.values import Connector, FunctionDefinition, Icon

SHIPPED = Path(__file__).parent.parent / "connectors"

MAX_NAME_LENGTH = 64

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_STEM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def load_catalog(directories: Sequence[Path], cache: Path | None = None) -> Catalog:
    """
    Read every connector folder below the given directories.

    What has not changed since it was last read is taken from the `cache`, a directory, where there is one.

    Raises:
        CatalogError: with all the problems of all files, sorted by file and line.
    """
    problems: list[Problem] = []
    packs = [load_pack(directory, cache, problems) for directory in directories]
    found: set[str] = set()
    for directory, pack in zip(directories, packs, strict=True):
        problems += [
            Problem(directory / name / CONNECTOR_FILE, 1, "name", f"there is another connector named '{name}'")
            for name in pack.entries
            if name in found
        ]
        found.update(pack.entries)
    if problems:
        raise CatalogError(sorted(problems))
    return Catalog(packs)


def load_pack(directory: Path, cache: Path | None, problems: list[Problem]) -> Pack:
    """Return the connectors of one directory, those without problems; reads and checks only what has changed."""
    rules = rules_digest()
    path = None if cache is None else cache / _pack_name(directory)
    known = open_pack(path, rules)
    kept: dict[str, Entry] = {}
    fresh: list[Path] = []
    for folder in connector_folders(directory, problems):
        entry = known.entries.get(folder.name)
        entry = None if entry is None else _as_it_is(folder, entry)
        if entry is None:
            fresh.append(folder)
        else:
            kept[folder.name] = entry
    if not fresh and kept == known.entries:
        return known

    found: list[Problem] = []

    def fill(writer: PackWriter) -> None:
        found.clear()
        for name, entry in kept.items():
            writer.copy(name, entry, known)
        for folder in fresh:
            _add(folder, writer, found)

    pack = write_pack(path, rules, fill)
    problems += found
    return pack


def load_connector(folder: Path) -> tuple[Connector | None, list[Problem]]:
    """Read one connector's folder; the connector is None where there are problems."""
    connector, _, problems = _load(folder)
    return connector, problems


def connector_named(directories: Sequence[Path], name: str) -> Connector | None:
    """
    Read the connector of a name alone, None where there is none.

    Raises:
        CatalogError: with the problems of its files.
    """
    for directory in directories:
        if _NAME.match(name) and (directory / name / CONNECTOR_FILE).is_file():
            connector, problems = load_connector(directory / name)
            if connector is None:
                raise CatalogError(sorted(problems))
            return connector
    return None


@cache
def rules_digest() -> str:
    """Return a digest of everything that decides what a connector's files mean and whether they are right."""
    return digest_of_rules(Path(__file__).parent)


def digest_of_rules(package: Path) -> str:
    """Return the digest of the rules in this package, the ones it builds upon and the libraries that apply them."""
    digest = hashlib.sha256(f"{yaml.__version__} {version('jsonschema-rs')} {sys.version}".encode())
    for file in sorted((*package.rglob("*.py"), *package.rglob("*.json"), *(package.parent / "onward").glob("*.py"))):
        digest.update(f"{file.name} ".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _pack_name(directory: Path) -> str:
    return f"connectors-{hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:16]}.pack"


def _as_it_is(folder: Path, entry: Entry) -> Entry | None:
    """Return the entry of a folder that hasn't changed, with its present signature."""
    signature = signature_of(folder)
    if signature.settled and signature.text == entry.signature:
        return entry
    if content_digest(folder) != entry.digest or signature_of(folder).text != signature.text:
        return None
    return evolve(entry, signature=signature.text if signature.settled else None)


def _add(folder: Path, writer: PackWriter, problems: list[Problem]) -> None:
    """Read and check a folder and add it to a pack, unless it has problems."""
    signature, digest = signature_of(folder), content_digest(folder)
    _, parsed, found = _load(folder)
    problems += found
    if parsed is None:
        return
    # What is changed while it is read is read again next time.
    same = signature.text == signature_of(folder).text and digest == content_digest(folder)
    settled = signature.text if same and signature.settled else None
    writer.add(folder.name, parsed, digest if same else "", settled)


def _load(folder: Path) -> tuple[Connector | None, Parsed | None, list[Problem]]:
    report, problems = _open(folder / CONNECTOR_FILE)
    if report is None:
        return None, None, problems
    icon = _icon(folder, report)
    file = read_connector_file(report)
    if file is None:
        return None, None, problems
    if file.value["name"] != folder.name:
        report.add(("name",), f"must be the folder's name, '{folder.name}'")
    functions, values = _functions(folder, file, problems)
    connector = None if icon is None else compile_connector(file, icon, functions)
    if problems or connector is None:
        return None, None, problems
    parsed = Parsed(connector=file.value, icon=connector.icon.content, hooks=file.hooks.content, functions=values)
    return connector, parsed, problems


def _open(file: Path) -> tuple[Report | None, list[Problem]]:
    try:
        report = Report(read_document(file))
    except DocumentError as error:
        return None, [Problem(file, error.line, "", error.message)]
    return report, report.problems


def _icon(folder: Path, report: Report) -> Icon | None:
    try:
        return read_icon(folder / "icon.svg")
    except IconError as error:
        report.problems.append(Problem(folder / "icon.svg", 1, "", str(error)))
        return None


def _functions(
    folder: Path, connector: ConnectorFile, problems: list[Problem]
) -> tuple[dict[str, FunctionDefinition], dict[str, dict[str, Any]]]:
    """Return the definitions by their full names and the files' contents by their short ones."""
    app = connector.parts
    files: dict[str, FunctionFile | None] = {}
    for path in sorted((folder / "functions").glob("*.y*ml")):
        message = _name_problem(app.name, path)
        if message is not None:
            problems.append(Problem(path, 1, "", message))
            continue
        report, found = _open(path)
        files[path.stem] = None if report is None else read_function_file(report, path.stem)
        problems.extend(found)
    siblings = {stem: None if file is None else file.sibling for stem, file in files.items()}
    passthrough = passthrough_function(app.name, connector.value["title"], connector.passthrough_methods)
    functions = {passthrough.name: passthrough}
    for file in files.values():
        if file is None:
            continue
        definition = compile_function(file, app, siblings)
        problems.extend(file.report.problems)
        if definition is not None:
            functions[definition.name] = definition
    values = {stem: file.value for stem, file in files.items() if file is not None}
    return dict(sorted(functions.items())), values


def _name_problem(app_name: str, path: Path) -> str | None:
    if path.suffix != ".yaml":
        return "must end in .yaml"
    if not _STEM.match(path.stem):
        return "must be named by lower-case words joined by hyphens, such as create-ticket.yaml"
    if path.stem == PASSTHROUGH:
        return f"'{PASSTHROUGH}' is the name of the function that is generated for every app"
    if len(f"{app_name}-{path.stem}") > MAX_NAME_LENGTH:
        return f"makes a function name longer than {MAX_NAME_LENGTH} characters"
    return None
