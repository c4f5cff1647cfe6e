"""
The words a user reads, in the user's language.

Messages are written in English where they are used, as `_("…")` or `ngettext("…", "…", count)`, and looked up in the
catalogue of the locale that the current task speaks; what a catalogue lacks stays English. Values are named and filled
in with `%(name)s`, so that translators may move them. Texts from the service and its apps are not translated.
"""

import gettext as catalogs
import io
import pkgutil
import re
from collections.abc import Iterable
from contextvars import ContextVar
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

LOCALES = ("en", "ar", "de", "es", "fr", "ja", "pt-BR")
"""All are complete: a test compares the catalogues with the messages in the code."""

RIGHT_TO_LEFT = ("ar",)
"""The locales that are written from right to left."""

FOLDER = "locales"

_ENGLISH_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

# Put around a value, these keep its words in their own order, whichever way the sentence runs.
_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"
_WRITTEN_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

_spoken: ContextVar[str] = ContextVar("spoken", default=LOCALES[0])


def speak(locale: str) -> None:
    """Speak a locale in this task and those it starts; without a catalogue for it, speak English."""
    _spoken.set(locale if locale in LOCALES else LOCALES[0])


def number_marks() -> tuple[str, str]:
    """
    Return the decimal mark and the thousands mark that people who speak the locale write.

    The latter is "" if they write only blanks, or if usage varies: Spanish uses both marks, and so does Arabic from
    country to country.
    """
    match _spoken.get():
        case "ar":
            return ".", ""
        case "de" | "pt-BR":
            return ",", "."
        case "es" | "fr":
            return ",", ""
    return ".", ","


def written_day(day: date) -> str:
    """Write a day as people who speak the locale do, so that nobody takes the month for the day."""
    match _spoken.get():
        case "en":
            return f"{day.day} {_ENGLISH_MONTHS[day.month - 1]} {day.year}"
        case "de":
            return f"{day:%d.%m.}{day.year}"
        case "es" | "fr" | "pt-BR":
            return f"{day:%d/%m/}{day.year}"
        case "ar":  # the marks keep the day on the right
            return f"{day:%d\u200f/%m\u200f/}{day.year}"
    return f"{day.year}{day:/%m/%d}"


def spoken() -> str:
    """Return the locale that this task speaks."""
    return _spoken.get()


def gettext(message: str, **values: Any) -> str:
    """Return a message in the spoken language, with its values filled in."""
    return catalog_of(_spoken.get()).gettext(message) % isolated(values)


def ngettext(one: str, many: str, count: int, **values: Any) -> str:
    """Return the message that fits a number, which is its value `count`."""
    return catalog_of(_spoken.get()).ngettext(one, many, count) % {"count": count, **isolated(values)}


def is_right_to_left() -> bool:
    """Whether the spoken language is written from right to left."""
    return _spoken.get() in RIGHT_TO_LEFT


def isolated(values: dict[str, Any]) -> dict[str, Any]:
    """
    Return the values of a message, each text in its own direction: "Slack (EU)!" stays as it is within Arabic.

    If everything runs from left to right, they are unchanged.
    """
    return {name: _isolate(value) if isinstance(value, str) else value for name, value in values.items()}


def enumerated(texts: Iterable[str]) -> str:
    """Return texts one after the other, with the commas of the spoken language between them."""
    each = list(texts)
    if is_right_to_left() and len(each) > 1:
        return "\u200f" + "\u060c ".join(map(_isolate, each))  # the mark says which way all of it runs
    return ("、" if spoken() == "ja" else ", ").join(each)


def _isolate(text: str) -> str:
    is_foreign = is_right_to_left() or _WRITTEN_FROM_RIGHT.search(text)
    return f"{_ISOLATE}{text}{_POP_ISOLATE}" if text and is_foreign else text


def compile_catalog(text: bytes) -> bytes:
    """Return the machine-readable form (.mo) of a catalogue (.po), for the bundle to hold."""
    from babel.messages.mofile import write_mo  # not at the top: browsers haven't got it and never need it
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    catalog = read_po(io.BytesIO(text))
    catalog.creation_date = catalog.revision_date = datetime(2000, 1, 1, tzinfo=UTC)  # builds are reproducible
    write_mo(compiled, catalog)
    return compiled.getvalue()


def load_catalogs() -> None:
    """
    Load every catalogue, so that none is looked for later.

    Each is parsed only when its locale is first spoken: few ever are, and unparsed they take a quarter of the bytes.
    """
    for locale in LOCALES[1:]:
        _compiled(locale, __package__)
    catalog_of(LOCALES[1]).ngettext("", "", 1)  # imports what reading one needs
    catalog_of.cache_clear()


@cache
def catalog_of(locale: str, package: str = __package__) -> catalogs.NullTranslations:
    """Return the translations of a locale that a package holds in its folder `locales`."""
    if locale == LOCALES[0]:
        return catalogs.NullTranslations()
    return catalogs.GNUTranslations(io.BytesIO(_compiled(locale, package)))


@cache
def _compiled(locale: str, package: str) -> bytes:
    """Return a catalogue as the bundle holds it; outside the bundle it is compiled on first use."""
    return _read(package, f"{locale}.mo") or compile_catalog(_read(package, f"{locale}.po") or b"")


def _read(package: str, name: str) -> bytes | None:
    try:
        return pkgutil.get_data(package, f"{FOLDER}/{name}")
    except OSError:
        return None
