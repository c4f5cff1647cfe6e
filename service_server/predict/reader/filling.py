"""Arguments from the reader's answers: converted, without words used twice, checked against their schemas."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from jsonschema_rs import Draft202012Validator

from service_server.predict.arguments.validation import compiled
from service_server.predict.option_labels import names_of
from service_server.predict.reader.answers import Reply
from service_server.predict.reader.moments import (
    are_parts_of_one_moment,
    asks_for_a_form,
    place_of_moment,
)
from service_server.predict.reader.offers import CELLS, offers_of
from service_server.predict.reader.options_said import option_said
from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reader.shapes import has_other_role
from service_server.predict.reader.values import in_form, value_of, values_of

SURE = 0.5
"""How sure an answer must be to be given."""
_REQUIRED = 0.25  # the same for required arguments, which prompts are likelier to give
_REQUIRED_OPTION = 0.4  # below, two of three options of required arguments are wrong
TEST = re.compile(r"\b(?:Test|Demo|Dummy|Sample|Example) (?:[a-z]+ )?")
"""What begins a name: "Test deal 3" isn't the deal 3."""
# "Lamp No. 5" isn't the product 5.
_NAMED_WITH_A_NUMBER = re.compile(r"[A-Z][a-z]+(?: [A-Za-z]+)* (?:[Nn]o\.? ?|[A-Z][a-z]+ )\d{1,3}(?: ?/ ?[A-Za-z]+)?")
_SHARE_BEFORE = re.compile(r"\d ?(?:%|per ?cent) $")
POLITE = frozenset({"please", "pls", "plz", "thanks", "thank you", "thx"})
"""What is said beside everything that is asked for."""


@frozen
class Filled:
    """A value for one question, the words it came from (none where the prompt as a whole says it), how sure it is."""

    question: Question
    value: Any
    start: int
    end: int
    confidence: float

    def overlaps(self, start: int, end: int) -> bool:
        """Whether it came from words that another part of the prompt shares."""
        return self.start < end and start < self.end


@frozen
class _Used:
    """Words that answer a question, `said` by the reader, and the `whole` date or time that they are part of."""

    question: Question
    said: tuple[int, int]
    whole: tuple[int, int]

    def collides_with(self, other: "_Used") -> bool:
        """Whether both use the same words; "Friday at 8" is a day for one argument and a time for another."""
        if are_parts_of_one_moment(self.question.schema, other.question.schema):
            return _overlap(self.said, other.said)
        return _overlap(self.whole, other.whole)


def filled(
    replies: Sequence[Reply],
    prompt: str,
    now: datetime | None,
    validators: Mapping[tuple[str, ...], Any],
    of_ids: Collection[tuple[str, ...]] = (),
    known: Sequence[Filled] = (),
    *,
    for_good: bool = False,
) -> list[Filled]:
    """
    Return the valid values that the replies give; words that one argument has used are lost to the others.

    Arguments `of_ids`, by their paths, may have the name of something instead, which is not valid. What is `known`
    beforehand is not asked for. What is done `for_good` can't be undone.
    """
    found = _chosen_ones(replies, prompt, for_good=for_good)
    offers = offers_of(replies, prompt, of_ids, lambda question: _threshold(question, for_good=for_good))
    settled = [*known, *(each for each in found if _is_labelled(each, prompt))]
    used = [_Used(each.question, (each.start, each.end), (each.start, each.end)) for each in settled]
    taken = {value.question.path for value in known}
    for offer in offers:
        question = offer.question
        if question.path in taken or all(prompt[slice(*place)].casefold() in POLITE for place in offer.said):
            continue
        is_moment = asks_for_a_form(question.schema)
        places = [place_of_moment(prompt, *place) if is_moment else place for place in offer.said]
        uses = [_Used(question, *each) for each in zip(offer.said, places, strict=True)]
        if any(use.collides_with(other) for use in uses for other in used):
            continue
        value = _valid_value(
            question, prompt, places, now, validators.get(question.path), may_be_name=question.path in of_ids
        )
        start, end = min(place[0] for place in places), max(place[1] for place in places)
        is_share = isinstance(value, str) and _SHARE_BEFORE.search(prompt[:start][-12:])  # "60 percent done"
        if value is None or is_share or has_other_role(question, value, prompt[:start], prompt[end:]):
            continue
        taken.add(question.path)
        used += uses
        found.append(Filled(question, value, start, end, offer.confidence))
    return [*known, *found]


def _chosen_ones(replies: Sequence[Reply], prompt: str, *, for_good: bool) -> list[Filled]:
    """Return the options, and what is true or false, without those whose words answer another question."""
    found = []
    for reply in replies:
        if reply.question.answer in (Answer.BOOLEAN, Answer.OPTION, Answer.OPTIONS):
            value = _chosen(reply, _threshold(reply.question, for_good=for_good), prompt)
            if value is not None:
                found.append(_with_words(reply, value, prompt))
    return [each for each in found if not _is_told_by_another(each, found, prompt)]


