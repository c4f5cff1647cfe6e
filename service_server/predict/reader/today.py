"""What a prompt says about the day it was written on: "today is March 1st 2023"."""

import re
from datetime import UTC, date, datetime, time, tzinfo

from service_server.predict.mentions import find_moments

_LONG_AGO = datetime(1900, 1, 1, tzinfo=UTC)
_TODAY = re.compile(
    r"\b(?:today(?:'s date)?|current(?:ly| date| day)?|(?<!right )now)"
    r"(?:,? (?:it )?is\b| it's|:| =)+ ?(.{4,40})",
    re.IGNORECASE,
)
_FURTHEST = 12  # room for what stands before the date: "Friday, the "
_YEAR = re.compile(r"(?<![\w.,-])20\d{2}(?![\w-]|[.,]\d)")


def today_said_in(prompt: str, zone: tzinfo | None) -> datetime | None:
    """Return the beginning of the day, in a time zone, that a prompt says is today."""
    statement = _statement(prompt)
    return None if statement is None else datetime.combine(statement[0], time(), zone)


def place_of_today(prompt: str) -> tuple[int, int] | None:
    """Return where the words stand that say which day is today."""
    statement = _statement(prompt)
    return None if statement is None else statement[1]


def _statement(prompt: str) -> tuple[date, tuple[int, int]] | None:
    for match in _TODAY.finditer(prompt):
        for mention in find_moments(match[1], _LONG_AGO):
            day, end = mention.value.day, match.start(1) + mention.end
            if mention.start <= _FURTHEST and day is not None and str(day.year) in prompt[match.start() : end]:
                return day, (match.start(), end)
    return None


def only_year_in(prompt: str) -> str | None:
    """Return the year that a prompt names, if it names only one: "on 6 March (it's 2023)"."""
    years = set(_YEAR.findall(prompt))
    return years.pop() if len(years) == 1 else None
