"""Which words of a prompt may answer which question, likeliest first."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from attrs import frozen

from service_server.predict.mentions import Kind, find_addresses
from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.moments import (
    asks_for_a_form,
    names_a_time_of_day,
    places_of_moments,
    takes_a_day_and_a_time,
    takes_a_time_of_day,
)
from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reader.today import place_of_today
from service_server.predict.reader.values import trimmed

# How much likelier words are behind the name of what is asked for: "in shop-api, project Webshop".
_LABELLED = 0.2
# What these name is often their verb as well, or nothing: "message Ana", "the name of".
_TEXTS = frozenset({"message", "text", "name", "title", "subject", "note", "comment", "content"})
_SHORTEST_LABEL = 4
# The encoder reads pieces of words; these scripts have blanks between words.
_WITHIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]{2}")
_TODAY = frozenset({"current", "today", "now"})
CELLS = re.compile(r"\$?[A-Z]{1,3}\$?\d{1,7}:\$?[A-Z]{1,3}\$?\d{1,7}")
_URN = re.compile(r"\burn:[a-z][\w-]*(?::[\w%.-]+)+")
# "Bakery-site" is one name; "Mon-Fri" are two days.
_HYPHENED = re.compile(r"(?<![\w/@.#-])[a-z][a-z\d]*(?:-[a-z\d]+)+(?![\w/@-]|\.\w)")
_PHONE = re.compile(r"\+\d[\d ().-]{5,20}\d")
_COUNT = re.compile(r"\d{1,6} (?=\w)")
_SURE_COUNT, _SURE_OTHER = 0.5, 0.5
_NUMBERS = ("number", "integer")

Place = tuple[int, int]


@frozen
class Offer:
    """
    Words that may answer a question (of a list, each of its items), by their places, and how likely they do.

    They are `labelled` by the name of what is asked for, if that stands before them.
    """

    question: Question
    said: tuple[Place, ...]
    confidence: float
    labelled: bool


def offers_of(
    replies: Sequence[Reply],
    prompt: str,
    of_ids: Collection[tuple[str, ...]],
    threshold: Callable[[Question], float],
) -> list[Offer]:
    """
    Return the words that the replies give, likeliest first, if they are as likely as the question's threshold.

    Arguments `of_ids` may have the name of something: how many there are ("11 Wool socks") is no part of that.
    """
    addresses = list(find_addresses(prompt))
    channels = [(each.start, each.end) for each in addresses if each.kind in (Kind.CHANNEL, Kind.USER)]
    wholes = [(each.start, each.end) for each in addresses if each.kind is Kind.URL]
    wholes += [match.span() for pattern in (CELLS, _URN) for match in pattern.finditer(prompt)]
    hyphened = [match.span() for match in _HYPHENED.finditer(prompt)]
    today = place_of_today(prompt)
    counts = _counts(replies)

    def place_of(span: Span, question: Question, *, alone: bool) -> Place:
        is_text = question.schema.get("type") == "string" and not asks_for_a_form(question.schema)
        own = [*wholes, *hyphened] if is_text else wholes
        start, end = trimmed(prompt, *_to_mark(prompt, *_uncut(prompt, span, channels, own, alone=alone)))
        if (phone := _only_phone(prompt, start, end, question)) is not None:
            return phone
        is_name = question.path in of_ids and question.schema.get("type") not in _NUMBERS
        if is_name and start in counts and (count := _COUNT.match(prompt, start, end)):
            start = count.end()
        if not is_name:
            return start, end
        others = [reply.spans[0] for reply in replies if reply.spans and reply.question != question]
        return _name_before_colon(prompt, start, end, question, others)

    offers = [
        Offer(
            reply.question,
            tuple(place_of(span, reply.question, alone=len(spans) == 1) for span in spans),
            confidence,
            _has_label(spans[0], reply.question, prompt),
        )
        for reply in replies
        if reply.question.answer in (Answer.WORDS, Answer.LIST)
        for confidence, spans in _likely(reply, prompt, today, threshold(reply.question))
    ]
    offers = [each for each in offers if not _is_only_a_day(each, offers, prompt)]
    return sorted(offers, key=lambda offer: -offer.confidence - _LABELLED * offer.labelled)


def _name_before_colon(prompt: str, start: int, end: int, question: Question, others: Sequence[Span]) -> Place:
    """Return the place of a name without another answer behind a colon: "library Documents: plan.docx becomes …"."""
    colon = prompt.find(": ", start, end)
    if colon <= start:
        return start, end
    if prompt[start:colon].casefold().removeprefix("the ") in question.name.split():
        return colon + 2, end
    is_another = any(each.confidence >= _SURE_OTHER and colon < each.start < end for each in others)
    return (start, colon) if is_another else (start, end)


def _likely(
    reply: Reply, prompt: str, today: Place | None, threshold: float
) -> Iterator[tuple[float, tuple[Span, ...]]]:
    if reply.question.answer is Answer.LIST:
        if reply.spans:
            yield max(span.confidence for span in reply.spans), reply.spans
        return
    asks_for_today = not _TODAY.isdisjoint(reply.question.name.split())
    spans = reply.spans if today is None or asks_for_today else _besides(today, reply.spans, prompt)
    yield from ((span.confidence, (span,)) for span in spans if span.confidence >= threshold)


def _besides(today: Place, spans: Sequence[Span], prompt: str) -> list[Span]:
    """Return the spans outside the words that say what day it is; the only other moment replaces those inside."""
    outside = [span for span in spans if not _overlap(today, (span.start, span.end))]
    inside = [span for span in spans if span not in outside]
    if inside:
        moments = [place for place in places_of_moments(prompt) if not _overlap(today, place)]
        if len(moments) == 1:
            outside.append(Span(*moments[0], inside[0].confidence))
    return outside


def _uncut(prompt: str, span: Span, channels: Sequence[Place], wholes: Sequence[Place], *, alone: bool) -> Place:
    """
    Return a place of whole words, links and cells: "A1:F1" for "A1".

    It doesn't begin within "#support", and `alone`, a "#" is all of its name.
    """
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
    return next((whole for whole in wholes if whole[0] <= start < end <= whole[1]), (start, end))


def _only_phone(prompt: str, start: int, end: int, question: Question) -> Place | None:
    """Return the place of the only telephone number of some words, for what takes such: "+351 912 000 111 the map"."""
    pattern = question.schema.get("pattern")
    phones = list(_PHONE.finditer(prompt, start, end)) if isinstance(pattern, str) and "0-9 " in pattern else []
    return phones[0].span() if len(phones) == 1 else None


def _to_mark(prompt: str, start: int, end: int) -> Place:
    """Return a place that ends where the quotation does which it begins with: not behind `Room 2" for`."""
    marks = prompt.count('"', 0, start)
    if prompt[start - 1 : start] == '"' and marks % 2 and (mark := prompt.find('"', start, end)) > start:
        return start, mark
    is_inside = marks % 2 == 0 and prompt.count('"', start, end) % 2 == 1
    return (start, end + 1) if is_inside and prompt[end : end + 1] == '"' else (start, end)


def _counts(replies: Sequence[Reply]) -> frozenset[int]:
    """Return where the numbers begin that are surely asked for as such: how many there are."""
    return frozenset(
        reply.spans[0].start
        for reply in replies
        if reply.question.schema.get("type") in _NUMBERS and reply.spans and reply.spans[0].confidence >= _SURE_COUNT
    )


def _has_label(span: Span, question: Question, prompt: str) -> bool:
    """Whether the name of what is asked for stands before some words: "project Webshop"."""
    before = prompt[max(0, span.start - 40) : span.start].casefold().rstrip(" :")
    label = question.name.removesuffix(" id")
    if label in _TEXTS or len(label) < _SHORTEST_LABEL:
        return False
    return before.endswith(label) and not before.removesuffix(label)[-1:].isalnum()


def _is_only_a_day(offer: Offer, offers: Sequence[Offer], prompt: str) -> bool:
    """Whether words for a day and a time are a day alone, which another question asks for as surely."""
    if not takes_a_day_and_a_time(offer.question.schema) or names_a_time_of_day(prompt, *offer.said[0]):
        return False
    return any(
        each.said == offer.said
        and each.confidence >= offer.confidence - _LABELLED
        and asks_for_a_form(each.question.schema)
        and not takes_a_time_of_day(each.question.schema)
        for each in offers
    )


def _overlap(one: Place, other: Place) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])
