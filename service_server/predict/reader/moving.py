"""When something is moved to: "from Monday at 2 to Wednesday at 11" names the old time before the new one."""

import re
from collections.abc import Sequence
from datetime import datetime, time, tzinfo

from attrs import evolve

from service_server.predict.mentions import Kind, Mention, Moment, find_moments, find_periods
from service_server.predict.mentions.calendar_spans import next_day_at
from service_server.predict.mentions.clocks import BEHIND_AN_HOUR, likely_hour
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.moments import asks_for_a_form, takes_a_time_of_day, written
from service_server.predict.reader.periods import Ends, is_beginning
from service_server.predict.reader.questions import Question

_MOVES = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|(?:re-?schedul|postpon|delay|chang)(?:e|ed|ing)?|(?:shift|push|bump)(?:ed|ing)?)\b"
    r"|\bput(?:ting)? (?:\S+ ){0,6}?(?:off|back)\b|\bbring(?:ing)? (?:\S+ ){0,6}?forward\b",
    re.IGNORECASE,
)
_TO = re.compile(r"\b(?:to|till?|until) (?:the )?$", re.IGNORECASE)
_TO_AN_HOUR_OF = re.compile(r"\bto (\d{1,2}) (?=[a-z])", re.IGNORECASE)
_TO_AN_HOUR = re.compile(rf"\bto (\d{{1,2}}){BEHIND_AN_HOUR}", re.IGNORECASE)
_SURE = 0.9


def moved_question(questions: Sequence[Question], ends: Ends | None) -> Question | None:
    """Return the question for the time that something is moved to: its beginning, or the only time there is."""
    timed = [each for each in questions if asks_for_a_form(each.schema)]
    return ends[0] if ends is not None else timed[0] if len(timed) == 1 else None


def with_new_time(question: Question, found: Sequence[Filled], prompt: str, now: datetime) -> list[Filled] | None:
    """
    Return what was filled, with the time that the prompt moves something to in place of the one that it is moved from.

    None if the prompt moves nothing, or to a stretch of time. Nothing says when a day's event begins: a beginning
    without a time of day is left out.
    """
    new = _new_time(prompt, now)
    if new is None:
        return None
    others = [each for each in found if each.start >= new.end or not asks_for_a_form(each.question.schema)]
    if any(each.overlaps(new.start, new.end) for each in others):
        return None  # a text speaks of moving something
    if new.value.clock is None and takes_a_time_of_day(question.schema) and is_beginning(question):
        return others
    text = written(question.schema, new.value, now)
    return None if text is None else [*others, Filled(question, text, new.start, new.end, _SURE)]


def _new_time(prompt: str, now: datetime) -> Mention | None:
    """Return the first moment that something is moved to, on the day and at the hour of the old one if it has none."""
    moves = _MOVES.search(prompt)
    if moves is None:
        return None
    moments = [each for each in find_moments(prompt, now) if each.start >= moves.end()]
    new = next((each for each in moments if _TO.search(prompt[: each.start][-12:])), None)
    if new is None and (hour := _TO_AN_HOUR_OF.search(prompt, moves.end())):
        new = next((_at(int(hour[1]), each, now.tzinfo) for each in moments if each.start == hour.end()), None)
    old = [each for each in moments if new is None or each.end <= new.start]
    clock = next((each.value.clock for each in reversed(old) if each.value.clock is not None), None)
    if new is None and clock is not None:
        new = _at_an_hour(prompt, old[-1].end, clock)
    if new is None or any(period.start >= new.start for period in find_periods(prompt, now)):
        return None
    day = new.value.day or next((each.value.day for each in reversed(old) if each.value.day is not None), None)
    clock = new.value.clock or clock
    if day is None and clock is not None:
        day = next_day_at(clock, now)
    return evolve(new, value=Moment(day, clock))


def _at(hour: int, day: Mention, zone: tzinfo | None) -> Mention | None:
    """Return an hour of a day, in the morning or afternoon as people work: "to 10 tomorrow"."""
    if hour > 12 or day.value.day is None or day.value.clock is not None:
        return None
    return evolve(day, value=evolve(day.value, clock=time(likely_hour(hour or 12), tzinfo=zone)))


def _at_an_hour(prompt: str, start: int, old: time) -> Mention | None:
    """Return the bare hour behind a place, where the half of the day is clear: "the 10am call to 11"."""
    match = _TO_AN_HOUR.search(prompt, start)
    if match is None or int(match[1]) > 12:
        return None
    hour = likely_hour(int(match[1]) or 12)
    if old.hour > 12 and hour < 12:
        return None  # from 3pm to 9, in the morning or in the evening
    return Mention(Kind.MOMENT, Moment(None, time(hour, tzinfo=old.tzinfo)), match.start(1), match.end(1))
