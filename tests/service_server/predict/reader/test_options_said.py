"""An option that is called by its own name is the one that is meant."""

import pytest

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.options_said import option_said
from service_server.predict.reader.questions import questions_of
from tests.service_server.predict.catalogue import text

LABELS = {
    "DoNotDisturb": "Do not disturb",
    "2": "Open",
    "5": "Closed",
    "instock": "In stock",
    "outofstock": "Out of stock",
}
QUESTIONS = {
    question.path[0]: question
    for question in questions_of(
        {
            "properties": {
                "presence": text("How it shows.", enum=["Busy", "DoNotDisturb", "Away"], **{"x-labels": LABELS}),
                "status": text("Its state.", enum=["2", "5"], **{"x-labels": LABELS}),
                "stock": text("Whether there are any.", enum=["instock", "outofstock"], **{"x-labels": LABELS}),
                "urgency": text("How soon.", enum=["high", "very_high", "low"]),
            }
        }
    )
}


@pytest.mark.parametrize(
    ("expected", "question", "prompt", "words"),
    [
        ("DoNotDisturb", "presence", "Teams: do not disturb for an hour", "do not disturb"),
        ("5", "status", "close ticket 310", "close"),
        ("instock", "stock", "on sale at 29.90, 60 in stock", "60 in stock"),
        ("very_high", "urgency", "make it very high please", "make it very high"),
        ("high", "urgency", "high urgency", "high"),
        (None, "urgency", "not high, I think", "not high, I think"),
        (None, "urgency", "from low to high", "from low to high"),
        (None, "urgency", "as soon as you can", "as soon as you can"),
        (None, "stock", "none is left", "none is left"),
    ],
)
def test_its_name_is_said(expected: str | None, question: str, prompt: str, words: str) -> None:
    """Alone or among other words, unless it is denied or one of several."""
    start = prompt.index(words)
    reply = Reply(QUESTIONS[question], (Span(start, start + len(words), 0.9),), (0,), None, 0.4, 0.1)

    assert expected == option_said(reply, prompt)


def test_the_reader_may_know_better() -> None:
    """Where it chose what is more special than the name that is said."""
    prompt = "high, even more than usual"
    reply = Reply(QUESTIONS["urgency"], (Span(0, len(prompt), 0.9),), (1,), None, 0.7, 0.1)

    assert option_said(reply, prompt) is None


def test_nothing_is_said_without_words() -> None:
    """What the prompt has no words for isn't called by name."""
    assert option_said(Reply(QUESTIONS["urgency"], (), (0,), None, 0.4, 0.9), "high") is None
