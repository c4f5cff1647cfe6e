"""Dates and times in the form that an argument's description asks for."""

import re
from collections.abc import Mapping, Set
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from service_server.predict.mentions import Mention, Moment, find_moments
from service_server.predict.mentions.calendar_spans import day_numbered, next_day_at
from service_server.predict.mentions.calendar_words import MONTH, month_number
from service_server.predict.mentions.clocks import HOUR
from service_server.predict.mentions.counted_days import SINCE
from service_server.predict.mentions.moments import DAY_OF_MONTH, UNTIL

_FORM = re.compile(
    r"(?<![a-z])(?:yyyy|mm|dd|hh|yy|month|mmm)"
    r"(?:[-/.,: t']{1,3}(?:yyyy|yy|mm|dd|hh|ss|month|mmm|am/pm|am|pm|z)(?=\b|t'?hh|z\b))+(?:z\b)?"
    r"|%[a-z](?:[-/.,: t]{1,2}%[a-z])+",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(yyyy-mm-dd)( to | - |/|,)\1", re.IGNORECASE)
_ISO_WORDS = re.compile(r"iso[ -]?8601|rfc[ -]?3339", re.IGNORECASE)
_CLOCK_24 = re.compile(r"24[- ]?h(?:ou)?rs?", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")
_PLAIN_YEAR = re.compile(r"(?<!at )(?<![\d:])((?:19|20)\d{2})(?![\d:])")
_FROM_PERCENT = {
    "%Y": "yyyy", "%m": "mm", "%d": "dd", "%H": "hh", "%M": "mi", "%S": "ss", "%y": "yy", "%B": "month", "%b": "mmm",
}  # fmt: skip
_PART = re.compile(r"yyyy|yy|month|mmm|mm|mi|dd|hh|ss|z|am/pm|am|pm", re.IGNORECASE)
_SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_ISO_DAY = ("yyyy", "-", "mm", "-", "dd")
_ISO_INSTANT = (*_ISO_DAY, "T", "hh", ":", "mi", ":", "ss", "z")
_EXAMPLE_DAY = re.compile(r"(?<![\d-])\d{4}-(?:0\d|1[0-2])-[0-3]\d(?![\dT-]| \d)")
_DAY_FIRST, _MONTH_FIRST = r"(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])", r"(?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])"
_EXAMPLE_FIGURES = re.compile(rf"(?<![\d/])(?:({_MONTH_FIRST})|{_DAY_FIRST})/\d{{4}}(?!\d)")
_CALLED_DATE = re.compile(
    r"^(?!.*(?:\bnatural|\bhuman|\brange|\d/\d))[^.,;:(]{0,60}\bdate\b(?!/| and\b| or\b| ?time)",
    re.IGNORECASE | re.DOTALL,
)
_AT = re.compile(r"\bat $", re.IGNORECASE)
_MONTH = re.compile(MONTH, re.IGNORECASE)
_BARE_HOUR = re.compile(rf"(?:{HOUR}),? (?![ap]\.?m\b)", re.IGNORECASE)
MONTH_OF_YEAR = re.compile(r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? (\d{4})\b", re.IGNORECASE)


def moment_in(
    text: str, schema: Mapping[str, Any], now: datetime | None, year: str | None = None, day: date | None = None
) -> str | None:
    """
    Return the date or time that some words stand for in the form the argument takes; None where they hold none.

    `day` is the day of a time that has none. Without `now`, words that count from today stand for no date, and neither
    does a day without a year, unless `year` gives it.
    """
    forms = _forms_of(schema)
    if not forms:
        return None
    years = set(_PLAIN_YEAR.findall(text)) or ({year} if year and now is None else set())
    mentions = _mentions(text, now, years)
    days = [each.value.day for each in mentions if each.value.day is not None]
    clock = next((each.value.clock for each in mentions if each.value.clock is not None), None)
    if now is None and any(_is_open(each.value, years | set(_YEAR.findall(text))) for each in mentions):
        days = []  # nobody knows which year, or which Monday
    if not days and now is not None and (match := DAY_OF_MONTH.fullmatch(text.strip())):
        days = list(filter(None, [day_numbered(int(match[1]), now.date())]))
    if (between := _between_two_forms(schema)) is not None:
        ends = [_written(forms[0], Moment(each, clock), now) for each in (days[:1] + days[-1:])]
        return f"{ends[0]}{between}{ends[1]}" if len(days) > 1 else None
    day = days[0] if days else day if clock is not None else None
    forms.sort(key=lambda form: day is None and "dd" in form)
    in_forms = (_in_form(form, text, day, clock, now) for form in forms)
    return next((written for written in in_forms if written is not None), None)


def _is_open(moment: Moment, years: Set[str]) -> bool:
    """Whether a day is unknown unless today is known, or lies in a year other than those named."""
    return moment.day is not None and (moment.counted or str(moment.day.year) not in years)


def _mentions(text: str, now: datetime | None, years: Set[str]) -> list[Mention]:
    """Return the moments of a text; days without a year are in the only year it names, else the next after `now`."""
    base = now or _SOME_DAY
    year = int(next(iter(years))) if len(years) == 1 else base.year
    mentions = list(find_moments(text, base if year == base.year else datetime(year, 1, 1, tzinfo=base.tzinfo)))
    if year != base.year and any(mention.value.counted for mention in mentions):
        return list(find_moments(text, base))
    return mentions


def written(schema: Mapping[str, Any], moment: Moment, now: datetime | None) -> str | None:
    """Return a moment in the form that an argument takes; None where it takes none or the form needs more."""
    form = next(iter(_described_forms(schema)), None)
    return None if form is None else _written(form, moment, now)


def asks_for_a_form(schema: Mapping[str, Any]) -> bool:
    """Whether an argument is a date or time that must be written in a form of its own, which plain words never have."""
    return bool(_described_forms(schema))


def takes_a_time_of_day(schema: Mapping[str, Any]) -> bool:
    """Whether the form of a date or time that an argument asks for has an hour."""
    return any("hh" in form for form in _described_forms(schema)[:1])


def takes_a_day_and_a_time(schema: Mapping[str, Any]) -> bool:
    """Whether the form of a date or time that an argument asks for has a day and an hour."""
    return any({"dd", "hh"} <= set(form) for form in _described_forms(schema)[:1])


def are_parts_of_one_moment(schema: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two arguments take different parts of a moment: one its day, the other its time of day."""
    forms = [
        {part for part in form if part.isalnum()} for each in (schema, other) for form in _described_forms(each)[:1]
    ]
    return len(forms) == 2 and forms[0].isdisjoint(forms[1])


def place_of_moment(prompt: str, start: int, end: int) -> tuple[int, int]:
    """
    Return where the date or time stands that includes `prompt[start:end]`: "8 in the evening" for "8".

    A "since" before it belongs to it, for it tells which year is meant, the "at" that makes a figure an hour, and the
    "before" of a month.
    """
    for first, last in places_of_moments(prompt):
        if first < end and start < last:  # "Friday at quarter" is only the beginning of "Friday at quarter to nine"
            start, end = min(first, start), max(last, end)
    before = SINCE.search(prompt[:start])
    before = before or (_BARE_HOUR.match(prompt, start) and _AT.search(prompt[:start][-4:]))
    before = before or (_MONTH.fullmatch(prompt, start, end) and UNTIL.search(prompt[:start][-8:]))
    return (start - len(before[0]) if before else start), end


def day_before(prompt: str, end: int, now: datetime | None) -> date | None:
    """Return the day named before a place in a prompt; a time behind it is on that day ("tomorrow from 2 to 3pm")."""
    mentions = find_moments(prompt[:end], now) if now is not None else ()
    return next((each.value.day for each in reversed(list(mentions)) if each.value.day is not None), None)


def places_of_moments(prompt: str) -> list[tuple[int, int]]:
    """Return the places where a prompt names a date or a time."""
    return [(mention.start, mention.end) for mention in find_moments(prompt, _SOME_DAY)]


def names_a_time_of_day(prompt: str, start: int, end: int) -> bool:
    """Whether some words of a prompt name a time of day."""
    return any(each.value.clock is not None and each.overlaps(start, end) for each in find_moments(prompt, _SOME_DAY))


def _in_form(
    form: tuple[str, ...], text: str, day: date | None, clock: time | None, now: datetime | None
) -> str | None:
    if day is None and "mm" in form and "dd" not in form and (match := MONTH_OF_YEAR.search(text)):
        day = date(int(match[2]), month_number(match[1]), 1)
    if day is None and "yyyy" in form and "mm" not in form and (match := _YEAR.search(text)):
        day = date(int(match[1]), 1, 1)
    if day is None and clock is not None and now is not None and {"yyyy", "hh"} <= set(form):
        day = next_day_at(clock, now)
    if (
        "hh" in form
        and "dd" not in form
        and clock is not None
        and clock.tzinfo not in (None, (now or _SOME_DAY).tzinfo)
    ):
        return None  # an offset says more than a time of day can
    return _written(form, Moment(day, clock), now)


def _between_two_forms(schema: Mapping[str, Any]) -> str | None:
    """Return what stands between the two days of a range that is asked for as one text: 'YYYY-MM-DD to YYYY-MM-DD'."""
    found = _RANGE.search(str(schema.get("description", "")))
    return found[2] if found is not None else None


def _forms_of(schema: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the forms an argument takes, best first: those described, else ISO 8601 if it is called a date."""
    described = _described_forms(schema)
    return described or ([_ISO_DAY] if _CALLED_DATE.search(str(schema.get("description", ""))) else [])


def _described_forms(schema: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the forms that a schema asks for, each as its parts: names of parts and what stands between them."""
    match schema.get("format"):
        case "date":
            return [_ISO_DAY]
        case "date-time":
            return [_ISO_INSTANT]
        case "time":
            return [("hh", ":", "mi", ":", "ss")]
    description = str(schema.get("description", ""))
    if forms := [_parts(match[0]) for match in _FORM.finditer(description)]:
        return forms
    if _ISO_WORDS.search(description):
        return [_ISO_INSTANT if re.search(r"time", description, re.IGNORECASE) else _ISO_DAY]
    if _CLOCK_24.search(description):
        return [("hh", ":", "mi")]
    if figures := _EXAMPLE_FIGURES.search(description):
        return [("mm", "/", "dd", "/", "yyyy") if figures[1] else ("dd", "/", "mm", "/", "yyyy")]
    return [_ISO_DAY] if _EXAMPLE_DAY.search(description) else []


def _parts(form: str) -> tuple[str, ...]:
    if "%" in form:
        form = re.sub(r"%[a-zA-Z]", lambda match: _FROM_PERCENT.get(match[0], ""), form)
    parts: list[str] = []
    at = 0
    for match in _PART.finditer(form):
        if match.start() > at:
            parts.append(form[at : match.start()].replace("'", ""))
        name = match[0].lower().replace("am/pm", "am")
        if name == "mm" and "hh" in parts:
            name = "mi"
        parts.append(name)
        at = match.end()
    return tuple(part for part in parts if part)


def _written(form: tuple[str, ...], moment: Moment, now: datetime | None) -> str | None:
    day, clock = moment.day, moment.clock
    if ("dd" in form or "yyyy" in form or "mm" in form) and day is None:
        return None
    if "hh" in form and clock is None:
        if day is None or "yyyy" not in form:
            return None
        clock = time(0, 0, tzinfo=now.tzinfo if now else UTC)
    values: dict[str, str] = {}
    if day is not None:
        values |= {
            "yyyy": f"{day.year:04}",
            "yy": f"{day.year % 100:02}",
            "mm": f"{day.month:02}",
            "dd": f"{day.day:02}",
        }
        values |= {"month": f"{day:%B}", "mmm": f"{day:%b}"}
    if clock is not None:
        twelve = "am" in form or "pm" in form
        hour = (clock.hour % 12 or 12) if twelve else clock.hour
        values |= {"hh": f"{hour:02}", "mi": f"{clock.minute:02}", "ss": f"{clock.second:02}"}
        values["am"] = values["pm"] = "AM" if clock.hour < 12 else "PM"
        offset = clock.utcoffset()
        values["z"] = "Z" if not offset else _offset(offset)
    return "".join(values.get(part, part) for part in form)


def _offset(offset: timedelta) -> str:
    minutes = int(offset.total_seconds() // 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
