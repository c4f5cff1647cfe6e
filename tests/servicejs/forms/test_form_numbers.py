"""Numbers as people write them where they live."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.gallery.form_driver import Driver
from examples.gallery.form_states import EVERY_CONTROL, EVERYTHING
from examples.gallery.functions import function
from servicejs.forms.fields import field_from_schema
from servicejs.forms.texts import UnreadableError, read, show
from servicejs.language import LOCALES, speak

NUMBER = field_from_schema("amount", {"type": "number"}, {})


@pytest.mark.parametrize("locale", ["de", "fr", "es", "pt-BR"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12,5", 12.5),
        ("-0,5", -0.5),
        ("12.5", 12.5),
        ("1.234,5", 1234.5),
        ("1\u202f234,5", 1234.5),
        ("1 234 567", 1234567),
        ("1'234.5", 1234.5),
        ("1,234.5", 1234.5),
    ],
)
def test_decimal_commas(locale: str, text: str, value: float) -> None:
    """Where people write 12,5 it is taken, and so is what can only be read in one way."""
    speak(locale)

    assert value == read(NUMBER, text)


@pytest.mark.parametrize(
    ("locale", "text", "value"),
    [
        ("de", "1.234", 1234),
        ("pt-BR", "1.234.567", 1234567),
        ("de", "1,234", 1.234),
        ("de", "0.500", 0.5),
        ("en", "1,234", 1234),
        ("ja", "1,234,567", 1234567),
        ("en", "1.234", 1.234),
        ("ja", "１２．５", 12.5),
        ("fr", "1.234.567", 1234567),
        ("en", "\u0661\u0662\u066b\u0665", 12.5),
        ("de", "\u0661\u0662\u066b\u0665\u0660\u0660", 12.5),
        ("ar", "\u0661\u066c\u0662\u0663\u0664\u066b\u0665", 1234.5),
        ("ar", "\u06f1\u06f2", 12),
        ("ar", "\u061c-\u0661\u0662.5", -12.5),
        ("de", "1,5e3", 1500),
    ],
)
def test_marks_mean_what_they_do_in_the_locale(locale: str, text: str, value: float) -> None:
    """Between thousands and before decimals stand the marks that people write there; so do their digits."""
    speak(locale)

    assert value == read(NUMBER, text)


@pytest.mark.parametrize(
    ("locale", "text"),
    [(locale, text) for locale in ("en", "ja") for text in ("12,5", "1.234.567", "1,2,3", "1,23.4")]
    + [("ar", "1,234"), ("ar", "12\u060c5"), ("es", "1.234"), ("fr", "1.234"), ("de", "1,234,567"), ("de", "1.23.456")],
)
def test_what_could_be_read_in_two_ways_is_refused(locale: str, text: str) -> None:
    """A number is never guessed: where usage differs, nobody can tell whether 1.234 is a thousand or hardly one."""
    speak(locale)

    with pytest.raises(UnreadableError):
        read(NUMBER, text)


@pytest.mark.parametrize("locale", LOCALES)
@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**20), 10**20))
def test_numbers_are_shown_as_they_are_read(locale: str, value: float) -> None:
    """A number that was passed is written as the locale does, and comes out as it went in."""
    speak(locale)

    assert value == read(NUMBER, show(NUMBER, value) or "")


async def test_one_sees_how_a_number_has_been_read() -> None:
    """Once the field is left the marks between thousands are gone; before that, nothing changes under one's fingers."""
    speak("de")
    driver = Driver(EVERY_CONTROL, EVERYTHING)
    assert 'value="12,5"' in driver.screen.render()
    before = driver.refreshed
    await driver.do("set", "amount", "1.", "input")
    await driver.do("set", "amount", "1.234", "input")
    assert (before, {}) == (driver.refreshed, driver.screen.form.problems)
    assert "1.234" == driver.screen.form.node(("amount",)).text
    await driver.do("set", "amount", "1.234", "change")
    assert 'value="1234"' in driver.screen.render()
    assert 1234 == driver.screen.form.preview()["amount"]
    await driver.set("amount", "-1")
    assert "Geben Sie mindestens 0 ein." in driver.screen.render()


async def test_what_is_confirmed_reads_as_people_write_it() -> None:
    """Numbers and days are summed up in the form that the user's language has for them."""
    speak("de")
    properties = {"amount": {"type": "number"}, "due": {"type": "string", "format": "date"}}
    properties["at"] = {"type": "string", "format": "date-time"}
    arguments = {"amount": 1234.5, "due": "2026-03-31", "at": "2026-03-31T09:30:00Z"}
    driver = await Driver(function(properties, destructive=True), arguments).started()
    await driver.do("submit", kind="submit")
    said = re.findall(r"<dd><bdi>([^<]*)</bdi></dd>", driver.screen.render())

    assert ["1234,5", "31.03.2026", "31.03.2026, 11:30"] == said
