"""When something is: dates and times, apart and together, stretches of days, and lengths that are said once."""

from datetime import UTC, datetime

import pytest

from service_client.models import Function
from service_server.predict.mentions import find_moments
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.moments import are_parts_of_one_moment, moment_in, place_of_moment
from service_server.predict.reader.past import as_past
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.today import place_of_today
from tests.service_server.predict.catalogue import function, text
from tests.service_server.predict.conftest import Fill

WEDNESDAY = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
THURSDAY = datetime(2026, 11, 26, 10, 0, tzinfo=UTC)
FRIDAY = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
DAY = text("The day of the visit.", format="date")
CLOCK = text("The time of the visit, in the format HH:MM.")
INSTANT = text("When it is.", format="date-time")
FIRST_DAY, DAY_AFTER = text("The first day.", format="date"), text("The day after the last one.", format="date")
MEETING = function(
    "agenda-create-event",
    "Create an event in a calendar.",
    ("summary", "start", "end"),
    summary=text("What the event is called."),
    start=text("When it begins.", format="date-time"),
    end=text("When it ends.", format="date-time"),
)


def _event(**times: dict[str, object]) -> Function:
    called = text("What it is called.")
    return function("diary-create-event", "Create an event.", tuple(times), name=called, **times)


EVENT = _event(start=INSTANT, end=INSTANT)


@pytest.mark.parametrize(
    ("prompt", "day", "clock"),
    [
        ("plan a visit of the plumber tomorrow at 7:45", "2026-11-27", "07:45"),
        ("plan a visit of the plumber on 9 December at 3 in the afternoon", "2026-12-09", "15:00"),
        ("plan a visit of the plumber next Tuesday 4pm", "2026-12-01", "16:00"),
    ],
)
def test_each_gets_its_part(fill: Fill, prompt: str, day: str, clock: str) -> None:
    """Words that belong to one moment answer both questions."""
    plan = function("diary-plan-visit", "Plan a visit.", ("date", "time"), date=DAY, time=CLOCK)

    assert {"date": day, "time": clock} == fill(plan, prompt, THURSDAY).arguments


def test_only_a_day_and_a_time_of_day_are_parts_of_one_moment() -> None:
    """Two arguments for days are two days, and a whole moment has no other half."""
    assert are_parts_of_one_moment(DAY, CLOCK)
    assert not are_parts_of_one_moment(DAY, DAY)
    assert not are_parts_of_one_moment(INSTANT, CLOCK)
    assert not are_parts_of_one_moment(DAY, text("What is to be done."))


@pytest.mark.parametrize(
    ("prompt", "day"),
    [
        ("deals that changed since october 9", "2026-10-09"),
        ("deals that changed since the 3rd of December", "2025-12-03"),
        ("deals that close december 3", "2026-12-03"),
    ],
)
def test_what_has_been_since_a_day_began_in_the_past(prompt: str, day: str) -> None:
    """The word before a date tells its year, also where the reader takes the date alone."""
    start, end = place_of_moment(prompt, len(prompt) - 1, len(prompt))

    assert day == moment_in(prompt[start:end], DAY, THURSDAY)


@pytest.mark.parametrize("prompt", ["a trip to Porto from Dec 9 through Dec 11", "a trip to Porto, December 9 to 11"])
def test_the_last_day_is_not_over_as_it_begins(fill: Fill, prompt: str) -> None:
    """All of the last day belongs to it, in the form that the argument takes."""
    days = fill(_event(start_date=FIRST_DAY, end_date=DAY_AFTER), prompt, FRIDAY).arguments
    times = fill(EVENT, prompt, FRIDAY).arguments

    assert ("2026-12-09", "2026-12-12") == (days["start_date"], days["end_date"])
    assert ("2026-12-09T00:00:00Z", "2026-12-11T23:59:00Z") == (times["start"], times["end"])


def test_a_length_is_said_of_one_thing(fill: Fill) -> None:
    """An event that takes an hour has no reminder an hour before."""
    minutes = {"type": "number", "description": "How many minutes before it you are reminded."}
    reminded = _event(start=INSTANT, end=INSTANT, reminder_minutes=minutes)

    given = fill(reminded, "Inspection is wednesday at ten, takes an hour", FRIDAY).arguments

    assert ("2026-12-02T10:00:00Z", "2026-12-02T11:00:00Z") == (given["start"], given["end"])
    assert "reminder_minutes" not in given
    named = fill(reminded, 'put "Walk for an hour" in tomorrow at 9', FRIDAY).arguments
    assert ("Walk for an hour", "2026-11-28T10:00:00Z") == (named["name"], named["end"])


def test_politeness_is_no_value(fill: Fill) -> None:
    """A "please" belongs to the request."""
    tell = function("chat-send-message", "Send a message.", ("text",), text=text("The text of the message."))

    assert fill(tell, "tell them, please", FRIDAY).arguments.get("text") != "please"


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
def test_a_time_may_stand_apart_from_its_day(fill: Fill, prompt: str, start: str) -> None:
    """The only time of a prompt is that of its only day, and when something begins that doesn't end."""
    given = fill(EVENT, prompt, FRIDAY).arguments

    assert (start, None) == (given["start"], given.get("end"))


