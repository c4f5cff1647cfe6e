"""How long something takes, and the end that follows from it."""

from datetime import UTC, datetime

import pytest

from service_server.predict.mentions import find_lengths
from tests.service_server.predict.catalogue import function, text
from tests.service_server.predict.conftest import Fill

NOW = datetime(2026, 11, 26, 10, 0, tzinfo=UTC)
BOOK = function(
    "diary-create-event",
    "Create (book, schedule) an event, meeting or appointment at a certain time.",
    ("title", "start", "end"),
    title=text("What the event is called."),
    start=text("When it begins.", format="date-time"),
    end=text("When it ends.", format="date-time"),
)


@pytest.mark.parametrize(
    ("prompt", "minutes", "words"),
    [
        ("the hall for an hour", 60, "an hour"),
        ("yoga, 50 min", 50, "50 min"),
        ("a 25-minute walk", 25, "25-minute"),
        ("half an hour with Noor", 30, "half an hour"),
        ("a half-hour call", 30, "half-hour"),
        ("three quarters of an hour", 45, "three quarters of an hour"),
        ("1h30 of piano", 90, "1h30"),
        ("two and a half hours", 150, "two and a half hours"),
        ("an hour and a half", 90, "an hour and a half"),
        ("an hour and a quarter", 75, "an hour and a quarter"),
        ("1.5 hours", 90, "1.5 hours"),
        ("2 hours and 10 minutes", 130, "2 hours and 10 minutes"),
        ("1 hour 12 people", 60, "1 hour"),
    ],
)
def test_a_length_is_read(prompt: str, minutes: int, words: str) -> None:
    """In figures and words, with its parts together."""
    (length,) = find_lengths(prompt)
    assert (length.value.total_seconds() / 60, prompt[length.start : length.end]) == (minutes, words)


@pytest.mark.parametrize(
    "prompt",
    [
        *("in 2 hours", "an hour ago", "every 20 minutes", "10 minutes before it", "later by half an hour"),
        "a quarter to nine",
    ],
)
def test_a_moment_a_rhythm_and_a_distance_are_no_lengths(prompt: str) -> None:
    """They say when, how often or how far."""
    assert find_lengths(prompt) == []


@pytest.mark.parametrize(
    ("prompt", "start", "end"),
    [
        ("book the sauna tomorrow at 6pm for an hour", "2026-11-27T18:00:00Z", "2026-11-27T19:00:00Z"),
        ("schedule the hairdresser on 9 December at 11:30pm, 45 min", "2026-12-09T23:30:00Z", "2026-12-10T00:15:00Z"),
        ("book the sauna on 9999-12-31 at 11:30pm for an hour", "9999-12-31T23:30:00Z", None),
        ("book the sauna tomorrow at 6pm", "2026-11-27T18:00:00Z", None),
        ("book the sauna tomorrow from 6pm to 8pm", "2026-11-27T18:00:00Z", "2026-11-27T20:00:00Z"),
    ],
)
def test_what_begins_and_takes_a_while_ends(fill: Fill, prompt: str, start: str, end: str | None) -> None:
    """An end isn't made up, and one that was said stays."""
    arguments = fill(BOOK, prompt, NOW).arguments
    assert (arguments.get("start"), arguments.get("end")) == (start, end)


def test_a_day_has_no_end_after_an_hour(fill: Fill) -> None:
    """Where no time of day is said, nobody knows when the hour is over."""
    assert "end" not in fill(BOOK, "book the sauna tomorrow for an hour", NOW).arguments
