"""Items behind their label: "watchers: Carla and Emre Erdem"."""

import re

from attrs import evolve

from service_server.predict.label_matching import BETWEEN_NAMES
from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.questions import Answer
from service_server.predict.reader.values import items_in

_MOST_WORDS = 4


def with_labelled(reply: Reply, prompt: str) -> Reply:
    """Return a list's reply with the short items that were overlooked beside others behind the argument's own name."""
    if reply.question.answer is not Answer.LIST or not reply.spans:
        return reply
    found = re.search(rf"\b{re.escape(reply.question.name)}:\s+([^.;:\"\n]+)", prompt, re.IGNORECASE)
    if found is None or not all(found.start(1) <= span.start and span.end <= found.end(1) for span in reply.spans):
        return reply
    sure = min(span.confidence for span in reply.spans)
    items = [
        Span(found.start(1) + start, found.start(1) + end, sure) for start, end in items_in(found[1], BETWEEN_NAMES)
    ]
    more = [
        item
        for item in items
        if len(prompt[item.start : item.end].split()) <= _MOST_WORDS
        and all(item.end <= span.start or span.end <= item.start for span in reply.spans)
    ]
    return evolve(reply, spans=tuple(sorted((*reply.spans, *more), key=lambda span: span.start)))
