"""Holds a connector to what `connector check` looks for before it is written, and gives the reasons it asks for."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service_server.catalog.connector_file import check_connector, read_connector_file
from service_server.catalog.document import MAX_BYTES, MAX_NODES, Document
from service_server.catalog.fillable import lacks
from service_server.catalog.function_file import check_function_file, read_function_file
from service_server.catalog.parameters import walk_fields
from service_server.catalog.problems import Report
from service_server.openapi_import.document import Fault, ImportRefused
from service_server.openapi_import.report import Flattening

Files = Mapping[str, Mapping[str, Any]]
_TYPED_IN = "The description that this was imported from doesn't tell where people find it."
_UNSEARCHED = "The description that this was imported from has no search for it."


def faults_of(connector: Mapping[str, Any], functions: Files) -> dict[str, str]:
    """Return what is wrong with functions, by their stems; raises `ImportRefused` for what is with the connector."""
    folder = Path(str(connector["name"]))
    report = Report(Document(folder / "connector.yaml", connector))
    app = read_connector_file(report)
    if app is not None:
        check_connector(report, app.declared)
    if app is None or report.problems:
        raise ImportRefused([Fault("", f"the connector made of it is wrong: {each}") for each in report.problems])
    own = {stem: Report(Document(folder / f"{stem}.yaml", function)) for stem, function in functions.items()}
    read = {stem: read_function_file(each) for stem, each in own.items()}
    for stem, each in read.items():
        if each is not None:
            check_function_file(own[stem], each, app, read)
    wrong = {stem: [f"{each.key}: {each.message}" for each in found.problems[:3]] for stem, found in own.items()}
    return {stem: "; ".join(told) for stem, told in wrong.items() if told}


def too_large(functions: Files, texts: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with functions whose files, of these texts, would be too large."""
    why = "its file would be larger than a connector's file may be"
    sizes = ((stem, len(text.encode()), _count(functions[stem])) for stem, text in texts.items())
    return {stem: why for stem, length, count in sizes if length > MAX_BYTES or count > MAX_NODES}


def _count(value: Any) -> int:
    if isinstance(value, Mapping):
        return 1 + sum(2 + _count(each) for each in value.values())
    return 1 + sum(map(_count, value)) if isinstance(value, list) else 1


def give_reasons(app: str, functions: dict[str, dict[str, Any]]) -> tuple[list[Flattening], list[str]]:
    """Write into functions why ids have no choices and lists no search, and return both; drop what nobody would say."""
    field: Any
    for function in functions.values():
        for _, field in walk_fields(function["parameters"]):
            field.pop("x-typed-in", None)  # given before, when more functions were there
    typed_in: list[Flattening] = []
    unsearched: dict[str, None] = {}
    found = [(stem, lack) for stem in functions for lack in lacks(stem, app, functions)]
    for stem, lack in found:
        if lack.kind == "x-typed-in":
            field = functions[stem]
            for key in lack.at:
                field = field[key]
            field["x-typed-in"] = _TYPED_IN
            while field["type"] == "array":
                field = field["items"]
            what = "is an object without fields" if field["type"] == "object" else "is an id without choices"
            typed_in.append(Flattening(stem, lack.of, what))
        elif lack.kind == "unsearched":
            functions[lack.of]["unsearched"] = _UNSEARCHED
            unsearched[lack.of] = None
        else:
            functions[stem].pop("examples", None)  # an import gives one at most
    return sorted(typed_in), sorted(unsearched)
