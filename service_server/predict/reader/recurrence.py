"""How often something is to be repeated: "every other Tuesday", "on weekdays", "once a month"."""

import re
from collections.abc import Sequence

from service_server.predict.mentions.calendar_words import WEEKDAYS
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.numbers import numbers_in
from service_server.predict.reader.questions import Answer, Question

_DAY = f"(?:{'|'.join(WEEKDAYS)}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)"
_EACH = r"(?:every|each)"
# "Weekly sync" is a name, "on Monday, weekly" says how often.
_ALONE = r"(?=$|[.,;:!?)]| (?:at|on|from|until|till|in|for|please|starting|with)\b)"
_SAID = {
    "biweekly": re.compile(
        rf"\b{_EACH} (?:other|second|two|2) (?:weeks?|{_DAY})\b"
        rf"|\b(?:bi-?weekly|fortnightly|(?:every|once a) fortnight){_ALONE}",
        re.IGNORECASE,
    ),
    "weekdays": re.compile(rf"\b(?:{_EACH} (?:week|work|working |business )day|on weekdays)\b", re.IGNORECASE),
    "daily": re.compile(
        rf"\b{_EACH} (?:single )?(?:day|morning|noon|afternoon|evening|night)\b|(?-i:\bdaily){_ALONE}", re.IGNORECASE
    ),
    "weekly": re.compile(
        rf"\b{_EACH} (?:week|{_DAY})\b|\bonce a week\b|\bon (?:{'|'.join(f'{day}s' for day in WEEKDAYS)})\b"
        rf"|(?-i:\bweekly){_ALONE}",
        re.IGNORECASE,
    ),
    "monthly": re.compile(rf"\b(?:{_EACH}|once a) month\b|(?-i:\bmonthly){_ALONE}", re.IGNORECASE),
    "yearly": re.compile(rf"\b(?:{_EACH}|once a) year\b|(?-i:\b(?:yearly|annually)){_ALONE}", re.IGNORECASE),
}
_EVERY = re.compile(
    r"\bevery (\d{1,3}|two|three|four|five|six|nine|ten|twelve|other|second) (day|week|month|year)s?\b", re.IGNORECASE
)
_UNITS = frozenset({"day", "week", "month", "year"})
_COUNTS = frozenset({"interval count", "interval", "every"})
_OTHER = 2
_ASKED_BY = frozenset({"daily", "weekly"})
_SURE = 0.9

Interval = tuple[Question, Question]
"""The question for the unit of an interval, and the one for how many of them lie between two times."""


def recurrence_of(questions: Sequence[Question]) -> Question | None:
    """Return the question of a function that asks how often something is repeated, by its options."""
    asking = [
        question
        for question in questions
        if question.answer is Answer.OPTION
        and _ASKED_BY.issubset(str(option).casefold() for option in question.options)
    ]
    return asking[0] if len(asking) == 1 else None


def with_recurrence(question: Question, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with how often the prompt says outside of names that something is repeated."""
    others = [each for each in found if each.question != question]
    for often, said in _SAID.items():
        match = said.search(prompt)
        option = next((each for each in question.options if str(each).casefold() == often), None)
        if match is not None and option is not None and not any(_is_within(match, each) for each in others):
            return [*others, Filled(question, option, match.start(), match.end(), _SURE)]
    return list(found)


def interval_of(questions: Sequence[Question]) -> Interval | None:
    """Return the questions of a function for the unit of an interval and for how many of them; None for others."""
    units = [each for each in questions if _UNITS.issubset(map(str, each.options))]
    counts = [each for each in questions if each.name in _COUNTS and each.schema.get("type") in ("number", "integer")]
    return (units[0], counts[0]) if len(units) == len(counts) == 1 else None


def with_interval(interval: Interval, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the number of "every 3 months": each month would be three times as often."""
    unit, count = interval
    said = _EVERY.search(prompt)
    if said is None:
        return list(found)
    number = _OTHER if said[1].lower() in ("other", "second") else int(numbers_in(said[1])[0])
    others = [each for each in found if each.question not in interval]
    own = ((unit, said[2].lower()), (count, number))
    return [*others, *(Filled(each, value, said.start(), said.end(), _SURE) for each, value in own)]


def _is_within(match: re.Match[str], value: Filled) -> bool:
    """Whether the words are part of what is surely something else, such as a title; a day may share them."""
    is_text = isinstance(value.value, str) and value.value == match.string[value.start : value.end]
    return is_text and value.start <= match.start() < value.end and len(value.value) > len(match[0])
