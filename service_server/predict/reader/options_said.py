"""The option whose own name the words for an answer have: "do not disturb", "60 in stock"."""

import re
from collections.abc import Sequence
from typing import Any

from service_server.predict.option_labels import names_of
from service_server.predict.reader.answers import Reply
from service_server.predict.words import identifier_words, words_of

_DENIED = re.compile(r"\b(?:not|no|never|without|instead|rather|from|nobody|none|un\w+)\b|n['’]t\b", re.IGNORECASE)
_BEFORE = len("rather than ")
_SHORTEST = 4
_SURE = 0.5


def option_said(reply: Reply, prompt: str) -> Any:
    """Return the only option that the words for an answer name; None for none or several."""
    if not reply.spans:
        return None
    span, schema = reply.spans[0], reply.question.schema
    words = prompt[span.start : span.end]
    names = {option: names_of(option, schema) for option in reply.question.options}
    # What the reader itself chose may be more special than what is said: "money back" with a return.
    special = [_readable(name) for at in reply.options[:1] for name in names[reply.question.options[at]]]
    stems = [word.stem for word in words_of(words)]
    same = [
        option
        for option, own in names.items()
        if stems in ([word.stem for word in identifier_words(name)] for name in own)
    ]
    if len(same) == 1:
        is_sure = reply.confidence >= _SURE
        return None if is_sure and any(_is_part(_readable(name), special) for name in names[same[0]]) else same[0]
    if _DENIED.search(prompt, max(0, span.start - _BEFORE), span.end):
        return None
    said = {option: longest for option, own in names.items() if (longest := _longest_said(own, words))}
    whole = [option for option, name in said.items() if not _is_part(name, [*said.values(), *special])]
    return whole[0] if len(whole) == 1 else None


def _is_part(name: str, others: Sequence[str]) -> bool:
    return any(name in other and name != other for other in others)


def _readable(name: str) -> str:
    return name.replace("_", " ").casefold()


def _longest_said(names: tuple[str, ...], words: str) -> str:
    """Return the longest of some names that stands in a text; an empty text where none does."""
    folded = words.casefold()
    said = [
        name
        for name in map(_readable, names)
        if len(name) >= _SHORTEST and name in folded and re.search(rf"\b{re.escape(name)}\b", folded)
    ]
    return max(said, key=len, default="")
