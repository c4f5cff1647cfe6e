"""Which entry of a list a name means, written as people write names: without case and accents, often only in part."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from service_server.predict.words import without_accents, words_of

BETWEEN_NAMES = re.compile(r"\s*[,;&]\s*(?:and\s+)?|\s+and\s+")
"""What stands between two names of a list."""

_SIGNS = " \t\n#@\"'“”‘’`«».,;:!?()[]"
# Shorter beginnings match by chance.
_SHORTEST_BEGINNING = 3


@frozen
class Entry:
    """One entry of a list: the value that stands for it, and what people call it."""

    value: Any
    label: str


@frozen
class Match:
    """What a name means: one entry, one of several alternatives, or nothing."""

    entry: Entry | None = None
    alternatives: tuple[Entry, ...] = ()


def match(name: str, entries: Iterable[Entry], *, complete: bool) -> Match:
    """
    Return what a name means among the entries of a list; where that is unclear, the alternatives.

    The whole label or the value itself counts first, then a part of a label: its beginning, or words of it. A part
    means an entry only if it fits no other, which only a `complete` list can tell.
    """
    wanted = _folded(name)
    if not wanted:
        return Match()
    different = _different(entries)
    exact = [entry for entry in different if wanted in (_folded(entry.label), _folded(str(entry.value)))]
    if len(exact) == 1:
        return Match(exact[0])
    if exact:
        return Match(alternatives=tuple(exact))
    parts = frozenset(word.folded for word in words_of(wanted))
    partly = [entry for entry in different if _fits(wanted, parts, _folded(entry.label))]
    if len(partly) == 1 and complete:
        return Match(partly[0])
    return Match(alternatives=tuple(partly))


def _different(entries: Iterable[Entry]) -> Sequence[Entry]:
    """Return the entries without repeated values."""
    found: dict[str, Entry] = {}
    for entry in entries:
        found.setdefault(f"{type(entry.value).__name__} {entry.value}", entry)
    return list(found.values())


def _fits(wanted: str, parts: frozenset[str], label: str) -> bool:
    if len(wanted) >= _SHORTEST_BEGINNING and label.startswith(wanted):
        return True
    return bool(parts) and parts <= {word.folded for word in words_of(label)}


def _folded(text: str) -> str:
    return " ".join(without_accents(text).split()).strip(_SIGNS)
