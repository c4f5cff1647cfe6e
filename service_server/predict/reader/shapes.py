"""Whether a value has the shape that an argument takes: an e-mail address is no id, "ch_…" is no payment's id."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.predict.reader.questions import Question
from service_server.predict.reader.sums import asks_for_sum

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_PREFIXED = re.compile(r"([A-Za-z]{2,8})_[A-Za-z0-9]{3,}")
_NO_EMAILS = frozenset({"id", "ids", "uid", "uuid", "gid", "key", "username", "login"})
_SENDERS = frozenset({"from", "sender"})
_SENDS = re.compile(r"\b(?:from|as|sender|by)\b[\s:=<\"']*$", re.IGNORECASE)
_SENDS_BEHIND = re.compile(r" (?:sends|sent|writes|wrote|mails|e-?mails)\b", re.IGNORECASE)
_RECEIVERS = frozenset({"to", "recipient", "recipients"})
_COMES_FROM = re.compile(r"\b(?:from|sender|sent by)\b[\s:=<\"']*$", re.IGNORECASE)
_KINDS = frozenset({"type", "kind", "category"})
_CALLED = re.compile(r"\b(?:called|named|titled|entitled)\b[\s:\"'“‘]*$", re.IGNORECASE)
# "Mark invoice 1044 as paid" says which invoice, and "invoice 500 to Globex" says how much.
_NUMBERED = re.compile(
    r"\w[\w'’]* (?:\w+ )?(?:invoice|bill|order|receipt|charge|payment|quote|estimate|booking|ticket)"
    r"(?: (?:no\.?|nr\.?|number))? ?#?$",
    re.IGNORECASE,
)
_EMAIL_SHAPE = "@"


def shape_of(value: object) -> str | None:
    """Return what a value's form says about it: "@" for an e-mail address, "ch" for "ch_123"; None if nothing."""
    if not isinstance(value, str):
        return None
    if _EMAIL.fullmatch(value):
        return _EMAIL_SHAPE
    prefixed = _PREFIXED.fullmatch(value)
    return prefixed[1] if prefixed is not None and any(character.isdigit() for character in value) else None


def shapes_in(examples: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, frozenset[str]]:
    """Return the shapes of the values in a function's examples, by argument, where all of its values have one."""
    shapes: dict[str, set[str | None]] = {}
    for _, arguments in examples:
        for name, value in arguments.items():
            shapes.setdefault(name, set()).add(shape_of(value))
    return {name: frozenset(shape for shape in found if shape) for name, found in shapes.items() if None not in found}


def has_other_shape(question: Question, value: object, shapes: frozenset[str]) -> bool:
    """Whether a value is of another kind than the argument takes; `shapes` are those of its known values."""
    shape = shape_of(value)
    if shape is None or not isinstance(value, str):
        return False
    if shapes:
        return shape not in shapes
    takes_email = "mail" in question.text.casefold() or question.schema.get("format") == "email"
    return shape == _EMAIL_SHAPE and not takes_email and not _NO_EMAILS.isdisjoint(question.name.split())


def has_other_role(question: Question, value: object, before: str, behind: str) -> bool:
    """Whether the words around a value rule it out for this argument: it is no sender, no sum, or no kind."""
    if isinstance(value, int) and asks_for_sum(question.schema):
        return _NUMBERED.search(before[-40:]) is not None
    path = {word for part in question.path for word in re.split(r"[_.\s]", part.casefold())}
    if path & _SENDERS and shape_of(value) == _EMAIL_SHAPE:
        return _SENDS.search(before[-40:]) is None and _SENDS_BEHIND.match(behind) is None
    if path & _RECEIVERS and shape_of(value) == _EMAIL_SHAPE:
        return _COMES_FROM.search(before[-40:]) is not None or _SENDS_BEHIND.match(behind) is not None
    return not _KINDS.isdisjoint(question.name.split()) and _CALLED.search(before[-40:]) is not None
