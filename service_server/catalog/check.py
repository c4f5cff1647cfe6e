"""Checks connector folders for the people who write them."""

import re
from collections.abc import Iterator
from pathlib import Path

from yaml import Node, ScalarNode

from service_server.catalog.connector_folder import check_folder
from service_server.catalog.document import Document, KeyPath, members
from service_server.catalog.fillable import check_fillable
from service_server.catalog.folders import CONNECTOR_FILE, connector_folders
from service_server.catalog.hooks import unused_hooks
from service_server.catalog.load import shipped_double
from service_server.catalog.problems import Problem, dotted

_COMMENT = re.compile(r"\s+(#.*)")
# Behind other values, whoever means a comment puts a blank behind the mark.
_CUT_OFF = re.compile(r"\s+(#[^\s#].*)")
_SENTENCES = frozenset({"description", "title", "prompt"})
_MOST_SHOWN = 40


def check(path: Path) -> list[Problem]:
    """Return everything that is wrong with a connector's folder, or with all those below a directory."""
    problems: list[Problem] = []
    folders = [path] if (path / CONNECTOR_FILE).is_file() else list(connector_folders(path, problems))
    if not folders and not problems:
        return [Problem(path, 0, "", "holds no connector: no folder with a connector.yaml")]
    for folder in folders:
        problems += _problems(folder)
    return sorted(problems)


def _problems(folder: Path) -> list[Problem]:
    checked, problems = check_folder(folder)
    if checked is not None:
        check_fillable(checked.app.declared.name, checked.reports)
        problems += unused_hooks(folder, checked.app.hooks, checked.functions.values())
        for report in (checked.report, *checked.reports.values()):
            problems += cut_texts(report.document)
    double = shipped_double(folder)
    return problems if double is None else [*problems, double]


def cut_texts(document: Document) -> Iterator[Problem]:
    """Yield the texts of several words behind which a "#" cuts the rest off."""
    lines = document.text.splitlines()
    for path, node in _texts(document.root, ()):
        end = node.end_mark
        cut = _COMMENT if not _SENTENCES.isdisjoint(path[-1:]) else _CUT_OFF
        if end.line < len(lines) and (found := cut.match(lines[end.line], end.column)) is not None:
            rest = found[1][:_MOST_SHOWN]
            message = f"ends before '{rest}', a comment for YAML: put quotes around the text, or the comment above it"
            yield Problem(document.file, node.start_mark.line + 1, dotted(path), message)


def _texts(node: Node | None, path: KeyPath) -> Iterator[tuple[KeyPath, ScalarNode]]:
    """Yield the texts of several words that stand without quotes."""
    if isinstance(node, ScalarNode) and not node.style and " " in node.value:
        yield path, node
    for name, _, value in members(node):
        yield from _texts(value, (*path, name))
