"""Answers that the encoder chose are held against the prompt's own words."""

from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve

from service_server.predict.arguments.slots import slots_of
from service_server.predict.arguments.validation import compiled
from service_server.predict.reader.answers import Reply
from service_server.predict.reader.choices import as_said
from service_server.predict.reader.filling import Filled, filled, validators_of
from service_server.predict.reader.periods import as_beginning, ends_of, with_period
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.values import in_form, value_of
from service_server.predict.reading import read
from tests.service_server.predict.catalogue import array, candidate, flag, text

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
PROPERTIES = {
    "archived": flag("Whether archived ones are meant."),
    "public": flag("Whether the customer sees it."),
    "in_trash": flag("Whether it is in the trash."),
    "private_visibility": flag("Whether others can't see it."),
    "state": text("In which state.", enum=["open", "closed", "publish"]),
    "kind": text("Who reads it.", enum=["comment", "note"]),
    "flow": text("Its state.", enum=["draft", "live"], **{"x-labels": {"draft": "Off (draft)", "live": "On"}}),
    "may": text("What they may do.", enum=["reader", "writer"]),
    "unpaid": flag("Only those that have to be paid."),
    "done": flag("Whether finished ones are meant."),
    "verdict": text("What you think of it.", enum=["approve", "request_changes", "comment"]),
    "review": text("What becomes of it.", enum=["approved", "hold", "spam"]),
    "gone": text("What becomes of it.", enum=["trash", "delete"]),
    "starred": flag("Whether it has a star."),
    "ascending": flag("Whether the least comes first."),
    "order": text("In which order.", enum=["asc", "desc"]),
    "seen": text("Whether people see it.", enum=["visible", "hidden"]),
    "open": flag("Whether people can answer it."),
    "active": flag("Whether it can be booked."),
    "on": text("What becomes of her.", enum=["subscribe", "unsubscribe"]),
    "days": array("On which days.", enum=["monday", "tuesday", "friday"]),
}
FUNCTION = candidate("sandbox-list-things", "query", "", "", PROPERTIES).function
SLOTS = {slot.path: slot for slot in slots_of(FUNCTION)}
TIMES = questions_of({"properties": {each: text(f"When it {each}s.", format="date-time") for each in ("start", "end")}})
ENDS = ends_of(TIMES)
QUESTIONS = {question.path[0]: question for question in questions_of({"properties": PROPERTIES})}


@pytest.mark.parametrize(
    ("name", "chosen", "prompt", "kept"),
    [
        ("archived", True, "list archived things", True),
        ("active", False, "which of my things are switched on", True),
        ("active", True, "the things that are turned off", False),
        ("archived", True, "list things that aren't archived", False),
        ("archived", True, "list things, archived: no", False),
        ("archived", True, 'list things called "archived"', None),
        ("archived", True, "list the old ones", True),
        ("archived", False, "let it stay archived", True),
        ("archived", False, "don't let it stay archived", False),
        ("archived", False, "bring the archived project back", False),
        ("private_visibility", False, "could we keep this private", True),
        ("private_visibility", True, "I'd like it to be public", False),
        ("public", True, "reply to ticket 7 internally: he is furious", False),
        ("public", True, "on ticket 7 for our eyes only: he is furious", False),
        ("public", True, "tell the customer on ticket 7 that it works", True),
        ("in_trash", True, "get it out of the trash again", False),
        ("in_trash", True, "get it out of the notion bin", False),
        ("in_trash", True, "into the trash with it", True),
        ("state", "open", "open things of Ana", "open"),
        ("state", "open", "open the things of Ana", None),
        ("starred", True, "take the starred mark off", False),
        ("starred", True, "give it the starred mark", True),
        ("done", True, "reopen it", False),
        ("done", True, "it must be finished by Saturday noon", False),
        ("open", True, "close the form, we have enough people", False),
        ("open", True, "open the form", True),
        ("on", "subscribe", "ana has unsubscribed", "unsubscribe"),
        ("on", "subscribe", "ana wants off the list", "unsubscribe"),
        ("on", "subscribe", "put ana on the list", "subscribe"),
        ("done", True, "open tasks about packaging", False),
        ("verdict", "approve", "take my approval back", None),
        ("kind", "note", "keep the note", "note"),
        ("kind", "note", "clear the thing, but keep the note", "comment"),
        ("archived", True, "pull it back out of the archive", False),
        ("done", True, "things that are still open", False),
        ("done", True, "it isn't finished, uncheck it", False),
        ("ascending", True, "sort the things, largest first", False),
        ("ascending", True, "sort the things, cheapest first", True),
        ("order", "desc", "the things, oldest first", "asc"),
        ("order", "asc", "the things from Z to A", "desc"),
        ("seen", "hidden", "unhide the thing", "visible"),
        ("in_trash", True, "I threw it out by accident, get it right back", False),
        ("in_trash", True, "into the bin, it is back again", True),
        ("private_visibility", False, "a new repository, not for the public", True),
        ("kind", "comment", "among ourselves, on chat 7: he is furious", "note"),
        ("kind", "comment", "on chat 7: he is furious", "comment"),
        ("flow", "live", "stop the flow Welcome", "draft"),
        ("flow", "live", "turn that Welcome flow off", "draft"),
        ("flow", "live", "don't stop the flow Welcome", "live"),
        ("flow", "live", "Welcome flow off please", "draft"),
        ("flow", "live", "don't turn that Welcome flow off", "live"),
        ("flow", "live", "the flow Welcome isn't to be off", "live"),
        ("flow", "live", "send Welcome, with 20% off", "live"),
        ("flow", "live", "leave it as a draft, not live", "draft"),
        ("flow", "live", "rather than a draft, live", "live"),
        ("may", "writer", "ana may see my calendar", "reader"),
        ("may", "writer", "let a.b@x.example see my calendar, not change it", "reader"),
        ("unpaid", False, "bills we have not paid yet", True),
        ("unpaid", False, "bills we paid", False),
        ("done", True, "what has Ines still to do", False),
        ("verdict", "approve", "it needs work, please add a test", "request_changes"),
        ("verdict", "approve", "good work, it can go in", "approve"),
        ("gone", "trash", "erase it for good", "delete"),
        ("review", "hold", "it's fine, let it through", "approved"),
        ("review", "hold", "hold it back for now", "hold"),
        ("gone", "trash", "erase it, not to the trash", "delete"),
        ("gone", "trash", "put it in the trash", "trash"),
        ("may", "writer", "ana may see and change my calendar", "writer"),
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


def test_what_is_before_a_moment_ends_with_it() -> None:
    """Whichever of both the reader took it for, and whether the word before it belongs to it or not."""
    prompt = "what is due before March"

    for question, start in ((TIMES[0], 12), (TIMES[1], 12), (TIMES[1], 19)):
        (found,) = as_beginning(ENDS, [Filled(question, "2027-03-01T00:00:00Z", start, len(prompt), 0.9)], prompt)
        assert found.question == TIMES[1]


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("lunch on Friday at 3pm", "start"),
        ("lunch until Friday at 3pm", "end"),
        ("lunch, it ends on Friday at 3pm", "end"),
        ("lunch -Friday at 3pm", "end"),
        ("lunch from 1 to Friday at 3pm", "end"),
        ("extend lunch to Friday at 3pm", "end"),
        ("push lunch back to Friday at 3pm", "start"),
    ],
)
def test_the_only_moment_is_the_beginning(prompt: str, name: str) -> None:
    """A moment that was taken for an end is the beginning, unless the prompt speaks of an end."""
    start = prompt.index("Friday")

    found = as_beginning(ENDS, [Filled(TIMES[1], "2026-11-20T15:00:00Z", start, len(prompt), 0.9)], prompt)

    assert [name] == [each.question.path[0] for each in found]


