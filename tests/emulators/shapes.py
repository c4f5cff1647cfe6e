"""The shapes of what emulators take, in queries and bodies: each says what is wrong with a value."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.emulators.strict import Shape


def text(place: str, value: Any) -> Iterator[str]:
    """Take any text."""
    if not isinstance(value, str):
        yield f"{place} is no text: {value!r}"


def truth(place: str, value: Any) -> Iterator[str]:
    """Take true or false, also in the words of a query."""
    if not isinstance(value, bool) and value not in ("true", "false"):
        yield f"{place} is neither true nor false: {value!r}"


def words(*allowed: str) -> Shape:
    """Take one of a few words."""

    def check(place: str, value: Any) -> Iterator[str]:
        if value not in allowed:
            yield f"{place} is none of {', '.join(allowed)}: {value!r}"

    return check


def many(*allowed: str) -> Shape:
    """Take some of a few words, with commas between them."""

    def check(place: str, value: Any) -> Iterator[str]:
        for each in str(value).split(","):
            yield from words(*allowed)(place, each)

    return check


def matching(pattern: str) -> Shape:
    """Take a text that fits a pattern as a whole."""

    def check(place: str, value: Any) -> Iterator[str]:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            yield f"{place} doesn't fit {pattern}: {value!r}"

    return check


def count(least: int, most: int) -> Shape:
    """Take a whole number in a query."""

    def check(place: str, value: Any) -> Iterator[str]:
        if not str(value).isdigit() or not least <= int(value) <= most:
            yield f"{place} isn't between {least} and {most}: {value!r}"

    return check


def whole(least: int = 0, most: int = 2**31) -> Shape:
    """Take a whole number in a body."""

    def check(place: str, value: Any) -> Iterator[str]:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            yield f"{place} is no whole number between {least} and {most}: {value!r}"

    return check


def listing(item: Shape, most: int | None = None) -> Shape:
    """Take a list of things of one shape."""

    def check(place: str, value: Any) -> Iterator[str]:
        if not isinstance(value, list):
            yield f"{place} is no list: {value!r}"
            return
        if most is not None and len(value) > most:
            yield f"{place} has more than {most} entries"
        for position, each in enumerate(value):
            yield from item(f"{place}.{position}", each)

    return check


def mapping(values: Shape) -> Shape:
    """Take an object of any keys, whose values have one shape."""

    def check(place: str, value: Any) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{place} is no object: {value!r}"
            return
        for name, each in value.items():
            yield from values(f"{place}.{name}", each)

    return check


def keys(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """Take an object that has these keys and no others."""
    known = {**required, **(optional or {})}

    def check(place: str, value: Any) -> Iterator[str]:
        if not isinstance(value, dict):
            yield f"{place} is no object: {value!r}"
            return
        for name in required.keys() - value.keys():
            yield f"{place} lacks {name}"
        for name, each in value.items():
            if name not in known:
                yield f"{place} has no {name}"
            else:
                yield from known[name](f"{place}.{name}", each)

    return check
