"""What is moved to another time gets the new time, never the old one, and never a stretch from the old to the new."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_client.models import Function, FunctionType
from tests.service_server.predict.catalogue import function, text
from tests.service_server.predict.conftest import Fill

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
START = text("When it begins now.", format="date-time", title="Start")
END = text("When it ends now.", format="date-time", title="End")
DUE = text("The day that it is due.", format="date", title="Due")


def _event(verb: str = "reschedule", kind: FunctionType = "mutation", **others: dict[str, Any]) -> Function:
    event = text("The name of the event.", title="Event")
    description = "Move an event to another time."
    return function(f"diary-{verb}-event", description, ("event", *others), kind, event=event, **others)


EVENT = _event(start=START, end=END)


def _times(given: dict[str, Any]) -> dict[str, str]:
    return {name: value.removesuffix(":00Z") for name, value in given.items() if name != "event"}


@pytest.mark.parametrize(
    ("prompt", "start", "end"),
    [
        ("move the standup to 10 tomorrow", "2026-11-28T10:00", None),
        ("push lunch to 2 tomorrow", "2026-11-28T14:00", None),
        ("reschedule tomorrow's standup to 9:30", "2026-11-28T09:30", None),
        ("move the board meeting from friday to monday at 10", "2026-11-30T10:00", None),
        ("reschedule the 1:1 with Tom from Monday 2pm to Wednesday 11am", "2026-12-02T11:00", None),
        ("can you shift tomorrow's 9am sync to 11am", "2026-11-28T11:00", None),
        ("change tomorrow's call from 2 to 3pm", "2026-11-28T15:00", None),
        ("bring the 4pm review forward to 3pm", "2026-11-27T15:00", None),
        ("postpone the 10am demo to 11", "2026-11-27T11:00", None),
        ("move the 3pm demo from friday to monday", "2026-11-30T15:00", None),
        ("move tomorrow's review to 2pm for an hour", "2026-11-28T14:00", "2026-11-28T15:00"),
        ("postpone Handover to 10 December from 17:00 to 18:00", "2026-12-10T17:00", "2026-12-10T18:00"),
        ("reschedule the lunch to 1pm-2pm", "2026-11-27T13:00", "2026-11-27T14:00"),
    ],
)
def test_the_new_time_is_the_beginning(fill: Fill, prompt: str, start: str, end: str | None) -> None:
    """It ends when the prompt says, and that is never said by the time that it begins."""
    expected = {"start": start} | ({"end": end} if end else {})

    assert expected == _times(fill(EVENT, prompt, NOW).arguments)


@pytest.mark.parametrize("prompt", ["move the all-hands to friday", "postpone the 3pm demo to 9"])
def test_no_hour_is_made_up(fill: Fill, prompt: str) -> None:
    """A day alone begins nothing at midnight, and nobody says in which half of the day a 9 is."""
    times = _times(fill(EVENT, prompt, NOW).arguments)

    assert all("T00:00" not in text and "T09:00" not in text and "T21:00" not in text for text in times.values())


def test_the_only_date_is_the_new_one(fill: Fill) -> None:
    """Where a function takes one date, it is the one that the prompt moves something to."""
    given = fill(_event("update", due=DUE), "move the due date of the report from Monday to Wednesday", NOW).arguments

    assert {"due": "2026-12-02"} == _times(given)


@pytest.mark.parametrize("verb", ["send", "schedule"])
def test_what_a_message_says_moves_nothing(fill: Fill, verb: str) -> None:
    """A message about something that was moved is not sent at its new time."""
    at = text("When it is sent; at once if left out.", format="date-time")
    message = text("The text of the message.")
    send = function(f"mail-{verb}-message", "Send a message.", ("text",), text=message, send_at=at)

    assert "send_at" not in fill(send, "tell bob that the demo is moved to 3pm", NOW).arguments


def test_a_text_about_moving_stays_a_text(fill: Fill) -> None:
    """What stands in another argument says nothing of when."""
    update = _event("update", note=text("The text of the note."), due=DUE)

    given = fill(update, 'set the note of the demo to "moved to Monday"', NOW).arguments

    assert "moved to Monday" == given["note"]
    assert "due" not in given


@pytest.mark.parametrize(("verb", "kind"), [("create", "mutation"), ("list", "query")])
def test_only_what_there_is_can_be_moved(fill: Fill, verb: str, kind: FunctionType) -> None:
    """What is made or looked for has a stretch of time, whatever it is called."""
    given = fill(_event(verb, kind, start=START, end=END), "the move, tomorrow from 2pm to 3pm", NOW).arguments

    assert {"start": "2026-11-28T14:00", "end": "2026-11-28T15:00"} == _times(given)


def test_a_time_is_no_number_of_what_it_belongs_to(fill: Fill) -> None:
    """The 3pm meeting is not meeting number 3; meeting 312 is."""
    number = {"type": "integer", "description": "The id of the meeting.", "x-source": {"function": "list-meetings"}}
    update = _event("update", meeting_id=number, start=START)

    assert {"start": "2026-11-27T16:00"} == _times(fill(update, "move my 3pm meeting to 4pm", NOW).arguments)
    assert fill(update, "move meeting 312 to 4pm", NOW).arguments["meeting_id"] == 312
    assert "meeting_id" not in fill(update, "move the meeting with +491701234567", NOW).arguments


def test_nothing_is_made_at_midnight_unless_somebody_says_so(fill: Fill) -> None:
    """A day says no time at which something begins, and whoever sends it is asked."""
    summary = text("What it is.")
    create = function(
        "diary-create-event", "Create an event.", ("summary", "start"), summary=summary, start=START, end=END
    )

    assert "start" in fill(create, "event Workshop on 4 December", NOW).missing
    assert "2026-12-04T00:00:00Z" == fill(create, "event Party on 4 December at midnight", NOW).arguments["start"]
