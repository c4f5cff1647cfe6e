"""Words of a prompt turned into the value that an argument takes."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from jsonschema_rs import Draft202012Validator

from service_server.predict.mentions import find_lengths
from service_server.predict.option_labels import MULTILINE
from service_server.predict.reader.codes import code_in
from service_server.predict.reader.listed import listed_value
from service_server.predict.reader.moments import asks_for_a_form, day_before, moment_in, place_of_moment
from service_server.predict.reader.numbers import number_in, numbers_in, wanted_seconds
from service_server.predict.reader.places import place_in
from service_server.predict.reader.questions import description_and_example
from service_server.predict.reader.today import only_year_in, today_said_in

QUOTES = "\"'“”‘’`«»"
"""Marks around what somebody says."""
_AROUND = " \t\n.,;:!?" + QUOTES
_FIGURES_ALONE = re.compile(r"[\dTZ\W]+")
_BARE_ADDRESS = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#]\S*)?")
_PHONE = re.compile(r"\+?\d[\d ().-]{5,20}\d")
_TAKES_PHONE = re.compile(r"\+\d{6,}|\+ and (?:the )?country code|e\.164", re.IGNORECASE)
_LONGEST_NAME = 5  # blanks
_CELL_TO_CELL = re.compile(r"\b([A-Z]{1,3}\d{1,7}) ?(?:to|through|until|-|–) ?([A-Z]{1,3}\d{1,7})\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"(?:(?:in|over|for|during) )?(?:the )?(?:(?:last|past|previous) )?(?:(\d+|[a-z]+) ?)?"
    r"(minutes?|mins?|hours?|hrs?|days?|weeks?)",
    re.IGNORECASE,
)
_TIME_ZONE = re.compile(r"(?<=\w) time ?zone\b", re.IGNORECASE)
_HANDLE = re.compile(r"@[A-Za-z0-9][\w.-]*")
_NOTHING = ("", "@", "#")
# Within a sentence or behind a quotation mark; what begins a sentence has a capital anyway.
_THE = re.compile(r"(?:[\w,] |[\"'“‘«])The $")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|must|does|did)(?:n't|not)?\b", re.IGNORECASE)
_SAYING = re.compile(r"\b(?:say|says|saying|tell|telling|mention|mentioning|knows?)\s+(?:\S+\s+){0,2}$", re.IGNORECASE)
_ASKS = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|can|could|will|would|shall"
    r"|should)\b",
    re.IGNORECASE,
)
_TIME_OF_DAY = re.compile(r"\d ?[ap]\.?m\b|\d:\d\d|\b(?:noon|midday|midnight)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till?) (?:the )?$", re.IGNORECASE)
_INSTANT = {"type": "string", "format": "date-time"}
_COUNTS_SECONDS = re.compile(r"\bunix\b|\bepoch\b", re.IGNORECASE)
_ITEM_BREAK = re.compile(r"\s*(?:,|;|\n|&)\s*(?:and\s+|or\s+|plus\s+)?|\s+(?:and|or|plus|y|und|et)\s+", re.IGNORECASE)

_CELL_BREAK = re.compile(r"\s*[,;|]\s*")
_EITHER_DAY = re.compile(r"(?<![\w/])(?:0?[1-9]|1[0-2])/(?:0?[1-9]|1[0-2])(?![\w/])")
_ORDER = re.compile(
    r"(?:append|add|insert|log|write|put|record|enter) (?:(?:a|the) (?:new )?(?:row|line) )?", re.IGNORECASE
)
_WHERE_TO = re.compile(r" (?:to|in|into) \S.*$", re.IGNORECASE)
_BEHIND_COLON = re.compile(r":\s+([^:\n]+[,;|][^:\n]+)\Z")


def value_of(prompt: str, start: int, end: int, schema: Mapping[str, Any], now: datetime | None) -> Any:
    """Return the plain value that `prompt[start:end]` stands for; None where it stands for none."""
    text = prompt[start:end]
    match schema.get("type", "string"):
        case "number" | "integer" if _COUNTS_SECONDS.search(str(schema.get("description", ""))):
            return _timestamp(prompt, start, end, now)
        case "number" | "integer" if (unit := wanted_seconds(schema)) and _is_time_of_day(prompt, start, end):
            return _units_until(prompt, start, end, unit, now)
        case "number" | "integer":
            return number_in(text, prompt[:start], prompt[end : end + 40], schema)
        case "boolean":
            folded = text.strip(_AROUND).casefold()
            return {"true": True, "yes": True, "false": False, "no": False}.get(folded)
        case "string":
            return _text(prompt, start, end, schema, now)
    return None


def values_of(prompt: str, spans: Sequence[tuple[int, int]], schema: Mapping[str, Any], now: datetime | None) -> Any:
    """Return the list that some spans stand for; None where they stand for none."""
    items = schema.get("items")
    items = items if isinstance(items, Mapping) else {"type": "string"}
    kind = items.get("type", "string")
    if kind in ("array", "object"):
        literal = _literal(" ".join(prompt[start:end] for start, end in spans), list)
        if literal is not None or kind == "object":
            return literal
        # One row of a table, as people say it: "append 14, 22 and 9".
        row = values_of(prompt, _whole_row(prompt, spans), items, now)
        return None if row is None else [row]
    values: list[Any] = []
    for start, end in spans:
        if kind in ("number", "integer"):
            found = numbers_in(prompt[start:end])
            if len(found) == 1 or not found:
                one = number_in(prompt[start:end], prompt[:start], prompt[end : end + 40], items)
                found = [one] if one is not None else found
            whole = bool(items.get("x-integer")) or kind == "integer" or items.get("multipleOf") == 1
            values += [int(each) if whole and float(each).is_integer() else float(each) for each in found]
        else:
            value = value_of(prompt, start, end, items, now)
            values += [value] if value is not None and value not in _NOTHING else []
    return values or None


def _without_order(prompt: str, spans: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the places of cells without the words around them: "append Bob, 5 to Sheet1" has the cells Bob and 5."""
    (start, first_end), *_ = spans
    order = _ORDER.match(prompt, start)
    if order is None or len(spans) < 2 or order.end() >= first_end:
        return spans
    *inner, (last_start, end) = spans[1:]
    where = _WHERE_TO.search(prompt, last_start, end)
    return [(order.end(), first_end), *inner, (last_start, where.start() if where is not None else end)]


def _whole_row(prompt: str, spans: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the places of all cells of a row, where the prompt ends with it behind a colon: "add a row: Ana, 500"."""
    listed = _BEHIND_COLON.search(prompt)
    if listed is None or listed.start(1) > min(start for start, _ in spans):
        return _without_order(prompt, spans)
    places = [(listed.start(1) + first, listed.start(1) + last) for first, last in items_in(listed[1], _CELL_BREAK)]
    return _without_order(prompt, [trimmed(prompt, *place) for place in places])


def in_form(value: Any, schema: Mapping[str, Any], validator: Draft202012Validator | None) -> Any:
    """Return a value as its argument takes it, where only the notation differs: "EUR" as eur, "two hours" as 2h."""
    if not isinstance(value, str) or validator is None:
        return value
    described = description_and_example(schema)
    if _PHONE.fullmatch(value) and _TAKES_PHONE.search(described):
        return re.sub(r"[^\d+]", "", value)
    if "pattern" not in schema or validator.is_valid(value):
        return value
    others = [value.lower(), value.upper()] if len(value) <= len("USD") else []
    others += [value[1:]] if value.startswith("#") else []
    if str(schema["pattern"]).startswith(("^/", "^(/")):
        others.append(f"/{value}")
    for each in find_lengths(value):
        hours, minutes = divmod(round(each.value.total_seconds() / 60), 60)
        parts = [f"{count}{unit}" for count, unit in ((hours, "h"), (minutes, "m")) if count]
        others += [" ".join(parts), "".join(parts)]
    if length := _LENGTH.fullmatch(value):
        count = number_in(length[1], "", "", {"type": "integer"}) if length[1] else 1
        others.append(f"{count}{length[2][0].lower()}")
    return next(filter(validator.is_valid, others), value)


def items_in(text: str, between: re.Pattern[str] = _ITEM_BREAK) -> list[tuple[int, int]]:
    """Return the places of the items of a list in prose; `between` is what stands between two."""
    places = []
    at = 0
    for gap in [*between.finditer(text), None]:
        end = gap.start() if gap else len(text)
        if text[at:end].strip(_AROUND):
            places.append((at, end))
        at = gap.end() if gap else end
    return places


def trimmed(prompt: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the punctuation around it, and without quotation marks that stand around all of it."""
    while start < end and prompt[start] in _AROUND and not _opens_inside(prompt, start, end):
        start += 1
    while end > start and prompt[end - 1] in _AROUND and not _opens_inside(prompt, start, end):
        end -= 1
    return start, end


def _opens_inside(prompt: str, start: int, end: int) -> bool:
    """Whether a quotation mark at an edge belongs to one within the span: `del "a b"`."""
    mark = prompt[end - 1] if prompt[start] not in QUOTES else prompt[start]
    if mark not in QUOTES or (prompt[start] in QUOTES and prompt[end - 1] in QUOTES):
        return False
    return prompt.count(mark, start, end) > 1


def _text(prompt: str, start: int, end: int, schema: Mapping[str, Any], now: datetime | None) -> str | None:
    text = prompt[start:end]
    now = today_said_in(prompt, now.tzinfo if now else UTC) or now
    in_form = asks_for_a_form(schema)
    place = place_of_moment(prompt, start, end) if in_form else (start, end)
    said = prompt[slice(*place)]
    moment = moment_in(said, schema, now, only_year_in(prompt), day_before(prompt, start, now))
    if moment is not None:
        # "3/12 at 8": the third of December or the twelfth of March.
        return None if _EITHER_DAY.search(prompt, max(0, place[0] - len("12/12, at ")), place[1]) else moment
    if in_form and not _FIGURES_ALONE.fullmatch(text) and not _is_described(text, schema):
        return None  # "this weekend" is no date
    plain = text.strip()
    if len(plain) > 1 and plain[0] in QUOTES and plain[-1] in QUOTES:
        plain = plain[1:-1].strip()
    # "about the broken printer" is about a broken printer; "The Beatles", sentences and quoted texts keep theirs.
    is_name = plain.count(" ") <= _LONGEST_NAME and _VERB.search(plain) is None and not schema.get(MULTILINE)
    plain = _without_particles(plain, prompt[:start], schema, is_name=is_name)
    if (cells := _cells(prompt, start, end, schema)) is not None:
        return cells
    if (found := place_in(plain, schema)) is not None:
        return found
    code = code_in(plain, schema) or listed_value(plain, schema)
    if code is not None:
        return code
    if re.search(r"comma[- ]separated", str(schema.get("description", "")), re.IGNORECASE):
        return ",".join(plain[first:last].strip(_AROUND) for first, last in items_in(plain))
    if _HANDLE.fullmatch(plain) and "@" not in description_and_example(schema):
        return plain[1:]
    if schema.get("format") == "uri" and _BARE_ADDRESS.fullmatch(plain):
        return f"https://{plain}"
    plain = _article(prompt, start, plain) + plain if is_name else plain
    return plain + _end_of_sentence(prompt, start, end, is_text=bool(schema.get(MULTILINE))) or None


def _without_particles(text: str, before: str, schema: Mapping[str, Any], *, is_name: bool) -> str:
    """Return words without what only joins them to a sentence or says what they are: "the …", "New York time zone"."""
    if is_name and text.startswith("the ") and before[-1:] not in QUOTES:
        text = text[4:].lstrip()
    if text.startswith("that ") and _SAYING.search(before[-40:]) is not None:
        text = text.removeprefix("that ")
    return _TIME_ZONE.sub("", text) if _TIME_ZONE.search(str(schema.get("description", ""))) else text


def _article(prompt: str, start: int, name: str) -> str:
    """Return the article before a name that is a part of it: "The French Laundry" within a sentence."""
    return "The " if name[:1].isupper() and _THE.search(prompt[:start]) is not None else ""


def _cells(prompt: str, start: int, end: int, schema: Mapping[str, Any]) -> str | None:
    """Return a range of a sheet as A1 notation has it, where the prompt says it in words: "A1 to C9" is A1:C9."""
    if "A1" not in description_and_example(schema):
        return None
    ranges = (match for match in _CELL_TO_CELL.finditer(prompt) if match.start() < end and start < match.end())
    return next((f"{match[1]}:{match[2]}".upper() for match in ranges), None)


def _timestamp(prompt: str, start: int, end: int, now: datetime | None) -> int | None:
    """Return the seconds since 1970 of a moment that some words mean, or that they give as such a number."""
    text = prompt[slice(*place_of_moment(prompt, start, end))]
    if prompt[start:end].strip(_AROUND).isdigit() and len(prompt[start:end].strip(_AROUND)) > len("99999999"):
        return int(prompt[start:end].strip(_AROUND))
    moment = moment_in(text, _INSTANT, now, only_year_in(prompt), None)
    try:
        return None if moment is None else int(datetime.fromisoformat(moment).timestamp())
    except ValueError:
        return None


def _is_time_of_day(prompt: str, start: int, end: int) -> bool:
    """Whether some words are part of a time of day, such as the 6 of "6pm"; "in 6 hours" is a length of time."""
    return _TIME_OF_DAY.search(prompt[slice(*place_of_moment(prompt, start, end))]) is not None


def _units_until(prompt: str, start: int, end: int, unit: int, now: datetime | None) -> int | None:
    """Return how many units of some seconds are left until a time of day; None where the prompt doesn't say until."""
    start, end = place_of_moment(prompt, start, end)
    if now is None or _UNTIL.search(prompt[:start][-12:]) is None:
        return None
    text = moment_in(prompt[start:end], _INSTANT, now, None, day_before(prompt, start, now))
    left = (datetime.fromisoformat(text) - now).total_seconds() / unit if text is not None else 0
    return round(left) if round(left) > 0 else None


def _is_described(text: str, schema: Mapping[str, Any]) -> bool:
    """Whether a description names some words as a value: 'YYYY-MM-DD, or "today"'."""
    words, description = text.strip(_AROUND).casefold(), str(schema.get("description", "")).casefold()
    return any(f"{mark}{words}{mark}" in description for mark in "'\"`") if words else False


def _end_of_sentence(prompt: str, start: int, end: int, *, is_text: bool) -> str:
    """
    Return the mark that ends a whole sentence, a question, or words in quotation marks.

    A full stop belongs only to what `is_text`, such as a message, and was written as a sentence of its own: the only
    one with a capital letter, or behind a colon.
    """
    following = prompt[end : end + 1]
    if following not in ("?", "!", ".", ":") or not following:
        return ""
    before, words = prompt[:start].rstrip(), prompt.count(" ", start, end) + 1
    quoted = prompt[start - 1 : start] in QUOTES and prompt[end + 1 : end + 2] in QUOTES and start > 0
    whole = words > 1 and (not before or before[-1] in ".!?:\n")
    match following:
        case ".":
            own = words > 1 and prompt[:1].islower() and prompt[start : start + 1].isupper()
            kept = is_text and (quoted or own or (whole and before[-1:] == ":"))
        case "?":
            kept = quoted or whole or (words > 1 and bool(before) and _ASKS.match(prompt, start) is not None)
        case _:
            kept = quoted or (whole and following == "!")
    return following if kept else ""


def _literal(text: str, kind: type) -> Any:
    begin, end = text.find("["), text.rfind("]")
    if begin < 0 or end < begin:
        return None
    try:
        value = json.loads(text[begin : end + 1].replace("'", '"').replace("(", "[").replace(")", "]"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, kind) else None
