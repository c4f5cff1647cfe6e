"""Confluence's storage format: XHTML, which is refused where it isn't well formed."""

import html
import re
from xml.etree import ElementTree

_NAMED = re.compile(r"&(\w+);")
_OF_XML = ("amp", "lt", "gt", "quot", "apos")


def problem(value: str) -> str | None:
    """Say why Confluence doesn't take a text as storage format."""
    plain = _NAMED.sub(lambda name: name[0] if name[1] in _OF_XML else html.unescape(name[0]), value)
    try:
        ElementTree.fromstring(f'<root xmlns:ac="ac" xmlns:ri="ri">{plain}</root>')  # noqa: S314, a test's own text
    except ElementTree.ParseError as error:
        return f"Error parsing xhtml: {error}"
    return None


def text_of(value: str) -> str:
    """Return the words of a text in storage format."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", value)).split())
