"""Booleans from phrases: "urgent", "not urgent", "is private", "without archived ones"."""

import re
from collections.abc import Iterator

from service_server.predict.arguments.ordering import ASCENDING, DESCENDING
from service_server.predict.arguments.proposal import Proposal
from service_server.predict.arguments.slots import Slot
from service_server.predict.arguments.surroundings import is_asked_verb, words_before
from service_server.predict.reading import Reading
from service_server.predict.words import Word, identifier_words, stem, word_set

_SAYS_NO = re.compile(r"\s*[:=]\s*(?:no|false|off)\b", re.IGNORECASE)
_TAKES_OFF = word_set("remove drop clear unset")
_OFF = re.compile(r"\s+(?:\S+\s+){0,2}off\b", re.IGNORECASE)
_BREAK = re.compile(r"[.,;:!?()\n]")
NEGATIONS = word_set(
    "not no without non isn't aren't wasn't weren't doesn't don't isnt arent wasnt doesnt dont never exclude excluding"
    " except"
)
_POSITIVE_PREFIXES = word_set("is has have are include includes with allow enable can should do show be mark as")
_NEGATIVE_PREFIXES = word_set("exclude disable no without hide skip not omit")
# What a name adds to the quality that is true or false: "private_visibility", "visibility_private".
_QUALITIES = word_set("visibility flag state status mode")
_OPPOSITE_PAIRS = (
    ("private", "public"), ("open", "closed"), ("enabled", "disabled"), ("active", "inactive"), ("read", "unread"),
    ("locked", "unlocked"), ("visible", "hidden"), ("internal", "public"),
)  # fmt: skip
_OPPOSITES = [(stem(one), stem(other)) for pair in _OPPOSITE_PAIRS for one, other in (pair, pair[::-1])]
_PUBLIC = stem("public")
_INSIDE = re.compile(r"in_(\w+)|(?:is_)?(archive)d")
_ORDERS = {stem("ascending"): DESCENDING, stem("descending"): ASCENDING}
"""What says that an order is not meant."""
AMONG_US = re.compile(
    r"\b(?:our eyes only|(?:between|among) (?:us|ourselves)|(?:just|only) for (?:us|the team)|internally"
    r"|not (?:meant )?for the (?:customer|client)s?)\b",
    re.IGNORECASE,
)
"""Says that what is written is not for the other side."""


def boolean_proposals(slot: Slot, reading: Reading) -> Iterator[Proposal]:
    """Yield what the prompt says about a boolean by naming it, its opposite, or its negation."""
    stems, positive = _essence(slot)
    if not stems:
        return
    inside = _INSIDE.fullmatch(slot.path[-1])
    if inside is not None and (said := _taken_out(inside[1] or inside[2], reading.prompt)):
        yield Proposal(False, *said.span())
        return
    yield from _said(reading, stems, positive)
    for order, first in _ORDERS.items():
        if stems == [order] and (said := first.search(reading.prompt)):
            yield Proposal(False, *said.span())
    for one, opposite in _OPPOSITES:
        if stems == [one]:
            yield from _said(reading, [opposite], not positive)
    if stems == [_PUBLIC] and (said := AMONG_US.search(reading.prompt)) is not None:
        yield Proposal(not positive, *said.span())


def _taken_out(of: str, prompt: str) -> re.Match[str] | None:
    """Return where a prompt says that something is to come out of something, such as the trash, or back."""
    out = rf"out of (?:\S+ ){{0,2}}(?:{of}|bin)|(?:get|bring|have|take) (?:\S+ ){{1,3}}back|restore|un{of}"
    return re.search(rf"\b(?:{out})\b", prompt, re.IGNORECASE)


def stems_of(slot: Slot) -> list[str]:
    """Return the stems that name what is true or false."""
    return _essence(slot)[0]


def _essence(slot: Slot) -> tuple[list[str], bool]:
    """Return the stems that name what is true or false, and whether saying them means true."""
    words = identifier_words(slot.path[-1])
    positive = True
    while len(words) > 1 and words[0].folded in _POSITIVE_PREFIXES | _NEGATIVE_PREFIXES:
        positive ^= words[0].folded in _NEGATIVE_PREFIXES
        words = words[1:]
    while len(words) > 1 and words[-1].folded in _QUALITIES:
        words = words[:-1]
    while len(words) > 1 and words[0].folded in _QUALITIES:
        words = words[1:]
    return [word.stem for word in words], positive


def _said(reading: Reading, stems: list[str], value: bool) -> Iterator[Proposal]:
    words = reading.request
    for at in range(len(words) - len(stems) + 1):
        found = words[at : at + len(stems)]
        if [word.stem for word in found] != stems or is_asked_verb(found[0], reading):
            continue
        start, end = found[0].start, found[-1].end
        negation = _negation(reading, start) or _taking_off(reading, start, end)
        if negation is not None:
            start = negation.start
        denied = negation is not None or _SAYS_NO.match(reading.prompt, end) is not None
        yield Proposal(value != denied, start, end)


def _taking_off(reading: Reading, start: int, end: int) -> Word | None:
    """Return the verb that takes away what is said at a place: "take the star off", "remove its star"."""
    for word in words_before(reading, start, 2):
        if word.folded in _TAKES_OFF or (word.folded == "take" and _OFF.match(reading.prompt, end)):
            return word
    return None


def _negation(reading: Reading, start: int) -> Word | None:
    """Return the word that negates what is said at a place, from the same clause and outside quoted data."""
    for away, word in enumerate(words_before(reading, start, 3)):
        if away > 1 and not reading.prompt[word.end : start].strip().casefold().startswith("for the"):
            break
        if word.folded in NEGATIONS and word in reading.request and not _BREAK.search(reading.prompt[word.end : start]):
            return word
    return None
