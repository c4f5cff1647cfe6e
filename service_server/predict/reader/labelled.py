"""Items behind their label: "watchers: Carla and Emre Erdem"."""

import re
from collections.abc import Iterator

from attrs import evolve

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.questions import Answer

_SEPARATOR = re.compile(r"\s*[,&]\s*(?:and\s+)?|\s+and\s+")
_MOST_WORDS = 4


def with_labelled(reply: Reply, prompt: str) -> Reply:
    """Return a list's reply with the items that were overlooked beside others behind the argument's own name."""
    if reply.question.answer is not Answer.LIST or not reply.spans:
        return reply
    found = re.search(rf"\b{re.escape(reply.question.name)}:\s+([^.;:\"\n]+)", prompt, re.IGNORECASE)
    if found is None or not all(found.start(1) <= span.start and span.end <= found.end(1) for span in reply.spans):
        return reply
    sure = min(span.confidence for span in reply.spans)
    more = [
        Span(start, end, sure)
        for start, end in _items(prompt, *found.span(1))
        if all(end <= span.start or span.end <= start for span in reply.spans)
    ]
    return evolve(reply, spans=tuple(sorted((*reply.spans, *more), key=lambda span: span.start)))


def _items(prompt: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of short items between separators."""
    at = start
    for separator in [*_SEPARATOR.finditer(prompt, start, end), None]:
        until = separator.start() if separator else end
        if 0 < len(prompt[at:until].split()) <= _MOST_WORDS:
            yield at, until
        at = separator.end() if separator else end
