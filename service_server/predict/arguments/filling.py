"""Choose, among the values a prompt proposes, the arguments of a function."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
from typing import Any

from jsonschema_rs import Draft202012Validator

from service_client.models import Function
from service_server.predict.arguments.booleans import boolean_proposals
from service_server.predict.arguments.keyed import keyed_proposals
from service_server.predict.arguments.lists import list_proposals
from service_server.predict.arguments.names import name_proposals
from service_server.predict.arguments.options import option_proposals
from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.quantities import quantity_proposals
from service_server.predict.arguments.slots import Slot, slots_of
from service_server.predict.arguments.texts import text_proposals
from service_server.predict.arguments.validation import compiled
from service_server.predict.reading import Reading
from service_server.predict.values import ArgumentPrediction
from service_server.predict.words import identifier_words, words_of


class ArgumentFiller:
    """Reads the arguments of one function from prompts; its schemas are compiled once."""

    def __init__(self, function: Function) -> None:
        self._required = function.parameters.required
        self._slots = slots_of(function)
        self._opaque = frozenset(slot.path for slot in self._slots if slot.opaque)
        title = function.meta.app.title if function.meta else ""
        self._app = frozenset(word.stem for word in (*identifier_words(function.app_name), *words_of(title)))
        self._of_slot = {slot.path: compiled(slot.schema) for slot in self._slots}
        self._of_parameter: dict[str, Draft202012Validator | None] = {
            name: compiled(schema) for name, schema in function.parameters.properties.items()
        }

    def fill(self, reading: Reading, now: datetime) -> ArgumentPrediction:
        """Return the arguments that a prompt gives; those it does not give are left out."""
        names = name_proposals(self._slots, reading, self._app)
        chosen = self._choose(chain(_proposals(self._slots, reading, now), names))
        values = [proposal for proposal in chosen.values() if not proposal.is_name]
        nested: dict[str, Any] = {}
        for proposal in values:
            _put(nested, proposal.slot.path, proposal.value)
        arguments = {name: value for name, value in nested.items() if _is_valid(self._of_parameter.get(name), value)}
        kept = [proposal for proposal in values if proposal.slot.path[0] in arguments]
        missing = tuple(name for name in self._required if name not in arguments)
        evidence = {".".join(each.slot.path): reading.prompt[each.start : each.end] for each in kept}
        return ArgumentPrediction(
            arguments=arguments,
            missing=missing,
            evidence=evidence,
            confidence=_confidence(kept, missing),
            named={".".join(each.slot.path): each.value for each in chosen.values() if _is_name(each)},
        )

    def is_valid(self, name: str, value: Any) -> bool:
        """Whether a value validates against the schema of a parameter."""
        return _is_valid(self._of_parameter.get(name), value)

    @property
    def has_opaque(self) -> bool:
        """Whether any slot holds ids that nobody can tell from the words of a prompt."""
        return bool(self._opaque)

    def is_opaque(self, path: tuple[str, ...]) -> bool:
        """Whether the slot at a path holds ids that nobody can tell from the words of a prompt."""
        return path in self._opaque

    def denies(self, path: tuple[str, ...], reading: Reading) -> bool:
        """Whether a prompt names a boolean and denies it: "that aren't archived"."""
        said = [
            proposal.value
            for slot in self._slots
            if slot.path == path and slot.type == "boolean"
            for proposal in boolean_proposals(slot, reading)
        ]
        return bool(said) and not any(said)

    def _choose(self, proposals: Iterable[Proposal]) -> dict[tuple[str, ...], Proposal]:
        """Take the strongest valid proposal for each slot; words that one slot has used are lost to the others."""
        chosen: dict[tuple[str, ...], Proposal] = {}
        used: list[Proposal] = []
        for proposal in sorted(proposals, key=lambda each: (-each.strength, each.start)):
            if proposal.slot.path in chosen:
                continue
            if proposal.exclusive and any(_overlap(proposal, other) for other in used):
                continue
            if not proposal.is_name and not _is_valid(self._of_slot[proposal.slot.path], proposal.value):
                continue
            chosen[proposal.slot.path] = proposal
            if proposal.exclusive:
                used.append(proposal)
        return chosen


def _proposals(slots: tuple[Slot, ...], reading: Reading, now: datetime) -> Iterator[Proposal]:
    yield from keyed_proposals(slots, reading, now)
    only_number = sum(slot.type == "number" and slot.required for slot in slots) == 1
    for slot in slots:
        if slot.type == "boolean":
            yield from boolean_proposals(slot, reading)
        elif slot.options:
            yield from option_proposals(slot, reading)
        elif slot.type == "number":
            yield from quantity_proposals(slot, reading, now, only_number=only_number)
        elif slot.type == "array":
            yield from list_proposals(slot, reading, now)
        elif slot.type == "string":
            yield from text_proposals(slot, reading, now)


def _overlap(one: Proposal, other: Proposal) -> bool:
    return one.start < other.end and other.start < one.end


def _is_name(proposal: Proposal) -> bool:
    """Whether a proposal may name something, even if it was taken for an id, as in "project: Office"."""
    if proposal.is_name or not proposal.slot.opaque or not isinstance(proposal.value, str):
        return proposal.is_name
    return not any(character.isdigit() for character in proposal.value)


def _is_valid(validator: Draft202012Validator | None, value: Any) -> bool:
    return validator is not None and validator.is_valid(value)


def _put(target: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        target = target.setdefault(name, {})
    target[path[-1]] = value


def _confidence(kept: list[Proposal], missing: tuple[str, ...]) -> float:
    """Return the mean strength of the values, where a required one without a value counts as 0."""
    if not kept:
        return 0.0 if missing else 1.0
    return round(min(1.0, sum(each.strength for each in kept) / (len(kept) + len(missing))), 3)
