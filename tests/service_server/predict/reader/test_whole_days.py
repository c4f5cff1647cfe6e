"""Both ends of a stretch of days, and lengths that are said once, for functions that take a beginning and an end."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_client.models import Function, Parameters
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
INSTANT = {"type": "string", "format": "date-time", "description": "When it is."}
DAY = {"type": "string", "format": "date", "description": "The first day."}
DAY_AFTER = {"type": "string", "format": "date", "description": "The day after the last one."}


def _filler(reader: Reader, **properties: dict[str, Any]) -> ReaderFiller:
    text = {"type": "string", "description": "What it is called."}
    parameters = Parameters(properties={"name": text, **properties}, required=tuple(properties))
    function = Function(
        name="diary-create-event", description="Create an event.", parameters=parameters, type="mutation"
    )
    return ReaderFiller(function, reader)


@pytest.mark.parametrize("prompt", ["a trip to Porto from Dec 9 through Dec 11", "a trip to Porto, December 9 to 11"])
def test_the_last_day_is_not_over_as_it_begins(installed_reader: Reader, prompt: str) -> None:
    """All of the last day belongs to it, in the form that the argument takes."""
    days = _filler(installed_reader, start_date=DAY, end_date=DAY_AFTER).fill(read(prompt, NOW), NOW).arguments
    times = _filler(installed_reader, start=INSTANT, end=INSTANT).fill(read(prompt, NOW), NOW).arguments

    assert ("2026-12-09", "2026-12-12") == (days["start_date"], days["end_date"])
    assert ("2026-12-09T00:00:00Z", "2026-12-11T23:59:00Z") == (times["start"], times["end"])


def test_a_length_is_said_of_one_thing(installed_reader: Reader) -> None:
    """An event that takes an hour has no reminder an hour before."""
    minutes = {"type": "number", "description": "How many minutes before it you are reminded."}
    filler = _filler(installed_reader, start=INSTANT, end=INSTANT, reminder_minutes=minutes)

    given = filler.fill(read("Inspection is wednesday at ten, takes an hour", NOW), NOW).arguments

    assert ("2026-12-02T10:00:00Z", "2026-12-02T11:00:00Z") == (given["start"], given["end"])
    assert "reminder_minutes" not in given
    named = filler.fill(read('put "Walk for an hour" in tomorrow at 9', NOW), NOW).arguments
    assert ("Walk for an hour", "2026-11-28T10:00:00Z") == (named["name"], named["end"])


def test_politeness_is_no_value(installed_reader: Reader) -> None:
    """A "please" belongs to the request."""
    text = {"type": "string", "description": "The text of the message."}
    tell = Function(
        name="chat-send-message",
        description="Send a message.",
        parameters=Parameters(properties={"text": text}, required=("text",)),
        type="mutation",
    )

    given = ReaderFiller(tell, installed_reader).fill(read("tell them, please", NOW), NOW).arguments

    assert given.get("text") != "please"


@pytest.mark.parametrize(
    ("prompt", "start"),
    [
        ("add lunch at noon with Ana on Friday", "2026-12-04T12:00:00Z"),
        ("add 3pm coffee with Bob on Thursday", "2026-12-03T15:00:00Z"),
        ("meet Jo at half past two at the office tomorrow", "2026-11-28T14:30:00Z"),
        ("add a review at 10 with the design team on 4 December", "2026-12-04T10:00:00Z"),
        ("add dinner on Friday at 12 Main Street", "2026-12-04T00:00:00Z"),
        ("dentist on Friday at quarter to nine", "2026-12-04T08:45:00Z"),
    ],
)
def test_a_time_may_stand_apart_from_its_day(installed_reader: Reader, prompt: str, start: str) -> None:
    """The only time of a prompt is that of its only day, and when something begins that doesn't end."""
    given = _filler(installed_reader, start=INSTANT, end=INSTANT).fill(read(prompt, NOW), NOW).arguments

    assert (start, None) == (given["start"], given.get("end"))


def test_a_time_within_a_title_is_no_part_of_it(installed_reader: Reader) -> None:
    """It has been taken as the time then."""
    filler = _filler(installed_reader, start=INSTANT, end=INSTANT)

    given = filler.fill(read("add lunch at noon with Ana on Friday", NOW), NOW).arguments

    assert "lunch with Ana" == given["name"]


def test_what_is_said_behind_since_and_until_is_an_end(installed_reader: Reader) -> None:
    """Also where the reader overlooks it."""
    filler = _filler(installed_reader, created_since=DAY, due_before=DAY)

    given = filler.fill(read("add a trip, created since March and due before May", NOW), NOW).arguments

    assert ("2026-03-01", "2027-05-01") == (given["created_since"], given["due_before"])
