"""What is moved to another time gets the new time, never the old one, and never a stretch from the old to the new."""

from datetime import UTC, datetime

import pytest

from service_client.models import Function, Parameters
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
EVENT = {"type": "string", "title": "Event", "description": "The name of the event."}
START = {"type": "string", "format": "date-time", "title": "Start", "description": "When it begins now."}
END = {"type": "string", "format": "date-time", "title": "End", "description": "When it ends now."}
DUE = {"type": "string", "format": "date", "title": "Due", "description": "The day that it is due."}


def _filler(reader: Reader, verb: str = "reschedule", kind: str = "mutation", **times: dict[str, str]) -> ReaderFiller:
    parameters = Parameters(properties={"event": EVENT, **times}, required=("event", *times))
    function = Function(
        name=f"diary-{verb}-event", description="Move an event to another time.", parameters=parameters, type=kind
    )
    return ReaderFiller(function, reader)


def _times(filler: ReaderFiller, prompt: str) -> dict[str, str]:
    given = filler.fill(read(prompt, NOW), NOW).arguments
    return {name: value.removesuffix(":00Z") for name, value in given.items() if name != "event"}


@pytest.mark.parametrize(
    ("prompt", "start", "end"),
    [
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
def test_the_new_time_is_the_beginning(installed_reader: Reader, prompt: str, start: str, end: str | None) -> None:
    """It ends when the prompt says, and that is never said by the time that it begins."""
    expected = {"start": start} | ({"end": end} if end else {})

    assert expected == _times(_filler(installed_reader, start=START, end=END), prompt)


@pytest.mark.parametrize("prompt", ["move the all-hands to friday", "postpone the 3pm demo to 9"])
def test_no_hour_is_made_up(installed_reader: Reader, prompt: str) -> None:
    """A day alone begins nothing at midnight, and nobody says in which half of the day a 9 is."""
    times = _times(_filler(installed_reader, start=START, end=END), prompt)

    assert all("T00:00" not in text and "T09:00" not in text and "T21:00" not in text for text in times.values())


def test_the_only_date_is_the_new_one(installed_reader: Reader) -> None:
    """Where a function takes one date, it is the one that the prompt moves something to."""
    filler = _filler(installed_reader, "update", due=DUE)

    assert {"due": "2026-12-02"} == _times(filler, "move the due date of the report from Monday to Wednesday")


@pytest.mark.parametrize("verb", ["send", "schedule"])
def test_what_a_message_says_moves_nothing(installed_reader: Reader, verb: str) -> None:
    """A message about something that was moved is not sent at its new time."""
    text = {"type": "string", "description": "The text of the message."}
    at = {"type": "string", "format": "date-time", "description": "When it is sent; at once if left out."}
    send = Function(
        name=f"mail-{verb}-message",
        description="Send a message.",
        parameters=Parameters(properties={"text": text, "send_at": at}, required=("text",)),
        type="mutation",
    )

    given = (
        ReaderFiller(send, installed_reader).fill(read("tell bob that the demo is moved to 3pm", NOW), NOW).arguments
    )

    assert "send_at" not in given


def test_a_text_about_moving_stays_a_text(installed_reader: Reader) -> None:
    """What stands in another argument says nothing of when."""
    note = {"type": "string", "description": "The text of the note."}
    filler = _filler(installed_reader, "update", note=note, due=DUE)

    given = filler.fill(read('set the note of the demo to "moved to Monday"', NOW), NOW).arguments

    assert "moved to Monday" == given["note"]
    assert "due" not in given


@pytest.mark.parametrize(("verb", "kind"), [("create", "mutation"), ("list", "query")])
def test_only_what_there_is_can_be_moved(installed_reader: Reader, verb: str, kind: str) -> None:
    """What is made or looked for has a stretch of time, whatever it is called."""
    prompt = "the move, tomorrow from 2pm to 3pm"
    expected = {"start": "2026-11-28T14:00", "end": "2026-11-28T15:00"}

    assert expected == _times(_filler(installed_reader, verb, kind, start=START, end=END), prompt)


def test_a_time_is_no_number_of_what_it_belongs_to(installed_reader: Reader) -> None:
    """The 3pm meeting is not meeting number 3; meeting 312 is."""
    number = {"type": "integer", "description": "The id of the meeting.", "x-source": {"function": "list-meetings"}}
    filler = _filler(installed_reader, "update", meeting_id=number, start=START)

    assert {"start": "2026-11-27T16:00"} == _times(filler, "move my 3pm meeting to 4pm")
    assert filler.fill(read("move meeting 312 to 4pm", NOW), NOW).arguments["meeting_id"] == 312
    assert "meeting_id" not in filler.fill(read("move the meeting with +491701234567", NOW), NOW).arguments
