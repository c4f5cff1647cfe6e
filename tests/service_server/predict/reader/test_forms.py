"""What the form of a value tells: words that only one argument takes, both ends of a stretch of time."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_server.predict.arguments.validation import compiled
from service_server.predict.reader.conditions import asks_for_condition, with_condition
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.forms import formed, telling_forms
from service_server.predict.reader.periods import ends_of, with_period
from service_server.predict.reader.questions import Question, questions_of
from service_server.predict.reader.values import in_form

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
DAY, INSTANT = {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}
INSTANTS = {"start": INSTANT, "end": INSTANT}
ROOM = {"type": "string", "pattern": "^!"}
PATH = {"type": "string", "pattern": "^/.*$"}


def _questions(**properties: Any) -> tuple[Question, ...]:
    return questions_of({"properties": properties})


@pytest.mark.parametrize(
    ("prompt", "properties", "expected"),
    [
        # A word that only this argument can take is its value.
        ('post "done" in !ops:hq.example, please', {"room": ROOM}, {"room": "!ops:hq.example"}),
        ("who sees /Team/Plans?", {"path": PATH}, {"path": "/Team/Plans"}),
        # Where it may be either, nothing is guessed.
        ("move /a.txt to /b", {"path": PATH}, {}),
        ("and/or", {"path": PATH}, {}),
        ("post it !", {"path": PATH}, {}),
        ("no path here", {"path": PATH}, {}),
        # Patterns that ordinary words fit are no sign.
        ("eur or usd for the internationally", {"currency": {"type": "string", "pattern": "^[a-z]{3}$"}}, {}),
        ("close 17", {"number": {"type": "string", "pattern": "^[0-9]+$"}}, {}),
    ],
)
def test_a_word_of_the_only_form_is_taken(prompt: str, properties: dict[str, Any], expected: dict[str, Any]) -> None:
    """Two such words, or none, tell nothing."""
    found = formed(telling_forms(_questions(**properties)), [], prompt)

    assert expected == {each.question.path[0]: each.value for each in found}


def test_what_another_argument_used_is_not_taken_twice() -> None:
    """A word stands for one argument."""
    questions = _questions(room=ROOM, text={"type": "string"})
    prompt = "say !hello:x"
    used = Filled(questions[1], "!hello:x", 4, 12, 0.9)
    assert list(formed(telling_forms(questions), [used], prompt)) == []


@pytest.mark.parametrize(
    ("value", "schema", "taken"),
    [
        ("EUR", {"type": "string", "pattern": "^[a-z]{3}$"}, "eur"),
        ("gbp", {"type": "string", "pattern": "^[A-Z]{3}$"}, "GBP"),
        ("Receipts", PATH, "/Receipts"),
        ("+44 20 7946 0018", {"type": "string", "description": "With + and country code."}, "+442079460018"),
        ("+44 20 7946 0018", {"type": "string", "description": "What to say."}, "+44 20 7946 0018"),
        ("Euro", {"type": "string", "pattern": "^[a-z]{3}$"}, "Euro"),
        ("thumbsup", {"type": "string", "pattern": "^(:[a-z]+:)?$"}, "thumbsup"),
    ],
)
def test_a_value_is_written_as_its_argument_takes_it(value: str, schema: dict[str, Any], taken: str) -> None:
    """Only the writing changes, and only where the argument asks for it."""
    assert in_form(value, schema, compiled(schema)) == taken


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("merge it, but only once the tests are green", {"auto_merge": True}),
        ("merge it as soon as it's approved", {"auto_merge": True}),
        ("merge it", {}),
    ],
)
def test_what_has_to_happen_first_is_waited_for(prompt: str, expected: dict[str, bool]) -> None:
    """Where a function can wait, and whether the reader saw it or not."""
    (waits,) = _questions(auto_merge={"type": "boolean", "description": "Whether to wait until its checks passed."})
    assert asks_for_condition(waits.schema)
    assert not asks_for_condition({"type": "string", "description": "Merge only if this is still the head."})

    assert expected == {each.question.path[0]: each.value for each in with_condition(waits, [], prompt)}


def _ends(prompt: str, found: list[Filled] | None = None, *, only_reads: bool = True, **ends: Any) -> dict[str, Any]:
    pair = ends_of(_questions(text={"type": "string"}, **ends))
    assert pair is not None
    values = with_period(pair, found or [], prompt, NOW, only_reads=only_reads)
    return {each.question.path[0]: each.value for each in values}


@pytest.mark.parametrize(
    ("prompt", "only_reads", "ends", "expected"),
    [
        # Days get their first and last minute where a time is asked for.
        (
            "mails opened in October",
            True,
            {"start_date": DAY, "end_date": DAY},
            {"start_date": "2026-10-01", "end_date": "2026-10-31"},
        ),
        (
            "what's on from Monday to Wednesday",
            True,
            {"time_min": INSTANT, "time_max": INSTANT},
            {"time_min": "2026-11-23T00:00:00Z", "time_max": "2026-11-25T23:59:00Z"},
        ),
        # The day after "to" is one of the month before it.
        (
            "figures from 1 February 2027 to the 14th",
            True,
            {"start_date": DAY, "end_date": DAY},
            {"start_date": "2027-02-01", "end_date": "2027-02-14"},
        ),
        # An end that is not included is the day after.
        (
            "off December 7 to 11",
            False,
            {"start": DAY, "end": {**DAY, "description": "The day after the last one."}},
            {"start": "2026-12-07", "end": "2026-12-12"},
        ),
        # A single day is meant as a whole only where something is read: an event on Friday need not last all Friday.
        ("events on Friday", True, INSTANTS, {"start": "2026-11-20T00:00:00Z", "end": "2026-11-20T23:59:00Z"}),
        ("events on Friday", False, INSTANTS, {}),
        ("events after Friday", True, INSTANTS, {}),
    ],
)
def test_a_stretch_of_time_fills_both_ends(
    prompt: str, only_reads: bool, ends: dict[str, Any], expected: dict[str, str]
) -> None:
    """In the form that the ends take."""
    assert expected == _ends(prompt, only_reads=only_reads, **ends)


def test_a_day_in_the_words_of_a_stretch_of_time_is_one_of_its_ends() -> None:
    """The reader, who sees "the 14th" alone, takes it for the next one to come."""
    start, end = _questions(start=DAY, end=DAY)
    prompt = "figures from 1 February 2027 to the 14th"
    found = [Filled(start, "2027-02-01", 13, 28, 0.9), Filled(end, "2026-12-14", 32, 40, 0.9)]

    assert {"start": "2027-02-01", "end": "2027-02-14"} == _ends(prompt, found, start=DAY, end=DAY)


def test_what_is_filled_stays() -> None:
    """What the reader found counts more."""
    start, end = _questions(start=DAY, end=DAY)
    found = [Filled(start, "2026-01-01", 0, 0, 0.9), Filled(end, "2026-01-02", 0, 0, 0.9)]
    assert _ends("in October", found, start=DAY, end=DAY) == {"start": "2026-01-01", "end": "2026-01-02"}


def test_functions_without_two_ends_have_none() -> None:
    """One end, two pairs of them, or texts: there is nothing to fill together."""
    assert ends_of(_questions(start=DAY)) is None
    assert ends_of(_questions(to={"type": "string"}, **{"from": {"type": "string"}})) is None
    assert ends_of(_questions(start=DAY, end=DAY, created_after=DAY, created_before=DAY)) is None
