"""Reads the folder of a connector and checks all that it says."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from service_server.catalog.connector_file import App, check_connector
from service_server.catalog.document import DocumentError, read_document
from service_server.catalog.folders import CONNECTOR_FILE, HOOKS_FILE, ICON_FILE, file_of_function
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.function_file import check_function_file
from service_server.catalog.hooks import read_hooks
from service_server.catalog.icons import read_icon
from service_server.catalog.passthrough import PASSTHROUGH
from service_server.catalog.problems import Problem, Report
from service_server.catalog.schemas import read_form
from service_server.catalog.values import Icon

MAX_NAME_LENGTH = 64

_STEM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


@frozen
class CheckedFolder:
    """The files of a connector's folder, in which nothing is wrong; functions by their short names."""

    report: Report
    app: App
    icon: Icon
    reports: Mapping[str, Report]
    functions: Mapping[str, DeclaredFunction]

    @property
    def files(self) -> dict[str, bytes]:
        """The contents of the files by their names in the folder, of YAML files in JSON."""
        values = {file_of_function(stem): report.document.value for stem, report in self.reports.items()}
        values[CONNECTOR_FILE] = self.report.document.value
        files = {name: json.dumps(value, separators=(",", ":")).encode() for name, value in values.items()}
        files[ICON_FILE] = self.icon.content
        return files if self.app.hooks.content is None else {**files, HOOKS_FILE: self.app.hooks.content}


def check_folder(folder: Path) -> tuple[CheckedFolder | None, list[Problem]]:
    """Read and check one connector's folder; gives its files, or the problems."""
    problems: list[Problem] = []
    icon: Icon | None = None
    report = _open(folder / CONNECTOR_FILE, problems)
    if report is None:
        return None, problems
    try:
        icon = read_icon(folder / ICON_FILE)
    except ValueError as error:
        problems.append(Problem(folder / ICON_FILE, 1, "", str(error)))
    declared: DeclaredConnector | None = read_form(report, "connector")
    if declared is None:
        return None, problems
    app = App(declared, read_hooks(folder, problems))
    name = folder.absolute().name  # which "." has, too
    if declared.name != name:
        report.add(("name",), f"must be the folder's name, '{name}'")
    check_connector(report, declared)
    reports, functions = _functions(folder, app, problems)
    return None if problems or icon is None else CheckedFolder(report, app, icon, reports, functions), problems


def _open(file: Path, problems: list[Problem]) -> Report | None:
    """Return what collects the problems of a file, None where it can't be read, which is one."""
    try:
        return Report(read_document(file), problems)
    except DocumentError as error:
        problems.append(Problem(file, error.line, "", error.message))
        return None


def _functions(
    folder: Path, app: App, problems: list[Problem]
) -> tuple[dict[str, Report], dict[str, DeclaredFunction]]:
    """Read and check the functions; those whose form is wrong are left out."""
    reports: dict[str, Report | None] = {}
    for path in sorted((folder / "functions").glob("*.y*ml")):
        if (message := _name_problem(app.declared.name, path)) is not None:
            problems.append(Problem(path, 1, "", message))
        else:
            reports[path.stem] = _open(path, problems)
    functions = check_functions(app, reports)
    return {stem: report for stem, report in reports.items() if report is not None}, functions


def check_functions(app: App, reports: Mapping[str, Report | None]) -> dict[str, DeclaredFunction]:
    """Check the functions of an app by their reports, None for a file that can't be read; return those in form."""
    read: dict[str, DeclaredFunction | None] = dict.fromkeys(reports)
    there = {stem: report for stem, report in reports.items() if report is not None}
    read |= {stem: read_form(report, "function") for stem, report in there.items()}
    right = {stem: function for stem, function in read.items() if function is not None}
    for stem, function in right.items():
        check_function_file(there[stem], function, app, read)
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
