"""Dates and times of day, written out or relative to now."""

import re
from collections.abc import Iterator
from datetime import MAXYEAR, date, datetime, time

from attrs import evolve

from service_server.predict.mentions.calendar_spans import STEPS, day_numbered, span_beside
from service_server.predict.mentions.calendar_words import MONTH, ORDINAL, WEEKDAYS, month_number, numbered
from service_server.predict.mentions.clocks import HALF_BEHIND, Clock, clock_beside, clocks_in
from service_server.predict.mentions.counted_days import counted_days, is_behind_since, mention_of
from service_server.predict.mentions.mention import Kind, Mention, Moment
from service_server.predict.mentions.other_languages import BETWEEN, Found, clocks_of, days_of

_ISO = re.compile(
    r"(?<![\w-])(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?(?![\w-])"
)
_MONTH_DAY = re.compile(rf"\b{MONTH} (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?\b", re.IGNORECASE)
_DAY_MONTH = re.compile(
    rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)?(?: this)? {MONTH}(?:,? (\d{{4}}))?\b", re.IGNORECASE
)
_DAY_OF = re.compile(
    rf"\b(?:the )?({ORDINAL})(?: day)? of (?:{MONTH}(?:,? (\d{{4}}))?|(this|next|last) month)\b", re.IGNORECASE
)
_MONTH_ALONE = re.compile(
    rf"\b(since|before|until|till?) (?P<month>{MONTH}(?:,? (\d{{4}}))?)(?! (?:the )?\d)(?!\w)", re.IGNORECASE
)
_DAY_ALONE = re.compile(
    r"(?:^|\b(?:on|by|until|till|til|before|after|since|from|to|through|thru|between|and"
    rf"|(?:{'|'.join(WEEKDAYS)}),?) )"
    rf"(the ({ORDINAL}))"
    r"(?=\s*(?:[,;:!?)–-]|\.(?!\d)|$)"
    r"|\s+(?:at|from|to|till?|until|up to|through|thru|for|with|in|and|around|please|noon)\b|\s+\d)",
    re.IGNORECASE,
)
_ENDS_WITH_A_DAY = re.compile(r"(?:since|from|to|until|till|til) ", re.IGNORECASE)
_YEAR_FIRST = re.compile(r"(?<![\w/.-])(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?![\w/-])")
_FIGURES = re.compile(r"(?<![\w/.-])(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?![\w/-])")
_NO_YEAR = re.compile(r"(?<=\bon )(?!24/7)(\d{1,2})/(\d{1,2})(?![\w/]|[.-]\d)")
_SAYS_WHICH_HALF = re.compile(r"[ap]\.?m\b|noon|midday|morning|night", re.IGNORECASE)
DAY_OF_MONTH = re.compile(r"(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)", re.IGNORECASE)
"""A day that has a number only, and the words before it."""
UNTIL = re.compile(r"\b(?:until|till?|before) (?:the )?$", re.IGNORECASE)
"""Ends the words before a date at which something ends."""
_BETWEEN = frozenset({"", "at", "from", ",", "on", "around", ", at", "@"}) | BETWEEN
_BEFORE_ITS_DATE = frozenset({"", ",", "the", ", the", "("})


def find_moments(prompt: str, now: datetime) -> Iterator[Mention]:
    """Yield the days and times of a prompt; a day and a time side by side are one mention."""
    pending: Mention | None = None
    day: date | None = None
    days = list(_days(prompt, now))
    for mention in _without_overlaps([*days, *_clocks(prompt, now), *_bare_hours(prompt, days, now)]):
        joined = _joined(pending, mention, prompt) if pending else None
        if joined is None and pending is not None:
            yield _on_day(pending, day)
            day = pending.value.day or day
        pending = joined or mention
    if pending is not None:
        yield _on_day(pending, day)


