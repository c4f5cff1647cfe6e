"""Stretches of time, counted from a Wednesday: 18 November 2026, 9:30."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.mentions import Moment, find_moments, find_periods

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
ENDS_OF_TIME = (datetime(9999, 12, 20, tzinfo=UTC), datetime(1, 1, 2, tzinfo=UTC))


def _text(moment: Moment) -> str:
    day, clock = moment.day, moment.clock
    return f"{day:%Y-%m-%d}" + (f" {clock:%H:%M}" if clock else "")


@pytest.mark.parametrize(
    ("prompt", "first", "last", "words"),
    [
        ("what did we sell in August", "2026-08-01", "2026-08-31", "in August"),
        (
            "how did we do from July to the end of September",
            "2026-07-01",
            "2026-09-30",
            "from July to the end of September",
        ),
        ("our bookings for February", "2027-02-01", "2027-02-28", "for February"),
        ("invoices of March 2024 please", "2024-03-01", "2024-03-31", "of March 2024"),
        ("everything from last June", "2026-06-01", "2026-06-30", "last June"),
        ("refunds during 2025", "2025-01-01", "2025-12-31", "during 2025"),
        ("who signed up last week?", "2026-11-09", "2026-11-15", "last week"),
        ("the plan for next month", "2026-12-01", "2026-12-31", "next month"),
        ("who is on call this weekend?", "2026-11-21", "2026-11-22", "this weekend"),
        ("costs of the third quarter", "2026-07-01", "2026-09-30", "third quarter"),
        ("revenue in Q1 2025", "2025-01-01", "2025-03-31", "Q1 2025"),
        ("a change, tonight 23:00 to 1am", "2026-11-18 23:00", "2026-11-19 01:00", "23:00 to 1am"),
        ("on Friday from 22:00 to 6:00", "2026-11-20 22:00", "2026-11-21 06:00", "from 22:00 to 6:00"),
        ("calls this quarter", "2026-10-01", "2026-12-31", "this quarter"),
        ("revenue of the previous year", "2025-01-01", "2025-12-31", "previous year"),
        ("tickets of the past ten days", "2026-11-08", "2026-11-18", "past ten days"),
        ("away December 20th to 23rd", "2026-12-20", "2026-12-23", "December 20th to 23rd"),
        ("the fair, 3 - 5 March 2027", "2027-03-03", "2027-03-05", "3 - 5 March 2027"),
        ("from Thursday until Saturday", "2026-11-19", "2026-11-21", "Thursday until Saturday"),
        ("between 2026-12-01 and 2026-12-04", "2026-12-01", "2026-12-04", "2026-12-01 and 2026-12-04"),
        ("from friday to tuesday", "2026-11-20", "2026-11-24", "friday to tuesday"),
        ("tomorrow from 2 to 3:30", "2026-11-19 14:00", "2026-11-19 15:30", "from 2 to 3:30"),
        ("tomorrow 2 to 3", "2026-11-19 14:00", "2026-11-19 15:00", "2 to 3"),
        ("friday 9-11, bring the plans", "2026-11-20 09:00", "2026-11-20 11:00", "9-11"),
        ("the sauna tonight from 8 to 10", "2026-11-18 20:00", "2026-11-18 22:00", "from 8 to 10"),
        ("cover for me from 6 tonight till 10", "2026-11-18 18:00", "2026-11-18 22:00", "from 6 tonight till 10"),
        ("dinner this evening 7:30 to 9", "2026-11-18 19:30", "2026-11-18 21:00", "7:30 to 9"),
        ("no alarms tonight 10 to 12", "2026-11-18 22:00", "2026-11-19 00:00", "10 to 12"),
        ("on Monday between 10 and 12", "2026-11-23 10:00", "2026-11-23 12:00", "between 10 and 12"),
        ("today 11am-1pm", "2026-11-18 11:00", "2026-11-18 13:00", "11am-1pm"),
        ("tomorrow 16:00 to 17:15", "2026-11-19 16:00", "2026-11-19 17:15", "tomorrow 16:00 to 17:15"),
        ("lunch with Kim 1pm-2pm", "2026-11-18 13:00", "2026-11-18 14:00", "1pm-2pm"),
        ("no alarms tonight from 10 till midnight", "2026-11-18 22:00", "2026-11-19 00:00", "from 10 till midnight"),
        ("tomorrow 9 to midnight", "2026-11-19 21:00", "2026-11-20 00:00", "9 to midnight"),
        ("a call from 8:30 to 9", "2026-11-19 08:30", "2026-11-19 09:00", "from 8:30 to 9"),
        ("tomorrow from 3 till 3.30", "2026-11-19 15:00", "2026-11-19 15:30", "from 3 till 3.30"),
        ("tomorrow 9h30 to 11h", "2026-11-19 09:30", "2026-11-19 11:00", "9h30 to 11h"),
        ("off site from 7 to 9 December", "2026-12-07", "2026-12-09", "7 to 9 December"),
        ("away from the 17th through the 28th", "2026-12-17", "2026-12-28", "the 17th through the 28th"),
        ("from 1 February 2027 to the 14th, daily", "2027-02-01", "2027-02-14", "1 February 2027 to the 14th"),
        ("from the first up to the tenth", "2026-12-01", "2026-12-10", "the first up to the tenth"),
        ("between the 3rd and the 5th", "2026-12-03", "2026-12-05", "the 3rd and the 5th"),
        ("tomorrow 9 till 9:45", "2026-11-19 09:00", "2026-11-19 09:45", "tomorrow 9 till 9:45"),
        ("tomorrow 2am till 4", "2026-11-19 02:00", "2026-11-19 04:00", "2am till 4"),
        ("tomorrow 11am till 1", "2026-11-19 11:00", "2026-11-19 13:00", "11am till 1"),
        (
            "tonight 6pm to 6 tomorrow morning",
            "2026-11-18 18:00",
            "2026-11-19 06:00",
            "tonight 6pm to 6 tomorrow morning",
        ),
        ("sales from October to December", "2026-10-01", "2026-12-31", "from October to December"),
        ("sales, November through January", "2026-11-01", "2027-01-31", "November through January"),
        ("sales between March and May 2025", "2025-03-01", "2025-05-31", "between March and May 2025"),
        ("sales from December to March 2025", "2024-12-01", "2025-03-31", "from December to March 2025"),
        ("is he free on Tuesday afternoon", "2026-11-24 12:00", "2026-11-24 18:00", "Tuesday afternoon"),
    ],
)
def test_a_stretch_of_time_has_two_ends(prompt: str, first: str, last: str, words: str) -> None:
    """Both ends are known, and the words they come from."""
    (period,) = find_periods(prompt, NOW)
    assert (_text(period.first), _text(period.last)) == (first, last)
    assert prompt[period.start : period.end] == words


@pytest.mark.parametrize(
    "prompt",
    [
        *("on the 3rd of December", "in January 0000", "end of this month", "move 3 to 4 on Friday"),
        *(
            "on Monday 5 to 7 people come",
            "tonight 11 to 3",
            "in May 3 people came",
            "Monday and Tuesday",
            "March and April",
            "may I",
        ),
        *("June 31 to 33", "version 2 to 3", "from 2.50 to 3.20 euros", "from 9 to 24 on Friday"),
        *("a one to one with Tom", "from 5 to 10 people", "two to three weeks of work"),
    ],
)
def test_what_is_no_stretch_of_time(prompt: str) -> None:
    """Figures that count something, and days that don't exist, make none."""
    assert find_periods(prompt, NOW) == []


