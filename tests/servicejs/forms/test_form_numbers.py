"""Numbers as people write them where they live."""

from collections.abc import Iterator

import pytest

from servicejs.forms.fields import field_from_schema
from servicejs.forms.texts import UnreadableError, read
from servicejs.language import speak

NUMBER = field_from_schema("amount", {"type": "number"}, {})


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Speak English to the tests that follow."""
    yield
    speak("en")


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


@pytest.mark.parametrize("locale", ["en", "ja"])
@pytest.mark.parametrize("text", ["12,5", "1,234", "1.234.567", "1,2,3", "1,23.4"])
def test_what_could_be_read_in_two_ways_is_refused(locale: str, text: str) -> None:
    """A number is never guessed: of 1,234 nobody can tell whether it is a thousand or little more than one."""
    speak(locale)

    with pytest.raises(UnreadableError):
        read(NUMBER, text)
