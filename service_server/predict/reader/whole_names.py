"""Names that are written with capital letters, where the reader is surer of a part: all of "Moonlit Guild"."""

import re
from collections.abc import Collection, Sequence, Set

from attrs import evolve

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.filling import SURE, TEST
from service_server.predict.reader.questions import Answer
from service_server.predict.words import STOP_WORDS, stem, word_set, words_of

_CAPITALISED = re.compile(r"(?:(?:^| )(?:[A-Z][\w'’&.-]*|&|\d+))* ?")
_CAPITALS_BEFORE = re.compile(r"(?:[A-Z][\w'’&.-]* )*")
# "Crack in bell 3" and "Copy of Seating" are a name each, "Trip in Garden" are two.
_BEGINS_A_NAME = re.compile(r"[A-Z][^,;:!?]* (?:of|in|on|for|about|with) (?:the )?")
_BEGINS_BEFORE_A_CAPITAL = re.compile(r"[A-Z][\w'’]* of (?:the )?")
# "Notes for Ana", "Top 10 of 2027"
_ENDS_A_NAME = re.compile(
    r" (?:for|of|to|by|with|about|in|at|on|from|and) (?:the )?(?:[A-Z][\w'’&-]*|\d+)(?: (?:[A-Z][\w'’&-]*|\d+))*"
)
_NEARLY = 0.5
# How likely all of such a name must be where nothing else is as likely to be meant with its end.
_LIKELY_ENOUGH = 0.2
_CLAIMED = 0.3
# "Leasing (copy)" isn't "Leasing".
_COPY = re.compile(
    r" (?:\((?:copy|old|new|draft|test|backup|duplicate|final|v?\d+)(?: \d+)?\)|copy(?= (?:from|in|on|of|out)\b))",
    re.IGNORECASE,
)
# "Fjord Timber AS": the model reads no capital letters, and takes "AS" for a word.
_LEGAL_FORM = re.compile(
    r"(?: (?:A/S|AB|AG|AS|ApS|BV|Corp|GmbH|Inc|KG|LLC|LLP|Ltd|NV|Oy|PLC|plc|Pty Ltd|SA|SARL|SAS|SE|SL|SRL|SpA)\.?"
    r"| & Co\.?(?: KG| OHG)?)+(?=$|[\s,.;:!?)'\"’”])"
)
# How likely a longer span must be for the noun behind a name to be part of it.
_THOUGHT_OF = 0.14
_ENDS_WITH_A_CAPITAL = re.compile(r"(?:^|[^\w])[A-Z][\w'’&.-]*$")
_NOUN = re.compile(r"(?: [a-z][\w-]*){1,2}")
_BOUNDARY = re.compile(
    r"$|[.,;:!?)\"'”’]|\s+(?:\d|[A-Z£$€✓(]|(?:a|an|the|my|our|two|three|in|on|at|to|from|of|for|by|with|until|till|as|and|is"
    r"|was|has|alone|again|now|today|tomorrow|tonight|yesterday|please|going|over|into|off|out|back|away)\b)"
)
_NO_NOUNS = STOP_WORDS | word_set(
    """is are was were has have had been will can must should needs need now today tomorrow tonight yesterday
    again asap soon alone away back done won lost off out going goes gone instead too later first please urgent
    live online twice per acc pls thanks mustn't shouldn't sleep to-dos add left rest comes signed joins leaves
    conversation thread chat tab sheet team site board list channel room project folder page doc file base table card
    task issue ticket deal account group label tag badge role space app repo repository event
    monday tuesday wednesday thursday friday saturday sunday morning afternoon evening noon midnight weekly daily"""
)
# Behind a person's name stands what she does: "Renske retires".
_PEOPLE = frozenset(
    map(
        stem,
        word_set(
            """person people contact user member customer assignee attendee owner employee collaborator reviewer lead
            candidate subscriber recipient"""
        ),
    )
)
SENTENCE_BEFORE = re.compile(r"(?:^|[.!?:;\n])\s*[\"'“‘(]*$")
"""Ends what stands before the first word of a sentence, which has a capital letter whatever it is."""