def _bare_hours(prompt: str, days: list[Mention], now: datetime) -> Iterator[Mention]:
    """Yield the hours given by a bare figure, which only a day beside it makes clear: "on Monday at 9"."""
    for day in days:
        clock = clock_beside(prompt, day.start, day.end) if day.value.clock is None else None
        if clock is not None:
            yield _at(clock, now)


def _on_day(mention: Mention, day: date | None) -> Mention:
    """Put a time of day on the day named before it: "tomorrow from 2pm to 4pm"."""
    return mention if mention.value.day or day is None else evolve(mention, value=evolve(mention.value, day=day))


def _without_overlaps(mentions: list[Mention]) -> Iterator[Mention]:
    end = -1
    for mention in sorted(mentions, key=lambda each: (each.start, -each.end)):
        if mention.start >= end:
            end = mention.end
            yield mention


def _joined(first: Mention, second: Mention, prompt: str) -> Mention | None:
    one, two = first.value, second.value
    between = prompt[first.end : second.start].strip().lower()
    if one.clock is None and (half := HALF_BEHIND.match(prompt, first.end)):
        between = prompt[half.end() : second.start].strip().lower()  # "tomorrow evening at 8"
    if one.counted and one.clock is None and two.day is not None and not two.counted and between in _BEFORE_ITS_DATE:
        return evolve(first, value=two, end=second.end)  # "Monday, 2 October": the date says which Monday
    if (one.day is None) == (two.day is None) or (one.clock is None) == (two.clock is None):
        return None
    if between not in _BETWEEN:
        return None
    day, clock = (first, second) if one.clock is None else (second, first)
    hour: time = clock.value.clock
    if is_evening(day, prompt) and 0 < hour.hour < 12 and not _SAYS_WHICH_HALF.search(prompt[clock.start : clock.end]):
        hour = hour.replace(hour=hour.hour + 12)
    value = Moment(day.value.day, hour, counted=one.counted or two.counted)
    half = HALF_BEHIND.match(prompt, second.end) if second is day else None  # "8 tomorrow evening"
    return evolve(first, value=value, end=half.end() if half is not None else second.end)


def is_evening(day: Mention, prompt: str) -> bool:
    """Whether a day is that of an evening: at 8 "tonight" is not in the morning."""
    half = HALF_BEHIND.match(prompt, day.end)
    is_late = half is not None and half[1].lower() in ("evening", "night")
    return is_late or prompt[day.start : day.end].lower().startswith(("tonight", "this evening"))


def _days(prompt: str, now: datetime) -> Iterator[Mention]:
    yield from counted_days(prompt, now)
    for match in _ISO.finditer(prompt):
        try:
            yield _iso(match, now)
        except ValueError:
            continue  # June has no 31st
    for match in _MONTH_DAY.finditer(prompt):
        yield from _calendar_day(match, match[3], month_number(match[1]), int(match[2]), now)
    for match in _DAY_MONTH.finditer(prompt):
        yield from _calendar_day(match, match[3], month_number(match[2]), int(match[1]), now)
    for match in _DAY_OF.finditer(prompt):
        yield from _day_of_month(match, now)
    yield from _months(prompt, now)
    for match in _DAY_ALONE.finditer(prompt):
        if match[2].isalpha() and not _ENDS_WITH_A_DAY.match(match[0]):
            continue  # "before the second" of several things
        found = day_numbered(numbered(match[2]), now.date(), past=match[0].lower().startswith("since"))
        if found is not None:
            yield Mention(Kind.MOMENT, Moment(found, None), *match.span(1))
    yield from _days_in_figures(prompt, now)
    for match in _YEAR_FIRST.finditer(prompt):
        yield from _calendar_day(match, match[1], int(match[3]), int(match[4]), now)
    try:
        yield from (_elsewhere(found, now) for found in days_of(prompt, now.date()))
    except OverflowError:
        return  # beyond the calendar


