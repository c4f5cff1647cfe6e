"""Addresses for lists of objects that hold one each: {"email": "bob@example.com"} for whom a message goes to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from service_server.predict.mentions import Kind, Mention
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reading import Reading

# Whose address it is, by the words before it.
_BLIND_COPY = re.compile(r"\b(?:bcc|blind cop(?:y|ies))\b[^.;,]{0,20}$", re.IGNORECASE)
_COPY = re.compile(r"\b(?:cc|(?<!blind )cop(?:y|ies|ying))\b[^.;,]{0,20}$", re.IGNORECASE)
_ANOTHER = re.compile(r"\b(?:from|sender|as|by|repl(?:y|ies)[^.;,]{0,20}to)\b[\s:=<\"']*$", re.IGNORECASE)
_SURE = 0.8


@frozen
class _Rows:
    """A list of objects that need nothing but an e-mail address, under `name`."""

    question: Question
    name: str


class Addressees:
    """The lists of a function that the addresses of a prompt go to; made once."""

    def __init__(self, questions: Sequence[Question], *, creates: bool) -> None:
        """Take a function's questions; an optional list of what exists already isn't filled: it would be replaced."""
        found = [_rows(question) for question in questions if question.required or creates or _copies(question)]
        self._lists = [rows for rows in found if rows is not None]
        self._blind = next((each for each in questions if _copies(each) == "bcc" and _rows(each) is None), None)

    def with_blind_copies(self, found: Sequence[Filled], reading: Reading) -> list[Filled]:
        """Return what was filled, with those behind "bcc" among the blind copies: others would see them there."""
        if self._blind is None:
            return list(found)
        addresses = reading.of_kind(Kind.EMAIL)
        hidden = [each.value for each in addresses if _BLIND_COPY.search(_before(reading.prompt, each.start))]
        shown = [each for each in found if _copies(each.question) == "cc" and not _lacks(each.value, hidden)]
        if not shown:
            return list(found)
        open_copies = [(each, [value for value in each.value if value not in hidden]) for each in shown]
        return [
            *(each for each in found if each not in shown and each.question != self._blind),
            *(evolve(each, value=rest) for each, rest in open_copies if rest),
            evolve(shown[0], question=self._blind, value=hidden),
        ]

    def filled(self, found: Sequence[Filled], reading: Reading) -> Iterator[Filled]:
        """Yield the lists with the addresses that nothing else has used, each by the words before it."""
        given = {value.question.path for value in found}
        lists = [rows for rows in self._lists if rows.question.path not in given]
        taken: dict[tuple[str, ...], list[Mention]] = {}
        for mention in reading.of_kind(Kind.EMAIL) if lists else ():
            if any(mention.overlaps(value.start, value.end) for value in found):
                continue
            before = _before(reading.prompt, mention.start)
            role = "bcc" if _BLIND_COPY.search(before) else "cc" if _COPY.search(before) else None
            own = [rows for rows in lists if _copies(rows.question) == role]
            if len(own) == 1 and not _ANOTHER.search(before):
                taken.setdefault(own[0].question.path, []).append(mention)
        for rows in lists:
            if mentions := taken.get(rows.question.path):
                value = [{rows.name: mention.value} for mention in mentions]
                yield Filled(rows.question, value, mentions[0].start, mentions[-1].end, _SURE)


def _before(prompt: str, place: int) -> str:
    return prompt[max(0, place - 40) : place]


def _lacks(value: Any, addresses: Sequence[str]) -> bool:
    return not isinstance(value, list) or set(addresses).isdisjoint(map(str, value))


def _copies(question: Question) -> str | None:
    """Return which copies a list is for; None where it is for something else."""
    return next((name for name in ("bcc", "cc") if name in question.name.split()), None)


def _rows(question: Question) -> _Rows | None:
    items = question.schema.get("items")
    if question.answer is not Answer.LIST or not isinstance(items, Mapping) or items.get("type") != "object":
        return None
    required: Any = items.get("required")
    properties = items.get("properties")
    if not isinstance(required, list | tuple) or len(required) != 1 or not isinstance(properties, Mapping):
        return None
    schema = properties.get(required[0])
    is_address = isinstance(schema, Mapping) and schema.get("format") == "email"
    return _Rows(question, required[0]) if is_address else None