def test_a_time_within_a_title_is_no_part_of_it(fill: Fill) -> None:
    """It has been taken as the time then."""
    assert "lunch with Ana" == fill(EVENT, "add lunch at noon with Ana on Friday", FRIDAY).arguments["name"]


@pytest.mark.parametrize(
    ("prompt", "until"),
    [
        ("snooze the event Lunch for two hours", "2026-11-27T11:00:00Z"),
        ("snooze the event Lunch until Monday 8am", "2026-11-30T08:00:00Z"),
        ("snooze the event Lunch", None),
    ],
)
def test_what_begins_now_lasts_for_its_length(fill: Fill, prompt: str, until: str | None) -> None:
    """Where a function asks for nothing but until when."""
    snooze = function(
        "diary-snooze-event", "Snooze an event.", ("until",), name=text("What it is called."), until=INSTANT
    )

    assert until == fill(snooze, prompt, FRIDAY).arguments.get("until")


def test_what_is_said_behind_since_and_until_is_an_end(fill: Fill) -> None:
    """Also where the reader overlooks it."""
    trip = _event(created_since=FIRST_DAY, due_before=FIRST_DAY)

    given = fill(trip, "add a trip, created since March and due before May", FRIDAY).arguments

    assert ("2026-03-01", "2027-05-01") == (given["created_since"], given["due_before"])


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
        ("the choir tonight at ten to six", "2026-11-18 17:50"),
        ("the choir from 6 tonight", "2026-11-18 18:00"),
        ("the choir tomorrow at half eight", "2026-11-19 08:30"),
        ("the choir tomorrow at half five", "2026-11-19 17:30"),
        ("the choir on Friday at five past nine", "2026-11-20 09:05"),
        ("the choir on 24/11 at 9", "2026-11-24 09:00"),
        ("we are open on 24/7", None),
        ("the choir, Friday the 27th, 19:30", "2026-11-27 19:30"),
        # A price and a length of time beside a day are none, and a floor has a number, too.
        ("rent since the 3rd", "2026-11-03"),
        ("rent due by the 30th, please", "2026-11-30"),
        ("rent of 12.50 on Friday", "2026-11-20"),
        ("log 2h on Friday", "2026-11-20"),
        ("tomorrow 2.5 hours", "2026-11-19"),
        ("tomorrow 18h of song", "2026-11-19"),
        ("the chart on the 3rd floor", None),
    ],
)
def test_a_time_is_known_as_people_write_it(prompt: str, moment: str | None) -> None:
    """With a point or an "h" beside a day, as a part of an hour, on a day that has a number only."""
    found = [f"{each.value.day} {each.value.clock or ''}".strip() for each in find_moments(prompt, WEDNESDAY)]

    assert ([] if moment is None else [moment]) == [each[: len("2026-11-20 19:30")] for each in found]


@pytest.mark.parametrize(
    ("prompt", "start", "end"),
    [
        ("add the choir to my calendar, Friday from two till 3.30", "2026-11-20T14:00:00Z", "2026-11-20T15:30:00Z"),
        ("add choir from half past two to quarter to four tomorrow", "2026-11-19T14:30:00Z", "2026-11-19T15:45:00Z"),
        ("put 2 hours of choir into tomorrow morning", "2026-11-19T09:00:00Z", "2026-11-19T11:00:00Z"),
        ("put the choir into Friday afternoon", "2026-11-20T14:00:00Z", None),
    ],
)
def test_an_event_begins_and_ends(fill: Fill, prompt: str, start: str, end: str | None) -> None:
    """What is said of the end is kept, and a morning isn't filled with one event from midnight on."""
    arguments = fill(MEETING, prompt, WEDNESDAY).arguments

    assert (start, end) == (arguments.get("start"), arguments.get("end"))


def test_a_day_that_may_be_another_is_left_open(fill: Fill) -> None:
    """The third of December or the twelfth of March: at 8:15 it isn't today in any case."""
    assert "start" not in fill(MEETING, "add the dentist to my calendar 3/12 at 8:15", WEDNESDAY).arguments


@pytest.mark.parametrize(
    ("prompt", "summary"),
    [
        ("add lunch with Ana on Friday at 12:30", "lunch with Ana"),
        ("add coffee with Priya and Tom tomorrow at 10", "coffee with Priya and Tom"),
        ("add a call with Sam on Thursday 4pm", "call with Sam"),
        ("add choir practice tomorrow at 10", "choir practice"),
    ],
)
def test_a_meeting_is_called_by_whom_it_is_with(fill: Fill, prompt: str, summary: str) -> None:
    """Names behind "with" that answer nothing else belong to what the event is called."""
    assert summary == fill(MEETING, prompt, WEDNESDAY).arguments["summary"]


