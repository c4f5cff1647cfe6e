"""Reads the folder of a connector and checks all that it says."""

import re
from pathlib import Path
from typing import Any

from service_server.catalog.connector_file import ConnectorFile, compile_connector, read_connector_file
from service_server.catalog.document import DocumentError, read_document
from service_server.catalog.folders import CONNECTOR_FILE
from service_server.catalog.function_file import FunctionFile, compile_function, read_function_file
from service_server.catalog.icons import IconError, read_icon
from service_server.catalog.pack import Parsed
from service_server.catalog.passthrough import PASSTHROUGH, passthrough_function
from service_server.catalog.problems import Problem, Report
from service_server.catalog.values import Connector, FunctionDefinition, Icon

MAX_NAME_LENGTH = 64

_STEM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def load_folder(folder: Path) -> tuple[Connector | None, Parsed | None, list[Problem]]:
    """Read and check one connector's folder; gives the connector and what its files say, or the problems."""
    report, problems = _open(folder / CONNECTOR_FILE)
    if report is None:
        return None, None, problems
    icon = _icon(folder, report)
    file = read_connector_file(report)
    if file is None:
        return None, None, problems
    name = folder.absolute().name  # which "." has, too
    if file.value["name"] != name:
        report.add(("name",), f"must be the folder's name, '{name}'")
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
