"""Days behind whoever asks what happened: "what came in after Monday" is not about next Monday."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from attrs import evolve

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.moments import asks_for_a_form

_HAPPENED = re.compile(
    r"\b(?:did|didn't|came|went|happened|sold|moved|arrived|took place"
    r"|(?:how|what|who|which|where)(?: \w+)? (?:was|were)|that (?:was|were)|(?:was|were) due)\b",
    re.IGNORECASE,
)
_PAID = re.compile(r"\b(?:paid|received|bought|spent|moved|transferred|charged)\b", re.IGNORECASE)
# An argument by which is found what has happened, whatever the prompt says: "calls after 1 May".
_HAS_HAPPENED = re.compile(
    r"\b(?:sent|began|made|created|changed|updated|modified|published|happened|dated"
    r"|(?:commits|transactions|payments|responses|messages) (?:after|before|at|of))\b"
)
_IS_TO_COME = re.compile(r"\b(?:due|to come|have to)\b")
_WEEKDAY = re.compile(r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b", re.IGNORECASE)
# "Did anyone book a room for Friday?"
_FOR = re.compile(r"\b(?:for|due|by|until|till?) (?:the )?$", re.IGNORECASE)
_SAYS_WHICH = re.compile(
    r"\b(?:(?:19|20)\d\d|next|coming|today|tomorrow|in \w+ (?:days?|weeks?|months?))\b", re.IGNORECASE
)


def as_past(
    found: Sequence[Filled], prompt: str, now: datetime, *, only_reads: bool, reports: bool = False
) -> list[Filled]:
    """
    Return what was filled, with the days that a question of what happened would have ahead: a week or a year earlier.

    So are those of arguments by which what happened is found. The ends of a stretch of time, which come from the same
    words, go together. What is written down of money that was paid has the date of that. What `reports` has nothing to
    say of days to come.
    """
    told = reports or (_HAPPENED if only_reads else _PAID).search(prompt) is not None

    def lies_behind(value: Filled) -> bool:
        if only_reads:
            return told or _has_happened(value)
        return told and value.question.name == "date"

    return [_earlier(each, found, prompt, now.date()) if lies_behind(each) else each for each in found]


def _has_happened(value: Filled) -> bool:
    description = str(value.question.schema.get("description", ""))
    return _HAS_HAPPENED.search(description) is not None and _IS_TO_COME.search(description) is None


def _earlier(value: Filled, found: Sequence[Filled], prompt: str, today: date) -> Filled:
    day, words = _day_of(value), prompt[value.start : value.end]
    if day is None or not words or _SAYS_WHICH.search(words) or _FOR.search(prompt[: value.start][-12:]):
        return value
    together = [_day_of(each) for each in found if (each.start, each.end) == (value.start, value.end)]
    if min(filter(None, together)) <= today:
        return value
    try:
        back = day - timedelta(weeks=1) if _WEEKDAY.search(words) else day.replace(year=day.year - 1)
    except ValueError:
        return value  # no 29th of February
    return evolve(value, value=back.isoformat() + value.value[len("2027-01-01") :])


def _day_of(value: Filled) -> date | None:
    """Return the day of a date or time; None for other values, and those written in a form of their own."""
    try:
        return datetime.fromisoformat(value.value).date() if asks_for_a_form(value.question.schema) else None
    except ValueError:
        return None
