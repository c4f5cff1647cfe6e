"""Weekends, weeks, months, quarters and years: where each begins and ends; and the days of times."""

import calendar
from datetime import date, datetime, time, timedelta

STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
"""How many weekends, weeks, months, quarters or years away one is, by the word before it."""


def span_beside(span: str, step: int, today: date) -> tuple[date, date]:
    """
    Return the first and last day of the weekend, week, month, quarter or year that is `step` ones away from today's.
    """
    if span == "weekend":
        _, sunday = span_beside("week", step, today)
        return sunday - timedelta(days=1), sunday
    if span == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
        return monday, monday + timedelta(days=6)
    months = {"month": 1, "quarter": 3, "year": 12}[span]
    first = today.year * 12 + (today.month - 1) // months * months + step * months
    year, month = divmod(first + months - 1, 12)
    return date(first // 12, first % 12 + 1, 1), last_day(year, month + 1)


def last_day(year: int, month: int) -> date:
    """Return the last day of a month."""
    return date(year, month, calendar.monthrange(year, month)[1])


def next_day_at(clock: time, now: datetime) -> date:
    """Return the day of the next time that it is some time of day."""
    return now.date() if clock.replace(tzinfo=None) >= now.time() else now.date() + timedelta(days=1)


def day_numbered(number: int, today: date, *, past: bool = False) -> date | None:
    """Return the next day to come with a number, if there is one: on the 12th, "the 10th" is next month's."""
    first = today.replace(day=1)
    for _ in range(3):  # no two months in a row lack a day
        try:
            day = first.replace(day=number)
        except ValueError:
            day = None
        if day is not None and (day <= today if past else day >= today):
            return day
        try:
            first = (first + timedelta(days=-1 if past else 32)).replace(day=1)
        except OverflowError:
            break  # beyond the calendar
    return None
