"""What the form of a value tells: words that only one argument takes, both ends of a stretch of time."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_server.predict.arguments.validation import compiled
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.forms import formed, telling_forms
from service_server.predict.reader.periods import ends_of, with_period
from service_server.predict.reader.questions import Question, questions_of
from service_server.predict.reader.values import in_form

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
DAY, INSTANT = {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}
ROOM = {"type": "string", "pattern": "^!"}
PATH = {"type": "string", "pattern": "^/.*$"}


def _questions(**properties: Any) -> tuple[Question, ...]:
    return questions_of({"properties": properties})


def _filled(prompt: str, **properties: Any) -> dict[str, Any]:
    return {each.question.path[0]: each.value for each in formed(telling_forms(_questions(**properties)), [], prompt)}


def test_a_word_of_the_only_form_is_taken() -> None:
    """A word that only this argument can take is its value."""
    assert _filled('post "done" in !ops:hq.example, please', room=ROOM) == {"room": "!ops:hq.example"}
    assert _filled("who sees /Team/Plans?", path=PATH) == {"path": "/Team/Plans"}


@pytest.mark.parametrize("prompt", ["move /a.txt to /b", "and/or", "post it !", "no path here"])
def test_two_such_words_or_none_tell_nothing(prompt: str) -> None:
    """Where it may be either, nothing is guessed."""
    assert _filled(prompt, path=PATH) == {}


def test_a_form_that_words_have_as_well_tells_nothing() -> None:
    """Patterns that ordinary words fit are no sign."""
    assert _filled("eur or usd for the internationally", currency={"type": "string", "pattern": "^[a-z]{3}$"}) == {}
    assert _filled("close 17", number={"type": "string", "pattern": "^[0-9]+$"}) == {}


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


def _ends(prompt: str, found: list[Filled] | None = None, *, only_reads: bool = True, **ends: Any) -> dict[str, Any]:
    pair = ends_of(_questions(text={"type": "string"}, **ends))
    assert pair is not None
    values = with_period(pair, found or [], prompt, NOW, only_reads=only_reads)
    return {each.question.path[0]: each.value for each in values}


def test_a_stretch_of_time_fills_both_ends() -> None:
    """Days get their first and last minute where a time is asked for."""
    assert _ends("mails opened in October", start_date=DAY, end_date=DAY) == {
        "start_date": "2026-10-01",
        "end_date": "2026-10-31",
    }
    assert _ends("what's on from Monday to Wednesday", time_min=INSTANT, time_max=INSTANT) == {
        "time_min": "2026-11-23T00:00:00Z",
        "time_max": "2026-11-25T23:59:00Z",
    }


def test_an_end_that_is_not_included_is_the_day_after() -> None:
    """The description says what the end means."""
    end = {**DAY, "description": "The day after the last one."}
    assert _ends("off December 7 to 11", start=DAY, end=end, only_reads=False)["end"] == "2026-12-12"


def test_a_single_day_is_meant_as_a_whole_only_where_something_is_read() -> None:
    """An event on Friday need not last all Friday."""
    assert _ends("events on Friday", start=INSTANT, end=INSTANT) == {
        "start": "2026-11-20T00:00:00Z",
        "end": "2026-11-20T23:59:00Z",
    }
    assert _ends("events on Friday", start=INSTANT, end=INSTANT, only_reads=False) == {}
    assert _ends("events after Friday", start=INSTANT, end=INSTANT) == {}


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
