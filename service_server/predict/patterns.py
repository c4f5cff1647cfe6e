"""Looks for what a prompt says in the ways that each of many functions asks about."""

import re
from functools import lru_cache

_MOST_ANSWERS = 1024


@lru_cache(_MOST_ANSWERS)
def found_in(pattern: re.Pattern[str], prompt: str) -> re.Match[str] | None:
    """Return where a prompt says something first; it is searched once, however many functions ask."""
    return pattern.search(prompt)
