"""Patterns for texts, checked only if no text can keep the page waiting: the service checks them all anyway."""

import re
from functools import lru_cache
from re import _constants, _parser  # type: ignore[attr-defined, unused-ignore]  # as whoever else is checked imports them
from typing import Any

MOST_STEPS = 200_000
"""Places in a text times ways to go on; more might be noticed, since all instances of a page share one worker."""

_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_ONE_CHARACTER = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
_ENDLESS = float("inf")


def matches(pattern: str, value: str) -> bool:
    """Search as JSON Schema does; also True if the pattern can't be read, or might take too long."""
    try:
        if _steps(pattern, len(value)) > MOST_STEPS:
            return True
        return re.search(pattern, value) is not None
    except (re.error, OverflowError, RecursionError):
        return True


@lru_cache(maxsize=256)
def _parsed(pattern: str) -> Any:
    return _parser.parse(pattern)


def _steps(pattern: str, length: int) -> float:
    """Return how many steps a search in a text of this length takes at most; infinite where ways multiply."""
    parsed = _parsed(pattern)
    starts = 1 if parsed and parsed[0] == (_constants.AT, _constants.AT_BEGINNING) else length + 1
    return starts * _ways(parsed, length)


def _ways(parsed: Any, length: int) -> float:
    """Return in how many ways a part of a pattern can go through a text."""
    ways = 1.0
    for operation, argument in parsed:
        if operation in _REPEATS:
            least, most, body = argument
            if least == most and most <= length + 1:
                ways *= _ways(body, length) ** max(1, int(most))
            elif len(body) == 1 and body[0][0] in _ONE_CHARACTER:
                ways *= min(int(most), length) - min(int(least), length) + 1
            elif int(most) <= 1:
                ways *= 1 + _ways(body, length)
            else:
                return _ENDLESS  # repeating a choice doubles the ways with every character
        elif operation is _constants.SUBPATTERN:
            ways *= _ways(argument[-1], length)
        elif operation is _constants.BRANCH:
            ways *= sum(_ways(branch, length) for branch in argument[1])
        elif operation in (_constants.ASSERT, _constants.ASSERT_NOT):
            ways *= _ways(argument[1], length)
        elif operation not in (*_ONE_CHARACTER, _constants.AT):
            return _ENDLESS
        if ways > MOST_STEPS:
            return _ENDLESS
    return ways
