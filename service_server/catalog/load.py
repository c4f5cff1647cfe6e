"""Reads folders of connectors to one catalogue; a connector is there because its folder is."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from service_server.catalog.connector_file import ConnectorFile, compile_connector, read_connector_file
from service_server.catalog.document import DocumentError, read_document
from service_server.catalog.function_file import FunctionFile, compile_function, read_function_file
from service_server.catalog.icons import IconError, read_icon
from service_server.catalog.passthrough import PASSTHROUGH, passthrough_function
from service_server.catalog.problems import CatalogError, Problem, Report
from service_server.catalog.values import Catalog, Connector, FunctionDefinition, Icon

SHIPPED = Path(__file__).parent.parent / "connectors"

MAX_NAME_LENGTH = 64

_STEM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def load_catalog(directories: Sequence[Path]) -> Catalog:
    """
    Read every connector folder below the given directories.

    Raises:
        CatalogError: with all the problems of all files, sorted by file and line.
    """
    problems: list[Problem] = []
    connectors: dict[str, Connector] = {}
    for folder in _folders(directories, problems):
        connector, found = load_connector(folder)
        problems.extend(found)
        if connector is None:
            continue
        if connector.name in connectors:
            message = f"there is another connector named '{connector.name}'"
            problems.append(Problem(folder / "connector.yaml", 1, "name", message))
        connectors[connector.name] = connector
    if problems:
        raise CatalogError(sorted(problems))
    return Catalog(dict(sorted(connectors.items())))


def load_connector(folder: Path) -> tuple[Connector | None, list[Problem]]:
    """Read one connector's folder; the connector is None where there are problems."""
    report, problems = _open(folder / "connector.yaml")
    if report is None:
        return None, problems
    icon = _icon(folder, report)
    file = read_connector_file(report)
    if file is None:
        return None, problems
    if file.value["name"] != folder.name:
        report.add(("name",), f"must be the folder's name, '{folder.name}'")
    functions = _functions(folder, file, problems)
    connector = None if icon is None else compile_connector(file, icon, functions)
    return (None if problems else connector), problems


def _folders(directories: Sequence[Path], problems: list[Problem]) -> Iterator[Path]:
    for directory in directories:
        if not directory.is_dir():
            problems.append(Problem(directory, 1, "", "is not a directory of connectors"))
            continue
        for folder in sorted(entry for entry in directory.iterdir() if entry.is_dir()):
            if (folder / "connector.yaml").is_file():
                yield folder
            elif (folder / "functions").is_dir() or any(folder.glob("*.y*ml")):
                problems.append(Problem(folder, 1, "", "looks like a connector but has no connector.yaml"))


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


def _functions(folder: Path, connector: ConnectorFile, problems: list[Problem]) -> dict[str, FunctionDefinition]:
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
    return dict(sorted(functions.items()))


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
