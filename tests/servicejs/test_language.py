"""The catalogues of translations: complete, of the same placeholders, and spoken by whom they were asked for."""

import io
import re
from datetime import date
from functools import cache

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from servicejs.bundle.contents import ROOT
from servicejs.bundle.scripts import SHELL_MESSAGES, shell_words
from servicejs.language import FOLDER, LOCALES, compile_catalog, enumerated, gettext, ngettext, speak, written_day
from servicejs.templates import render

from .conftest import Sdk, settle

TRANSLATED = LOCALES[1:]
KEYWORDS = {"_": None, "ngettext": (1, 2), "gettext_noop": None, "gettext": None}
SDK = "servicejs"
SOURCES = {
    SDK: (["servicejs"], ["servicejs", "parts"]),
    "service_server/html_pages": (["service_server/connect", "service_server/html_pages"], ["connect"]),
}
"""Where each set of catalogues lies, with the folders of the code and of the templates that it is for."""
Message = str | tuple[str, ...]
OTHER_ADDRESS = {
    "de": r"\b(du|dir|dich|dein\w*)\b",
    "es": (
        r"\b([Uu]sted|[Ss]us (propias )?palabras|Busque|Diga|Dígalo|Pruebe|Elija|Revise|Vuelva|Acórtelo|Inténtelo)\b"
        r"|¿Qué quiere\b"
    ),
    "fr": r"\b(tu|toi|te|ton|tes)\b",
    "pt-BR": r"\b(tu|te|ti|teus?|tuas?|o senhor)\b",
}
"""How people are not addressed: *du*, *usted*, *tu*."""


@cache
def messages(catalogues: str) -> set[Message]:
    """Every message of the code and the templates that these catalogues are for."""
    code, templates = SOURCES[catalogues]
    found = [each for at in code for each in extract_from_dir(ROOT / at, [("**.py", "python")], keywords=KEYWORDS)]
    methods = [(f"{at}/**.html", "jinja2.ext:babel_extract") for at in templates]
    found += extract_from_dir(ROOT / "web_assets" / "templates", methods, keywords=KEYWORDS)
    return {each[2] for each in found} | set(SHELL_MESSAGES if catalogues == SDK else ())


def catalog(catalogues: str, locale: str) -> Catalog:
    """A catalogue as its file has it."""
    return read_po(io.BytesIO((ROOT / catalogues / FOLDER / f"{locale}.po").read_bytes()))


def placeholders(text: str) -> set[str]:
    """The values that a message is filled with."""
    return set(re.findall(r"%\((\w+)\)s", text))


@pytest.mark.parametrize("catalogues", SOURCES)
@pytest.mark.parametrize("locale", TRANSLATED)
def test_every_message_is_translated(catalogues: str, locale: str) -> None:
    """A catalogue, of the SDK or of the service's own pages, has all messages, no others, and none of them empty."""
    translated = {message.id: message.string for message in list(catalog(catalogues, locale))[1:]}  # after its head

    assert messages(catalogues) == set(translated)
    assert [] == [key for key, said in translated.items() if not all(said if isinstance(said, tuple) else (said,))]


@pytest.mark.parametrize("locale", OTHER_ADDRESS)
def test_people_are_addressed_in_one_way(locale: str) -> None:
    """Politely in German and French, familiarly in Spanish and Portuguese; on the pages for connecting just so."""
    files = [ROOT / each / FOLDER / f"{locale}.po" for each in SOURCES]
    said = [line for file in files for line in file.read_text().splitlines() if line.startswith("msgstr")]

    assert len(said) > 300
    assert [] == [line for line in said if re.search(OTHER_ADDRESS[locale], line)]


@pytest.mark.parametrize("catalogues", SOURCES)
@pytest.mark.parametrize("locale", TRANSLATED)
def test_translations_keep_the_placeholders(catalogues: str, locale: str) -> None:
    """A translation is filled with the same values as its message, and ends as it does, with dots or without."""
    for message in list(catalog(catalogues, locale))[1:]:  # the first is its head
        wanted = message.id if isinstance(message.id, tuple) else (message.id,)
        said = message.string if isinstance(message.string, tuple) else (message.string,)
        assert placeholders(wanted[-1]) == placeholders(said[-1]), message.id
        for each in said:
            assert placeholders(each) <= placeholders(wanted[-1]), message.id  # one thing needs no number
            assert "%" not in re.sub(r"%\(\w+\)s|%%", "", each), message.id
            assert wanted[-1].endswith("…") == each.endswith("…"), message.id
            assert each == each.strip()


