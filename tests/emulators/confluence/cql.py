"""The part of CQL, Confluence's search language, that this site knows: conditions joined by AND, and an order."""

import re
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

_CONDITION = re.compile(
    r'\s*(?P<field>[a-z.]+)\s*(?P<operator>!=|!~|=|~)\s*(?P<value>"(?:[^"\\]|\\.)*"|[\w.-]+)\s*', re.IGNORECASE
)
_ORDER = re.compile(r"\s+order\s+by\s+(?P<field>[a-z]+)(?:\s+(?P<way>asc|desc))?\s*$", re.IGNORECASE)
_OPERATORS = {
    "type": ("=", "!="),
    "space": ("=", "!="),
    "label": ("=", "!="),
    "title": ["=", "!=", "~", "!~"],
    "text": "~",
}
_ORDERS = ("created", "lastmodified", "title")


class CqlError(Exception):
    """A query that Confluence doesn't understand."""


@frozen
class Found:
    """What is searched: its kind, the key of its space, its labels, title and words, and when it was changed."""

    id: str
    type: str
    space: str
    labels: frozenset[str]
    title: str
    text: str
    created: str
    lastmodified: str


def find(query: str, there: Sequence[Found]) -> list[Found]:
    """Return what a query finds, in its order."""
    order = _ORDER.search(query)
    rest = query[: order.start()] if order else query
    checks = [_check(condition) for condition in re.split(r"\bAND\b", rest, flags=re.IGNORECASE)]
    found = [each for each in there if all(check(each) for check in checks)]
    if order is not None:
        name = order["field"].lower()
        if name not in _ORDERS:
            raise CqlError(f"Could not parse cql: results can't be ordered by {name}")
        found.sort(key=lambda each: getattr(each, name), reverse=(order["way"] or "asc").lower() == "desc")
    return found


def _check(condition: str) -> Callable[[Found], bool]:
    parts = _CONDITION.fullmatch(condition)
    if parts is None or parts["operator"] not in _OPERATORS.get(parts["field"].lower(), ()):
        raise CqlError(f"Could not parse cql: {condition.strip()}")
    name, negated, value = parts["field"].lower(), parts["operator"].startswith("!"), parts["value"].strip('"').lower()

    def fits(each: Found) -> bool:
        if parts["operator"].endswith("~"):
            fitting = _has_words(getattr(each, name), value)
        elif name == "label":
            fitting = value in each.labels
        else:
            fitting = getattr(each, name).lower() == value
        return fitting != negated

    return fits


def _has_words(said: str, wanted: str) -> bool:
    words = re.findall(r"\w+", said.lower())
    return all(any(_is(word, each) for word in words) for each in _words(wanted))


def _words(wanted: str) -> Iterator[str]:
    for each in wanted.split():
        if not re.fullmatch(r"[\w]+\*?", each):
            raise CqlError(f"Could not parse cql: the text {wanted} has an operator in it")
        yield each


def _is(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted
