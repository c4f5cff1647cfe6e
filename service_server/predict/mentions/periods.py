"""Stretches of time: "in October", "last week", "from December 7 to 11", "between 1 and 5pm tomorrow"."""

import contextlib
import itertools
import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from attrs import evolve, frozen

from service_server.predict.mentions.calendar_spans import STEPS, day_numbered, last_day, next_day_at, span_beside
from service_server.predict.mentions.calendar_words import MONTH, month_number, numbered
from service_server.predict.mentions.clocks import BEHIND_AN_HOUR, EARLIEST_HOUR, HOUR, MINUTES_TO_AN_HOUR, hour_named
from service_server.predict.mentions.mention import Mention, Moment
from service_server.predict.mentions.moments import DAY_OF_MONTH, find_moments, is_evening

_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_TO = r"\s*(?:-|–|(?:up )?to|and|till|til|until|through|thru)\s*(?:the )?"
_DAYS_OF_MONTH = re.compile(
    rf"\b{MONTH} (?:the )?{_DAY}{_TO}{_DAY}\b(?:,? (\d{{4}})\b)?(?! ?(?:[ap]m|:))", re.IGNORECASE
)
_MONTH_BEHIND = re.compile(rf"\b(?:the )?{_DAY}{_TO}{_DAY} (?:of )?{MONTH}(?:,? (\d{{4}}))?\b", re.IGNORECASE)
_WHOLE_MONTH = re.compile(
    rf"\b(?:(?:in|during|for|of|from|throughout) |(last|this) ){MONTH}(?:,? (\d{{4}}))?\b(?! (?:the )?\d)",
    re.IGNORECASE,
)
_MONTH_TO_MONTH = re.compile(
    rf"\b(?:(from|between) )?{MONTH}(?: (\d{{4}}))?({_TO}(?:end of )?){MONTH}(?:,? (\d{{4}}))?\b(?! (?:the )?\d)",
    re.IGNORECASE,
)
_WHOLE_YEAR = re.compile(r"\b(?:in|during|for|throughout) ((?:19|20)\d{2})\b(?![-/.:]\d)", re.IGNORECASE)
_QUARTER = re.compile(
    r"\b(?:(first|second|third|fourth|1st|2nd|3rd|4th) quarter|q([1-4]))(?: (?:of )?((?:19|20)\d{2}))?\b", re.IGNORECASE
)
_BESIDE_NOW = re.compile(
    r"\b(last|past|previous|this|current|next|coming) (weekend|week|month|quarter|year)\b", re.IGNORECASE
)
_BACK = re.compile(
    r"\b(?:last|past|previous) (\d{1,3}|two|three|four|five|six|seven|ten) (day|week|month)s\b", re.IGNORECASE
)
_HALF_DAY = re.compile(r"\s*(?:in the )?(morning|afternoon|evening)\b", re.IGNORECASE)
_HOUR = rf"({HOUR}|noon|midday|midnight)(?:[:.h](\d{{2}})|h\b)?"
_HOURS_OF_DAY = re.compile(
    rf"\b(?:from |between )?{_HOUR}\s*([ap]m)?(?: (?:tonight|this evening))?{_TO}{_HOUR}\s*([ap]m)?\b(?![:.,]?\d|%)",
    re.IGNORECASE,
)
_EVENING = re.compile(r"\b(?:tonight|evening)\b", re.IGNORECASE)
_GOES_ON = re.compile(BEHIND_AN_HOUR, re.IGNORECASE)
_MIDNIGHT, _LATE, _SMALL_HOURS = 24, 18, 6
_HALVES = {"morning": (0, 12, 9), "afternoon": (12, 18, 14), "evening": (18, 23, 19)}


@frozen
class Period:
    """
    From one moment to another; without a clock these are whole days, the last one included.

    What happens in a morning or an afternoon doesn't take all of it: `usual` is when it begins, where nothing says so.
    """

    first: Moment
    last: Moment
    start: int
    end: int
    usual: Moment | None = None


def find_periods(prompt: str, now: datetime) -> list[Period]:
    """Return the stretches of time that a prompt names, in its order; one within another does not count again."""
    moments = list(find_moments(prompt, now))
    found = sorted(_periods(prompt, moments, now), key=lambda each: (each.start, -each.end))
    # "The 3rd of December" isn't all of December.
    days = [each for each in moments if each.value.day is not None]
    found = [each for each in found if not any(day.start < each.start and each.end <= day.end for day in days)]
    return [each for at, each in enumerate(found) if not any(each.start < other.end for other in found[:at])]


def _periods(prompt: str, moments: list[Mention], now: datetime) -> Iterator[Period]:
    today = now.date()
    for match in _DAYS_OF_MONTH.finditer(prompt):
        yield from _days(match, match[1], match[2], match[3], match[4], today)
    for match in _MONTH_BEHIND.finditer(prompt):
        yield from _days(match, match[3], match[1], match[2], match[4], today)
    for match in _WHOLE_MONTH.finditer(prompt):
        try:
            yield _month(match, today)
        except ValueError:
            continue  # beyond the calendar
    for match in _MONTH_TO_MONTH.finditer(prompt):
        if match[4].strip().lower() != "and" or (match[1] or "").lower() == "between":
            with contextlib.suppress(ValueError):  # beyond the calendar
                yield _months(match, today)
    for match in _WHOLE_YEAR.finditer(prompt):
        year = int(match[1])
        yield _whole(match, date(year, 1, 1), date(year, 12, 31))
    for match in _QUARTER.finditer(prompt):
        yield _quarter(match, today)
    for match in _BESIDE_NOW.finditer(prompt):
        yield _whole(match, *span_beside(match[2].lower(), STEPS[match[1].lower()], today))
    for match in _BACK.finditer(prompt):
        count = hour_named(match[1])
        days = {"day": 1, "week": 7, "month": 30}[match[2].lower()]
        yield _whole(match, today - timedelta(days=count * days), today)
    yield from _between(prompt, moments)
    yield from _halves_of_days(prompt, moments, now)
    yield from _hours(prompt, moments, now)


def _whole(match: re.Match[str], first: date, last: date) -> Period:
    return Period(Moment(first, None), Moment(last, None), match.start(), match.end())


def _days(match: re.Match[str], month: str, one: str, other: str, year: str | None, today: date) -> Iterator[Period]:
    try:
        first, last = (date(int(year or today.year), month_number(month), int(day)) for day in (one, other))
        if not year and last < today:
            first, last = first.replace(year=today.year + 1), last.replace(year=today.year + 1)
    except ValueError:
        return  # June has no 31st
    if first < last:
        yield _whole(match, first, last)


def _month(match: re.Match[str], today: date) -> Period:
    """Return a whole month; if no year is named, the one nearest to today."""
    number = month_number(match[2])
    year = int(match[3]) if match[3] else _nearest_year(number, today)
    if not match[3] and (match[1] or "").lower() == "last" and year == today.year and number >= today.month:
        year -= 1
    return _whole(match, date(year, number, 1), last_day(year, number))


def _months(match: re.Match[str], today: date) -> Period:
    """Return several whole months; if no year is named, the first is the one nearest to today."""
    first, last = month_number(match[2]), month_number(match[5])
    if match[3] or not match[6]:
        year = int(match[3]) if match[3] else _nearest_year(first, today)
        last_year = int(match[6]) if match[6] else year + (last < first)
    else:
        last_year = int(match[6])
        year = last_year - (last < first)
    return _whole(match, date(year, first, 1), last_day(last_year, last))


def _quarter(match: re.Match[str], today: date) -> Period:
    """Return a quarter; if no year is named, the one whose first month is nearest to today."""
    number = int(match[2]) if match[2] else numbered(match[1])
    first = 3 * number - 2
    year = int(match[3]) if match[3] else _nearest_year(first, today)
    return _whole(match, date(year, first, 1), last_day(year, first + 2))


def _nearest_year(month: int, today: date) -> int:
    """Return the year of the month that is nearest to today."""
    away = month - today.month
    return today.year + (1 if away < -6 else -1 if away > 6 else 0)


def _between(prompt: str, moments: list[Mention]) -> Iterator[Period]:
    """Yield what stands between two moments with days: "from Monday to Wednesday"."""
    for one, other in itertools.pairwise(moments):
        first, last = one.value, other.value
        if first.day is None and first.clock is not None and last.clock is not None:
            first = evolve(first, day=last.day)  # "from half past two to quarter to four tomorrow"
        if first.day is None or last.day is None or (first.clock is None) != (last.clock is None):
            continue
        between = prompt[one.end : other.start]
        before = prompt[max(0, one.start - 9) : one.start].lower().rstrip()
        if not re.fullmatch(_TO, between, re.IGNORECASE) or (
            between.strip().lower() == "and" and not before.endswith("between")
        ):
            continue
        if first.clock is None and last.day < first.day and last.counted:
            last = Moment(last.day + timedelta(weeks=1), None, counted=True)
        elif (
            first.clock is None
            and last.day < first.day
            and (match := DAY_OF_MONTH.fullmatch(prompt[other.start : other.end]))
        ):
            # "From the 17th to the 28th", said on the 20th.
            last = Moment(day_numbered(int(match[1]), first.day) or last.day, None)
        if (first.day, first.clock or time.min) < (last.day, last.clock or time.max):
            yield Period(first, last, one.start, other.end)