@pytest.mark.parametrize(
    ("prompt", "place"),
    [
        ("A play this Sunday? Today is Friday 2023-09-29. Thanks", "Today is Friday 2023-09-29"),
        ("today's date: April 25th 2023, book it for tomorrow", "today's date: April 25th 2023"),
        ("for tomorrow (current date is 2023.10.1)", "current date is 2023.10.1"),
        ("Create an event, the date is 2024-05-01", None),
        ("date: 2024-05-01", None),
        ("today 2024-05-01 at noon", None),
        ("today is the day on which we plan for 2024-05-01", None),
        ("Today is Friday", None),
        ("do it right now: 2024-05-01", None),
    ],
)
def test_only_a_statement_about_today_counts(prompt: str, place: str | None) -> None:
    """Where a prompt tells which day is today is no argument; any other date may be one."""
    found = place_of_today(prompt)

    assert place == (None if found is None else prompt[slice(*found)])


@pytest.mark.parametrize(
    ("prompt", "words", "day", "only_reads", "past"),
    [
        ("what came in after Monday", "Monday", "2026-11-23", True, "2026-11-16"),
        ("who owes us what, those that were due on 1 June", "1 June", "2027-06-01", True, "2026-06-01"),
        ("how did it go on 1 June", "1 June", "2027-06-01", True, "2026-06-01"),
        ("what happened on 1 November", "1 November", "2026-11-01", True, "2026-11-01"),
        ("what did we plan for next Monday", "next Monday", "2026-11-23", True, "2026-11-23"),
        ("did anyone book a room for Monday", "Monday", "2026-11-23", True, "2026-11-23"),
        ("what is due on Monday", "Monday", "2026-11-23", True, "2026-11-23"),
        ("they paid 80 on Monday", "Monday", "2026-11-23", False, "2026-11-16"),
        ("remind me on Monday", "Monday", "2026-11-23", False, "2026-11-23"),
    ],
)
def test_what_happened_was_before_today(prompt: str, words: str, day: str, past: str, *, only_reads: bool) -> None:
    """Who asks for what came in, or writes down what was paid, means the last Monday and the last June."""
    (question,) = questions_of({"properties": {"date": DAY}})
    start = prompt.index(words)

    found = as_past([Filled(question, day, start, start + len(words), 0.9)], prompt, WEDNESDAY, only_reads=only_reads)

    assert past == found[0].value


@pytest.mark.parametrize(
    ("description", "only_reads", "day"),
    [
        ("Only calls that began on this day or later.", True, "2026-05-01"),
        ("Only transactions at this moment or later.", True, "2026-05-01"),
        ("Only invoices that have to be paid before this day.", True, "2027-05-01"),
        ("Only events that end after this moment.", True, "2027-05-01"),
        ("The day that it was made on.", False, "2027-05-01"),
    ],
)
def test_what_is_found_by_when_it_happened_was_before_today(description: str, *, only_reads: bool, day: str) -> None:
    """Whatever the prompt says: no call was made after the first of May to come."""
    (question,) = questions_of({"properties": {"after": {**DAY, "description": description}}})
    prompt = "phone calls after 1 May"
    value = Filled(question, "2027-05-01", prompt.index("1 May"), len(prompt), 0.9)

    assert [day] == [each.value for each in as_past([value], prompt, WEDNESDAY, only_reads=only_reads)]


def test_a_report_is_about_the_past() -> None:
    """Whatever its prompt says: no sales are known of days to come."""
    (question,) = questions_of({"properties": {"start": DAY}})
    start = Filled(question, "2027-10-01", 5, 14, 0.9)

    found = as_past([start], "from 1 October", WEDNESDAY, only_reads=True, reports=True)

    assert ["2026-10-01"] == [each.value for each in found]


@pytest.mark.parametrize(
    ("prompt", "days"),
    [
        ("01/07/2026 to 30/09/2026", ["2026-07-01", "2026-09-30"]),
        ("07/01/2026 to 09/30/2026", ["2026-07-01", "2026-09-30"]),
        ("01/07/2026 to 09/08/2026", []),
    ],
)
def test_a_date_beside_tells_the_order_of_day_and_month(prompt: str, days: list[str]) -> None:
    """Alone, 01/07 may be in January."""
    assert days == [str(each.value.day) for each in find_moments(prompt, WEDNESDAY)]


def test_both_ends_of_what_happened_go_back_together() -> None:
    """Of a stretch of time that has begun, nothing is moved."""
    first, last = questions_of({"properties": {"since": DAY, "until": DAY}})
    prompt = "how did we do from 1 June to 10 July"
    place = (prompt.index("1 June"), len(prompt), 0.9)

    ahead = as_past(
        [Filled(first, "2027-06-01", *place), Filled(last, "2027-07-10", *place)], prompt, WEDNESDAY, only_reads=True
    )
    begun = as_past(
        [Filled(first, "2026-11-01", *place), Filled(last, "2026-11-30", *place)], prompt, WEDNESDAY, only_reads=True
    )

    assert ["2026-06-01", "2026-07-10"] == [each.value for each in ahead]
    assert ["2026-11-01", "2026-11-30"] == [each.value for each in begun]
