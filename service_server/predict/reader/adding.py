"""What is added to a list and what is taken from it, where a function has an argument for each."""

import re
from collections.abc import Mapping, Sequence

from attrs import evolve

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question

_TAKES = re.compile(
    r"\b(?:remove|take|drop|peel|strip|delete|kick|un(?:assign|invite|link|tag|label|subscribe)|without|minus|no longer"
    r"|get rid of)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:add|put|stick|assign|invite|include|plus|with|gets?|give|bring|pull)\b", re.IGNORECASE)
_ON_OR_OFF = re.compile(r"\s+(?:(on)|off)\b(?=[,;.!]|\s+(?:and|but)\b|\s*$)", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead of|in place of|rather than) $", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:.!?](?=\s)|\band\b")

Pairs = Mapping[tuple[str, ...], Question]
"""The argument that takes away by the path of the one that adds, and the other way round."""


def pairs_of(questions: Sequence[Question]) -> dict[tuple[str, ...], Question]:
    """Return which arguments are a pair: "add labels" or "labels" beside "remove labels"."""
    known = {question.name: question for question in questions}
    pairs: dict[tuple[str, ...], Question] = {}
    for name, taking in known.items():
        thing = name.removeprefix("remove ")
        adding = known.get(f"add {thing}") or known.get(thing)
        if thing != name and adding is not None:
            pairs |= {taking.path: adding, adding.path: taking}
    return pairs


def as_added_or_taken(pairs: Pairs, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with each value where the nearest verb has it: "take Ravi off it" adds nobody."""
    given = {value.question.path for value in found}
    moved = []
    for value in found:
        other = pairs.get(value.question.path)
        takes = _takes(value, prompt) if other is not None and other.path not in given else None
        is_taking = value.question.name.startswith("remove ")
        moved.append(value if other is None or takes in (None, is_taking) else evolve(value, question=other))
    return moved


def _takes(value: Filled, prompt: str) -> bool | None:
    """Whether the verb before a value, within its clause, takes away; None where no verb is known."""
    if _INSTEAD.search(prompt[: value.start][-20:]):
        return True  # "Sanne instead of Bram"
    if behind := _ON_OR_OFF.match(prompt, value.end):
        return behind[1] is None  # "Urgent on, Waiting off"
    breaks = [match.end() for match in _CLAUSE.finditer(prompt, 0, value.start)]
    clauses = [prompt[start : value.start] for start in reversed([0, *breaks])]
    for words in clauses:
        verbs = [(match.start(), pattern is _TAKES) for pattern in (_TAKES, _ADDS) for match in pattern.finditer(words)]
        if verbs:
            return max(verbs)[1]
    return False if value.question.name.startswith("remove ") else None
