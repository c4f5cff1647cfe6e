"""What is replaced and by what: "swap every Nordlys ApS for Nordlys AS"."""

import re
from collections.abc import Sequence

from attrs import evolve

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question

_REPLACED, _REPLACEMENT = ("find", "search", "old text"), ("replacement", "replace", "replace with", "new text")
# Where one of these is said, what is new may stand first: "write AS instead of ApS".
_NEW_FIRST = re.compile(r"\b(?:instead of|in place of|rather than|where|replaces?|for every|for each)\b", re.IGNORECASE)
_BOTH = (
    re.compile(
        r"\b(?:replace|swap|change|turn|exchange)\b[^\"“]{0,20}[\"“]([^\"”]{1,200})[\"”],? (?:with|by|for|to|into)"
        r"(?: the)? [\"“]([^\"”]{1,200})[\"”]",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:replace|swap) (?:(?:all|every|each|the words?|any) )?([^\"“”;:]{1,60}?) (?:with|by|for) "
        r"([^\"“”;:]{1,60}?)(?=$|[,;:](?!\d)|[.!?](?:\s|$)| (?:in|on|all over|throughout|everywhere|please)\b)",
        re.IGNORECASE,
    ),
)
_SURE = 0.9
_BRACKETS = {"[": "]", "{": "}", "<": ">"}

Swap = tuple[Question, Question]
"""The argument for what is looked for, and the one for what comes in its place."""


def swap_of(questions: Sequence[Question]) -> Swap | None:
    """Return the two arguments of a function that replaces a text by another; None for the others."""
    known = {question.name: question for question in questions}
    replaced = next((known[name] for name in _REPLACED if name in known), None)
    replacement = next((known[name] for name in _REPLACEMENT if name in known), None)
    return None if replaced is None or replacement is None else (replaced, replacement)


def in_order(swap: Swap, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the text that comes first as the one that is replaced, whole with its brackets."""
    found = _with_both(swap, found, prompt)
    both = {value.question.path: value for value in found if value.question in swap}
    if len(both) < len(swap):
        return list(found)
    replaced, replacement = (both[question.path] for question in swap)
    if replacement.start < replaced.start and not _NEW_FIRST.search(prompt):
        replaced, replacement = evolve(replacement, question=swap[0]), evolve(replaced, question=swap[1])
    others = [value for value in found if value.question not in swap]
    return [*others, _with_brackets(replaced, prompt), _with_brackets(replacement, prompt)]


def _with_both(swap: Swap, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with both texts where marks or the words around them say where they end."""
    said = next(filter(None, (pattern.search(prompt) for pattern in _BOTH)), None)
    if said is None or {question.path for question in swap} <= {value.question.path for value in found}:
        return list(found)
    others = [value for value in found if value.question not in swap and not value.overlaps(*said.span())]
    own = (Filled(each, said[at], *said.span(at), _SURE) for at, each in enumerate(swap, 1))
    return [*others, *own]


def _with_brackets(value: Filled, prompt: str) -> Filled:
    before, after = prompt[max(0, value.start - 1) : value.start], prompt[value.end : value.end + 1]
    if not before or _BRACKETS.get(before) != after or not isinstance(value.value, str):
        return value
    return evolve(value, value=before + value.value + after, start=value.start - 1, end=value.end + 1)
