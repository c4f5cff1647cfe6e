"""Names that are written with capital letters, where the reader is surer of a part: all of "Moonlit Guild"."""

import re
from collections.abc import Collection, Sequence

from attrs import evolve

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.filling import SURE, TEST
from service_server.predict.reader.questions import Answer

_CAPITALISED = re.compile(r"(?:(?:^| )(?:[A-Z][\w'’&.-]*|&|\d+))* ?")
_CAPITALS_BEFORE = re.compile(r"(?:[A-Z][\w'’&.-]* )*")
# "Crack in bell 3" and "Copy of Seating" are a name each, "Trip in Garden" are two.
_BEGINS_A_NAME = re.compile(r"[A-Z][^,;:!?]* (?:of|in|on|for|about|with) (?:the )?")
_BEGINS_BEFORE_A_CAPITAL = re.compile(r"[A-Z][\w'’]* of (?:the )?")
# "Leasing (copy)" isn't "Leasing".
_COPY = re.compile(
    r" (?:\((?:copy|old|new|draft|test|backup|duplicate|final|v?\d+)(?: \d+)?\)|copy(?= (?:from|in|on|of|out)\b))",
    re.IGNORECASE,
)
_SENTENCE_BEFORE = re.compile(r"(?:^|[.!?:;\n])\s*[\"'“‘(]*$")


def with_whole_names(replies: Sequence[Reply], names: Collection[tuple[str, ...]], prompt: str) -> list[Reply]:
    """
    Return the replies, of which those for `names`, by their paths, begin with the whole name.

    It is one of the spans that the reader thought of itself: longer than the likeliest by words with capital letters,
    or such as begin with one ("Minutes of the club" for "club").
    """
    surely = [reply.spans[0] for reply in replies if reply.spans and reply.spans[0].confidence >= SURE]
    found = []
    for reply in replies:
        is_name = reply.question.path in names and reply.question.answer is Answer.WORDS
        if is_name and reply.spans and (test := _test_before(prompt, reply.spans[0].start)) is not None:
            reply = evolve(reply, spans=(evolve(reply.spans[0], start=test), *reply.spans[1:]))
        if is_name and reply.spans and (copy := _COPY.match(prompt, reply.spans[0].end)):
            reply = evolve(reply, spans=(evolve(reply.spans[0], end=copy.end()), *reply.spans[1:]))
        elif is_name and len(reply.spans) > 1:
            best, *others = reply.spans
            whole = [each for each in others if _is_whole(each, best, surely, prompt)]
            if whole:
                longest = max(whole, key=lambda span: span.end - span.start)
                first = evolve(longest, confidence=best.confidence)
                reply = evolve(reply, spans=(first, *(each for each in reply.spans if each is not longest)))
        found.append(reply)
    return found


def _test_before(prompt: str, start: int) -> int | None:
    """Return where "Test" begins, right before a place."""
    found = [match.start() for match in TEST.finditer(prompt, 0, start) if match.end() == start]
    return found[0] if found else None


def _is_whole(longer: Span, best: Span, surely: Sequence[Span], prompt: str) -> bool:
    if not longer.start <= best.start < best.end <= longer.end:
        return False
    added = ((longer.start, best.start), (best.end, longer.end))
    if any(span is not best and start < span.end and span.start < end for span in surely for start, end in added):
        return False
    if _CAPITALISED.fullmatch(prompt, best.end, longer.end) is None:
        return False
    if _CAPITALS_BEFORE.fullmatch(prompt, longer.start, best.start) is None or prompt[best.start : best.end].isdigit():
        begins = _BEGINS_BEFORE_A_CAPITAL if prompt[best.start].isupper() else _BEGINS_A_NAME
        if begins.fullmatch(prompt, longer.start, best.start) is None:
            return False
    return longer.start == best.start or _SENTENCE_BEFORE.search(prompt[: longer.start]) is None