def _halves_of_days(prompt: str, moments: list[Mention], now: datetime) -> Iterator[Period]:
    for mention in moments:
        match = _HALF_DAY.match(prompt, mention.end)
        if match is None or mention.value.day is None or mention.value.clock is not None:
            continue
        hours = (time(hour, tzinfo=now.tzinfo) for hour in _HALVES[match[1].lower()])
        first, last, usual = (Moment(mention.value.day, hour) for hour in hours)
        yield Period(first, last, mention.start, match.end(), usual)


def _hours(prompt: str, moments: list[Mention], now: datetime) -> Iterator[Period]:
    """
    Yield hours of the one day that the prompt names: "tomorrow between 1 and 5pm", "noon to one on Friday".

    Where it names none, "1pm to 2pm" is the next time that it is one.
    """
    days = [mention for mention in moments if mention.value.day is not None]
    if len({mention.value.day for mention in days}) > 1:
        return
    for match in _HOURS_OF_DAY.finditer(prompt):
        if MINUTES_TO_AN_HOUR.search(prompt, max(0, match.start() - 3), match.end()):
            continue  # "at ten to six" is one time
        if not _counts_hours(match, days) or any(
            match.start() < day.start < match.end() and day.value.clock is None for day in days
        ):
            continue  # "from 7 to 9 December" are days
        near = [mention for mention in days if not (mention.start < match.end() and match.start() < mention.end)]
        named = next(iter(near or days), None)
        evening = _EVENING.search(match[0]) is not None or (named is not None and is_evening(named, prompt))
        minutes = [int(text or 0) for text in (match[2], match[5])]
        later = minutes[0] < minutes[1]
        hours = _clock_hours(match[1], match[3], match[4], match[6], evening=evening, later=later)
        if hours is None:
            continue
        try:  # "tonight 10 to 12" ends with the day
            ends = zip((hours[0], hours[1] % 24), minutes, strict=True)
            first, last = (time(hour, minute, tzinfo=now.tzinfo) for hour, minute in ends)
            day: date = named.value.day if named is not None else next_day_at(first, now)
            last_of = day + timedelta(days=hours[1] // 24)
        except (ValueError, OverflowError):
            continue
        if (day, first) < (last_of, last):
            yield Period(Moment(day, first), Moment(last_of, last), match.start(), match.end())


def _counts_hours(match: re.Match[str], days: list[Mention]) -> bool:
    """Whether "3 to 4" are hours: it may count anything, unless a word says so or it stands right behind a day."""
    if match[3] or match[6] or ((match[2] or match[5]) and (days or "." not in match[0])):
        return True
    if days and not (
        match[1].isdigit() and match[4].isdigit() and not match[0].lower().startswith(("from", "between"))
    ):
        return True
    behind = any(match.string[day.end : match.start()] in (" ", ", ") for day in days)
    return behind and _GOES_ON.match(match.string, match.start() + len(match[0].rstrip())) is not None


def _clock_hours(
    one: str, half: str | None, other: str, other_half: str | None, *, evening: bool, later: bool
) -> tuple[int, int] | None:
    """Return the hours of a day that two figures are, the minutes of the second being `later` in its hour or not."""
    first, last = hour_named(one), hour_named(other)
    if first > 23 or (last > 23 and other.isdigit()):
        return None  # midnight alone ends a day
    if evening and not half and not other_half:
        first, last = (hour + 12 if 0 < hour <= 12 else hour for hour in (first, last))
        return (first, last) if first < last else None
    if other_half:  # without am or pm, "from 1 to 5" is in the afternoon and "from 9 to 11" in the morning
        last = last % 12 + (12 if other_half.lower() == "pm" else 0)
    elif not half and (last < EARLIEST_HOUR or last + later <= first < 13):
        last += 12 if last < 12 else 0
    if half:
        first = first % 12 + (12 if half.lower() == "pm" else 0)
        if not other_half and last < 12 and last + later <= first:
            last += 12  # "2am till 4" is over before noon, "11am till 1" isn't
    elif first < 12 and (other_half or first < EARLIEST_HOUR or last == _MIDNIGHT) and first + 12 < last + later:
        first += 12  # "1 to 5pm"; "11 to 1pm" begins before noon
    if last <= first and first >= _LATE and (other_half or "").lower() != "pm" and hour_named(other) <= _SMALL_HOURS:
        last = hour_named(other) + 24  # "tonight 23:00 to 1am" ends the day after
    return (first, last) if last <= _MIDNIGHT + _SMALL_HOURS else None
