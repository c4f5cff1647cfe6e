"""Checks connector folders for the people who write them."""

from collections.abc import Iterator
from pathlib import Path

from service_server.catalog.connector_folder import check_folder
from service_server.catalog.cut_texts import cut_texts
from service_server.catalog.fillable import unfillable
from service_server.catalog.folders import CONNECTOR_FILE, connector_folders
from service_server.catalog.hooks import unused_hooks
from service_server.catalog.load import shipped_double
from service_server.catalog.problems import Problem


def check(path: Path) -> list[Problem]:
    """Return everything that is wrong with a connector's folder, or with all those below a directory."""
    if (path / CONNECTOR_FILE).is_file():
        return sorted(_problems(path))
    problems: list[Problem] = []
    folders = list(connector_folders(path, problems))
    if not folders and not problems:
        return [Problem(path, 0, "", "holds no connector: no folder with a connector.yaml")]
    return sorted([*problems, *(problem for folder in folders for problem in _problems(folder))])


def _problems(folder: Path) -> Iterator[Problem]:
    checked, problems = check_folder(folder)
    yield from problems
    if checked is not None:
        yield from unused_hooks(folder, checked.app.hooks, checked.functions.values())
        for report in (checked.report, *checked.reports.values()):
            yield from cut_texts(report.document)
        yield from unfillable(folder.absolute().name, checked.reports)
    if (double := shipped_double(folder)) is not None:
        yield double
