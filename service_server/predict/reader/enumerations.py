"""Items of an enumeration that were overlooked beside others of their form: the Okan of "Joost, Mila and Okan"."""

import re
from collections.abc import Sequence

from attrs import evolve

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.filling import SURE
from service_server.predict.reader.questions import Answer
from service_server.predict.reader.whole_names import SENTENCE_BEFORE

_NAME = r"[A-Z][\w'’-]*[a-z][\w'’-]*"
_FORMS = tuple(
    map(re.compile, (r"#?\d+", r"[A-Z][A-Z\d]*-\d+", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", rf"{_NAME}(?: {_NAME})?"))
)
_BETWEEN = re.compile(r",? (?:and|&|plus) |, ?")
_BEHIND = re.compile(
    r"$|[.,;:!?)\"'”’]|\s+(?:[^a-z\s]|(?:about|to|on|in|for|from|as|with|into|and|or|at|please|off|out|by|until|too)\b)"
)


def with_enumerated(replies: Sequence[Reply], prompt: str) -> list[Reply]:
    """
    Return the replies, of which those for lists have the items that stand side by side with theirs.

    They don't have those that more likely are another answer: "merge 7 and 8 into 9".
    """
    surely = [
        reply.spans[0]
        for reply in replies
        if reply.question.answer is Answer.WORDS and reply.spans and reply.spans[0].confidence >= SURE
    ]
    lists = [span for reply in replies if reply.question.answer is Answer.LIST for span in reply.spans]
    return [_enumerated(reply, surely, lists, prompt) for reply in replies]


def _enumerated(reply: Reply, surely: Sequence[Span], lists: Sequence[Span], prompt: str) -> Reply:
    if reply.question.answer is not Answer.LIST or not reply.spans:
        return reply
    own = [each for each in reply.spans if not any(_is_likelier(span, each) for span in surely)]
    reply = evolve(reply, spans=tuple(own or reply.spans))
    first, last = reply.spans[0], reply.spans[-1]
    form = next((each for each in _FORMS if each.fullmatch(prompt, last.start, last.end)), None)
    if form is None:
        return reply
    sure = min(span.confidence for span in reply.spans)
    more = [*_before(first.start, form, prompt), *_behind(last.end, form, prompt)]
    free = [
        place for place in more if not any(place[0] < span.end and span.start < place[1] for span in (*surely, *lists))
    ]
    spans = [*reply.spans, *(Span(*place, sure) for place in free)]
    return evolve(reply, spans=tuple(sorted(spans, key=lambda span: span.start)))


def _is_likelier(span: Span, item: Span) -> bool:
    return (span.start, span.end) == (item.start, item.end) and span.confidence > item.confidence


def _behind(end: int, form: re.Pattern[str], prompt: str) -> list[tuple[int, int]]:
    found = []
    while (between := _BETWEEN.match(prompt, end)) and (item := form.match(prompt, between.end())):
        if not _BEHIND.match(prompt, item.end()):
            break
        found.append(item.span())
        end = item.end()
    return found


def _before(start: int, form: re.Pattern[str], prompt: str) -> list[tuple[int, int]]:
    found = []
    while between := next((each for each in _BETWEEN.finditer(prompt, 0, start) if each.end() == start), None):
        begins = prompt.rfind(" ", 0, between.start()) + 1
        if form.fullmatch(prompt, begins, between.start()) is None or _is_verb(begins, form, prompt):
            break
        found.append((begins, between.start()))
        start = begins
    return found


def _is_verb(begins: int, form: re.Pattern[str], prompt: str) -> bool:
    """Whether a word has its capital letter only because a sentence begins with it."""
    return form is _FORMS[-1] and SENTENCE_BEFORE.search(prompt[:begins]) is not None
