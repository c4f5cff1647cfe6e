"""Values known by their form alone: "!ops:example.org" where a room's id is asked for, "/Photos" for a path."""

import re
from collections.abc import Iterator, Sequence

from jsonschema_rs import Draft202012Validator

from service_server.predict.arguments.validation import compiled
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Answer, Question

# A form that one of these also has says nothing.
_PLAIN = (
    "a", "the", "word", "Word", "WORD", "USD", "two words", "recommendations", "7", "12", "2026", "a-b", "a@b.example",
)  # fmt: skip
_TOKEN = re.compile(r"\S{1,300}")
_OPENING, _CLOSING = "\"'([{“‘«`", "\"')]}”’»`.,;:?"
_SURE = 0.9

Forms = tuple[tuple[Question, Draft202012Validator], ...]


def telling_forms(questions: Sequence[Question]) -> Forms:
    """Return the questions that ask for a form which no ordinary word has, with what checks it."""
    found = ((question, _telling(question)) for question in questions)
    return tuple((question, validator) for question, validator in found if validator is not None)


def formed(forms: Forms, found: Sequence[Filled], prompt: str) -> Iterator[Filled]:
    """Yield values for unanswered questions: the only unused word of the prompt that has the form asked for."""
    given = {value.question.path for value in found}
    used = [(value.start, value.end) for value in found if value.start < value.end]
    for question, validator in forms:
        if question.path in given:
            continue
        words = [
            (start, end)
            for start, end in _tokens(prompt)
            if validator.is_valid(prompt[start:end]) and not any(start < last and first < end for first, last in used)
        ]
        if len({prompt[start:end] for start, end in words}) == 1:
            used += words
            yield Filled(question, prompt[slice(*words[0])], *words[0], _SURE)


def _telling(question: Question) -> Draft202012Validator | None:
    """Return a validator of a value's form, where no ordinary word has that form."""
    pattern = question.schema.get("pattern")
    if question.answer is not Answer.WORDS or not isinstance(pattern, str) or not pattern.startswith("^"):
        return None
    validator = compiled({"type": "string", "pattern": pattern})
    return None if validator is None or any(validator.is_valid(each) for each in _PLAIN) else validator


def _tokens(prompt: str) -> Iterator[tuple[int, int]]:
    for match in _TOKEN.finditer(prompt):
        text = match[0].lstrip(_OPENING)
        start = match.end() - len(text)
        text = text.rstrip(_CLOSING)
        if len(text) > 1:
            yield start, start + len(text)
