"""Words of a prompt turned into the value that an argument takes."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from service_server.predict.reader.moments import moment_in
from service_server.predict.reader.numbers import number_in, numbers_in
from service_server.predict.reader.places import place_in

_QUOTES = "\"'“”‘’`«»"
_AROUND = " \t\n.,;:!?" + _QUOTES
_ITEM_BREAK = re.compile(r"\s*(?:,|;|\n|&)\s*(?:and\s+|or\s+|plus\s+)?|\s+(?:and|or|plus|y|und|et)\s+", re.IGNORECASE)


def value_of(prompt: str, start: int, end: int, schema: Mapping[str, Any], now: datetime | None) -> Any:
    """Return the plain value that `prompt[start:end]` stands for; None where it stands for none."""
    text = prompt[start:end]
    match schema.get("type", "string"):
        case "number" | "integer":
            return number_in(text, prompt[:start], prompt[end : end + 40], schema)
        case "boolean":
            folded = text.strip(_AROUND).casefold()
            return {"true": True, "yes": True, "false": False, "no": False}.get(folded)
        case "string":
            return _text(text, schema, now)
    return None


def values_of(prompt: str, spans: Sequence[tuple[int, int]], schema: Mapping[str, Any], now: datetime | None) -> Any:
    """Return the list that some spans stand for; None where they stand for none."""
    items = schema.get("items")
    items = items if isinstance(items, Mapping) else {"type": "string"}
    kind = items.get("type", "string")
    if kind in ("array", "object"):
        return _literal(" ".join(prompt[start:end] for start, end in spans), list)
    values: list[Any] = []
    for start, end in spans:
        if kind in ("number", "integer"):
            found = numbers_in(prompt[start:end])
            if len(found) == 1 or not found:
                one = number_in(prompt[start:end], prompt[:start], prompt[end : end + 40], items)
                found = [one] if one is not None else found
            values += [int(each) if items.get("x-integer") and float(each).is_integer() else each for each in found]
        else:
            value = value_of(prompt, start, end, items, now)
            values += [value] if value is not None and value != "" else []
    return values or None


def items_in(text: str) -> list[tuple[int, int]]:
    """Return the places of the items of a list in prose."""
    places = []
    at = 0
    for gap in [*_ITEM_BREAK.finditer(text), None]:
        end = gap.start() if gap else len(text)
        if text[at:end].strip(_AROUND):
            places.append((at, end))
        at = gap.end() if gap else end
    return places


def trimmed(prompt: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without quotation marks and punctuation around it."""
    while start < end and prompt[start] in _AROUND:
        start += 1
    while end > start and prompt[end - 1] in _AROUND:
        end -= 1
    return start, end


def _text(text: str, schema: Mapping[str, Any], now: datetime | None) -> str | None:
    moment = moment_in(text, schema, now)
    if moment is not None:
        return moment
    plain = text.strip()
    if len(plain) > 1 and plain[0] in _QUOTES and plain[-1] in _QUOTES:
        plain = plain[1:-1].strip()
    return place_in(plain, schema) or plain or None


def _literal(text: str, kind: type) -> Any:
    begin, end = text.find("["), text.rfind("]")
    if begin < 0 or end < begin:
        return None
    try:
        value = json.loads(text[begin : end + 1].replace("'", '"').replace("(", "[").replace(")", "]"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, kind) else None
