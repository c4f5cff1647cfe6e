"""The dates and times of one function's arguments, which several words of a prompt may tell together."""

from collections.abc import Sequence
from datetime import datetime

from service_server.predict.mentions import Mention, find_moments
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.moments import names_a_time_of_day, takes_a_day_and_a_time, written
from service_server.predict.reader.moving import moved_question, with_new_time
from service_server.predict.reader.past import as_past
from service_server.predict.reader.periods import (
    Ends,
    as_beginning,
    as_due,
    due_of,
    ends_of,
    saying_an_end,
    with_length,
    with_period,
    with_said_ends,
    with_time_from_now,
)
from service_server.predict.reader.questions import Question
from service_server.predict.reader.recurrence import interval_of, recurrence_of, with_interval, with_recurrence
from service_server.predict.reader.times_apart import with_time_apart

_SURE = 0.9
_CLOCK = slice(11, 16)  # of a written moment
_MIDNIGHT, _END_OF_DAY = "00:00", "23:59"


class Timing:
    """Knows which of a function's questions ask for times; made once."""

    def __init__(
        self, questions: Sequence[Question], *, moves: bool, meets: bool, only_reads: bool, reports: bool
    ) -> None:
        """
        Take the questions, and what the function does.

        It `moves` something in time, is for what people meet for at an hour (`meets`), `only_reads`, or reports of the
        past.
        """
        self._ends = ends_of(questions)
        self._due = due_of(questions)
        self._saying_an_end = saying_an_end(questions)
        self._recurrence = recurrence_of(questions)
        self._interval = interval_of(questions)
        self._moved = moved_question(questions, self._ends) if moves else None
        self._meets = meets
        self._only_reads = only_reads
        self._reports = only_reads and reports

    def told(self, values: list[Filled], prompt: str, now: datetime | None) -> list[Filled]:
        """Return what was filled, with what the prompt says of times; without `now`, only their order."""
        if self._due is not None:
            values = as_due(self._due, values, prompt)
        if self._recurrence is not None:
            values = with_recurrence(self._recurrence, values, prompt)
        if self._interval is not None:
            values = with_interval(self._interval, values, prompt)
        if now is None:
            return values if self._ends is None else as_beginning(self._ends, values, prompt)
        values = self._counted(values, prompt, now)
        return as_past(values, prompt, now, only_reads=self._only_reads, reports=self._reports)

    def _counted(self, values: list[Filled], prompt: str, now: datetime) -> list[Filled]:
        moments = list(find_moments(prompt, now))
        values = with_said_ends(self._saying_an_end, values, prompt, moments, now)
        values = with_time_apart(self._ends, values, prompt, moments, now)
        new = with_new_time(self._moved, values, prompt, now) if self._moved is not None else None
        if self._ends is None:
            return with_time_from_now(self._saying_an_end, values if new is None else new, prompt, now)
        if new is None:
            new = as_beginning(self._ends, values, prompt)
            new = with_period(self._ends, new, prompt, now, only_reads=self._only_reads)
        begins, ends = self._ends
        if not self._only_reads:
            new = _with_its_hour(self._ends, new, moments, now)
        has_end = any(each.question == ends for each in new)  # "from 9 to 11 December" says both
        if self._meets and begins.required and not has_end:
            new = [each for each in new if each.question != begins or _says_when(each, prompt)]
        return with_length(self._ends, new, prompt, now)


def _with_its_hour(ends: Ends, found: list[Filled], moments: Sequence[Mention], now: datetime) -> list[Filled]:
    """Return what was filled, with the only day and hour in place of whole days: "Tuesday at 6, starting next week"."""
    said = [each for each in moments if each.value.day is not None and each.value.clock is not None]
    own = [each for each in found if each.question in ends]
    whole_days = own and all(str(each.value)[_CLOCK] in (_MIDNIGHT, _END_OF_DAY) for each in own)
    if len(said) != 1 or not whole_days or any(each.overlaps(said[0].start, said[0].end) for each in own):
        return found
    text = written(ends[0].schema, said[0].value, now)
    if text is None:
        return found
    begins = Filled(ends[0], text, said[0].start, said[0].end, _SURE)
    return [*(each for each in found if each.question not in ends), begins]


def _says_when(begins: Filled, prompt: str) -> bool:
    """Whether words for when something begins say it: "on Friday" says no time of day, and nobody means midnight."""
    is_day = not takes_a_day_and_a_time(begins.question.schema) or str(begins.value)[_CLOCK] not in (_MIDNIGHT, "")
    return is_day or names_a_time_of_day(prompt, begins.start, begins.end)
