"""What is merged into what: "merge 9044 and 9045 into 9041" keeps 9041."""

import re
from collections.abc import Sequence

from attrs import evolve

from service_server.predict.mentions import plain_number
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reader.values import values_of

_CODE = r"#?(?=[\w-]{0,30}\d)[A-Za-z0-9][\w-]{0,40}"
_MERGED = re.compile(
    rf"\b(?:merge|fold|join|combine|roll)\b(?P<others>[^.;:]{{0,200}}?{_CODE}) (?:in)?to "
    rf"(?:(?:\w+ )?(?P<kept>{_CODE})|[a-z ]{{0,20}}?(?:it|that one)\b)",
    re.IGNORECASE,
)
_BELONGS = re.compile(
    rf"(?<!\w)(?P<others>{_CODE}(?:(?:,? and |, | & ){_CODE}){{0,20}})"
    rf" (?:(?:all |both )?(?:belongs?(?: (?:in)?to)?|(?:(?:can|should|must) )?go(?:es)? into)"
    rf"|(?:is|are) (?:all |both )?(?:an? |the )?(?:duplicates?|doubles?|cop(?:y|ies)) of"
    rf"|(?:is|are) the same (?:\w+ )?as)"
    rf" (?:\w+ )?(?P<kept>{_CODE})",
    re.IGNORECASE,
)
# "7010 is the same as 7002, merge it into that one"
_INTO_THE_LAST = re.compile(
    r"\b(?:merge|fold|roll|put) (?:it|this|this one|them) (?:in)?to (?:it|that one|the other)\b", re.IGNORECASE
)
_INTO = re.compile(r"\b(?:in)?to (?:the )?$", re.IGNORECASE)
_CODES = re.compile(_CODE)
_SURE = 0.9

Merged = tuple[Question, Question]
"""The question for what is kept, and the one for what becomes a part of it."""


def merged_of(action: str, questions: Sequence[Question]) -> Merged | None:
    """Return the questions of a function that merges others into one; None for other functions."""
    required = [each for each in questions if each.required]
    kept = [each for each in required if each.answer is Answer.WORDS]
    others = [each for each in required if each.answer is Answer.LIST]
    return (kept[0], others[0]) if action.startswith("merge") and len(kept) == len(others) == 1 else None


def with_merged(merged: Merged, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the numbers that the prompt merges, and the one that it merges them into."""
    last = _INTO_THE_LAST.search(prompt)
    named = [match.span() for match in _CODES.finditer(prompt, 0, last.start())] if last is not None else []
    if len(named) > 1:
        return _merged(merged, found, prompt, named[-1], named[:-1])
    said = _MERGED.search(prompt) or _BELONGS.search(prompt)
    if said is None:
        return _in_order(merged, found, prompt)
    kept = said.span("kept") if said["kept"] else None
    if kept is None:
        before = list(_CODES.finditer(prompt, 0, said.start()))
        kept = before[-1].span() if len(before) == 1 else None
    others = [match.span() for match in _CODES.finditer(prompt, *said.span("others"))]
    return list(found) if kept is None or not others else _merged(merged, found, prompt, kept, others)


def _in_order(merged: Merged, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the name behind "into" as what is kept: "fold Login slow into Auth outage"."""
    own = {value.question.path: value for value in found if value.question in merged}
    if len(own) < len(merged):
        return list(found)
    kept, others = (own[question.path] for question in merged)
    last = others.value[-1] if isinstance(others.value, list) else others.value
    if kept.start < others.start and _INTO.search(prompt, kept.end, others.start):
        first = [kept.value] if isinstance(others.value, list) else kept.value
        kept, others = evolve(others, question=merged[0], value=last), evolve(kept, question=merged[1], value=first)
    return [*(value for value in found if value.question not in merged), kept, others]


def _merged(
    merged: Merged, found: Sequence[Filled], prompt: str, kept: tuple[int, int], others: Sequence[tuple[int, int]]
) -> list[Filled]:
    values = [_value(merged[0], [kept], prompt), _value(merged[1], others, prompt)]
    return [*(each for each in found if each.question not in merged), *filter(None, values)]


def _value(question: Question, places: Sequence[tuple[int, int]], prompt: str) -> Filled | None:
    schema = question.schema if question.answer is Answer.LIST else {"items": question.schema}
    bare = [(start + (prompt[start] == "#"), end) for start, end in places]
    values = values_of(prompt, bare, schema, None)
    values = [plain_number(each) if isinstance(each, float) else each for each in values or ()]
    if not values or len(values) != len(places):
        return None
    value = values if question.answer is Answer.LIST else values[0]
    return Filled(question, value, places[0][0], places[-1][1], _SURE)
