"""Sums of money, and parts of them: what asks for one, and where a text speaks of one."""

import re
from collections.abc import Mapping
from typing import Any

_SUM = re.compile(r"\bhow much\b|\bamount|\bsums?\b|\bcents\b|\bmoney\b", re.IGNORECASE)
_PART = re.compile(r"percent|per cent|%|\brates?\b|\bratio|\bshare|fraction|decimal|discount|interest", re.IGNORECASE)
IN_PERCENT = r"[\d.,]+\s?(?:%|per\s?cent\b)"
_SHARE = re.compile(rf"\s*(?:{IN_PERCENT}|(?:a )?(?:half|third|quarter)\b)", re.IGNORECASE)
_SHARE_OF = re.compile(
    rf"\b{IN_PERCENT}|\b(?:half|third|quarter|(?:two|three) (?:thirds|quarters)) (?:of|the)\b", re.IGNORECASE
)
_SUM_SAID = re.compile(
    r"[$€£]\s?\d[\d.,]*|(?<![\w.,])\d[\d,]*(?:\.\d\d(?![\w.%])|(?:\.\d+)?\s?(?:dollars?|euros?|pounds?|usd|eur|gbp|[€£])\b)",
    re.IGNORECASE,
)


def is_share_of_sum(words: str, schema: Mapping[str, Any]) -> bool:
    """Whether words say a part of a sum of money, which is no sum by itself: "50%", "half"."""
    return asks_for_sum(schema) and _SHARE.match(words) is not None


def asks_for_sum(schema: Mapping[str, Any]) -> bool:
    """Whether an argument is a sum of money, and no share or rate."""
    description = str(schema.get("description", ""))
    return _SUM.search(description) is not None and _PART.search(description) is None


def shares_in(text: str) -> list[tuple[int, int]]:
    """Return where a text speaks of a part of something: "30 percent", "half of"; half past nine is none."""
    return [match.span() for match in _SHARE_OF.finditer(text)]


def sums_in(text: str) -> list[tuple[int, int]]:
    """Return where a text speaks of a sum of money: "$20", "15.50", "30 euros"."""
    return [match.span() for match in _SUM_SAID.finditer(text)]
