"""Lists: "labels bug, urgent and backend", all e-mail addresses, all numbers."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from attrs import evolve

from service_server.predict.arguments.conversion import convert
from service_server.predict.arguments.options import option_lists
from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import follows_name, nearness
from service_server.predict.mentions import Kind, Mention
from service_server.predict.reading import Reading
from service_server.predict.words import word_set

_SEPARATOR = re.compile(r"\s*,?\s+(?:and|or|&)\s+|\s*[,;&]\s*")
_ENDS = re.compile(
    r"\b(?:with|in|on|to|for|at|by|due|from|under|called|titled|named|assigned|that|which|about|as|of|saying|using|via|without|but|assign|set|add|notify)\b"
    r"|[.!?:](?=\s|$)|\n",
    re.IGNORECASE,
)
_PEOPLE = word_set("attende invite invit guest recipi particip email mail to cc bcc member user assigne owner")
_LONGEST_ITEM_WORDS = 3
# Longer than any list a person types into a sentence.
_LONGEST_LIST = 400


def list_proposals(slot: Slot, reading: Reading, now: datetime) -> Iterator[Proposal]:
    """Yield the lists that may be meant for an array of plain values."""
    items = slot.schema.get("items")
    element = evolve(slot, schema=items if isinstance(items, dict) else {"type": "string"})
    if element.options:
        yield from option_lists(slot, element, reading)
    elif element.type == "number":
        yield from _all_of_kind(slot, reading, (Kind.NUMBER,), 0.55)
    elif element.type == "string":
        yield from _people(slot, element, reading)
        if not slot.opaque:
            yield from _behind_the_name(slot, element, reading, now)
            yield from _before_the_name(slot, reading)


def _people(slot: Slot, element: Slot, reading: Reading) -> Iterator[Proposal]:
    if element.format == "email" or slot.words & _PEOPLE:
        yield from _all_of_kind(slot, reading, (Kind.EMAIL,), 0.75)
    if element.format != "email" and slot.words & _PEOPLE and not slot.opaque:
        yield from _all_of_kind(slot, reading, (Kind.USER,), 0.7)
    if element.format in ("uri", "file") or slot.words & {"url", "link"}:
        yield from _all_of_kind(slot, reading, (Kind.URL,), 0.7)


def _all_of_kind(slot: Slot, reading: Reading, kinds: tuple[Kind, ...], strength: float) -> Iterator[Proposal]:
    """Yield the values of a kind as one list, if there is one; a value far from the others still belongs to it."""
    found: list[Mention] = []
    for mention in reading.of_kind(*kinds):
        if mention.value not in [other.value for other in found]:
            found.append(mention)
    if not found:
        return
    near = nearness(slot, reading, found[0].start, found[-1].end)
    if Kind.NUMBER in kinds and not near and (len(found) == 1 or not slot.required):
        return
    yield Proposal(slot, [each.value for each in found], found[0].start, found[-1].end, strength + 0.15 * near)


def _behind_the_name(slot: Slot, element: Slot, reading: Reading, now: datetime) -> Iterator[Proposal]:
    for at in follows_name(slot, reading):
        start = reading.words[at].start
        quotation = next((each for each in reading.of_kind(Kind.QUOTED) if each.start < start < each.end), None)
        start = quotation.start if quotation else start
        values, end = _items(element, reading, start, now)
        if values:
            yield Proposal(slot, values, start, end, 0.8)


def _items(element: Slot, reading: Reading, start: int, now: datetime) -> tuple[list[Any], int]:
    """Return the values of a list that begins at a place, and where it ends."""
    prompt = reading.prompt
    stop = _ENDS.search(prompt, start, start + _LONGEST_LIST)
    limit = stop.start() if stop else min(len(prompt), start + _LONGEST_LIST)
    values: list[Any] = []
    end = at = start
    while at < limit:
        separator = _SEPARATOR.search(prompt, at, limit)
        close = separator.start() if separator else limit
        text = prompt[at:close].strip()
        bare = text.strip("\"'“”‘’`#@")
        value = convert(element, bare, now) if bare and len(bare.split()) <= _LONGEST_ITEM_WORDS else None
        if value is None or (
            values and not separator and len(bare.split()) > 1 and not text.startswith(("'", '"', "“"))
        ):
            break
        values.append(value)
        end = at + len(prompt[at:close].rstrip())
        at = separator.end() if separator else limit
    return values, end


def _before_the_name(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield what stands right before the name: 'the "wontfix" label', "the bug label"."""
    for before, word in zip(reading.request, reading.request[1:], strict=False):
        adjacent = reading.prompt[before.end : word.start].strip("\"'” ") == ""
        if word.stem not in slot.words or not adjacent or before not in reading.core:
            continue
        if reading.asked is not None and before.end == reading.asked.end:
            continue  # "add labels"
        yield Proposal(slot, [reading.prompt[before.start : before.end]], before.start, before.end, 0.6)
    for quotation in reading.of_kind(Kind.QUOTED):
        if nearness(slot, reading, quotation.start, quotation.end) > 0.5:
            yield Proposal(slot, [quotation.value], quotation.start, quotation.end, 0.75)
