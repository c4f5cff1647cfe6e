"""The languages of the service's own pages, whose catalogues servicejs/test_language.py looks through."""

from collections.abc import Iterator

import pytest

from service_server.html_pages.language import accepted_locale, direction, gettext, known_locale, listed
from servicejs.language import speak


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """Leave no language behind for other tests."""
    yield
    speak("en")


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        (None, "en"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("nl, fr;q=0.5, es;q=0.9", "es"),
        ("pt-PT", "pt-BR"),
        ("ar-MA, fr;q=0.8", "ar"),
        ("zh-Hant-TW, *;q=0.1", "en"),
        ("de;q=0, ja", "ja"),
        ("de;q=x,,;;, fr", "fr"),
        ("x" * 100_000, "en"),
    ],
)
def test_browsers_say_what_their_users_read(header: str | None, locale: str) -> None:
    """The first wish that there are words for, by weight; English for what is none or nonsense."""
    assert locale == accepted_locale(header)


def test_languages_without_words_are_none() -> None:
    """A page may say any language."""
    assert "pt-BR" == known_locale("PT-br")
    assert None is known_locale("tlh")
    assert None is known_locale("")


def test_sentences_in_the_spoken_language() -> None:
    """Values are filled in, and lists joined, as the language has it."""
    speak("de")

    assert "Prüfen Sie Team, E-Mail und Key." == gettext("Check %(fields)s.", fields=listed(["Team", "E-Mail", "Key"]))
    assert "ltr" == direction()
    speak("ar")
    assert "rtl" == direction()
