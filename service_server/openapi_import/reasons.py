"""Says in an imported connector where people have to type in what they can't know, as `connector check` wants it."""

from collections.abc import Sequence
from typing import Any

from service_server.catalog.document import KeyPath
from service_server.catalog.fillable import Lack, lacks

_TYPED_IN = "The description that this was imported from doesn't tell where people find it."
_UNSEARCHED = "The description that this was imported from has no search for it."


def give_reasons(app: str, functions: dict[str, dict[str, Any]]) -> int:
    """
    Write into the functions' files why ids have no choices, objects no fields and lists no search.

    What nobody would type is left out of the examples. Returns how many ids and objects have to be typed in.
    """
    found = {stem: list(lacks(stem, app, functions)) for stem in functions}
    typed_in = 0
    for stem, each in found.items():
        for lack in each:
            if lack.kind == "x-typed-in":
                _at(functions[stem], lack.at)["x-typed-in"] = _TYPED_IN
                typed_in += 1
            elif lack.kind == "unsearched":
                functions[lack.function]["unsearched"] = _UNSEARCHED
        _leave_out_prompts(functions[stem], each)
    return typed_in


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
