"""Times of day: "5pm", "17:30", "half past two", "8 in the evening", and beside a day "at 9", "18h", "12.30"."""

import re
from collections.abc import Iterator
from datetime import time

from attrs import frozen

HOURS = ("zero", *["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])
HOUR = rf"\d{{1,2}}|{'|'.join(HOURS[1:])}"
"""An hour in figures or in words."""
_CLOCK = re.compile(
    rf"(?<![\w:.,/-])(?:({HOUR})(?::(\d{{2}}))?(?::(\d{{2}}))? ?([ap])\.?m\b"
    r"|(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\w:]))",
    re.IGNORECASE,
)
_O_CLOCK = re.compile(rf"\b({HOUR}) o['’]?clock\b(?! (?:in the|at|this) )", re.IGNORECASE)
_HOUR_OF_A_HALF = re.compile(
    r"\b(?:(half past|quarter past|quarter to) )?"
    rf"({HOUR})"
    r"(?::(\d{2}))?(?: o'?clock)? (?:in the |at |this )(morning|afternoon|evening|night)\b",
    re.IGNORECASE,
)
_PARTS_OF_HOUR = {"half past": 30, "quarter past": 15, "quarter to": 45}
_PART_OF_HOUR = re.compile(
    rf"\b({'|'.join(_PARTS_OF_HOUR)}) ({HOUR})\b(?! (?:in the|at|this) (?:morning|afternoon|evening|night))",
    re.IGNORECASE,
)
_MINUTES = {"fifteen": 15, "thirty": 30, "forty-five": 45, "forty five": 45}
_WHEN = r"\b(?:at|by|from|until|till?|around|to|before|after) "
_HALF_OF_HOUR = re.compile(rf"{_WHEN}(half ({'|'.join(HOURS[1:])}))\b(?! (?:hour|percent|dozen)s?\b)", re.IGNORECASE)
_HOUR_AND_MINUTES = re.compile(
    rf"{_WHEN}(({'|'.join(HOURS[1:])}) ({'|'.join(_MINUTES)}))\b"
    r"(?! (?:[ap]\.?m\b|minutes?|seconds?|people|percent|euros?|dollars?|pounds?))",
    re.IGNORECASE,
)
_SPOKEN_MINUTES = {"five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
MINUTES_TO_AN_HOUR = re.compile(
    rf"\bat (({'|'.join(_SPOKEN_MINUTES)}) (to|past) ({HOUR}))\b(?! ?[ap]\.?m\b)", re.IGNORECASE
)
"""Minutes before or after an hour, in words; without the "at", "ten to six" are hours."""
_NAMED_CLOCK = re.compile(r"\b(noon|midday|midnight)\b", re.IGNORECASE)
BEHIND_AN_HOUR = (
    r"(?=\s*(?:[,;!?)]|\.(?!\d)|$)"
    r"|\s+(?:for|with|in|to|until|till?|and|that|on|so|please|sharp|about|if|as|or|i|he|she|we|they)\b)"
)
"""Behind a bare hour the sentence ends or goes on; "at 9 euros" is not a time."""
_BARE_HOUR = rf"(?P<clock>(?P<hour>{HOUR})(?P<minute>))"
# "18h" is a length elsewhere, and "12.30" a price.
_SHORT_CLOCK = r"(?P<clock>(?P<hour>\d{1,2})(?:[.h](?P<minute>[0-5]\d)|h))(?![\w%€$£]|[.,:/]\d)"
_AT_AN_HOUR = re.compile(rf"\bat {_BARE_HOUR}{BEHIND_AN_HOUR}", re.IGNORECASE)
_HOUR_BEHIND_A_DAY = (
    re.compile(rf",? at {_BARE_HOUR}{BEHIND_AN_HOUR}", re.IGNORECASE),
    # "From 7 to 8pm" begins in the evening.
    re.compile(rf",? from {_BARE_HOUR}(?! (?:to|till?|until) (?:{HOUR}|noon|mid)){BEHIND_AN_HOUR}", re.IGNORECASE),
    re.compile(rf",? (?:(?:at|around|from) )?{_SHORT_CLOCK}{BEHIND_AN_HOUR}", re.IGNORECASE),
    re.compile(rf",? (?:from )?{_BARE_HOUR}(?= ?(?:to|till?|until|-|–) ?\d{{1,2}}:\d\d)", re.IGNORECASE),
)
_HOUR_BEFORE_A_DAY = (
    re.compile(rf"\bat {_BARE_HOUR},? (?:on )?$", re.IGNORECASE),
    re.compile(rf"\b(?:at|to|from|until|till|around) {_SHORT_CLOCK},? (?:on )?$", re.IGNORECASE),
)
_HOUR_OF_A_HALF_DAY = re.compile(rf"\b(?:at|to|by|from|until|till?|around) {_BARE_HOUR} $", re.IGNORECASE)
_TONIGHT = re.compile(r"tonight|this evening", re.IGNORECASE)
HALF_BEHIND = re.compile(r" (morning|afternoon|evening|night)\b", re.IGNORECASE)
EARLIEST_HOUR = 7  # "tomorrow at 3" is in the afternoon


@frozen
class Clock:
    """A time of day, without a time zone, and where the prompt says it."""

    value: time
    start: int
    end: int


def clocks_in(prompt: str) -> Iterator[Clock]:
    """Yield the times of day that are clear by themselves."""
    for match in _CLOCK.finditer(prompt):
        half = match[4]
        parts = match.groups()[:3] if half else match.groups()[4:]
        hour, minute, second = hour_named(parts[0]), int(parts[1] or 0), int(parts[2] or 0)
        if half:
            if not 1 <= hour <= 12:
                continue
            hour = hour % 12 + (12 if half.lower() == "p" else 0)
        if hour < 24 and minute < 60 and second < 60:
            yield Clock(time(hour, minute, second), *match.span())
    for match in _HOUR_OF_A_HALF.finditer(prompt):
        hour = hour_named(match[2])
        minute = int(match[3] or 0)
        if match[1]:
            minute = _PARTS_OF_HOUR[match[1].lower()]
            hour -= match[1].lower() == "quarter to"
        late = match[4].lower() != "morning" and not (match[4].lower() == "night" and hour < 6)
        if 0 <= hour <= 12 and minute < 60:
            yield Clock(time(hour % 12 + 12 * late, minute), *match.span())
    yield from _beside_hours(prompt)
    for match in _HOUR_AND_MINUTES.finditer(prompt):
        yield Clock(time(likely_hour(hour_named(match[2])), _MINUTES[match[3].lower()]), *match.span(1))
    for match in _O_CLOCK.finditer(prompt):
        if hour_named(match[1]) < 24:
            yield Clock(time(likely_hour(hour_named(match[1]))), *match.span())
    for match in _NAMED_CLOCK.finditer(prompt):
        yield Clock(time(0 if match[1].lower() == "midnight" else 12), *match.span())


def _beside_hours(prompt: str) -> Iterator[Clock]:
    """Yield the times some minutes before or after an hour: "quarter to nine", "at half eight", "at ten to six"."""
    for match in _PART_OF_HOUR.finditer(prompt):
        hour = hour_named(match[2])
        if 1 <= hour <= 12:
            hour = likely_hour(hour) - (match[1].lower() == "quarter to")
            yield Clock(time(hour, _PARTS_OF_HOUR[match[1].lower()]), *match.span())
    for match in _HALF_OF_HOUR.finditer(prompt):  # "at half eight"
        yield Clock(time(likely_hour(hour_named(match[2])), 30), *match.span(1))
    for match in MINUTES_TO_AN_HOUR.finditer(prompt):
        hour, minutes = hour_named(match[4]), _SPOKEN_MINUTES[match[2].lower()]
        if 1 <= hour <= 12:
            is_before = match[3].lower() == "to"
            yield Clock(time(likely_hour(hour) - is_before, 60 - minutes if is_before else minutes), *match.span(1))


def clock_beside(prompt: str, start: int, end: int) -> Clock | None:
    """Return the time of day that a figure beside a day, from `start` to `end`, stands for."""
    half = HALF_BEHIND.match(prompt, end)
    if _TONIGHT.match(prompt, start, end) and (match := _HOUR_OF_A_HALF_DAY.search(prompt, max(0, start - 20), start)):
        hour = hour_named(match["hour"])
        return Clock(time(hour % 12 + 12), *match.span("clock")) if 5 <= hour <= 12 else None
    if half is not None:  # "6 tomorrow morning", "tomorrow evening at 8"
        match = _HOUR_OF_A_HALF_DAY.search(prompt, max(0, start - 20), start)
        match = match or _HOUR_BEHIND_A_DAY[0].match(prompt, half.end())
        hour = hour_named(match["hour"]) if match is not None else 0
        if match is not None and hour <= 12 and (half[1].lower() != "night" or 6 <= hour < 12):
            return Clock(time(hour % 12 + 12 * (half[1].lower() != "morning")), *match.span("clock"))
    behind = (pattern.match(prompt, end) for pattern in _HOUR_BEHIND_A_DAY)
    before = (pattern.search(prompt, max(0, start - 20), start) for pattern in _HOUR_BEFORE_A_DAY)
    match = next(filter(None, (*behind, *before)), None)
    return None if match is None else _in_figures(match)


def only_bare_hour(prompt: str) -> Clock | None:
    """Return the only hour that a bare figure behind "at" may stand for: "a review at 10 with Ana"."""
    found = list(_AT_AN_HOUR.finditer(prompt))
    return _in_figures(found[0]) if len(found) == 1 else None


def _in_figures(match: re.Match[str]) -> Clock | None:
    hour = hour_named(match["hour"])
    return Clock(time(likely_hour(hour), int(match["minute"] or 0)), *match.span("clock")) if hour < 24 else None


def hour_named(text: str) -> int:
    """Return the hour that figures or a word name."""
    if text.isdigit():
        return int(text)
    folded = text.lower()
    return {"noon": 12, "midday": 12, "midnight": 24}.get(folded) or HOURS.index(folded)


def likely_hour(hour: int) -> int:
    """Return the hour of a day that a figure alone means."""
    return hour + 12 if 0 < hour < EARLIEST_HOUR else hour
