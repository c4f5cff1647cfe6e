"""Both halves of a person's name are taken, without what isn't part of it."""

import pytest

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.full_names import full_name_of, with_both_names
from service_server.predict.reader.questions import Question, questions_of

TEXT = {"type": "string", "description": "Of the person."}
QUESTIONS = questions_of({"properties": {"first_name": TEXT, "lastName": TEXT, "company": TEXT}, "required": []})


def _filled(prompt: str, **words: str) -> list[Filled]:
    by_path: dict[str, Question] = {question.path[0]: question for question in QUESTIONS}
    starts = {name: prompt.index(text) for name, text in words.items()}
    return [Filled(by_path[name], text, starts[name], starts[name] + len(text), 0.9) for name, text in words.items()]


@pytest.mark.parametrize(
    ("prompt", "read", "first", "last"),
    [
        ("a lead: Maria Lopez, Lopez GmbH", {"lastName": "Lopez"}, "Maria", "Lopez"),
        ("put Maria Lopez in", {"first_name": "Maria"}, "Maria", "Lopez"),
        ("put Maria Lopez in", {"lastName": "Maria Lopez"}, "Maria", "Lopez"),
        ("save Ayo Adeyemi, Lagos Metal", {"first_name": "Ayo", "lastName": "Adeyemi, Lagos Metal"}, "Ayo", "Adeyemi"),
        ("put Anna de Vries in", {"first_name": "Anna", "lastName": "Vries"}, "Anna", "de Vries"),
        ("put de Vries in", {"lastName": "de Vries"}, None, "de Vries"),
        ("a Mr. Baptista rang", {"lastName": "Mr. Baptista"}, None, "Baptista"),
        ("Dr Baptista rang", {"lastName": "Baptista"}, None, "Baptista"),
        ("Create Lopez as a lead", {"lastName": "Lopez"}, None, "Lopez"),
        ("the customer Lopez", {"lastName": "Lopez"}, None, "Lopez"),
        ("the Customer Lopez", {"lastName": "Lopez"}, None, "Lopez"),
        ("put maria lopez in", {"lastName": "lopez"}, None, "lopez"),
        ("call Maria tomorrow", {"first_name": "Maria"}, "Maria", None),
        ("from Acme Lopez", {"lastName": "Lopez", "company": "Acme"}, None, "Lopez"),
    ],
)
def test_names_side_by_side(prompt: str, read: dict[str, str], first: str | None, last: str | None) -> None:
    """Titles, companies and words of the request are no first names."""
    names = full_name_of(QUESTIONS)
    assert names is not None

    found = {each.question.path[0]: each for each in with_both_names(names, _filled(prompt, **read), prompt)}

    values = {name: each.value for name, each in found.items()}
    assert (first, last) == (values.get("first_name"), values.get("lastName"))
    assert all(prompt[each.start : each.end] == each.value for each in found.values())


def test_only_functions_that_ask_for_both_have_names() -> None:
    """A last name alone may hold all of a name."""
    assert full_name_of(QUESTIONS[1:]) is None
