"""Holds a connector to what `connector check` looks for before it is written, and gives the reasons it asks for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from service_server.catalog.connector_file import check_connector_file, read_connector_file
from service_server.catalog.document import MAX_BYTES, MAX_NODES, Document, KeyPath
from service_server.catalog.fillable import Lack, lacks
from service_server.catalog.function_file import FunctionFile, check_function_file, read_function_file
from service_server.catalog.parameters import walk_fields
from service_server.catalog.problems import Report
from service_server.openapi_import.problems import Fault, ImportRefused
from service_server.openapi_import.report import Flattening

Files = Mapping[str, Mapping[str, Any]]
_TYPED_IN = "The description that this was imported from doesn't tell where people find it."
_UNSEARCHED = "The description that this was imported from has no search for it."


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


def give_reasons(app: str, functions: dict[str, dict[str, Any]]) -> tuple[list[Flattening], list[str]]:
    """
    Write into the functions' files why ids have no choices, objects no fields and lists no search.

    What nobody would type is left out of the examples. Returns the ids and objects that have to be typed in, and the
    lists that can't be searched.
    """
    field: Any
    for function in functions.values():
        for _, field in walk_fields(function["parameters"]):
            field.pop("x-typed-in", None)  # given before, when more functions were there
    found = {stem: list(lacks(stem, app, functions)) for stem in functions}
    typed_in: list[Flattening] = []
    unsearched: dict[str, None] = {}
    for stem, each in found.items():
        for lack in each:
            if lack.kind == "x-typed-in":
                field = _at(functions[stem], lack.at)
                field["x-typed-in"] = _TYPED_IN
                what = "is an object without fields" if _is_object(field) else "is an id without choices"
                typed_in.append(Flattening(stem, _name_of(lack.at), what))
            elif lack.kind == "unsearched":
                functions[lack.function]["unsearched"] = _UNSEARCHED
                unsearched[lack.function] = None
        _leave_out_prompts(functions[stem], each)
    return typed_in, list(unsearched)


def _leave_out_prompts(function: dict[str, Any], found: Sequence[Lack]) -> None:
    raw = {lack.at[1] for lack in found if lack.kind == "prompt"}
    if raw:
        function["examples"] = [each for index, each in enumerate(function["examples"]) if index not in raw]
        if not function["examples"]:
            del function["examples"]


def _at(value: Any, path: KeyPath) -> Any:
    for key in path:
        value = value[key]
    return value


def _is_object(field: Any) -> bool:
    while field["type"] == "array":
        field = field["items"]
    return bool(field["type"] == "object")


def _name_of(path: KeyPath) -> str:
    """Return a field's place in the function's file as people name it: of `parameters.properties.a.items`, a[]."""
    names = ""
    keys = iter(path[1:])
    for key in keys:
        names += "[]" if key == "items" else f".{next(keys)}"
    return names.removeprefix(".")
