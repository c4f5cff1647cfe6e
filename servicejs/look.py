"""What the service's connect window takes over from the page that opens it."""

import re
from typing import TypedDict

_COLOUR = re.compile(r"#[0-9a-f]{6}\Z")
_OWN_ACCENTS = ("#3353d4", "#92a8ff")  # of the SDK's style sheet, for light and dark pages


class Look(TypedDict, total=False):
    """The page's language, its theme, and the colour that it has given the SDK, as `#rrggbb`; None for none."""

    locale: str | None
    theme: str | None
    accent: str | None


def chosen_accent(given: object) -> str | None:
    """Return the colour that a page's style chooses; None if it is the SDK's own, or not in hex."""
    colour = given.strip().lower() if isinstance(given, str) else ""
    return colour if _COLOUR.match(colour) and colour not in _OWN_ACCENTS else None
