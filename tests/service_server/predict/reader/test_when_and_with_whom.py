"""When something is as people write it, and whom it is with, in an event that the installed model fills in."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_client.models import Function, Parameters
from service_server.predict.mentions import find_moments
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)  # a Wednesday
EVENT: dict[str, Any] = {
    "summary": {"type": "string", "description": "What the event is called."},
    "start": {"type": "string", "format": "date-time", "description": "When it begins."},
    "end": {"type": "string", "format": "date-time", "description": "When it ends."},
}


@pytest.fixture(scope="module")
def event(installed_reader: Reader) -> ReaderFiller:
    """Fills in a new event."""
    function = Function(
        name="agenda-create-event",
        description="Create an event in a calendar.",
        type="mutation",
        parameters=Parameters(properties=EVENT, required=("summary", "start", "end")),
    )
    return ReaderFiller(function, installed_reader)


@pytest.mark.parametrize(
    ("prompt", "moment"),
    [
        ("the choir on Friday 19.30", "2026-11-20 19:30"),
        ("the choir tomorrow 18h", "2026-11-19 18:00"),
        ("the choir tomorrow at 8h15", "2026-11-19 08:15"),
        ("move it to 7.30 on Friday", "2026-11-20 07:30"),
        ("the choir tomorrow at half past seven", "2026-11-19 07:30"),
        ("the choir on Monday, quarter to three", "2026-11-23 14:45"),
        ("the choir on the 3rd at 7 in the evening", "2026-12-03 19:00"),
        ("the choir on the 24th 19.30", "2026-11-24 19:30"),
        ("the choir at 8 tomorrow evening", "2026-11-19 20:00"),
        ("the choir tomorrow evening at 8", "2026-11-19 20:00"),
        ("the choir at 6 tomorrow morning", "2026-11-19 06:00"),
        ("the choir tomorrow morning at 9:30", "2026-11-19 09:30"),
        ("the choir on Friday at eleven thirty", "2026-11-20 11:30"),
    ],
)
def test_a_time_is_known_as_people_write_it(prompt: str, moment: str) -> None:
    """With a point or an "h" beside a day, as a part of an hour, on a day that has a number only."""
    (found,) = find_moments(prompt, NOW)

    assert moment == f"{found.value.day:%Y-%m-%d} {found.value.clock:%H:%M}"


@pytest.mark.parametrize(
    ("prompt", "day"),
    [
        ("rent since the 3rd", "2026-11-03"),
        ("rent due by the 30th, please", "2026-11-30"),
        ("rent of 12.50 on Friday", "2026-11-20"),
        ("log 2h on Friday", "2026-11-20"),
        ("tomorrow 2.5 hours", "2026-11-19"),
        ("tomorrow 18h of song", "2026-11-19"),
        ("the chart on the 3rd floor", None),
    ],
)
def test_what_may_be_something_else_is_no_time(prompt: str, day: str | None) -> None:
    """A price and a length of time beside a day are none, and a floor has a number, too."""
    found = [(str(each.value.day), each.value.clock) for each in find_moments(prompt, NOW)]

    assert ([(day, None)] if day else []) == found


@pytest.mark.parametrize(
    ("prompt", "start", "end"),
    [
        ("add the choir to my calendar, Friday from two till 3.30", "2026-11-20T14:00:00Z", "2026-11-20T15:30:00Z"),
        ("add choir from half past two to quarter to four tomorrow", "2026-11-19T14:30:00Z", "2026-11-19T15:45:00Z"),
        ("put 2 hours of choir into tomorrow morning", "2026-11-19T09:00:00Z", "2026-11-19T11:00:00Z"),
        ("put the choir into Friday afternoon", "2026-11-20T14:00:00Z", None),
    ],
)
def test_an_event_begins_and_ends(event: ReaderFiller, prompt: str, start: str, end: str | None) -> None:
    """What is said of the end is kept, and a morning isn't filled with one event from midnight on."""
    arguments = event.fill(read(prompt, NOW), NOW).arguments

    assert (start, end) == (arguments.get("start"), arguments.get("end"))


def test_a_day_that_may_be_another_is_left_open(event: ReaderFiller) -> None:
    """The third of December or the twelfth of March: at 8:15 it isn't today in any case."""
    prompt = "add the dentist to my calendar 3/12 at 8:15"

    assert "start" not in event.fill(read(prompt, NOW), NOW).arguments


@pytest.mark.parametrize(
    ("prompt", "summary"),
    [
        ("add lunch with Ana on Friday at 12:30", "lunch with Ana"),
        ("add coffee with Priya and Tom tomorrow at 10", "coffee with Priya and Tom"),
        ("add a call with Sam on Thursday 4pm", "call with Sam"),
        ("add choir practice tomorrow at 10", "choir practice"),
    ],
)
def test_a_meeting_is_called_by_whom_it_is_with(event: ReaderFiller, prompt: str, summary: str) -> None:
    """Names behind "with" that answer nothing else belong to what the event is called."""
    assert summary == event.fill(read(prompt, NOW), NOW).arguments["summary"]
