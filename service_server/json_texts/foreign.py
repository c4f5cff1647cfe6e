"""Reading JSON that others wrote: only values that can be written again, no deeper and no more than anyone means."""

import contextlib
import gc
import json
import math
import re
from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 100
MAX_VALUES = 25_000
"""What is read and walked through within a few ms, during which the event loop serves nobody else."""
_LONGEST_SEARCHED = 2 * 1024 * 1024
_HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


class TooManyValues(ValueError):
    """A JSON text that holds more values than may be read at once."""


def read_json(
    text: str | bytes, *, as_unicode: bool = False, most_values: int | None = MAX_VALUES, most_bytes: int | None = None
) -> Any:
    """
    Return the value of a JSON text; with `as_unicode` its texts must be Unicode, without halves of surrogate pairs.

    Raises:
        TooManyValues: for more than `most_values`, keys not counted, or a text longer than `most_bytes`. Only who keeps
            no others waiting may pass None as the first.
        ValueError: for what is not JSON (JSONDecodeError, UnicodeError), for NaN and numbers beyond every float, which
            could not be written as JSON again, and for nesting deeper than `MAX_DEPTH`, on which code that walks
            through a value would fail.
    """
    if most_bytes is not None and len(text) > most_bytes:
        raise TooManyValues(f"longer than {most_bytes} bytes")
    with uncollected():
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        if most_values is not None:
            _count_values(text, most_values)
        try:
            value = _DECODER.decode(text)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        _check_depth(value)
        if as_unicode and _HALF_A_PAIR.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    return value


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """
    Put off garbage collection for the block.

    A value that is being read is no garbage, and looking for some in it again and again takes several times as long
    as reading it.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _count_values(text: str, most_values: int) -> None:
    """Refuse too many values before they are read: all but one follow a comma or an opening bracket."""
    if len(text) <= most_values or _marks(text) < most_values:
        return
    # Some of these may stand in strings, of which there are two for each value at most. Of what is longer than any
    # body may be they are not told apart, which would take long.
    if (
        len(text) > _LONGEST_SEARCHED
        or text.count('"') - text.count('\\"') > 4 * most_values
        or _marks(_STRING.sub("", text)) >= most_values
    ):
        raise TooManyValues(f"more than {most_values} values")


def _marks(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def _check_depth(value: Any) -> None:
    """Go through the value level by level, since it may be too deep for a recursion."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_DEPTH):
        if not level:
            return
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
    if level:
        raise ValueError("nested too deeply")


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
