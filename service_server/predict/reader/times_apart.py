"""A time of day that stands apart from its day: "lunch at noon with Ana on Friday"."""

import re
from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from service_server.predict.mentions import Mention, Moment
from service_server.predict.mentions.clocks import Clock, only_bare_hour
from service_server.predict.option_labels import MULTILINE
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.moments import asks_for_a_form, takes_a_day_and_a_time, written
from service_server.predict.reader.questions import Question

_AT = re.compile(r"\b(?:at|from|around) $", re.IGNORECASE)


def with_time_apart(
    ends: tuple[Question, Question] | None,
    found: Sequence[Filled],
    prompt: str,
    moments: Sequence[Mention],
    now: datetime,
) -> list[Filled]:
    """
    Return what was filled, with the only day and the only time among a prompt's `moments` as one.

    Two arguments that a day and a time were given to separately are only joined where they are the `ends` of something,
    which then begins at that moment.
    """
    day_and_time = _day_and_time(prompt, moments)
    if day_and_time is None:
        return list(found)
    day, clock = day_and_time
    filled = [
        each
        for each in found
        if asks_for_a_form(each.question.schema) and any(each.overlaps(part.start, part.end) for part in day_and_time)
    ]
    texts = [each for each in found if each not in filled and each.question.schema.get(MULTILINE)]
    is_told = any(each.overlaps(part.start, part.end) for each in texts for part in day_and_time)
    asking = {each.question.path for each in filled}
    if is_told or not (len(asking) == 1 or (ends is not None and asking == {end.path for end in ends})):
        return list(found)
    question = filled[0].question if len(asking) == 1 or ends is None else ends[0]
    if not takes_a_day_and_a_time(question.schema):
        return list(found)
    text = written(question.schema, Moment(day.value.day, clock.value.replace(tzinfo=now.tzinfo)), now)
    whole = evolve(filled[0], question=question, value=text)
    return [*(_without(clock, each, prompt) for each in found if each not in filled), whole]


def _without(clock: Clock, title: Filled, prompt: str) -> Filled:
    """Return a title without the time within it: "lunch with Ana" for "lunch at noon with Ana"."""
    if title.value != prompt[title.start : title.end] or not title.start < clock.start < clock.end < title.end:
        return title
    before = _AT.sub("", prompt[title.start : clock.start]).rstrip()
    return evolve(title, value=before + prompt[clock.end : title.end])


def _day_and_time(prompt: str, moments: Sequence[Mention]) -> tuple[Mention, Clock] | None:
    """Return the only day and the only time of a prompt, where it has no other."""
    days = [each for each in moments if each.value.clock is None]
    times = [each for each in moments if each.value.clock is not None]
    if len(days) != 1 or any(each.value.day not in (None, days[0].value.day) for each in times):
        return None
    if not times:
        hour = only_bare_hour(prompt)
        return None if hour is None else (days[0], hour)
    return (days[0], Clock(times[0].value.clock, times[0].start, times[0].end)) if len(times) == 1 else None
