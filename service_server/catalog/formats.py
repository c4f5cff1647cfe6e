"""The forms of texts that JSON Schema's own checks don't have as apps do."""

import re
from collections.abc import Callable
from typing import Final

FILE_ID = r"file_[A-Za-z0-9_-]{22}"

_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?")
_FILE = re.compile(rf"{FILE_ID}|https://[\x21-\x7e]{{3,2040}}")

FORMATS: Final[dict[str, Callable[[str], bool]]] = {
    "time": lambda text: _TIME_OF_DAY.fullmatch(text) is not None,
    "file": lambda text: _FILE.fullmatch(text) is not None,
}
"""
What tells whether a text has a form, by its name.

A `time` is one of a day, as apps and the time pickers of browsers have it: 14:30 or 14:30:00. JSON Schema's own has the
offset from UTC, too, which no such app takes. A `file` is the id of one that the service keeps, or where one is in the
web.
"""
