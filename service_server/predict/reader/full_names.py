"""First and last names that stand side by side: of "Maria Lopez" neither half is lost."""

import re
from collections.abc import Sequence

from attrs import evolve

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question

_FIRST = frozenset({"first name", "firstname", "given name"})
_LAST = frozenset({"last name", "lastname", "family name", "surname"})
_NAME = r"[^\W\d_][\w'’-]*"
_BEFORE = re.compile(rf"[^\s.!?] ({_NAME}) $")
_BEHIND = re.compile(rf" ({_NAME})(?=[\s,.;:!?)]|$)")
_TITLE = re.compile(r"(?:m(?:r|rs|s|x|iss)|dr|prof(?:essor)?|sir|herr|frau|señora?)\b\.? ?", re.IGNORECASE)
_PARTICLE = r"(?:d[aei]|do|dos|del|della|la|le|van|von|der|den|te[rn]|al|el|bin|ben|ibn|mac|san|st)"
_PARTICLES = re.compile(rf" (?:{_PARTICLE} )+", re.IGNORECASE)
# Words that may have a capital letter before a last name and are no first name.
_NO_NAME = re.compile(
    rf"{_PARTICLE}|lead|contact|customer|candidate|employee|person|user|member|the|new|create|add", re.IGNORECASE
)

FullName = tuple[Question, Question]


def full_name_of(questions: Sequence[Question]) -> FullName | None:
    """Return the questions for a person's first and last name; None where a function doesn't ask for both."""
    first = [each for each in questions if each.name in _FIRST]
    last = [each for each in questions if each.name in _LAST]
    return (first[0], last[0]) if len(first) == len(last) == 1 else None


def with_both_names(names: FullName, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with last names as people have them, and first names that were overlooked beside them."""
    halves = [each for each in found if each.question in names and each.value == prompt[each.start : each.end]]
    others = [each for each in found if each not in halves]
    halves = [_without_more(each, prompt) if each.question == names[1] else each for each in halves]
    if len(halves) == 2:
        first, last = sorted(halves, key=lambda each: names.index(each.question))
        if _PARTICLES.fullmatch(prompt, first.end, last.start):
            last = _cut(last, prompt, first.end + 1, last.end)
        return [*others, first, last]
    if len(halves) != 1 or any(each.question in names for each in others):
        return list(found)
    given = halves[0]
    asks_for_first = given.question == names[1]
    split = prompt.rfind(" ", given.start, given.end)
    if asks_for_first and split > 0 and all(map(_looks_like_a_name, given.value.split())):
        first = evolve(_cut(given, prompt, given.start, split), question=names[0])
        return [*others, first, _cut(given, prompt, split + 1, given.end)]
    match = _BEFORE.search(prompt[: given.start]) if asks_for_first else _BEHIND.match(prompt, given.end)
    if match is None or not _looks_like_a_name(match[1]) or any(each.overlaps(*match.span(1)) for each in others):
        return [*others, given]
    other = Filled(names[0] if asks_for_first else names[1], match[1], *match.span(1), given.confidence)
    return [*others, given, other]


def _without_more(last: Filled, prompt: str) -> Filled:
    """Return a last name without the title before it and what a comma parts from it."""
    title = _TITLE.match(prompt, last.start, last.end)
    comma = prompt.find(",", last.start, last.end)
    start, end = title.end() if title is not None else last.start, comma if comma > 0 else last.end
    return _cut(last, prompt, start, end) if start < end else last


def _cut(name: Filled, prompt: str, start: int, end: int) -> Filled:
    return evolve(name, value=prompt[start:end], start=start, end=end)


def _looks_like_a_name(word: str) -> bool:
    return word[:1].isupper() and _NO_NAME.fullmatch(word) is None and _TITLE.fullmatch(word) is None
