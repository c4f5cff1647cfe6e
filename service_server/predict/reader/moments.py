"""Dates and times in the form that an argument's description asks for."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from service_server.predict.mentions import Moment, find_moments

_FORM = re.compile(
    r"(?<![a-z])(?:yyyy|mm|dd|hh|yy|month|mmm)(?:[-/.,: t']{1,3}(?:yyyy|yy|mm|dd|hh|ss|month|mmm|am|pm|z)\b)+"
    r"|%[a-z](?:[-/.,: t]{1,2}%[a-z])+",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(yyyy-mm-dd)( to | - |/|,)\1", re.IGNORECASE)
_ISO_WORDS = re.compile(r"iso[ -]?8601|rfc[ -]?3339", re.IGNORECASE)
_CLOCK_24 = re.compile(r"24[- ]?h(?:ou)?rs?", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")
_FROM_PERCENT = {
    "%Y": "yyyy",
    "%m": "mm",
    "%d": "dd",
    "%H": "hh",
    "%M": "mi",
    "%S": "ss",
    "%y": "yy",
    "%B": "month",
    "%b": "mmm",
}
_PART = re.compile(r"yyyy|yy|month|mmm|mm|mi|dd|hh|ss|z|am|pm", re.IGNORECASE)
_MONTH_YEAR = re.compile(r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? (\d{4})\b", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def moment_in(text: str, schema: Mapping[str, Any], now: datetime | None) -> str | None:
    """Return the date or time that some words stand for in the form the argument takes; None where they hold none."""
    form = _form_of(schema)
    if form is None:
        return None
    base = now or datetime(2000, 1, 1, tzinfo=UTC)
    mentions = list(find_moments(text, base))
    day = next((each.value.day for each in mentions if each.value.day is not None), None)
    clock = next((each.value.clock for each in mentions if each.value.clock is not None), None)
    if day is None and "mm" in form and "dd" not in form and (match := _MONTH_YEAR.search(text)):
        day = date(int(match[2]), _MONTHS.index(match[1].lower()) + 1, 1)
    if now is None and day is not None and _is_relative(text, day):
        return None
    if day is None and "yyyy" in form and "mm" not in form and (match := _YEAR.search(text)):
        day = date(int(match[1]), 1, 1)
    if day is None and clock is not None and now is not None and {"yyyy", "hh"} <= set(form):
        day = now.date() if clock.replace(tzinfo=None) >= now.time() else now.date() + timedelta(days=1)
    if (between := _between_two_forms(schema)) is not None:
        days = [each.value.day for each in mentions if each.value.day is not None]
        ends = [_written(form, Moment(each, clock), base) for each in (days[:1] + days[-1:])]
        return f"{ends[0]}{between}{ends[1]}" if len(days) > 1 else None
    return _written(form, Moment(day, clock), base)


def _between_two_forms(schema: Mapping[str, Any]) -> str | None:
    """Return what stands between the two days of a range that is asked for as one text: 'YYYY-MM-DD to YYYY-MM-DD'."""
    found = _RANGE.search(str(schema.get("description", "")))
    return found[2] if found is not None else None


def _is_relative(text: str, day: date) -> bool:
    """Whether a day can't be known without knowing today: its year isn't there."""
    return str(day.year) not in text


def _form_of(schema: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the parts of the form: names of parts and what stands between them."""
    match schema.get("format"):
        case "date":
            return ("yyyy", "-", "mm", "-", "dd")
        case "date-time":
            return ("yyyy", "-", "mm", "-", "dd", "T", "hh", ":", "mi", ":", "ss", "z")
        case "time":
            return ("hh", ":", "mi", ":", "ss")
    description = str(schema.get("description", ""))
    found = _FORM.search(description)
    if found is None:
        if _ISO_WORDS.search(description):
            timed = re.search(r"time", description, re.IGNORECASE)
            return ("yyyy", "-", "mm", "-", "dd", *(("T", "hh", ":", "mi", ":", "ss", "z") if timed else ()))
        return ("hh", ":", "mi") if _CLOCK_24.search(description) else None
    return _parts(found[0])


def _parts(form: str) -> tuple[str, ...]:
    if "%" in form:
        form = re.sub(r"%[a-zA-Z]", lambda match: _FROM_PERCENT.get(match[0], ""), form)
    parts: list[str] = []
    at = 0
    for match in _PART.finditer(form):
        if match.start() > at:
            parts.append(form[at : match.start()].replace("'", ""))
        name = match[0].lower()
        if name == "mm" and "hh" in parts:
            name = "mi"
        parts.append(name)
        at = match.end()
    return tuple(part for part in parts if part)


def _written(form: tuple[str, ...], moment: Moment, now: datetime) -> str | None:
    day, clock = moment.day, moment.clock
    if ("dd" in form or "yyyy" in form or "mm" in form) and day is None:
        return None
    if "hh" in form and clock is None:
        if day is None or "yyyy" not in form:
            return None
        clock = time(0, 0, tzinfo=now.tzinfo)
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
