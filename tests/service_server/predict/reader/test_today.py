"""Where a prompt tells which day is today."""

import pytest

from service_server.predict.reader.today import place_of_today


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
    """It is no argument; any other date may be one."""
    found = place_of_today(prompt)

    assert place == (None if found is None else prompt[slice(*found)])
