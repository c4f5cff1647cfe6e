"""The arguments that a language model proposes, and those that are kept: valid, known, and said by the prompt."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import define, evolve, field

from service_client.models import Function
from service_server.predict.arguments.slots import Slot, slots_of
from service_server.predict.arguments.validation import compiled
from service_server.predict.mentions import read_number
from service_server.predict.reading import Reading
from service_server.predict.values import ArgumentPrediction
from service_server.predict_llm.said import Said

_DEEPEST = 6


def kept_arguments(
    function: Function, proposed: Mapping[str, Any], reading: Reading, now: datetime
) -> ArgumentPrediction:
    """
    Return what is left of proposed arguments without those that the function or the prompt doesn't know.

    The confidence is the share that came through of all that was proposed or is required.
    """
    check = _Check(Said(reading, now), {slot.path: slot for slot in slots_of(function)})
    arguments: dict[str, Any] = {}
    for name, schema in function.parameters.properties.items():
        if name not in proposed or not isinstance(schema, Mapping):
            continue
        value = check.kept((name,), schema, proposed[name])
        if value is None:
            continue
        if _is_valid(schema, value):
            arguments[name] = value
        else:
            check.forget(name)
    missing = tuple(name for name in function.parameters.required if name not in arguments)
    without = [name for name in missing if name not in check.named]
    wanted = len(arguments) + len(check.named) + check.dropped + len(without)
    return ArgumentPrediction(
        arguments=arguments,
        missing=missing,
        evidence=check.evidence,
        named=check.named,
        confidence=round((len(arguments) + len(check.named)) / wanted, 3) if wanted else 1.0,
    )


@define
class _Check:
    """Goes through one proposal, and notes words, names and what was left out."""

    said: Said
    slots: Mapping[tuple[str, ...], Slot]
    evidence: dict[str, str] = field(factory=dict)
    named: dict[str, str] = field(factory=dict)
    dropped: int = 0

    def kept(self, path: tuple[str, ...], schema: Mapping[str, Any], value: Any) -> Any:
        """Return what is kept of a value; None if nothing is."""
        slot = self.slots.get(path)
        if slot is None:
            properties = schema.get("properties")
            if isinstance(value, dict) and isinstance(properties, Mapping) and properties:
                return self._fields(path, properties, value)
            found = self._free(value, _DEEPEST)
        elif slot.opaque:
            found = self._named(slot, value)
        elif slot.type == "array":
            found = self._items(slot, value if isinstance(value, list) else [value])
        else:
            found = self._single(slot, value)
        if found is None and ".".join(path) not in self.named:
            self.dropped += 1
        return found

    def forget(self, name: str) -> None:
        """Drop the notes about a parameter, since all of it is left out."""
        self.dropped += 1
        for noted in (self.evidence, self.named):
            for path in [path for path in noted if path.partition(".")[0] == name]:
                del noted[path]

    def _fields(self, path: tuple[str, ...], properties: Mapping[str, Any], value: dict[str, Any]) -> Any:
        found = {
            name: kept
            for name, schema in properties.items()
            if name in value
            and isinstance(schema, Mapping)
            and (kept := self.kept((*path, name), schema, value[name])) is not None
        }
        return found or None

    def _single(self, slot: Slot, value: Any) -> Any:
        if slot.type == "number" and isinstance(value, str):
            value = read_number(value)
        if value is None or value == "" or isinstance(value, list | dict):
            return None
        words = self.said.value(slot, value)
        if words is None or not _is_valid(slot.schema, value):
            return None
        if words:
            self.evidence[".".join(slot.path)] = words
        return value

    def _items(self, slot: Slot, values: list[Any]) -> Any:
        items = slot.schema.get("items")
        element = evolve(slot, schema=items if isinstance(items, Mapping) else {"type": "string"})
        found = []
        for value in values:
            kept = self._free(value, _DEEPEST) if isinstance(value, dict | list) else self._single(element, value)
            if kept is not None and kept not in found:
                found.append(kept)
        return found or None

    def _free(self, value: Any, depth: int) -> Any:
        """Keep the texts and numbers that the prompt says, from a value whose fields no schema describes."""
        if isinstance(value, dict) and depth:
            kept = {
                name: self._free(inner, depth - 1)
                for name, inner in value.items()
                if self.said.plain_value(name) is not None
            }
            return {name: inner for name, inner in kept.items() if inner is not None} or None
        if isinstance(value, list) and depth:
            return [inner for each in value if (inner := self._free(each, depth - 1)) is not None] or None
        return value if value != "" and self.said.plain_value(value) is not None else None

    def _named(self, slot: Slot, value: Any) -> Any:
        """Keep an id that the prompt gives; take any other words as a name whose id only the app knows."""
        text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
        words = self.said.literally(text)
        if words is None:
            return None
        path = ".".join(slot.path)
        literal: Any = read_number(text) if slot.type == "number" else text
        if slot.type == "array":
            literal = [text]
        if any(character.isdigit() for character in text) and " " not in text and _is_valid(slot.schema, literal):
            self.evidence[path] = words or text
            return literal
        self.named[path] = words or text
        return None


def _is_valid(schema: Mapping[str, Any], value: Any) -> bool:
    validator = compiled(schema)
    return validator is not None and validator.is_valid(value)
