"""Functions as the tools of a chat completion: under names that the protocol allows, with what a model must know."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_client.models import Function
from service_server.predict.arguments.slots import Slot, slots_of

_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 600
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
_BY_ITS_WORDS = "Give the words that the request uses for it, as they stand there."


def tool_names(functions: Sequence[Function]) -> dict[str, Function]:
    """Return the functions by the names they are offered under, each name unique, in the given order."""
    named: dict[str, Function] = {}
    for function in functions:
        plain = _NOT_ALLOWED.sub("_", function.name)[:_LONGEST_NAME] or "_"
        name, number = plain, 2
        while name in named:
            ending = f"_{number}"
            name, number = plain[: _LONGEST_NAME - len(ending)] + ending, number + 1
        named[name] = function
    return named


def tool(name: str, function: Function, *, with_arguments: bool) -> dict[str, Any]:
    """Return the tool that stands for a function; without arguments, the model only has to choose."""
    parameters: dict[str, Any] = {"type": "object", "properties": {}}
    if with_arguments:
        slots = {slot.path: slot for slot in slots_of(function)}
        properties = {key: _property((key,), schema, slots) for key, schema in function.parameters.properties.items()}
        # None is required: values that the request doesn't give should be left out, not made up.
        parameters = {"type": "object", "properties": properties}
    description = function.description[:_LONGEST_DESCRIPTION]
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _property(path: tuple[str, ...], schema: Any, slots: Mapping[tuple[str, ...], Slot]) -> Any:
    if not isinstance(schema, Mapping):
        return {}
    slot = slots.get(path)
    if slot is not None and slot.opaque:
        title = str(schema.get("title") or path[-1])
        return {"type": "string", "description": f"{title[:_LONGEST_DESCRIPTION]}. {_BY_ITS_WORDS}"}
    shown = {key: value for key, value in schema.items() if not key.startswith("x-") and key != "required"}
    if isinstance(shown.get("description"), str):
        shown["description"] = shown["description"][:_LONGEST_DESCRIPTION]
    if isinstance(shown.get("properties"), Mapping):
        shown["properties"] = {key: _property((*path, key), inner, slots) for key, inner in shown["properties"].items()}
    return shown
