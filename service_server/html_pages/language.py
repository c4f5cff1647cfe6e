"""
The words of the pages that users see, in their language.

Messages are written in English where they are used, as `_("…")`, and looked up in `locales` in the language of the
current request, as those of the browser SDK are. What apps and connectors say is their own and is not translated.
"""

import asyncio
import re
from typing import Any

from servicejs.language import LOCALES, catalog_of, enumerated, is_right_to_left, isolated, speak, spoken

__all__ = [
    "DEFAULT_LOCALE",
    "accepted_locale",
    "direction",
    "enumerated",
    "gettext",
    "gettext_noop",
    "known_locale",
    "listed",
    "speak_here",
    "spoken",
]

DEFAULT_LOCALE = LOCALES[0]

_WISH = re.compile(r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?\Z")
_MOST_WISHES = 20


def gettext(message: str, **values: Any) -> str:
    """Return a message in the spoken language, with its values filled in."""
    return catalog_of(spoken(), __package__).gettext(message) % isolated(values)


def gettext_noop(message: str) -> str:
    """Mark a message in a table, for which `gettext` is called later."""
    return message


def listed(texts: list[str]) -> str:
    """Return texts as one part of a sentence: "a, b and c"; empty for none."""
    if len(texts) < 2:
        return "".join(texts)
    return gettext("%(some)s and %(last)s", some=enumerated(texts[:-1]), last=texts[-1])


def direction() -> str:
    """Return the direction in which the spoken language is written, as a value of `dir`."""
    return "rtl" if is_right_to_left() else "ltr"


def known_locale(wanted: str) -> str | None:
    """Return the locale with translations that comes nearest to a language tag; None if none does."""
    asked = wanted.lower()
    language = asked.split("-")[0]
    exact = (each for each in LOCALES if each.lower() == asked)
    near = (each for each in LOCALES if each.lower().split("-")[0] == language)
    return next(exact, None) or next(near, None)


def accepted_locale(header: str | None) -> str:
    """Return the locale that fits a browser's `Accept-Language` best; English if none does."""
    wishes: list[tuple[float, int, str]] = []
    for text in (header or "").split(",")[:_MOST_WISHES]:
        match = _WISH.match(text)
        if match is not None and (weight := float(match[2] or 1)) > 0:
            wishes.append((-weight, len(wishes), match[1]))
    found = (known_locale(tag) for _weight, _position, tag in sorted(wishes))
    return next(filter(None, found), DEFAULT_LOCALE)


async def speak_here(locale: str) -> None:
    """Speak a locale in this task; its words are read in a thread when they are first needed."""
    if locale in LOCALES:
        await asyncio.to_thread(catalog_of, locale, __package__)
    speak(locale)
