"""A date and a time that a prompt says together, for a function that takes them apart."""

from datetime import UTC, datetime

import pytest

from service_client.models import Function, Parameters
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.moments import are_parts_of_one_moment, moment_in, place_of_moment
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read

NOW = datetime(2026, 11, 26, 10, 0, tzinfo=UTC)
DAY = {"type": "string", "format": "date", "description": "The day of the visit."}
CLOCK = {"type": "string", "description": "The time of the visit, in the format HH:MM."}
INSTANT = {"type": "string", "format": "date-time", "description": "When the visit begins."}


@pytest.mark.parametrize(
    ("prompt", "day", "clock"),
    [
        ("plan a visit of the plumber tomorrow at 7:45", "2026-11-27", "07:45"),
        ("plan a visit of the plumber on 9 December at 3 in the afternoon", "2026-12-09", "15:00"),
        ("plan a visit of the plumber next Tuesday 4pm", "2026-12-01", "16:00"),
    ],
)
def test_each_gets_its_part(installed_reader: Reader, prompt: str, day: str, clock: str) -> None:
    """Words that belong to one moment answer both questions."""
    parameters = Parameters(properties={"date": DAY, "time": CLOCK}, required=("date", "time"))
    plan = Function(name="diary-plan-visit", description="Plan a visit.", parameters=parameters, type="mutation")

    assert {"date": day, "time": clock} == ReaderFiller(plan, installed_reader).fill(read(prompt, NOW), NOW).arguments


def test_only_a_day_and_a_time_of_day_are_parts_of_one_moment() -> None:
    """Two arguments for days are two days, and a whole moment has no other half."""
    assert are_parts_of_one_moment(DAY, CLOCK)
    assert not are_parts_of_one_moment(DAY, DAY)
    assert not are_parts_of_one_moment(INSTANT, CLOCK)
    assert not are_parts_of_one_moment(DAY, {"type": "string", "description": "What is to be done."})


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

    assert day == moment_in(prompt[start:end], DAY, NOW)
