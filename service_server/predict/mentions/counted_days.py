"""Days and times that count from now: "tomorrow", "Monday last week", "a week from Friday", "in ten minutes"."""

import contextlib
import re
from collections.abc import Iterator
from datetime import MAXYEAR, date, datetime, time, timedelta

from attrs import evolve

from service_server.predict.mentions.calendar_spans import STEPS, last_day, span_beside
from service_server.predict.mentions.calendar_words import MONTH, WEEKDAYS, month_number, numbered
from service_server.predict.mentions.mention import Kind, Mention, Moment

_IN_WORDS = {"half an": 0.5, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_IN_WORDS |= {"seven": 7, "eight": 8, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40}
_AMOUNT = rf"(\d{{1,4}}|{'|'.join(_IN_WORDS)})"
_SPAN = r"(minute|hour|day|week|fortnight)s?"
_RELATIVE_DAYS = {
    "today": 0,
    "tonight": 0,
    "this evening": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "day after tomorrow": 2,
    "day before yesterday": -2,
    **dict.fromkeys(("tomorow", "tommorow", "tommorrow", "tmrw", "tmr"), 1),
}

_RELATIVE = re.compile(rf"\b(?:the )?({'|'.join(sorted(_RELATIVE_DAYS, key=len, reverse=True))})\b", re.IGNORECASE)
_ON_WEEKDAY = re.compile(
    rf"\b(next |this |last )?({'|'.join(WEEKDAYS)}|mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b(?!\.com\b)",
    re.IGNORECASE,
)
_WEEK_BEHIND = re.compile(r",? (?:of )?(this|next|last) week\b", re.IGNORECASE)  # "Monday last week"
# "Thursday week" is the one after the next Thursday, "the Thursday week plan" a plan.
_AND_A_WEEK = re.compile(r" week(?=$|[,.;:!?)]| (?:at|from|till|until|in|on|for|and|to|please)\b| \d)", re.IGNORECASE)
# Where a short name is a day's: "on sat", "sun 3pm"; not in "the sun" and "sat down".
_BEFORE_A_SHORT_NAME = re.compile(r"\b(?:on|by|due|till|until|since) $", re.IGNORECASE)
_BEHIND_A_SHORT_NAME = re.compile(r",? (?:at \d|\d{1,2}(?::\d| ?[ap]m\b))", re.IGNORECASE)
_END_OF_SPAN = re.compile(
    r"\b(?:the )?(?:end|last day) of (?:the (?:current )?|(this|next|last) )?"
    rf"(?:(week|month|quarter|year)|{MONTH}(?: (\d{{4}}))?)\b",
    re.IGNORECASE,
)
_START_OF_SPAN = re.compile(
    r"\b(?:the )?(?:start|beginning|first day) of (?:the (?:current )?|(this|next|last) )?(week|month|quarter|year)\b",
    re.IGNORECASE,
)
# "The first Monday in March", "the last Friday of the month".
_NTH_WEEKDAY = re.compile(
    rf"\b(?:the )?(first|second|third|fourth|last|1st|2nd|3rd|4th) ({'|'.join(WEEKDAYS)}) (?:in|of) "
    rf"(?:{MONTH}(?:,? (\d{{4}}))?(?!\w)|(?:the|(this|next)) month\b)",
    re.IGNORECASE,
)
_FEASTS = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "boxing day": (12, 26),
    "halloween": (10, 31),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
}
_FEAST = re.compile(rf"\b({'|'.join(_FEASTS)})\b".replace("'", "['’]"), re.IGNORECASE)
_AHEAD = re.compile(rf"\bin {_AMOUNT} {_SPAN}\b", re.IGNORECASE)
_FROM_NOW = re.compile(rf"\b{_AMOUNT} {_SPAN} from now\b", re.IGNORECASE)
_AGO = re.compile(rf"\b{_AMOUNT} {_SPAN} ago\b", re.IGNORECASE)
_FROM_A_DAY = re.compile(
    rf"(?<!once )(?<!twice )(?<!times )(?<!for )\b{_AMOUNT} (day|week|fortnight)s? (?:from|after|(?<=week )on)"
    rf" (?=the day|to|{'|'.join(WEEKDAYS)})",
    re.IGNORECASE,
)
SINCE = re.compile(r"\bsince (?:the )?$", re.IGNORECASE)
"""Ends the words before a date that lies in the past."""


def counted_days(prompt: str, now: datetime) -> Iterator[Mention]:
    """Yield the days, and the times ahead and ago, that count from now; they may overlap."""
    later = {match.end(): match for match in _FROM_A_DAY.finditer(prompt)}
    for day in _named_days(prompt, now):
        match = later.get(day.start)  # "a week from Friday"
        try:
            counted = day.value.day if match is None else day.value.day + _length_of(match)
        except OverflowError:
            continue  # beyond the calendar
        start = day.start if match is None else match.start()
        yield evolve(day, value=evolve(day.value, day=counted), start=start)
    yield from _feasts(prompt, now.date())
    for match in _NTH_WEEKDAY.finditer(prompt):
        with contextlib.suppress(ValueError, OverflowError):  # beyond the calendar
            yield mention_of(match, _nth_weekday(match, now.date()), counted=True)
    for match in _START_OF_SPAN.finditer(prompt):
        try:
            first, _ = span_beside(match[2].lower(), STEPS[(match[1] or "this").lower()], now.date())
        except ValueError:
            continue  # beyond the calendar
        yield mention_of(match, first, counted=True)
    for match in _END_OF_SPAN.finditer(prompt):
        try:
            yield mention_of(match, _end_of_span(match, now.date()), counted=True)
        except ValueError:
            continue  # beyond the calendar
    for pattern, sign in ((_AHEAD, 1), (_FROM_NOW, 1), (_AGO, -1)):
        for match in pattern.finditer(prompt):
            timed = match[2].lower() in ("minute", "hour")
            yield from _shifted(match, now, sign * _length_of(match), timed=timed)


