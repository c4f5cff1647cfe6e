"""Both ends of a stretch of time for the two arguments that take them: "in October" begins and ends with a day."""

import re
from collections.abc import Sequence
from datetime import datetime, time, timedelta

from attrs import evolve

from service_server.predict.mentions import Mention, Moment, Period, find_lengths, find_moments, find_periods
from service_server.predict.mentions.calendar_spans import next_day_at
from service_server.predict.mentions.counted_days import SINCE
from service_server.predict.mentions.moments import UNTIL
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.moments import asks_for_a_form, takes_a_day_and_a_time, written
from service_server.predict.reader.questions import Question
from service_server.predict.words import stem, words_of

_FIRST = frozenset({"start", "starts", "from", "after", "since", "begin", "min", "earliest"})
_LAST = frozenset({"end", "ends", "to", "until", "before", "max", "latest"})
_BOUNDS = frozenset({"min", "max", "earliest", "latest"})
_DUE = frozenset({"due", "deadline"})
_NAMES_DUE = re.compile(r"\b(?:deadline|due date)\b", re.IGNORECASE)
_DAY_AFTER = re.compile(r"\bday after\b", re.IGNORECASE)
_ONE_END = re.compile(r"\b(?:since|from|after|starting|until|till|by|before|due)\s+(?:the\s+)?$", re.IGNORECASE)
_SAID_OF_AN_END = re.compile(
    r"(?:\b(?:until|till|til|by|before|due|through|thru|end\w*|finish\w*|expir\w*|clos\w*|latest|extend\w*|prolong\w*"
    r"|shorten\w*)\b[^.;!?]*|(?:\d|\d ?[ap]m|noon) to|[-–])\s*$",
    re.IGNORECASE,
)
_SAYS_AN_END = re.compile(r"(?:until|till?|before) (?:the )?", re.IGNORECASE)
_LASTS = re.compile(r"\bfor (?:the (?:next|coming) )?$", re.IGNORECASE)
_SURE = 0.9

Ends = tuple[Question, Question]


def ends_of(questions: Sequence[Question]) -> Ends | None:
    """Return the two questions of a function that one stretch of time answers; None where there are none."""
    timed = [each for each in questions if len(each.path) == 1 and asks_for_a_form(each.schema)]
    pairs = [
        (one, other)
        for one in timed
        for other in timed
        if (rest := _rest(one, _FIRST)) is not None and rest == _rest(other, _LAST)
    ]
    return pairs[0] if len(pairs) == 1 else None


def is_beginning(question: Question) -> bool:
    """Whether a question asks when something begins, by its name."""
    return not _FIRST.isdisjoint(question.name.split())


def with_period(ends: Ends, found: Sequence[Filled], prompt: str, now: datetime, *, only_reads: bool) -> list[Filled]:
    """
    Return what was filled, with both ends of the prompt's only stretch of time unless others were filled in already.

    From one time of day to another, they replace what was filled: of "Friday from 2 to 3 pm" the 2 alone says little.
    Whole days do so too where the same days were filled in, for the last of them isn't over as it begins.
    """
    given = {value.question.path for value in found}
    others = [value for value in found if value.question not in ends]
    if only_reads:
        others = [value for value in others if not _asks_for_another_time(value.question, prompt)]
    period = _period(prompt, now, others, only_reads=only_reads)
    if period is None:
        return list(found)
    if period.usual is not None and not only_reads:
        if any(value.question in ends and not _is_day_of(period, value) for value in found):
            return list(found)
        text = _text(ends[0], period.usual, now, time.min)
        begins = [Filled(ends[0], text, period.start, period.end, _SURE)] if text is not None else []
        return [*others, *begins]
    texts = [_text(ends[0], period.first, now, time.min), _text(ends[1], period.last, now, time(23, 59))]
    days = [
        value
        for value in found
        if value.question in ends
        and (_is_day_of(period, value) or period.start <= value.start < value.end <= period.end)
    ]
    if None in texts or (period.first.clock is None and all(end.path in given for end in ends) and len(days) < 2):
        return list(found)
    filled = [Filled(end, text, period.start, period.end, _SURE) for end, text in zip(ends, texts, strict=True)]
    return [*others, *filled]


