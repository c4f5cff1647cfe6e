"""Answers that the encoder chose are held against the prompt's own words."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_server.predict.arguments.slots import slots_of
from service_server.predict.reader.choices import as_said
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.periods import as_beginning, ends_of
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.values import value_of
from service_server.predict.reading import read
from tests.service_server.predict.catalogue import array, candidate, flag, text

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
PROPERTIES = {
    "archived": flag("Whether archived ones are meant."),
    "state": text("In which state.", enum=["open", "closed", "publish"]),
    "days": array("On which days.", enum=["monday", "tuesday", "friday"]),
}
FUNCTION = candidate("sandbox-list-things", "query", "", "", PROPERTIES).function
SLOTS = {slot.path: slot for slot in slots_of(FUNCTION)}
QUESTIONS = {question.path[0]: question for question in questions_of({"properties": PROPERTIES})}


@pytest.mark.parametrize(
    ("name", "chosen", "prompt", "kept"),
    [
        ("archived", True, "list archived things", True),
        ("archived", True, "list things that aren't archived", False),
        ("archived", True, "list things, archived: no", False),
        ("archived", True, 'list things called "archived"', None),
        ("archived", True, "list the old ones", True),
        ("state", "open", "open a ticket about the door", None),
        ("state", "open", "list the open tickets", "open"),
        ("state", "closed", "close the ticket", "closed"),
        ("state", "publish", "publish the post", "publish"),
        ("days", ["monday", "tuesday", "friday"], "on monday and friday", ["monday", "friday"]),
        ("days", ["monday", "tuesday"], "early in the week", ["monday", "tuesday"]),
    ],
)
def test_what_the_prompt_says_against_an_answer(name: str, chosen: Any, prompt: str, kept: Any) -> None:
    """What is denied is false; what is only quoted, or only the verb, is left out; of options those named stay."""
    found = as_said(Filled(QUESTIONS[name], chosen, 0, 0, 0.9), SLOTS[(name,)], read(prompt, NOW))

    assert kept == (None if found is None else found.value)


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("lunch on Friday at 3pm", "start"),
        ("lunch until Friday at 3pm", "end"),
        ("lunch, it ends on Friday at 3pm", "end"),
        ("lunch -Friday at 3pm", "end"),
    ],
)
def test_the_only_moment_is_the_beginning(prompt: str, name: str) -> None:
    """A moment that was taken for an end is the beginning, unless the prompt speaks of an end."""
    times = {each: text(f"When it {each}s.", format="date-time") for each in ("start", "end")}
    questions = questions_of({"properties": times})
    ends = ends_of(questions)
    assert ends is not None
    start = prompt.index("Friday")

    found = as_beginning(ends, [Filled(questions[1], "2026-11-20T15:00:00Z", start, len(prompt), 0.9)], prompt)

    assert [name] == [each.question.path[0] for each in found]


@pytest.mark.parametrize(
    ("words", "schema", "expected"),
    [
        ("@alice", text("Who does it."), "alice"),
        ("@alice", text("Who does it, with the @ in front."), "@alice"),
        ("the broken printer", text("What it is about."), "broken printer"),
        ("the server is back up", text("What to say."), "the server is back up"),
        ("tomorrow at 9am", {"type": "number", "description": "When, as Unix timestamp."}, 1795078800),
        ("1795165200", {"type": "number", "description": "When, as Unix timestamp."}, 1795165200),
        ("9", {"type": "number", "description": "When, as Unix timestamp."}, None),
        ("20%", {"type": "number", "maximum": 1}, 0.2),
        ("20%", {"type": "number", "maximum": 100}, 20),
    ],
)
def test_values_in_the_form_that_is_taken(words: str, schema: dict[str, Any], expected: Any) -> None:
    """A handle, a sentence, a moment and a share become what the argument takes."""
    prompt = f"so {words}"

    assert expected == value_of(prompt, len("so "), len(prompt), schema, NOW)


def test_a_sentence_begins_behind_that() -> None:
    """What somebody is told begins behind "that"; other texts keep it."""
    told, titled = "tell them that lunch is here", "a note titled that old song"

    assert "lunch is here" == value_of(told, told.index("that"), len(told), text("What to say."), NOW)
    assert "that old song" == value_of(titled, titled.index("that"), len(titled), text("Its title."), NOW)
