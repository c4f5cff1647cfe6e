"""The values that stand in a prompt, whatever they are for."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.mentions import Kind, Moment, find_addresses, find_moments, find_numbers, find_quotations
from service_server.predict.words import words_of

NOW = datetime(2025, 11, 20, 10, 0, tzinfo=UTC)  # a Thursday


@pytest.mark.parametrize(
    ("prompt", "values"),
    [
        ("5 tickets", [5]),
        ("1,000.50 or 1.000,50", [1000.5, 1000.5]),
        ("1,000 and 1.000 and 1.000.000", [1000, 1.0, 1_000_000]),
        ("1,5 and 2.5", [1.5, 2.5]),
        ("12,34,56", []),
        ("-3 degrees, +4", [-3, 4]),
        ("$20 and 5k", [20, 5000]),
        ("1e-3", [0.001]),
        ("it costs 20.", [20]),
        ("ticket 7: done", [7]),
        ("twenty-five", [25]),
        ("two hundred and one", [201]),
        ("three hundred forty two thousand", [342_000]),
        ("one of them", []),
        ("C0123 v2 10.0.0.1 2025-01-02", []),
        ("twenty twenty", [20, 20]),
    ],
)
def test_numbers(prompt: str, values: list[Any]) -> None:
    """Figures in both notations and numbers in words are read; parts of identifiers are not."""
    assert values == [mention.value for mention in find_numbers(prompt, words_of(prompt))]


@given(st.integers(0, 10**9))
def test_every_written_integer_is_read_back(value: int) -> None:
    """An integer reads as itself, plain, with commas and with points between the thousands."""
    grouped = f"{value:,}"

    assert [value] == [mention.value for mention in find_numbers(str(value), words_of(str(value)))]
    assert [value] == [mention.value for mention in find_numbers(grouped, words_of(grouped))]


@pytest.mark.parametrize(
    ("prompt", "day", "clock"),
    [
        ("2025-12-24", date(2025, 12, 24), None),
        ("2025-12-24T18:30:00Z", date(2025, 12, 24), time(18, 30, tzinfo=UTC)),
        ("2025-12-24 18:30", date(2025, 12, 24), time(18, 30, tzinfo=UTC)),
        ("2025-12-24T18:30+02:00", date(2025, 12, 24), time(18, 30, tzinfo=timezone(timedelta(hours=2)))),
        ("today", date(2025, 11, 20), None),
        ("tomorrow at 3pm", date(2025, 11, 21), time(15, tzinfo=UTC)),
        ("at 3:30 pm tomorrow", date(2025, 11, 21), time(15, 30, tzinfo=UTC)),
        ("the day after tomorrow", date(2025, 11, 22), None),
        ("yesterday", date(2025, 11, 19), None),
        ("the day before yesterday", date(2025, 11, 18), None),
        ("nine this morning", date(2025, 11, 20), time(9, tzinfo=UTC)),
        ("forty minutes from now", date(2025, 11, 20), time(10, 40, tzinfo=UTC)),
        ("in half an hour", date(2025, 11, 20), time(10, 30, tzinfo=UTC)),
        ("Christmas Eve at noon", date(2025, 12, 24), time(12, tzinfo=UTC)),
        ("since New Year’s Day", date(2025, 1, 1), None),
        ("a fortnight from Monday", date(2025, 12, 8), None),
        ("Friday week", date(2025, 11, 28), None),
        ("a week on Friday", date(2025, 11, 28), None),
        ("once a week on Friday", date(2025, 11, 21), None),
        ("the Friday week plan", date(2025, 11, 21), None),
        ("two days after tomorrow", date(2025, 11, 23), None),
        ("Monday last week", date(2025, 11, 10), None),
        ("next Friday", date(2025, 11, 28), None),
        ("next Monday", date(2025, 11, 24), None),
        ("next Thursday at 9", date(2025, 11, 27), time(9, tzinfo=UTC)),
        ("the first Monday in March", date(2026, 3, 2), None),
        ("second Tuesday of next month at 3pm", date(2025, 12, 9), time(15, tzinfo=UTC)),
        ("last Friday of the month", date(2025, 11, 28), None),
        ("the last sunday in May 2027", date(2027, 5, 30), None),
        ("tonight from 6", date(2025, 11, 20), time(18, tzinfo=UTC)),
        ("Tuesday next week", date(2025, 11, 25), None),
        ("the beginning of last month", date(2025, 10, 1), None),
        ("on Friday at noon", date(2025, 11, 21), time(12, tzinfo=UTC)),
        ("on Thursday", date(2025, 11, 27), None),
        ("this Thursday", date(2025, 11, 20), None),
        ("last Friday", date(2025, 11, 14), None),
        ("fri at 3pm", date(2025, 11, 21), time(15, tzinfo=UTC)),
        ("tonight at 8", date(2025, 11, 20), time(20, tzinfo=UTC)),
        ("this evening at 7:30", date(2025, 11, 20), time(19, 30, tzinfo=UTC)),
        ("tonight at 2am", date(2025, 11, 20), time(2, tzinfo=UTC)),
        ("remind me at 9 tomorrow", date(2025, 11, 21), time(9, tzinfo=UTC)),
        ("at 3 on Friday", date(2025, 11, 21), time(15, tzinfo=UTC)),
        ("due sat", date(2025, 11, 22), None),
        ("next tues", date(2025, 11, 25), None),
        ("tmrw 9:15", date(2025, 11, 21), time(9, 15, tzinfo=UTC)),
        ("by the end of the month", date(2025, 11, 30), None),
        ("end of next week", date(2025, 11, 28), None),
        ("end of January", date(2026, 1, 31), None),
        ("the last day of February 2028", date(2028, 2, 29), None),
        ("end of the quarter", date(2025, 12, 31), None),
        ("in 3 days", date(2025, 11, 23), None),
        ("in two hours", date(2025, 11, 20), time(12, tzinfo=UTC)),
        ("2 weeks ago", date(2025, 11, 6), None),
        ("March 12", date(2026, 3, 12), None),
        ("12th of December, 2025", date(2025, 12, 12), None),
        ("Dec 24 at 18:00", date(2025, 12, 24), time(18, tzinfo=UTC)),
        ("Dec the 24th", date(2025, 12, 24), None),
        ("the first of December", date(2025, 12, 1), None),
        ("the twenty-first of March 2027", date(2027, 3, 21), None),
        ("the 10th of next month", date(2025, 12, 10), None),
        ("the first of this month", date(2025, 11, 1), None),
        ("tomorrow at seven pm", date(2025, 11, 21), time(19, tzinfo=UTC)),
        ("at seven o'clock on Friday", date(2025, 11, 21), time(7, tzinfo=UTC)),
        ("24th of this December", date(2025, 12, 24), None),
        ("Monday, 24 March 2025", date(2025, 3, 24), None),
        ("tonight 2025.12.24", date(2025, 12, 24), None),
        ("next Friday (2025-12-05 at 18:00", date(2025, 12, 5), time(18, tzinfo=UTC)),
        ("February 29", date(2028, 2, 29), None),
        ("24.12.2025", date(2025, 12, 24), None),
        ("12/24/2025", date(2025, 12, 24), None),
        ("24/12/2025", date(2025, 12, 24), None),
        ("12am", None, time(0, tzinfo=UTC)),
        ("midnight", None, time(0, tzinfo=UTC)),
    ],
)
def test_moments(prompt: str, day: date | None, clock: time | None) -> None:
    """Days and times are read, written out or relative to now; side by side they are one."""
    assert [Moment(day, clock)] == [mention.value for mention in find_moments(prompt, NOW)]


@pytest.mark.parametrize(
    "prompt",
    [
        *("we sat in the sun", "fri ends", "end of January 0000", "2025-13-01", "2025-02-30", "February 30", "25:00"),
        *("13pm", "03/04/2025", "10:99", "10:5", "on the second floor", "the thirty-first of June", "after the second"),
        *("the 31st of this month", "25 o'clock"),
    ],
)
def test_what_is_no_moment_is_not_guessed(prompt: str) -> None:
    """Days that do not exist and days that can be read both ways round give no value."""
    assert [] == list(find_moments(prompt, NOW))


def test_day_beyond_the_calendar_is_no_moment() -> None:
    """A span that leads out of the calendar gives no value instead of an error."""
    assert [] == list(find_moments("in 9999 weeks", datetime(9900, 1, 1, tzinfo=UTC)))


@pytest.mark.parametrize(
    ("prompt", "values"),
    [
        ("say \"hello world\" and 'bye'", ["hello world", "bye"]),
        ("“curly” «angles» `code`", ["curly", "angles", "code"]),
        ("don't say it's fine", []),
        ("an \"open end and 'it's here'", ["it's here"]),
        ('""', []),
    ],
)
def test_quotations(prompt: str, values: list[str]) -> None:
    """Marks of several languages quote; apostrophes and marks that stay open do not."""
    assert values == [mention.value for mention in find_quotations(prompt)]


@pytest.mark.parametrize(
    ("token", "kind", "value"),
    [
        ("ann@example.org", Kind.EMAIL, "ann@example.org"),
        ("(ann.b+c@mail.example.org),", Kind.EMAIL, "ann.b+c@mail.example.org"),
        ("https://example.org/a?b=c#d", Kind.URL, "https://example.org/a?b=c#d"),
        ("#general,", Kind.CHANNEL, "general"),
        ("@alice.b", Kind.USER, "alice.b"),
        ("acme/web.", Kind.SLUG, "acme/web"),
        ("C024BE91L", Kind.IDENTIFIER, "C024BE91L"),
        ("ch_3Nabc", Kind.IDENTIFIER, "ch_3Nabc"),
        ("10.0.0.1", Kind.IDENTIFIER, "10.0.0.1"),
        ("app.example.com", Kind.IDENTIFIER, "app.example.com"),
        ("id=p-12", Kind.IDENTIFIER, "p-12"),
    ],
)
def test_addresses(token: str, kind: Kind, value: str) -> None:
    """Values that have a form of their own are known by it, without the punctuation around them."""
    (mention,) = find_addresses(f"use {token} now")

    assert (kind, value) == (mention.kind, mention.value)


@pytest.mark.parametrize(
    "token", ["word", "12", "3.5", "3pm", "1st", "5k", "and/or", "1/2", "e.g.", "well-known", "#1"]
)
def test_plain_words_and_amounts_are_no_addresses(token: str) -> None:
    """Words, amounts, times and ordinals are not taken for identifiers."""
    assert [] == list(find_addresses(f"use {token} now"))
