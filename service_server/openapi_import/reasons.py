"""Says in an imported connector where people have to type in what they can't know, as `connector check` wants it."""

from collections.abc import Sequence
from typing import Any

from service_server.catalog.document import KeyPath
from service_server.catalog.fillable import Lack, lacks
from service_server.catalog.parameters import walk_fields
from service_server.openapi_import.report import Flattening

_TYPED_IN = "The description that this was imported from doesn't tell where people find it."
_UNSEARCHED = "The description that this was imported from has no search for it."


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
