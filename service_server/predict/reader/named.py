"""What is a name: "Orange county" is the county Orange, "The French Laundry" keeps its article, "EUR" is no API key."""

import re

from service_server.predict.reader.questions import Answer, Question
from service_server.predict.words import words_of

_NOT_A_KIND = frozenset({"name", "id", "title", "type", "to", "from"})
_KEYS = re.compile(r"\b(?:api|access|secret) ?(?:key|token)\b|\bappid\b|\bclient secret\b")
_LONGEST_WORD = 16
_ARTICLE = re.compile(r"[\w,] (The )$")


def named_place(prompt: str, start: int, end: int, question: Question) -> tuple[int, int]:
    """Return where the name stands that an argument of type string takes, given where it stands about."""
    if question.answer is not Answer.WORDS or question.schema.get("type") != "string" or "format" in question.schema:
        return start, end
    end = _without_kind(prompt, start, end, question)
    article = _ARTICLE.search(prompt[:start])
    return (article.start(1) if article and prompt[start : start + 1].isupper() else start), end


def _without_kind(prompt: str, start: int, end: int, question: Question) -> int:
    """Return the end of a proper name without the word for what it is, where that is the argument's own: "county"."""
    kinds = [word for word in question.name.split() if word not in _NOT_A_KIND]
    words = words_of(prompt[start:end])
    for count in (1, 2):  # "timezone" is written in two words as well
        last = words[-count:]
        if len(words) <= count or not kinds or "".join(word.folded for word in last) != kinds[-1]:
            continue
        before = prompt[start : start + last[0].start].rstrip()
        own_name = prompt[start + words[-count - 1].start].isupper() and not before.endswith(("'s", "’s"))
        if own_name and prompt[start + last[0].start].islower():
            return start + len(before)
    return end


def is_no_key(question: Question, value: object) -> bool:
    """Whether an argument takes the key to an interface and the words are none: those are long, or not of letters."""
    if not isinstance(value, str) or not _KEYS.search(question.name):
        return False
    return " " in value or (len(value) < _LONGEST_WORD and value.isalpha())