def as_beginning(ends: Ends, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """
    Return what was filled, with the only moment as the beginning unless the prompt speaks of an end: "on Friday".

    What stands right behind "before" or "until" is the end.
    """
    first, last = ends
    given = {value.question.path for value in found}
    if (first.path in given) == (last.path in given):
        return list(found)

    def question_of(value: Filled) -> Question:
        if value.question not in ends:
            return value.question
        if _SAYS_AN_END.match(prompt, value.start):
            return last
        is_end = value.question == last and _SAID_OF_AN_END.search(prompt[: value.start][-30:])
        return last if is_end else first

    return [evolve(value, question=question_of(value)) for value in found]


def due_of(questions: Sequence[Question]) -> Question | None:
    """Return the question of a function that asks when something is due, if there is one."""
    due = [each for each in questions if asks_for_a_form(each.schema) and not _DUE.isdisjoint(each.name.split())]
    return due[0] if len(due) == 1 else None


def as_due(due: Question, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the only time as the one that something is due where the prompt names it so."""
    times = [each for each in found if asks_for_a_form(each.question.schema)]
    is_said = len(times) == 1 and _NAMES_DUE.search(prompt[: times[0].start])
    if not is_said or times[0].question.schema.get("format") != due.schema.get("format"):
        return list(found)
    return [evolve(each, question=due) if each is times[0] else each for each in found]


def saying_an_end(questions: Sequence[Question]) -> list[tuple[Question, re.Pattern[str]]]:
    """Return the only questions of a function that ask since or until when, with what ends the words before that."""
    timed = [each for each in questions if asks_for_a_form(each.schema)]
    roles = ((_FIRST, SINCE), (_LAST, UNTIL))
    asking = [([each for each in timed if not role.isdisjoint(each.name.split())], words) for role, words in roles]
    return [(each[0], words) for each, words in asking if len(each) == 1]


def with_said_ends(
    asking: Sequence[tuple[Question, re.Pattern[str]]],
    found: Sequence[Filled],
    prompt: str,
    moments: Sequence[Mention],
    now: datetime,
) -> list[Filled]:
    """Return what was filled, with those of the prompt's `moments` that stand right behind "since" or "until"."""
    given = {value.question.path for value in found}
    added = []
    for question, words in asking:
        said = [each for each in moments if words.search(prompt[: each.start][-12:])]
        free = [each for each in said if not any(value.overlaps(each.start, each.end) for value in found)]
        if len(free) == 1 and question.path not in given:
            moment = free[0].value
            moment = evolve(moment, day=moment.day or next_day_at(moment.clock, now))
            text = written(question.schema, moment, now)
            added += [Filled(question, text, free[0].start, free[0].end, _SURE)] if text is not None else []
    return [*found, *added]


def with_time_from_now(
    asking: Sequence[tuple[Question, re.Pattern[str]]], found: Sequence[Filled], prompt: str, now: datetime
) -> list[Filled]:
    """Return what was filled, with until when something lasts that begins now: "snooze it for two hours"."""
    lasts = [question for question, words in asking if words is UNTIL and takes_a_day_and_a_time(question.schema)]
    lengths = [each for each in find_lengths(prompt) if _LASTS.search(prompt[: each.start][-20:])]
    if len(lasts) != 1 or len(lengths) != 1 or any(value.question == lasts[0] for value in found):
        return list(found)
    try:
        end = now + lengths[0].value
    except OverflowError:
        return list(found)  # beyond the calendar
    text = written(lasts[0].schema, Moment(end.date(), end.timetz().replace(microsecond=0)), now)
    length = [Filled(lasts[0], text, lengths[0].start, lengths[0].end, _SURE)] if text is not None else []
    return [*found, *length]


def with_length(ends: Ends, found: Sequence[Filled], prompt: str, now: datetime) -> list[Filled]:
    """Return what was filled, with the end of what begins at a time of day and takes as long as the prompt says."""
    first, last = ends
    begins = next((value for value in found if value.question == first), None)
    if begins is None or any(value.question == last for value in found):
        return list(found)
    lengths = find_lengths(prompt)
    if len(lengths) != 1:
        return list(found)
    moments = find_moments(prompt[begins.start : begins.end], now)
    try:
        start = datetime.fromisoformat(str(begins.value))
        end = start + lengths[0].value
    except (ValueError, OverflowError):
        return list(found)  # a form of its own, or beyond the calendar
    if start.time() == time.min and all(each.value.clock is None for each in moments):
        return list(found)
    text = written(last.schema, Moment(end.date(), end.timetz()), now)
    if text is None:
        return list(found)
    length = Filled(last, text, lengths[0].start, lengths[0].end, _SURE)
    # "Takes an hour" is no reminder an hour before; a text may well speak of it.
    others = [each for each in found if isinstance(each.value, str) or not each.overlaps(length.start, length.end)]
    return [*others, length]


def _asks_for_another_time(question: Question, prompt: str) -> bool:
    """Whether a question asks for a time of which the prompt doesn't speak, such as when something was updated."""
    if not asks_for_a_form(question.schema):
        return False
    own = {stem(word) for word in question.name.split() if word not in _FIRST | _LAST}
    return own.isdisjoint(word.stem for word in words_of(prompt))


def _is_day_of(period: Period, value: Filled) -> bool:
    """Whether a value is the first or the last day of a stretch of time, as the day begins."""
    ends = {moment.day.isoformat() for moment in (period.first, period.last) if moment.day is not None}
    return str(value.value).partition("T")[0] in ends and str(value.value).partition("T")[2][:5] in ("", "00:00")


def _rest(question: Question, roles: frozenset[str]) -> tuple[str, ...] | None:
    """Return the words of a name without the one that says which end is meant; None where no word does."""
    words = question.name.split()
    if sum(word in _FIRST | _LAST for word in words) > 1 and words[0] in _BOUNDS:
        return tuple(words[1:]) if words[0] in roles else None  # "max start time" is the latest of them
    rest = tuple(word for word in words if word not in roles)
    return rest if len(rest) == len(words) - 1 else None


def _period(prompt: str, now: datetime, others: Sequence[Filled], *, only_reads: bool) -> Period | None:
    periods = find_periods(prompt, now)
    if not periods and only_reads:
        periods = _single_days(prompt, now)
    if len(periods) != 1 or any(each.overlaps(periods[0].start, periods[0].end) for each in others):
        return None
    return periods[0]


def _single_days(prompt: str, now: datetime) -> list[Period]:
    """Return the days that are meant as a whole: "on Friday" means neither before nor after it."""
    return [
        Period(each.value, each.value, each.start, each.end)
        for each in find_moments(prompt, now)
        if each.value.day is not None and each.value.clock is None and not _ONE_END.search(prompt[: each.start][-20:])
    ]


def _text(question: Question, moment: Moment, now: datetime, otherwise: time) -> str | None:
    day = moment.day
    if moment.clock is None and day is not None:
        if _DAY_AFTER.search(str(question.schema.get("description", ""))):
            day += timedelta(days=1)
        moment = evolve(moment, day=day, clock=otherwise.replace(tzinfo=now.tzinfo))
    return written(question.schema, moment, now)
