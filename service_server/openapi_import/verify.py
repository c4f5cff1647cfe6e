"""Checks a connector before it is written, by what `connector check` looks for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service_server.catalog.connector_file import compile_connector, read_connector_file
from service_server.catalog.document import MAX_BYTES, MAX_NODES, Document
from service_server.catalog.function_file import FunctionFile, compile_function, read_function_file
from service_server.catalog.problems import Report
from service_server.catalog.values import Icon
from service_server.openapi_import.emit import yaml_of
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
    compiled = None if file is None else compile_connector(file, Icon(b"", "image/svg+xml", ""), {})
    if file is None or compiled is None:
        raise ImportRefused([Fault("", f"the connector made of it is wrong: {each}") for each in report.problems])
    read: dict[str, tuple[Report, FunctionFile | None]] = {}
    for stem, function in functions.items():
        own = Report(Document(folder / "functions" / f"{stem}.yaml", function, {}))
        read[stem] = own, read_function_file(own, stem)
    siblings = {stem: None if each is None else each.sibling for stem, (_, each) in read.items()}
    faults: dict[str, str] = {}
    for stem, (own, each) in read.items():
        if each is not None:
            compile_function(each, file.parts, siblings)
        if own.problems:
            faults[stem] = "; ".join(f"{problem.key}: {problem.message}" for problem in own.problems[:3])
        elif message := _too_large(functions[stem]):
            faults[stem] = message
    return faults


def _too_large(function: Mapping[str, Any]) -> str | None:
    if _count(function) > MAX_NODES or len(yaml_of(function).encode("utf-8", "replace")) > MAX_BYTES:
        return "its file would be larger than a connector's file may be"
    return None


def _count(value: Any) -> int:
    if isinstance(value, Mapping):
        return 1 + sum(2 + _count(each) for each in value.values())
    return 1 + sum(_count(each) for each in value) if isinstance(value, list) else 1