def _valid_value(
    question: Question,
    prompt: str,
    places: Sequence[tuple[int, int]],
    now: datetime | None,
    validator: Draft202012Validator | None,
    *,
    may_be_name: bool,
) -> Any:
    """Return the value that some words stand for, or the name that they are in place of an id; None for neither."""
    words = prompt[slice(*places[0])]
    if may_be_name and CELLS.fullmatch(words):
        return None
    is_called = may_be_name and (
        TEST.match(words) is not None
        or (any(map(str.isupper, words)) and not any(map(str.isdigit, words)))
        or _NAMED_WITH_A_NUMBER.fullmatch(words) is not None
    )
    if not (is_called and question.schema.get("type") in ("number", "integer")):
        value = in_form(_value(question, prompt, places, now), question.schema, validator)
        if value is not None and _is_valid(validator, value):
            return value
    return _name(words) if may_be_name else None


def _name(words: str) -> str | None:
    """Return words that may be the name of something; None for bare numbers and signs."""
    return words if any(map(str.isalpha, words)) else None


def _threshold(question: Question, *, for_good: bool) -> float:
    """Return how sure an answer has to be; what can't be undone gets no option that isn't likelier than not."""
    if not question.required:
        return SURE
    if question.answer is not Answer.OPTION:
        return _REQUIRED
    return SURE if for_good else _REQUIRED_OPTION


def validators_of(questions: Sequence[Question]) -> dict[tuple[str, ...], Draft202012Validator | None]:
    """Return the validator of each question's value."""
    return {question.path: compiled(question.schema) for question in questions}


def _is_valid(validator: Draft202012Validator | None, value: Any) -> bool:
    return validator is not None and validator.is_valid(value)


def _chosen(reply: Reply, threshold: float, prompt: str) -> Any:
    question = reply.question
    if question.answer is Answer.BOOLEAN:
        return reply.truth if reply.absent < 1 - threshold else None
    if question.answer is Answer.OPTIONS:
        return [question.options[at] for at in reply.options] or None
    if reply.absent < 1 - threshold and (said := option_said(reply, prompt)) is not None:
        return said
    if not reply.options or reply.confidence < threshold:
        return None
    return question.options[reply.options[0]]


def _with_words(reply: Reply, value: Any, prompt: str) -> Filled:
    items = reply.question.schema.get("items", reply.question.schema)
    first = value[0] if isinstance(value, list) else value
    folded = prompt.casefold()
    for name in names_of(first, items) if len(folded) == len(prompt) and not isinstance(value, bool) else ():
        start = folded.find(name.casefold())
        if start >= 0 and name:
            return Filled(reply.question, value, start, start + len(name), reply.confidence)
    if reply.spans:
        return Filled(reply.question, value, reply.spans[0].start, reply.spans[0].end, reply.confidence)
    return Filled(reply.question, value, 0, 0, reply.confidence)


def _is_labelled(chosen: Filled, prompt: str) -> bool:
    """Whether the name of what is asked for stands beside the words for an option: "high urgency"."""
    name, beside = chosen.question.name, prompt[chosen.end :].casefold()
    if chosen.start == chosen.end or isinstance(chosen.value, bool):
        return False
    return re.match(rf"\s{re.escape(name)}\b", beside) is not None


def _is_more_special(chosen: Filled, other: Filled, prompt: str) -> bool:
    """Whether the same words answer a plainer question: "yellow" is a color, and no text color unless text is said."""
    more = chosen.question.name.removesuffix(other.question.name).strip()
    same = (chosen.start, chosen.end, chosen.value) == (other.start, other.end, other.value)
    return same and more not in ("", chosen.question.name) and more not in prompt.casefold()


def _is_told_by_another(chosen: Filled, found: Sequence[Filled], prompt: str) -> bool:
    """Whether the words for an option aren't its name, and surely answer another question: "private" is no urgency."""
    if chosen.start == chosen.end or isinstance(chosen.value, bool):
        return False
    if not _is_labelled(chosen, prompt) and any(
        _is_labelled(each, prompt) and (each.start, each.end) == (chosen.start, chosen.end) for each in found
    ):
        return True  # "high urgency" is no impact
    if any(_is_more_special(chosen, each, prompt) for each in found):
        return True
    words = prompt[chosen.start : chosen.end].casefold()
    schema = chosen.question.schema.get("items", chosen.question.schema)
    values = chosen.value if isinstance(chosen.value, list) else [chosen.value]
    if any(words == name.casefold() for value in values for name in names_of(value, schema)):
        return False
    place = (chosen.start, chosen.end)
    return any((each.start, each.end) == place and each.confidence > chosen.confidence for each in found)


def _value(question: Question, prompt: str, places: Sequence[tuple[int, int]], now: datetime | None) -> Any:
    if question.answer is Answer.LIST:
        return values_of(prompt, places, question.schema, now)
    return value_of(prompt, *places[0], question.schema, now)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])
