"""What is added to a list and what is taken from it, by the verb before it."""

import pytest

from service_server.predict.reader.adding import as_added_or_taken, pairs_of
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import questions_of

_LIST = {"type": "array", "items": {"type": "string"}}
QUESTIONS = {
    question.path[0]: question
    for question in questions_of(
        {"properties": dict.fromkeys(("add_people", "remove_people", "labels", "remove_labels", "remove_it"), _LIST)}
    )
}


def test_what_is_a_pair() -> None:
    """An argument that takes away, with the one of its name that adds."""
    pairs = {path[0]: other.path[0] for path, other in pairs_of(list(QUESTIONS.values())).items()}

    assert {
        "add_people": "remove_people",
        "remove_people": "add_people",
        "labels": "remove_labels",
        "remove_labels": "labels",
    } == pairs


@pytest.mark.parametrize(
    ("asked", "prompt", "expected"),
    [
        ("add_people", "take Ravi off it", "remove_people"),
        ("add_people", "add Ana and take Ravi off it", "remove_people"),
        ("remove_people", "remove the label, add Ravi", "add_people"),
        ("remove_people", "Ravi has to look at it", "add_people"),
        ("remove_people", "remove Ana and Ravi", "remove_people"),
        ("add_people", "Ravi has to look at it", "add_people"),
        ("labels", "drop Ravi", "remove_labels"),
        ("labels", "untag Ravi", "remove_labels"),
        ("labels", "Ana instead of Ravi", "remove_labels"),
        ("labels", "Ana on, Ravi off", "remove_labels"),
        ("remove_labels", "Ana off, Ravi on", "labels"),
        ("remove_it", "add Ravi", "remove_it"),
    ],
)
def test_the_nearest_verb_decides(asked: str, prompt: str, expected: str) -> None:
    """Nothing is taken away without a word for it."""
    start = prompt.index("Ravi")
    value = Filled(QUESTIONS[asked], ["Ravi"], start, start + 4, 0.9)

    (found,) = as_added_or_taken(pairs_of(list(QUESTIONS.values())), [value], prompt)

    assert expected == found.question.path[0]


def test_what_is_known_of_both_stays() -> None:
    """Where both arguments have a value, neither gets the other's."""
    prompt = "take Ana and Ravi"
    values = [
        Filled(QUESTIONS["add_people"], ["Ravi"], 13, 17, 0.9),
        Filled(QUESTIONS["remove_people"], ["Ana"], 5, 8, 0.9),
    ]

    assert values == as_added_or_taken(pairs_of(list(QUESTIONS.values())), values, prompt)
