"""What a sum is counted in, where that stands beside the figure: "£240 in cash", "15% off"."""

import re
from collections.abc import Sequence

from service_server.predict.reader.codes import asks_for_currency, code_in
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reader.sums import IN_PERCENT, asks_for_sum

_CURRENCY = r"([$€£¥₹]|(?:EUR|USD|GBP|CHF|JPY|AUD|CAD|NOK|SEK|DKK|PLN)\b|(?:euros?|pounds?|dollars?|yen)\b)"
_BEFORE, _WITHIN, _BEHIND = re.compile(rf"{_CURRENCY}\s?\Z"), re.compile(_CURRENCY), re.compile(rf"\s?{_CURRENCY}")
_PERCENT = re.compile(rf"(?<![\w.,]){IN_PERCENT}", re.IGNORECASE)
_SURE = 0.9


def currency_of(questions: Sequence[Question]) -> Question | None:
    """Return the question for the currency of a function's sums; None where it has none or several."""
    found = [each for each in questions if each.answer is Answer.WORDS and asks_for_currency(each.schema)]
    return found[0] if len(found) == 1 else None


def with_currency(question: Question, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the currency that stands beside a sum if no other words say it."""
    if any(value.question == question for value in found):
        return list(found)
    for value in found:
        if value.start < value.end and asks_for_sum(value.question.schema):
            said = (
                _WITHIN.search(prompt, value.start, value.end)
                or _BEHIND.match(prompt, value.end)
                or _BEFORE.search(prompt, 0, value.start)
            )
            if said is not None:
                code = code_in(said[1], question.schema) or said[1]
                return [*found, Filled(question, code, *said.span(1), _SURE)]
    return list(found)


def in_percent_or_not(questions: Sequence[Question]) -> Question | None:
    """Return the question of a function whether a figure is a percentage; None for other functions."""
    return next((each for each in questions if any(map(_is_percent, each.options))), None)


def with_percent(question: Question, found: Sequence[Filled], prompt: str) -> list[Filled]:
    """Return what was filled, with the percentage that the prompt says, if nothing else was chosen."""
    said = _PERCENT.search(prompt)
    if said is None or any(value.question == question for value in found):
        return list(found)
    return [*found, Filled(question, next(filter(_is_percent, question.options)), *said.span(), _SURE)]


def _is_percent(option: object) -> bool:
    return str(option).casefold().startswith("percent")
