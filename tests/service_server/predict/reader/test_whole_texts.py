"""Texts of which the reader found only a part."""

from typing import Any

import pytest

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question, questions_of
from service_server.predict.reader.whole_texts import with_whole_texts

QUESTIONS = questions_of(
    {
        "properties": {
            "text": {"type": "string", "description": "What the message says.", "x-multiline": True},
            "subject": {"type": "string", "description": "What it is about."},
            "time": {"type": "string", "format": "date-time", "description": "When it goes out."},
        },
        "required": ["text"],
    }
)


def question(name: str) -> Question:
    """Return the question for an argument."""
    return next(each for each in QUESTIONS if each.path == (name,))


def texts(prompt: str, **said: str) -> dict[str, Any]:
    """Return what is filled in where the reader found these words for the arguments."""
    found = [
        Filled(question(name), words, prompt.index(words), prompt.index(words) + len(words), 0.9)
        for name, words in said.items()
    ]
    return {each.question.path[0]: each.value for each in with_whole_texts(found, prompt)}


@pytest.mark.parametrize(
    ("prompt", "found", "whole"),
    [
        ("shout to #yard: the lift is broken, take the stairs", "the lift is broken", None),
        ("shout to #yard: the lift is broken, take the stairs", "take the stairs", None),
        ("let the page just say Ring twice. Then wait.", "Ring twice", "Ring twice. Then wait."),
        ("mail Bo, saying It is ready, shall I bring it?", "It is ready", "It is ready, shall I bring it?"),
        ("remind #desk to hand in the keys", "hand", "hand in the keys"),
        ("remind #desk to lock up please", "lock", "lock up"),
        (
            "tell #yard the gate is open, see https://x.example/g",
            "the gate is open",
            "the gate is open, see https://x.example/g",
        ),
        ("tell #yard the gate is open and we close at six", "the gate is open", "the gate is open and we close at six"),
        ("tell #yard the gate is open and lock the lift", "the gate is open", "the gate is open"),
        ("tell #yard the gate is open on Mattermost", "the gate is open", "the gate is open"),
        ("tell #yard the gate is open!", "the gate is open", "the gate is open!"),
        ("ask #yard is the gate open?", "is the gate open", "is the gate open?"),
        ("ask #yard: is the gate open?", "is the gate open", "is the gate open?"),
        ("can you tell #yard the gate is open?", "the gate is open", "the gate is open"),
        ("note a call, 15 minutes, she wants a crane", "a crane", "she wants a crane"),
        ("say that he'll come by lift", "by lift", "he'll come by lift"),
        ("in #yard answer level two, left of the lift", "left of the lift", "level two, left of the lift"),
        ("say to Ana Bo, the lift is broken", "the lift is broken", "the lift is broken"),
        ("note that the crane is late", "the crane is late", "the crane is late"),
    ],
)
def test_the_rest_of_a_text(prompt: str, found: str, whole: str | None) -> None:
    """What stands behind a colon, in further sentences, or behind the verb of what is to be done, belongs to it."""
    expected = whole or prompt.partition(": ")[2]

    assert {"text": expected} == texts(prompt, text=found)


def test_what_belongs_to_something_else_is_left() -> None:
    """A subject behind the colon, a time behind what is to be done and the app's name are no text."""
    mail = "mail to Bo: Crane slot, we come at five"
    later = "remind #desk to hand in the keys on Monday"

    assert "we come at five" == texts(mail, subject="Crane slot", text="we come at five")["text"]
    assert "hand in the keys" == texts(later, text="hand", time="Monday")["text"]
    assert {"text": "soup is ready"} == texts("to #hall: soup is ready on slack", text="soup is ready")
    assert {"text": "soup"} == texts('to #hall: "soup", and pin it', text="soup")
    assert {"text": "soup"} == texts("'soup' to #hall", text="soup")


def test_what_is_no_text_stays() -> None:
    """A subject is as long as the reader says."""
    assert {"subject": "Crane slot"} == texts("about this: Crane slot, as ever", subject="Crane slot")


def test_nothing_goes_on_behind_a_sentence_that_says_nothing() -> None:
    """A second sentence may ask for something else."""
    assert {"text": "it works"} == texts("comment that it works. Assign it to Bo", text="it works")
