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
_COPY = re.compile(r"\b(?:cc|(?<!blind )cop(?:y|ies|ying)(?! of\b))\b[^.;,]{0,20}$", re.IGNORECASE)
_IN_BLIND_COPY = re.compile(r"\s+(?:in|on) (?:bcc|(?:the )?blind copy)\b", re.IGNORECASE)
_IN_COPY = re.compile(r"\s+(?:(?:in|on) (?:the )?(?:cc|copy)|in the loop)\b", re.IGNORECASE)
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
        self._copies = {
            role: each
            for each in questions
            if (role := _copies(each)) and each.answer is Answer.LIST and _is_address(each.schema.get("items"))
        }

    def with_copies(self, found: Sequence[Filled], reading: Reading) -> list[Filled]:
        """Return what was filled, with the addresses that get a copy among these: others would see the blind ones."""
        copied: dict[str, list[Mention]] = {}
        for mention in reading.of_kind(Kind.EMAIL):
            role = _role(reading.prompt, mention)
            if role in self._copies:
                copied.setdefault(role, []).append(mention)
        values = list(found)
        for role, mentions in copied.items():
            question, addresses = self._copies[role], [mention.value for mention in mentions]
            own = [value for each in values if each.question == question for value in each.value]
            values = [rest for each in values if (rest := _without(each, addresses)) and each.question != question]
            together = [*(value for value in own if value not in addresses), *addresses]
            values.append(Filled(question, together, mentions[0].start, mentions[0].end, _SURE))
        return values

    def filled(self, found: Sequence[Filled], reading: Reading) -> Iterator[Filled]:
        """Yield the lists with the addresses that nothing else has used, each by the words before it."""
        given = {value.question.path for value in found}
        lists = [rows for rows in self._lists if rows.question.path not in given]
        taken: dict[tuple[str, ...], list[Mention]] = {}
        for mention in reading.of_kind(Kind.EMAIL) if lists else ():
            if any(mention.overlaps(value.start, value.end) for value in found):
                continue
            own = [rows for rows in lists if _copies(rows.question) == _role(reading.prompt, mention)]
            if len(own) == 1 and not _ANOTHER.search(_before(reading.prompt, mention.start)):
                taken.setdefault(own[0].question.path, []).append(mention)
        for rows in lists:
            if mentions := taken.get(rows.question.path):
                value = [{rows.name: mention.value} for mention in mentions]
                yield Filled(rows.question, value, mentions[0].start, mentions[-1].end, _SURE)


def _before(prompt: str, place: int) -> str:
    return prompt[max(0, place - 40) : place]


def _role(prompt: str, address: Mention) -> str | None:
    """Return which kind of copy an address gets, by the words around it; None for none."""
    before = _before(prompt, address.start)
    if _BLIND_COPY.search(before) or _IN_BLIND_COPY.match(prompt, address.end):
        return "bcc"
    return "cc" if _COPY.search(before) or _IN_COPY.match(prompt, address.end) else None


def _without(value: Filled, addresses: Sequence[str]) -> Filled | None:
    """Return a value without the addresses that get a copy; None where nothing is left."""
    if not isinstance(value.value, list):
        return None if value.value in addresses else value
    rest = [each for each in value.value if each not in addresses]
    return value if len(rest) == len(value.value) else evolve(value, value=rest) if rest else None


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
    return _Rows(question, required[0]) if _is_address(properties.get(required[0])) else None


def _is_address(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("format") == "email"