@pytest.mark.parametrize(
    ("locale", "count", "said"),
    [
        *(("en", 1, "One character left"), ("en", 3, "3 characters left")),
        *(("de", 1, "Noch ein Zeichen"), ("de", 3, "Noch 3 Zeichen")),
        *(("ja", 1, "残り 1 文字"), ("ja", 3, "残り 3 文字")),
        *(("ar", 0, "لم يبقَ أي حرف"), ("ar", 2, "بقي حرفان"), ("ar", 10, "بقيت 10 أحرف")),
        *(("ar", 11, "بقي 11 حرفًا"), ("ar", 100, "بقي 100 حرف"), ("ar", 103, "بقيت 103 أحرف")),
    ],
)
def test_numbers_have_their_forms(locale: str, count: int, said: str) -> None:
    """A message with a number takes the form that the language has for it, of which Arabic has six."""
    speak(locale)

    assert said == ngettext("One character left", "%(count)s characters left", count)


def test_values_keep_their_own_direction() -> None:
    """A name is isolated from a sentence that runs the other way; lists run as the sentence does."""
    speak("ar")
    assert "تم ربط \u2068Yahoo!\u2069." == gettext("%(app)s is connected.", app="Yahoo!")
    assert "\u200f\u2068C++\u2069\u060c \u2068#general\u2069" == enumerated(["C++", "#general"])
    assert "31\u200f/03\u200f/2026" == written_day(date(2026, 3, 31))
    speak("en")
    assert "\u2068متجر\u2069 is connected." == gettext("%(app)s is connected.", app="متجر")
    assert "Yahoo! is connected." == gettext("%(app)s is connected.", app="Yahoo!")
    assert "C++, #general" == enumerated(["C++", "#general"])


def test_what_is_not_known_stays_english() -> None:
    """A locale without a catalogue and a message without a translation are English."""
    speak("tlh")
    assert "Cancel" == gettext("Cancel")
    speak("de")
    assert "No such message" == gettext("No such message")
    assert "100% of 7" == gettext("100%% of %(all)s", all=7)


def test_building_the_shell_changes_nobodys_language() -> None:
    """The shell's words are looked up in every language, and the task that asks goes on in its own."""
    speak("fr")
    words = shell_words()

    assert "Wird geladen…" == words["de"]["Loading…"]
    assert {} == words["en"]
    assert "Annuler" == gettext("Cancel")


def test_values_are_escaped_in_every_language() -> None:
    """A value that is filled into a translated message is text, whatever it looks like."""
    speak("fr")
    html = render("servicejs/connect_first.html", app_title="<img src=x>", problem="")

    assert "Connectez d’abord &lt;img src=x&gt;" in html
    assert "<img" not in html


async def test_each_instance_speaks_its_own_language(sdk: Sdk) -> None:
    """Two instances on one page show their marketplaces in their own languages, also after later gestures."""
    await sdk.start("a", locale="de")
    await sdk.start("b", locale="ja")
    await sdk.call("showApps", "a", apps=[], modal=True, surface="first")
    await sdk.call("showApps", "b", apps=[], modal=True, surface="second")
    await settle()
    await sdk.act("first", "search", value="nothing like it")

    assert "Keine App passt zu „nothing like it“." in sdk.page.surfaces["first"]
    assert ("Apps", "アプリ") == (sdk.page.labels["first"], sdk.page.labels["second"])
    assert "アカウントを追加" in sdk.page.surfaces["second"]


@pytest.mark.parametrize("locale", TRANSLATED)
def test_compiled_catalogues_hold_no_date(locale: str) -> None:
    """Nothing of the moment that a catalogue is compiled in is in what comes of it, so that builds are reproducible."""
    compiled = compile_catalog((ROOT / "servicejs" / FOLDER / f"{locale}.po").read_bytes())

    assert {b"2000-01-01"} == set(re.findall(rb"Date: (\S+)", compiled))
