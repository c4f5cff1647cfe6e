"""What lies in what: the table in its base, the sheet in its spreadsheet, the repository with its owner."""

import re
from collections.abc import Sequence

from attrs import evolve

from service_client.models import Function
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question
from service_server.predict.words import words_of

Nested = tuple[Question, Question]
"""An argument, and the one for something within what it names."""

_WITHIN = re.compile(r",? (?:tab |sheet |table |list )?(?:in|of|within|inside) (?:the |our |my )?", re.IGNORECASE)
_REPOSITORY = frozenset({"repo", "repository"})
_OWNERS = re.compile(r"\b(?:owner|organi[sz]ation|org|workspace|project|team|user|of|by)(?: is|:)? $", re.IGNORECASE)
_OWNER_BEHIND = re.compile(r"(?:'s|s'|/| (?:org|organi[sz]ation|workspace|project)\b)", re.IGNORECASE)


def nested_of(function: Function, questions: Sequence[Question]) -> list[Nested]:
    """Return the pairs of arguments of a function of which one's choices depend on the other."""
    fields = function.meta.fields if function.meta is not None else {}
    by_path = {".".join(question.path): question for question in questions}
    found = []
    for path, question in by_path.items():
        source = fields[path].source if path in fields else None
        depends_on = source.depends_on if source is not None else ()
        found += [(by_path[outer], question) for outer in depends_on if outer in by_path]
    return found


def as_nested(pairs: Sequence[Nested], found: Sequence[Filled], prompt: str) -> list[Filled]:
    """
    Return what was filled, each at its place: of "Vase 12 of Ceramics in Auction", Ceramics is in Auction.

    A single name for a repository and its owner is the repository's: "the branch main of parser".
    """
    values = list(found)
    for outer, inner in pairs:
        around = next((value for value in values if value.question == outer), None)
        within = next((value for value in values if value.question == inner), None)
        if around is None:
            continue
        if within is None:
            if _is_a_repository(around, inner, prompt):
                values = [evolve(value, question=inner) if value is around else value for value in values]
        elif _stands_within(around, within, prompt):
            swapped = {id(around): inner, id(within): outer}
            values = [evolve(each, question=swapped.get(id(each), each.question)) for each in values]
    return values


def _is_a_repository(around: Filled, inner: Question, prompt: str) -> bool:
    if not (inner.required and inner.name in _REPOSITORY) or not around.start < around.end:
        return False
    is_owner = _OWNERS.search(prompt[: around.start][-20:]) or _OWNER_BEHIND.match(prompt, around.end)
    return is_owner is None


def _stands_within(around: Filled, within: Filled, prompt: str) -> bool:
    """Whether the words for the outer argument stand in front of "in" and those for the inner one."""
    if not around.start < around.end <= within.start or not _WITHIN.fullmatch(prompt, around.end, within.start):
        return False
    kinds = {word.stem for word in words_of(within.question.name)}
    return all(word.stem not in kinds for word in words_of(prompt[within.end : within.end + 20])[:1])