def _feasts(prompt: str, today: date) -> Iterator[Mention]:
    """Yield the days of feasts that have the same date each year, the next one to come or, behind "since", the last."""
    for match in _FEAST.finditer(prompt):
        month, day = _FEASTS[match[1].lower().replace("’", "'")]
        this_year = date(today.year, month, day)
        years = -(this_year > today) if is_behind_since(match) else this_year < today
        if 1 <= today.year + years <= MAXYEAR:
            yield mention_of(match, this_year.replace(year=today.year + years), counted=True)


def _nth_weekday(match: re.Match[str], today: date) -> date:
    """Return "the first Monday in March", of the month to come unless a year is named."""
    if match[3]:
        month = month_number(match[3])
        first = date(int(match[4]) if match[4] else today.year + (month < today.month), month, 1)
    else:
        first, _ = span_beside("month", STEPS[(match[5] or "this").lower()], today)
    weekday = WEEKDAYS.index(match[2].lower())
    if match[1].lower() == "last":
        last = last_day(first.year, first.month)
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    return first + timedelta(days=(weekday - first.weekday()) % 7, weeks=numbered(match[1]) - 1)


def _length_of(match: re.Match[str]) -> timedelta:
    """Return how long "two weeks" are."""
    amount = _IN_WORDS.get(match[1].lower()) or int(match[1])
    span = match[2].lower()
    return timedelta(weeks=2 * amount) if span == "fortnight" else timedelta(**{f"{span}s": amount})


def _named_days(prompt: str, now: datetime) -> Iterator[Mention]:
    for match in _RELATIVE.finditer(prompt):
        yield from _shifted(match, now, timedelta(days=_RELATIVE_DAYS[match[1].lower()]), timed=False)
    for match in filter(_names_a_weekday, _ON_WEEKDAY.finditer(prompt)):
        named = next(at for at, name in enumerate(WEEKDAYS) if name.startswith(match[2][:3].lower()))
        ahead = (named - now.weekday()) % 7
        which = (match[1] or "").strip().lower()
        week = _WEEK_BEHIND.match(prompt, match.end())
        next_one = _AND_A_WEEK.match(prompt, match.end()) if not which else None
        if week is not None:
            ahead = named - now.weekday() + 7 * STEPS[week[1].lower()]
        elif next_one is not None:
            week, ahead = next_one, (ahead or 7) + 7
        elif which == "last" or is_behind_since(match):
            ahead = ahead - 7
        elif which == "next":
            ahead = named - now.weekday() + 7  # said on a Wednesday, "next Friday" isn't in two days
        elif which != "this":
            ahead = ahead or 7  # said on a Monday, "on Monday" is the next one
        for day in _shifted(match, now, timedelta(days=ahead), timed=False):
            yield day if week is None else evolve(day, end=week.end())


def _names_a_weekday(match: re.Match[str]) -> bool:
    return (
        match[1] is not None
        or len(match[2]) > len("thu")
        or _BEFORE_A_SHORT_NAME.search(match.string, max(0, match.start() - 7), match.start()) is not None
        or _BEHIND_A_SHORT_NAME.match(match.string, match.end()) is not None
    )


def _end_of_span(match: re.Match[str], today: date) -> date:
    """Return the last day of a month, quarter or year; a week's work ends on Friday."""
    step = STEPS[(match[1] or "this").lower()]
    if match[2]:
        span = match[2].lower()
        return span_beside(span, step, today)[1] - timedelta(days=2 if span == "week" else 0)
    month = month_number(match[3])
    return last_day(int(match[4]) if match[4] else today.year + (month < today.month), month)


def is_behind_since(match: re.Match[str]) -> bool:
    """Whether "since" stands before a day, which then lies in the past."""
    return SINCE.search(match.string, max(0, match.start() - 10), match.start()) is not None


def _shifted(match: re.Match[str], now: datetime, by: timedelta, *, timed: bool) -> Iterator[Mention]:
    try:
        moment = now + by
    except OverflowError:
        return  # beyond the calendar
    yield mention_of(match, moment.date(), moment.timetz().replace(microsecond=0) if timed else None, counted=True)


def mention_of(match: re.Match[str], day: date | None, clock: time | None = None, *, counted: bool = False) -> Mention:
    """Return the mention of a day, a time of day or both, where a pattern found it."""
    return Mention(Kind.MOMENT, Moment(day, clock, counted=counted), match.start(), match.end())
