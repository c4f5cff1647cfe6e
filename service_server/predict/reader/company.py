"""Who a meeting is with, as part of what it is called: "lunch with Ana" for "lunch", "call with Jo" for "Jo"."""

import re
from collections.abc import Sequence

from attrs import evolve

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.moments import takes_a_time_of_day
from service_server.predict.reader.questions import Question

_TITLES = frozenset({"summary", "subject", "topic", "title"})
_NAME = r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?"
_WITH = re.compile(rf" with (?:the )?{_NAME}(?:(?:, | and |, and ){_NAME})*(?![\w@])")
_MEETING = re.compile(
    r"\b(?:meet(?:ing)?|mtg|appt|call|lunch|dinner|breakfast|coffee|drinks?|chat|sync|catch-?up|1[:-]1|one[ -]on[ -]one"
    r"|appointment|interview|review|demo|workshop|session|walk|visit) with (?:the )?$",
    re.IGNORECASE,
)


def title_of_meeting(questions: Sequence[Question]) -> Question | None:
    """Return what asks what something at a time of day is called; None where nothing does."""
    if not any(takes_a_time_of_day(each.schema) for each in questions):
        return None
    return next((each for each in questions if len(each.path) == 1 and each.name in _TITLES), None)


def with_company(title: Question, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, the title with whom the meeting is with, where those words answer nothing else."""
    return [_whole(value, found, prompt) if value.question == title else value for value in found]


def _whole(value: Filled, found: Sequence[Filled], prompt: str) -> Filled:
    if value.value != prompt[value.start : value.end]:
        return value
    behind = _WITH.match(prompt, value.end)
    before = _MEETING.search(prompt, max(0, value.start - 40), value.start) if value.value[:1].isupper() else None
    start, end = before.start() if before else value.start, behind.end() if behind and not before else value.end
    if any(other is not value and other.overlaps(start, end) for other in found):
        return value
    return evolve(value, value=prompt[start:end], start=start, end=end)
