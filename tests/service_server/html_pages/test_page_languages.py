"""The service's own pages in their languages: complete catalogues, and whose wish counts."""

import io
import re
from collections.abc import Iterator

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from service_server.html_pages.language import accepted_locale, direction, gettext, known_locale, listed
from servicejs.language import LOCALES, speak
from tests.real_apps.running import ROOT

KEYWORDS = {"_": None, "gettext_noop": None, "gettext": None}
TRANSLATED = LOCALES[1:]


def messages() -> set[str]:
    """Every message of the connect pages."""
    found = [
        each
        for folder in ("connect", "html_pages")
        for each in extract_from_dir(ROOT / "service_server" / folder, [("**.py", "python")], keywords=KEYWORDS)
    ]
    methods = [("connect/**.html", "jinja2.ext:babel_extract")]
    found += extract_from_dir(ROOT / "web_assets" / "templates", methods, keywords=KEYWORDS)
    return {str(each[2]) for each in found}


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """Leave no language behind for other tests."""
    yield
    speak("en")


@pytest.mark.parametrize("locale", TRANSLATED)
def test_every_message_is_translated(locale: str) -> None:
    """A catalogue has all messages and no others, each filled with the same values and ending in the same dots."""
    file = ROOT / "service_server" / "html_pages" / "locales" / f"{locale}.po"
    catalog = read_po(io.BytesIO(file.read_bytes()))
    translated = {str(message.id): str(message.string) for message in list(catalog)[1:]}

    assert messages() == set(translated)
    for message, said in translated.items():
        assert said.strip() == said != ""
        assert set(re.findall(r"%\((\w+)\)s", message)) == set(re.findall(r"%\((\w+)\)s", said)), message
        assert "%" not in re.sub(r"%\(\w+\)s", "", said), message
        assert message.endswith("…") == said.endswith("…"), message


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
