"""Words of a prompt as numbers, in the form an argument asks for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.reader.coordinates import coordinates_of, with_coordinates
from service_server.predict.reader.numbers import number_in, numbers_in
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.sums import is_share_of_sum, shares_in


def number(text: str, description: str = "", after: str = "", before: str = "", **schema: Any) -> float | None:
    """Return what the words stand for where the argument has such a description."""
    return number_in(text, before, after, {"type": "number", "description": description, **schema})


@pytest.mark.parametrize(
    ("expected", "text", "after"),
    [
        (1000, "1,000", ""),
        (50000, "$50,000", ""),
        (2, "2,3,4", ""),
        (0.8325777738861961, "0.8325777738861961", ""),
        (2_500_000, "2.5 million", ""),
        (213_000_000, "213", " million people"),
        (20_000, "20k", ""),
        (50_000, "$50K", " for the deal"),
        (1_200_000, "$1.2M", ""),
        (1_200_000, "1.2M", " in revenue"),
        (2_500_000, "€2.5m", ""),
        (2_000_000, "2", "M euros"),
        (5_000_000_000, "$5", " bn"),
        (9124471002, "912 4471 002", ", please"),
        (5, "$5", " back to Bob"),
        (5, "5m", " away"),
        (1_000_000, "1,000", ",000 pesos"),
        (19.99, "19", ".99"),
        (3, "3", ",400,500]"),
        (5, "5", ". Then stop"),
        (-3, "-3", ""),
        (0.00035, "3.5e-4", ""),
        (2.5, "two and a half", ""),
        (12, "a dozen", ""),
        (2, "twice", ""),
        (10, "10th", ""),
        (3, "third place", ""),
        (None, "soon", ""),
        (None, "", ""),
    ],
)
def test_forms_of_numbers(expected: float | None, text: str, after: str) -> None:
    """Figures, words, fractions, counts and ordinals are read; what stands behind them may multiply them."""
    assert expected == number(text, after=after)


@pytest.mark.parametrize(
    ("expected", "text", "after", "description"),
    [
        (0.05, "5%", "", "The yearly rate."),
        (0.05, "5", " percent", "The rate as a decimal."),
        (5, "5%", "", "The rate in percent."),
        (30, "half an hour", "", "Duration in minutes"),
        (120, "two", " hours", "Duration in minutes"),
        (7, "a week", "", "Number of days from now"),
        (90, "1.5", " hours", "How long it lasts (minutes)"),
        (1250, "$12.50", "", "Amount in cents"),
        (300, "300", "K", "Temperature in Kelvin"),
        (5, "5", "m", "Length in meters"),
        (300, "300K", "", "The temperature in Kelvin."),
        (10, "10M", "", "How far, in meters."),
        # What is counted in cents is, whichever way the amount is written.
        (1250, "12,50", " €", "in the smallest unit"),
        (1250, "12.50", " €", "in the smallest unit"),
        (1250, "12.50", " of it", "in the smallest unit"),
        (12, "12", " of it", "in the smallest unit"),
    ],
)
def test_units_and_shares(expected: float, text: str, after: str, description: str) -> None:
    """Per cent and units become what the description asks for; what only looks like a unit stays."""
    assert expected == number(text, description, after)


def test_a_title_that_is_a_unit() -> None:
    """A field called "Minutes" counts them, whatever its description says."""
    schema = {"type": "number", "title": "Minutes", "description": "For how long."}

    assert 120 == number_in("2", "for ", " hours", schema)
    assert 2 == number_in("2", "for ", " hours", {**schema, "title": "Minute of the hour"})
    assert 7200 == number_in("2", "for ", " hours", {**schema, "title": "How long (seconds)"})
    assert number_in("two years", "she wants ", "", schema) is None
    assert number_in("2", "she wants ", " years", schema) is None


@pytest.mark.parametrize(
    ("expected", "before", "text", "after"),
    [
        (12500, "über ", "12.500", " € anlegen"),
        (12500, "de R$ ", "12.500", ", hoje"),
        (1200.5, "", "1.200,50", ""),
        (1200.5, "à ", "1 200,50", " euros"),
        (48000, "de ", "48", " 000 €"),
        (90000, "über ", "90.000", " NOK"),
        (90000, "über NOK ", "90.000", ""),
        (0.005, "", "0.005", " EUR"),
        (1_500_000, "Anbau, ", "1,5", " Mio Euro"),
        (48000, "Sol, ", "48", " mil euros"),
        (12.5, "", "12,50", " €"),
        (12.5, "", "12", ",50 €"),
        (-9999.9, "", "-9.999,90", ""),
        (1200000, "", "120", "万円"),
        (12.5, "", "12.500", " miles"),
        (1200, "", "1,200", " euros"),
        (3, "between ", "3,4", ""),
        (1200.5, "", "1,200.50", " €"),
        # The id of a meeting, as Zoom writes it.
        (81244109920, "zoom ", "812", " 4410 9920 starts at 8"),
        (812, "rows ", "812", " 441 99"),
        # "minus 5" is negative, the end of a range is not.
        (-5, "it was minus ", "5", ""),
        (5, "from 1-", "5", ""),
    ],
)
def test_what_stands_around_a_number(expected: float, before: str, text: str, after: str) -> None:
    """Points part thousands and a comma the decimals where a number can't be an English one."""
    assert expected == number(text, before=before, after=after)