def with_whole_names(replies: Sequence[Reply], names: Collection[tuple[str, ...]], prompt: str) -> list[Reply]:
    """
    Return the replies, of which those for `names`, by their paths, begin with the whole name.

    It is one of the spans that the reader thought of itself: longer than the likeliest by words with capital letters,
    or such as begin with one ("Minutes of the club" for "club"). In any reply a company's name has its legal form, and
    a name its end ("Trip to Bath") where nothing else is as likely to be meant by it.
    """
    surely = [reply.spans[0] for reply in replies if reply.spans and reply.spans[0].confidence >= SURE]
    claimed = [(reply, span) for reply in replies for span in reply.spans if span.confidence >= _CLAIMED]
    found = []
    for reply in replies:
        is_name = reply.question.path in names and reply.question.answer is Answer.WORDS
        if reply.question.answer is Answer.WORDS and reply.spans and (form := _form_behind(prompt, reply.spans[0])):
            reply = evolve(reply, spans=(evolve(reply.spans[0], end=form), *reply.spans[1:]))
        if is_name and reply.spans and (test := _test_before(prompt, reply.spans[0].start)) is not None:
            reply = evolve(reply, spans=(evolve(reply.spans[0], start=test), *reply.spans[1:]))
        if is_name and reply.spans and (copy := _COPY.match(prompt, reply.spans[0].end)):
            reply = evolve(reply, spans=(evolve(reply.spans[0], end=copy.end()), *reply.spans[1:]))
        elif reply.question.answer is Answer.WORDS and len(reply.spans) > 1:
            best, *others = reply.spans
            claims = [span for other, span in claimed if other.question is not reply.question]
            kinds = frozenset(word.stem for word in words_of(reply.question.text.partition("(")[0]))
            whole = [
                each
                for each in others
                if _ends_with_a_place(each, best, claims, prompt)
                or (is_name and _is_whole(each, best, surely, prompt))
                or (is_name and _has_its_noun(each, best, surely, kinds, prompt))
            ]
            if whole:
                longest = max(whole, key=lambda span: span.end - span.start)
                first = evolve(longest, confidence=best.confidence)
                reply = evolve(reply, spans=(first, *(each for each in reply.spans if each is not longest)))
        found.append(reply)
    return found


def _has_its_noun(longer: Span, best: Span, surely: Sequence[Span], kinds: Set[str], prompt: str) -> bool:
    """
    Whether a span is the likeliest one and the noun that ends its name: "Primary on-call", "Nightly build".

    What a word of the `kinds` asked for says isn't part of a name: "the Auction base".
    """
    if (
        not kinds.isdisjoint(_PEOPLE)
        or longer.start != best.start
        or longer.end <= best.end
        or longer.confidence < _THOUGHT_OF
    ):
        return False
    if any(span is not best and best.end < span.end and span.start < longer.end for span in surely):
        return False
    if _ENDS_WITH_A_CAPITAL.search(prompt[best.start : best.end]) is None or not _BOUNDARY.match(prompt, longer.end):
        return False
    noun = _NOUN.fullmatch(prompt, best.end, longer.end)
    return noun is not None and all(stem(word) not in kinds and word not in _NO_NOUNS for word in noun[0].split())


def _test_before(prompt: str, start: int) -> int | None:
    """Return where "Test" begins, right before a place."""
    found = [match.start() for match in TEST.finditer(prompt, 0, start) if match.end() == start]
    return found[0] if found else None


def _ends_with_a_place(longer: Span, best: Span, claims: Sequence[Span], prompt: str) -> bool:
    """Whether a span is the likeliest one and the end of its name, which no other question is likely to ask for."""
    return (
        longer.start == best.start
        and longer.end > best.end
        and longer.confidence >= _LIKELY_ENOUGH
        and not any(best.end < claim.end and claim.start < longer.end for claim in claims)
        and _ENDS_WITH_A_CAPITAL.search(prompt[best.start : best.end]) is not None
        and _ENDS_A_NAME.fullmatch(prompt, best.end, longer.end) is not None
        and _BOUNDARY.match(prompt, longer.end) is not None
    )


def _form_behind(prompt: str, name: Span) -> int | None:
    """Return where a company's legal form ends that stands right behind its name."""
    form = _LEGAL_FORM.match(prompt, name.end) if _ENDS_WITH_A_CAPITAL.search(prompt[name.start : name.end]) else None
    return None if form is None else form.end()


def _is_whole(longer: Span, best: Span, surely: Sequence[Span], prompt: str) -> bool:
    if not longer.start <= best.start < best.end <= longer.end:
        return False
    added = ((longer.start, best.start), (best.end, longer.end))
    if any(span is not best and start < span.end and span.start < end for span in surely for start, end in added):
        return False
    if _CAPITALISED.fullmatch(prompt, best.end, longer.end) is None:
        return (
            longer.start == best.start
            and longer.confidence >= _NEARLY * best.confidence
            and _ENDS_A_NAME.fullmatch(prompt, best.end, longer.end) is not None
            and _BOUNDARY.match(prompt, longer.end) is not None
        )
    if _CAPITALS_BEFORE.fullmatch(prompt, longer.start, best.start) is None or prompt[best.start : best.end].isdigit():
        begins = _BEGINS_BEFORE_A_CAPITAL if prompt[best.start].isupper() else _BEGINS_A_NAME
        if begins.fullmatch(prompt, longer.start, best.start) is None:
            return False
    return longer.start == best.start or SENTENCE_BEFORE.search(prompt[: longer.start]) is None