@pytest.mark.parametrize(
    ("words", "schema", "expected"),
    [
        ("@alice", text("Who does it."), "alice"),
        ("@alice", text("Who does it, with the @ in front."), "@alice"),
        ("the broken printer", text("What it is about."), "broken printer"),
        ("the broken printer", text("What to say.", **{"x-multiline": True}), "the broken printer"),
        ("the server is back up", text("What to say."), "the server is back up"),
        ("tomorrow at 9am", {"type": "number", "description": "When, as Unix timestamp."}, 1795078800),
        ("1795165200", {"type": "number", "description": "When, as Unix timestamp."}, 1795165200),
        ("9", {"type": "number", "description": "When, as Unix timestamp."}, None),
        ("a1 to C9", text("The cells in A1 notation."), "A1:C9"),
        ("A1 to C9", text("What it is about."), "A1 to C9"),
        ("New York time zone", text("The time zone to convert from."), "New York"),
        ("New York time zone", text("What it is about."), "New York time zone"),
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


def test_a_stretch_of_time_replaces_what_a_part_of_it_gave() -> None:
    """Of "Friday from 2 to 3 pm" the encoder finds the parts; together they say from when to when."""
    prompt = "lunch on Friday from 2 to 3 pm"
    parts = [
        Filled(TIMES[0], "2026-11-20T00:00:00Z", 6, 22, 0.5),
        Filled(TIMES[1], "2026-11-20T15:00:00Z", 26, 30, 0.9),
    ]

    found = with_period(ENDS, parts, prompt, NOW, only_reads=False)

    assert ["2026-11-20T14:00:00Z", "2026-11-20T15:00:00Z"] == [each.value for each in found]


@pytest.mark.parametrize(
    ("required", "for_good", "likely", "kept"),
    [
        (False, False, 0.6, ["closed"]),
        (False, False, 0.4, []),
        (True, False, 0.3, []),
        (True, False, 0.45, ["closed"]),
        (True, True, 0.3, []),
        (True, True, 0.6, ["closed"]),
    ],
)
def test_an_option_is_likelier_than_not(required: bool, for_good: bool, likely: float, kept: list[str]) -> None:
    """Nobody's guess is filled in: an order whose cup was broken isn't cancelled as a fraud, but a person chooses."""
    question = evolve(QUESTIONS["state"], required=required)
    reply = Reply(question, (), (1,), None, likely, 0.1)

    found = filled([reply], "it broke", NOW, validators_of([question]), for_good=for_good)

    assert kept == [each.value for each in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("two hours", "2h"),
        ("30 min", "30m"),
        ("in the past day", "1d"),
        ("over two weeks", "2w"),
        ("three quarters of an hour", "45m"),
        ("a while", "a while"),
    ],
)
def test_lengths_in_the_notation_of_the_app(words: str, expected: str) -> None:
    """A length of time is written as the pattern wants it, if it does."""
    schema = {"type": "string", "pattern": "^[0-9]+[wdhm]$"}

    assert expected == in_form(words, schema, compiled(schema))
    assert words == in_form(words, {"type": "string"}, compiled({"type": "string"}))