@pytest.mark.parametrize(
    ("expected", "before", "text", "after"),
    [
        (12.5, "refund twelve pounds ", "fifty", ", a mug broke"),
        (12.5, "refund ", "twelve pounds fifty", ""),
        (12.5, "refund ", "12", " euros and 50 cents"),
        (12, "refund ", "twelve pounds", " for fifty mugs"),
        (22500, "now worth ", "22 500", ", stage Offer"),
        (22500, "now worth ", "22", " 500 in all"),
        (300, "pay 2022 ", "300", ""),
        (12.5, "give back ", "twelve fifty", ", it is broken"),
        (9.99, "refund ", "nine", " ninety-nine"),
        (250, "refund ", "two hundred fifty", ""),
        (3200, "went up to ", "3.200", " and closes soon"),
        (1234567, "now worth ", "1.234.567", ""),
        (4500, "rather ", "four", " and a half thousand euros"),
        (4000, "worth ", "four", " grand"),
        (120, "give back ", "a hundred and twenty", " dollars"),
        (890, "paid ", "eight hundred and ninety", " for it"),
    ],
)
def test_sums_as_people_say_them(expected: float, before: str, text: str, after: str) -> None:
    """With cents in words behind them, and with blanks between the thousands."""
    assert expected == number(text, "How much, such as 12.50.", before=before, after=after)


@pytest.mark.parametrize(
    ("expected", "text"), [(75, "an hour and a quarter"), (90, "an hour and a half"), (45, "three quarters of an hour")]
)
def test_parts_of_an_hour(expected: float, text: str) -> None:
    """They belong to it."""
    assert expected == number(text, "How long, in minutes.")


@pytest.mark.parametrize(
    ("expected", "text"), [(20, "a fifth off"), (50, "half"), (25, "a quarter"), (75, "three quarters done"), (5, "5")]
)
def test_a_fraction_of_a_hundred(expected: float, text: str) -> None:
    """Not the number that its word begins with."""
    assert expected == number(text, "How many percent are taken off.")


@pytest.mark.parametrize(
    ("expected", "before", "text"),
    [(2, "the ", "third"), (2, "question ", "3"), (0, "the ", "first"), (3, "index ", "3"), (0, "place ", "0")],
)
def test_people_count_from_one(expected: int, before: str, text: str) -> None:
    """Where the app counts from nought; who speaks of an index knows that."""
    assert expected == number(text, "The place, counted from 0.", before=before, type="integer")


def test_a_range_from_nought_is_no_count_from_nought() -> None:
    """The volume 20 is 20."""
    assert number("20", "The volume, from 0 to 100.") == number("20", "The volume, from 0-100.") == 20


@pytest.mark.parametrize(
    ("expected", "before", "after"),
    [(-2, "take ", " days off his balance"), (-2, "deduct ", " days"), (2, "add ", " days"), (2, "take ", " days")],
)
def test_what_is_taken_off_is_less_than_nothing(expected: float, before: str, after: str) -> None:
    """Where an argument says that it counts so."""
    assert expected == number("2", "How many days to add; less than nothing takes them off.", after, before)
    assert number("2", "How many days.", after, before) == 2


def test_whole_numbers_are_not_rounded() -> None:
    """An argument for whole numbers takes none that isn't one."""
    assert 4 == number("4.0", **{"x-integer": True})
    assert number("4.5", **{"x-integer": True}) is None


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ([5, 3, 4], "[5,3,4]"),
        ([1000, 2500], "1,000 and 2,500"),
        ([3, 4], "A(3,4)"),
        ([40.7128, -74.006], "(40.7128, -74.0060)"),
        ([2, 3], "two and three"),
        ([], "none"),
    ],
)
def test_lists_of_numbers(expected: list[float], text: str) -> None:
    """Every number of a text is found, in order."""
    assert expected == numbers_in(text)


@given(st.text(max_size=80), st.text(max_size=20), st.text(max_size=20))
def test_any_text_is_read_without_an_error(text: str, before: str, after: str) -> None:
    """Whatever is written, the answer is a number or none."""
    found = number_in(text, before, after, {"type": "number", "description": "in minutes"})

    assert found is None or isinstance(found, int | float)
    assert all(isinstance(each, int | float) for each in numbers_in(text))


@pytest.mark.parametrize(
    ("words", "description", "expected"),
    [
        ("50% of the", "How much, in the smallest unit of the currency.", True),
        ("half of it", "The amount to give back.", True),
        ("a third", "The amount to give back.", True),
        ("20 dollars", "The amount to give back.", False),
        ("20%", "How much less, in percent or in money.", False),
        ("20%", "How many percent it takes off; this or an amount.", False),
        ("50%", "How much of it is done, in percent.", False),
    ],
)
def test_shares_of_sums(words: str, description: str, expected: bool) -> None:
    """They are no sums; where a share can be given, it is no share of one."""
    assert expected == is_share_of_sum(words, {"type": "number", "description": description})


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("refund 30 percent of pi_123", ["30 percent"]),
        ("give them 12.5% back", ["12.5%"]),
        ("pay half the sum back", ["half the"]),
        ("two thirds of it", ["two thirds of"]),
        ("at half past nine, third floor", []),
    ],
)
def test_shares_of_something(prompt: str, expected: list[str]) -> None:
    """A part of something is said in figures or words; times and floors are none."""
    assert expected == [prompt[slice(*each)] for each in shares_in(prompt)]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("drop a pin at -22.97, -43.18 please", [-22.97, -43.18]),
        ("the weather at 52.52° 13.405", [52.52, 13.405]),
        ("from 52.52, 13.4 to 48.1, 11.5", []),
        ("rows 120.5, 13.4", []),
        ("version 1.2.3", []),
    ],
)
def test_coordinates_come_in_their_order(prompt: str, expected: list[float]) -> None:
    """The latitude first, as people write them without a word for either."""
    asked = coordinates_of(
        questions_of({"properties": {each: {"type": "number"} for each in ("longitude", "latitude")}})
    )
    assert asked is not None

    assert expected == [each.value for each in with_coordinates(asked, [], prompt)]
