"""Arguments from the reader's answers: converted, without words used twice, checked against their schemas."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from jsonschema_rs import Draft202012Validator

from service_server.predict.arguments.validation import compiled
from service_server.predict.mentions import Kind, find_addresses
from service_server.predict.option_labels import names_of
from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.moments import (
    are_parts_of_one_moment,
    asks_for_a_form,
    place_of_moment,
    places_of_moments,
)
from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reader.shapes import has_other_role
from service_server.predict.reader.today import place_of_today
from service_server.predict.reader.values import in_form, trimmed, value_of, values_of

SURE = 0.5
"""How sure an answer must be to be given."""
_REQUIRED = 0.25  # the same for required arguments, which prompts are likelier to give
_REQUIRED_OPTION = 0.4  # below, two of three options of required arguments are wrong
TEST = re.compile(r"\b(?:Test|Demo|Dummy|Sample|Example) (?:[a-z]+ )?")
"""What begins a name: "Test deal 3" isn't the deal 3."""
POLITE = frozenset({"please", "pls", "plz", "thanks", "thank you", "thx"})
"""What is said beside everything that is asked for."""
# The encoder reads pieces of words; these scripts have blanks between words.
_WITHIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]{2}")
_TODAY = frozenset({"current", "today", "now"})


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
    found: list[Filled] = []
    today = place_of_today(prompt)
    channels = [(each.start, each.end) for each in find_addresses(prompt) if each.kind in (Kind.CHANNEL, Kind.USER)]
    offers: list[tuple[float, int, Reply, tuple[Span, ...]]] = []
    for at, reply in enumerate(replies):
        threshold = _threshold(reply.question, for_good=for_good)
        if reply.question.answer in (Answer.BOOLEAN, Answer.OPTION, Answer.OPTIONS):
            value = _chosen(reply, threshold)
            if value is not None:
                found.append(_with_words(reply, value, prompt))
        elif reply.question.answer is Answer.LIST:
            if reply.spans:
                offers.append((max(span.confidence for span in reply.spans), at, reply, reply.spans))
        else:
            asks_for_today = not _TODAY.isdisjoint(reply.question.name.split())
            spans = reply.spans if today is None or asks_for_today else _besides(today, reply.spans, prompt)
            offers += [(span.confidence, at, reply, (span,)) for span in spans if span.confidence >= threshold]
    found = [each for each in found if not _is_told_by_another(each, found, prompt)]
    given = {value.question.path for value in known}
    taken = {at for at, reply in enumerate(replies) if reply.question.path in given}
    used = [_Used(each.question, (each.start, each.end), (each.start, each.end)) for each in known]
    for confidence, at, reply, spans in sorted(offers, key=lambda offer: (-offer[0], offer[1])):
        if at in taken:
            continue
        said = [trimmed(prompt, *_uncut(prompt, span, channels, alone=len(spans) == 1)) for span in spans]
        if all(prompt[slice(*place)].casefold() in POLITE for place in said):
            continue
        is_moment = asks_for_a_form(reply.question.schema)
        places = [place_of_moment(prompt, *place) for place in said] if is_moment else said
        uses = [_Used(reply.question, *each) for each in zip(said, places, strict=True)]
        if any(use.collides_with(other) for use in uses for other in used):
            continue
        validator = validators.get(reply.question.path)
        words = prompt[slice(*places[0])]
        is_called = reply.question.path in of_ids and (
            TEST.match(words) is not None or (not any(map(str.isdigit, words)) and any(map(str.isupper, words)))
        )
        value = (
            None
            if is_called and reply.question.schema.get("type") in ("number", "integer")
            else in_form(_value(reply.question, prompt, places, now), reply.question.schema, validator)
        )
        if value is None or not _is_valid(validator, value):
            value = _name(words) if reply.question.path in of_ids else None
        start, end = min(place[0] for place in places), max(place[1] for place in places)
        if value is None or has_other_role(reply.question, value, prompt[:start], prompt[end:]):
            continue
        taken.add(at)
        used += uses
        found.append(Filled(reply.question, value, start, end, confidence))
    return [*known, *found]


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


def _uncut(prompt: str, span: Span, channels: Sequence[tuple[int, int]], *, alone: bool) -> tuple[int, int]:
    """Return a place of whole words; it doesn't begin within "#support", and `alone`, a "#" is all of its name."""
    for start, end in channels:
        if start < span.start < end < span.end:
            return end, span.end
        if alone and (span.start, span.end) == (start, start + 1):
            return start, end
    start, end = span.start, span.end
    while start > 0 and _WITHIN_WORD.match(prompt, start - 1):
        start -= 1
    while _WITHIN_WORD.match(prompt, end - 1):
        end += 1
    if prompt[start - 1 : start] == "/" and (start == 1 or prompt[start - 2].isspace()):
        start -= 1  # "vhost /orders", "/Photos/2027"
    return start, end


def _chosen(reply: Reply, threshold: float) -> Any:
    question = reply.question
    if question.answer is Answer.BOOLEAN:
        return reply.truth if reply.absent < 1 - threshold else None
    if question.answer is Answer.OPTIONS:
        return [question.options[at] for at in reply.options] or None
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


def _is_told_by_another(chosen: Filled, found: Sequence[Filled], prompt: str) -> bool:
    """Whether the words for an option aren't its name, and surely answer another question: "private" is no urgency."""
    if chosen.start == chosen.end or isinstance(chosen.value, bool):
        return False
    words = prompt[chosen.start : chosen.end].casefold()
    schema = chosen.question.schema.get("items", chosen.question.schema)
    values = chosen.value if isinstance(chosen.value, list) else [chosen.value]
    if any(words == name.casefold() for value in values for name in names_of(value, schema)):
        return False
    place = (chosen.start, chosen.end)
    return any((each.start, each.end) == place and each.confidence > chosen.confidence for each in found)


def _besides(today: tuple[int, int], spans: Sequence[Span], prompt: str) -> list[Span]:
    """Return the spans outside the words that say what day it is; the only other moment replaces those inside."""
    outside = [span for span in spans if not _overlap(today, (span.start, span.end))]
    inside = [span for span in spans if span not in outside]
    if inside:
        moments = [place for place in places_of_moments(prompt) if not _overlap(today, place)]
        if len(moments) == 1:
            outside.append(Span(*moments[0], inside[0].confidence))
    return outside


def _value(question: Question, prompt: str, places: Sequence[tuple[int, int]], now: datetime | None) -> Any:
    if question.answer is Answer.LIST:
        return values_of(prompt, places, question.schema, now)
    return value_of(prompt, *places[0], question.schema, now)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])
