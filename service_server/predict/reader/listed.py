"""Values that an argument's description names: 'one of "spades", "hearts"', "(e.g., walk, run, lift)"."""

import re
from collections.abc import Mapping
from typing import Any

from service_server.predict.words import words_of

_QUOTED = re.compile(r"['\"‘“]([^'\"’”]{2,30})['\"’”]")
_EXAMPLES = re.compile(r"\((?:e\.g\.|for example|such as),? ([^()]{3,200})\)", re.IGNORECASE)
_BETWEEN = re.compile(r",\s*(?:or |and )?|\s+or\s+")
_LONGEST = 30


def listed_value(text: str, schema: Mapping[str, Any]) -> str | None:
    """
    Return the named value that a text is another form of ("heart" for "hearts").

    None where fewer than two values are named, or none of them is meant.
    """
    named = _named(str(schema.get("description", "")))
    if len(named) < 2 or len(text) > _LONGEST:
        return None
    stems = [word.stem for word in words_of(text)]
    return next((each for each in named if stems and [word.stem for word in words_of(each)] == stems), None)


def _named(description: str) -> list[str]:
    examples = [each.strip() for found in _EXAMPLES.findall(description) for each in _BETWEEN.split(found)]
    return _QUOTED.findall(description) or [each for each in examples if 2 <= len(each) <= _LONGEST]
