"""Checks a connector before it is written, by what `connector check` looks for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service_server.catalog.connector_file import check_connector_file, read_connector_file
from service_server.catalog.document import MAX_BYTES, MAX_NODES, Document
from service_server.catalog.function_file import FunctionFile, check_function_file, read_function_file
from service_server.catalog.problems import Report
from service_server.openapi_import.problems import Fault, ImportRefused

Files = Mapping[str, Mapping[str, Any]]


def faults_of(connector: Mapping[str, Any], functions: Files) -> dict[str, str]:
    """
    Return what is wrong with functions, by their stems; those would not pass the check.

    Raises:
        ImportRefused: the connector itself wouldn't.
    """
    folder = Path(str(connector["name"]))
    report = Report(Document(folder / "connector.yaml", connector, {}))
    file = read_connector_file(report)
    if file is not None:
        check_connector_file(file)
    if file is None or report.problems:
        raise ImportRefused([Fault("", f"the connector made of it is wrong: {each}") for each in report.problems])
    read: dict[str, tuple[Report, FunctionFile | None]] = {}
    for stem, function in functions.items():
        own = Report(Document(folder / "functions" / f"{stem}.yaml", function, {}))
        read[stem] = own, read_function_file(own, stem)
    siblings = {stem: None if each is None else each.declared for stem, (_, each) in read.items()}
    faults: dict[str, str] = {}
    for stem, (own, each) in read.items():
        if each is not None:
            check_function_file(each, file.parts, siblings)
        if own.problems:
            faults[stem] = "; ".join(f"{problem.key}: {problem.message}" for problem in own.problems[:3])
    return faults


def too_large(functions: Files, texts: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with functions whose files, of these texts, would be too large."""
    wrong = "its file would be larger than a connector's file may be"
    return {
        stem: wrong
        for stem, text in texts.items()
        if len(text.encode()) > MAX_BYTES or _count(functions[stem]) > MAX_NODES
    }


def _count(value: Any) -> int:
    if isinstance(value, Mapping):
        return 1 + sum(2 + _count(each) for each in value.values())
    return 1 + sum(_count(each) for each in value) if isinstance(value, list) else 1