def _months(prompt: str, now: datetime) -> Iterator[Mention]:
    """Yield the first days of months alone: "since October" is the last one, "before October" the next to come."""
    for match in _MONTH_ALONE.finditer(prompt):
        month, year = month_number(match[3]), int(match[4] or now.year)
        if not match[4]:
            year += -(month > now.month) if match[1].lower() == "since" else month <= now.month
        if 1 <= year <= MAXYEAR:
            yield Mention(Kind.MOMENT, Moment(date(year, month, 1), None), *match.span("month"))


def _elsewhere(found: Found, now: datetime) -> Mention:
    """Return what is said in another language than English."""
    clock = None if found.clock is None else found.clock.replace(tzinfo=now.tzinfo)
    return Mention(Kind.MOMENT, Moment(found.day, clock, counted=found.counted), found.start, found.end)


def _iso(match: re.Match[str], now: datetime) -> Mention:
    day = date(int(match[1]), int(match[2]), int(match[3]))
    if match[4] is None:
        return mention_of(match, day)
    zone = datetime.fromisoformat(f"2000-01-01T00:00:00{match[7]}").tzinfo if match[7] else now.tzinfo
    return mention_of(match, day, time(int(match[4]), int(match[5]), int(match[6] or 0), tzinfo=zone))


def _calendar_day(match: re.Match[str], year: str | None, month: int, day: int, now: datetime) -> Iterator[Mention]:
    """Yield a day of a month; without a year it is the next one to come or, behind "since", the last one."""
    past = is_behind_since(match)
    for candidate in (int(year),) if year else [now.year + (-away if past else away) for away in range(5)]:
        try:
            found = date(candidate, month, day)
        except ValueError:
            continue
        if year or (found <= now.date() if past else found >= now.date()):
            yield mention_of(match, found)
            return


def _day_of_month(match: re.Match[str], now: datetime) -> Iterator[Mention]:
    """Yield "the first of June" and "the 10th of next month"."""
    day = numbered(match[1])
    if match[2]:
        yield from _calendar_day(match, match[3], month_number(match[2]), day, now)
        return
    try:
        first, _ = span_beside("month", STEPS[match[4].lower()], now.date())
        yield mention_of(match, first.replace(day=day))
    except ValueError:
        return  # June has no 31st, and the calendar an end


def _days_in_figures(prompt: str, now: datetime) -> Iterator[Mention]:
    figures = list(_FIGURES.finditer(prompt))
    orders = {int(match[1]) > 12 for match in figures if int(match[1]) > 12 or int(match[3]) > 12}
    for match in figures:
        yield from _in_figures(match, now, day_first=next(iter(orders)) if len(orders) == 1 else None)
    for match in _NO_YEAR.finditer(prompt):
        if int(match[1]) > 12 >= int(match[2]) > 0:
            yield from _calendar_day(match, None, int(match[2]), int(match[1]), now)


def _in_figures(match: re.Match[str], now: datetime, *, day_first: bool | None) -> Iterator[Mention]:
    """
    Yield a day like 24.12.2025 or 12/24/2025.

    With slashes, a date that can be read both ways is not guessed, unless the dates beside it tell the order.
    """
    first, second = int(match[1]), int(match[3])
    if match[2] == "." or first > 12 or first == second or day_first:
        yield from _calendar_day(match, match[4], second, first, now)
    elif second > 12 or day_first is False:
        yield from _calendar_day(match, match[4], first, second, now)


def _clocks(prompt: str, now: datetime) -> Iterator[Mention]:
    for clock in clocks_in(prompt):
        at = _at(clock, now)
        is_today = " this " in prompt[clock.start : clock.end].lower()  # "nine this morning"
        yield evolve(at, value=evolve(at.value, day=now.date(), counted=True)) if is_today else at
    yield from (_elsewhere(found, now) for found in clocks_of(prompt))


def _at(clock: Clock, now: datetime) -> Mention:
    return Mention(Kind.MOMENT, Moment(None, clock.value.replace(tzinfo=now.tzinfo)), clock.start, clock.end)
