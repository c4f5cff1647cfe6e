"""Reads the folder of a connector and checks all that it says."""

import re
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from service_server.catalog.connector_file import (
    ConnectorFile,
    check_connector_file,
    define_connector,
    read_connector_file,
)
from service_server.catalog.document import DocumentError, read_document
from service_server.catalog.folders import CONNECTOR_FILE
from service_server.catalog.function_file import (
    FunctionFile,
    check_function_file,
    define_function,
    read_function_file,
)
from service_server.catalog.icons import read_icon
from service_server.catalog.pack import Parsed
from service_server.catalog.passthrough import PASSTHROUGH, passthrough_function
from service_server.catalog.problems import Problem, Report
from service_server.catalog.values import Connector, Icon

MAX_NAME_LENGTH = 64

_STEM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


@frozen
class CheckedFolder:
    """The files of a connector's folder, in which nothing is wrong; functions by their short names."""

    file: ConnectorFile
    icon: Icon
    functions: Mapping[str, FunctionFile]

    @property
    def parsed(self) -> Parsed:
        """What the files say."""
        return Parsed(
            connector=self.file.report.document.value,
            icon=self.icon.content,
            hooks=self.file.hooks.content,
            functions={stem: each.report.document.value for stem, each in self.functions.items()},
        )

    @property
    def connector(self) -> Connector:
        """The connector that they make."""
        app = self.file.parts
        passthrough = passthrough_function(app.name, self.file.declared.title, self.file.passthrough_methods)
        defined = [define_function(stem, each.declared, app) for stem, each in self.functions.items()]
        functions = {each.name: each for each in (*defined, passthrough)}
        return define_connector(self.file, self.icon, dict(sorted(functions.items())))


def check_folder(folder: Path) -> tuple[CheckedFolder | None, list[Problem]]:
    """Read and check one connector's folder; gives its files, or the problems."""
    report, problems = _open(folder / CONNECTOR_FILE)
    if report is None:
        return None, problems
    icon = _icon(folder, report)
    file = read_connector_file(report)
    if file is None:
        return None, problems
    name = folder.absolute().name  # which "." has, too
    if file.declared.name != name:
        report.add(("name",), f"must be the folder's name, '{name}'")
    check_connector_file(file)
    functions = _functions(folder, file, problems)
    return None if problems or icon is None else CheckedFolder(file, icon, functions), problems


def _open(file: Path) -> tuple[Report | None, list[Problem]]:
    try:
        report = Report(read_document(file))
    except DocumentError as error:
        return None, [Problem(file, error.line, "", error.message)]
    return report, report.problems


def _icon(folder: Path, report: Report) -> Icon | None:
    try:
        return read_icon(folder / "icon.svg")
    except ValueError as error:
        report.problems.append(Problem(folder / "icon.svg", 1, "", str(error)))
        return None


def _functions(folder: Path, connector: ConnectorFile, problems: list[Problem]) -> dict[str, FunctionFile]:
    """Read and check the functions; those whose form is wrong are left out."""
    app = connector.parts
    files: dict[str, FunctionFile | None] = {}
    for path in sorted((folder / "functions").glob("*.y*ml")):
        message = _name_problem(app.name, path)
        if message is not None:
            problems.append(Problem(path, 1, "", message))
            continue
        report, found = _open(path)
        files[path.stem] = None if report is None else read_function_file(report)
        problems.extend(found)
    siblings = {stem: None if file is None else file.declared for stem, file in files.items()}
    right = {stem: file for stem, file in files.items() if file is not None}
    for file in right.values():
        check_function_file(file, app, siblings)
        problems.extend(file.report.problems)
    return right


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