@pytest.mark.parametrize(
    ("prompt", "moment"),
    [
        ("changed since October 5", "2026-10-05"),
        ("since Friday", "2026-11-13"),
        ("since 20 November", "2025-11-20"),
        ("since March", "2026-03-01"),
        ("since the first of June", "2026-06-01"),
        ("since the tenth", "2026-11-10"),
        ("since December", "2025-12-01"),
        ("before March", "2027-03-01"),
        ("until May 2028", "2028-05-01"),
        ("by Friday at 9", "2026-11-20 09:00"),
        ("tomorrow at 3, in the office", "2026-11-19 15:00"),
        ("on Monday at 9 euros each", "2026-11-23"),
        ("yesterday at five he called", "2026-11-17 17:00"),
        ("the inspection is wednesday at ten, in the kitchen", "2026-11-25 10:00"),
        ("at eleven on friday", "2026-11-20 11:00"),
    ],
)
def test_days_behind_since_and_bare_hours(prompt: str, moment: str) -> None:
    """What counts since a day lies behind; an hour needs a day before it and no unit behind it."""
    assert [_text(mention.value) for mention in find_moments(prompt, NOW)] == [moment]


@given(st.text(alphabet="0123456789 -:.,afmpotnd\nMayOctuer", max_size=80))
def test_any_text_is_read(prompt: str) -> None:
    """No text makes reading fail, and the ends are in order."""
    for period in find_periods(prompt, NOW):
        assert 0 <= period.start < period.end <= len(prompt)
        first, last = period.first.day, period.last.day
        assert first is not None
        assert last is not None
        assert first <= last


def test_no_period_goes_beyond_the_calendar() -> None:
    """The last night there is has no midnight behind it."""
    assert find_periods("tonight 10 to 12", datetime(9999, 12, 31, 9, tzinfo=UTC)) == []


@pytest.mark.parametrize("now", ENDS_OF_TIME)
@pytest.mark.parametrize("prompt", ["from the 22nd to the 5th", "since the 30th", "on the 3rd at 7 in the evening"])
def test_days_beyond_the_calendar_are_none(prompt: str, now: datetime) -> None:
    """Where there is no such day any more, nothing is found, and nothing breaks."""
    assert all(each.first.day is not None for each in find_periods(prompt, now))
