"""Reading JSON that others wrote: only values that can be written again, and no deeper than anyone means."""

import json
import math
import re
from typing import Any

MAX_DEPTH = 100
_HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(text: str | bytes, *, as_unicode: bool = False) -> Any:
    """
    Return the value of a JSON text; with `as_unicode` its texts must be Unicode, without halves of surrogate pairs.

    Raises:
        ValueError: for what is not JSON (JSONDecodeError, UnicodeError), for NaN and numbers beyond every float, which
            could not be written as JSON again, and for nesting deeper than `MAX_DEPTH`, on which code that walks
            through a value would fail.
    """
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _is_deeper(value, MAX_DEPTH):
        raise ValueError("nested too deeply")
    if as_unicode and _HALF_A_PAIR.search(text if isinstance(text, str) else text.decode()):
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _is_deeper(value: Any, depth: int) -> bool:
    """Go through the value level by level, since it may be too deep for a recursion."""
    level = [value]
    for _ in range(depth + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
