"""How often something is repeated is read outside of names."""

import pytest

from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.recurrence import interval_of, recurrence_of, with_interval, with_recurrence
from tests.service_server.predict.catalogue import number, text

OPTIONS = ["daily", "weekdays", "weekly", "biweekly", "monthly", "yearly"]
TITLE, REPEATS = questions_of({"properties": {"title": text("What."), "repeats": {"type": "string", "enum": OPTIONS}}})


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Guitar every other Tuesday at 6pm", "biweekly"),
        ("1:1 fortnightly, Thursday 3pm", "biweekly"),
        ("Stand-up every weekday at 9:15", "weekdays"),
        ("yoga every morning at 7", "daily"),
        ("Team lunch each Friday 12 to 1", "weekly"),
        ("swimming on Tuesdays at 6", "weekly"),
        ("Payroll on the 25th, monthly", "monthly"),
        ("birthday on 4 March, every year", "yearly"),
        ("Weekly sync on Monday at 10", None),
        ("the weekly report on Monday", None),
        ("lunch on Tuesday", None),
    ],
)
def test_how_often_is_said(prompt: str, expected: str | None) -> None:
    """In the words of people; what is called weekly needn't be."""
    found = with_recurrence(REPEATS, [], prompt)

    assert [expected] * (expected is not None) == [value.value for value in found]


def test_names_say_nothing() -> None:
    """A title may have the words, and a day may share them."""
    prompt = "book Every day counts on Friday"
    title = Filled(TITLE, "Every day counts", 5, 21, 0.9)

    assert [title] == with_recurrence(REPEATS, [title], prompt)


def test_only_what_repeats_is_asked() -> None:
    """Options that aren't spans of time ask for something else."""
    assert recurrence_of([TITLE, REPEATS]) == REPEATS
    assert recurrence_of([TITLE]) is None
    assert recurrence_of(questions_of({"properties": {"sort": {"type": "string", "enum": ["up", "down"]}}})) is None


UNIT, COUNT = questions_of(
    {
        "properties": {
            "interval": text("How often.", enum=["day", "week", "month", "year"]),
            "interval_count": number("After how many intervals."),
        }
    }
)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("19.90 CHF every 3 months", {"month": 3}),
        ("10 euros every other week", {"week": 2}),
        ("every two years, 90 euros", {"year": 2}),
        ("9 euros a month for 3 months", {"month": None}),
    ],
)
def test_how_many_intervals_lie_between(prompt: str, expected: dict[str, int | None]) -> None:
    """What is paid every 3 months isn't paid each month."""
    unit = next(iter(expected))
    reader_said = Filled(UNIT, unit, 0, 0, 0.9)
    interval = interval_of([UNIT, COUNT])
    assert interval is not None
    found = with_interval(interval, [reader_said], prompt)

    assert unit == next(each.value for each in found if each.question == UNIT)
    assert expected[unit] == next((each.value for each in found if each.question == COUNT), None)


def test_other_functions_have_no_interval() -> None:
    """Days, weeks, months and years are what makes one."""
    assert interval_of([COUNT]) is None
    assert interval_of([TITLE, REPEATS, COUNT]) is None
