"""Reads the icons of apps: small SVG files that can't run anything and load nothing from elsewhere."""

import colorsys
import hashlib
import re
import xml.etree.ElementTree as ElementTree
from html import escape
from pathlib import Path

from service_server.catalog.values import Icon

MAX_BYTES = 64 * 1024

_SVG = "{http://www.w3.org/2000/svg}"
# Shapes, colours and texts; the filters, animations and embedded pages of SVG are not for icons.
_ELEMENTS = frozenset(
    {"svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
    | {"text", "tspan", "use", "symbol", "clipPath", "mask", "pattern", "linearGradient", "radialGradient", "stop"}
)
_FOREIGN_URL = re.compile(r"url\(\s*['\"]?(?!#)|@import|javascript:|expression\(", re.IGNORECASE)


def read_icon(file: Path) -> Icon:
    """Read an SVG icon of at most 64 KiB; raise `ValueError` where it holds more than shapes, colours and texts."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ValueError(f"the icon {file.name} is missing") from error
    if len(content) > MAX_BYTES:
        raise ValueError(f"the icon is larger than {MAX_BYTES // 1024} KiB")
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"<?xml-stylesheet" in content:
        raise ValueError("the icon must not have a DOCTYPE, entities or a stylesheet")
    try:
        root = ElementTree.fromstring(content.decode("utf-8"))  # noqa: S314 - without a DOCTYPE there are no entities
    except (ElementTree.ParseError, UnicodeDecodeError) as error:
        raise ValueError(f"the icon is not SVG in UTF-8: {error}") from error
    if root.tag != f"{_SVG}svg":
        raise ValueError("the icon's root must be an svg element")
    for element in root.iter():
        _check_element(element)
    return icon_of(content)


def icon_of(content: bytes) -> Icon:
    """Return the icon with a content that has been checked."""
    return Icon(content, "image/svg+xml", hashlib.sha256(content).hexdigest())


def _check_element(element: ElementTree.Element) -> None:
    if not isinstance(element.tag, str):
        return
    if element.tag.removeprefix(_SVG) not in _ELEMENTS:
        raise ValueError(f"the icon must not have the element {element.tag.rpartition('}')[2]}")
    for name, value in element.attrib.items():
        plain = name.rpartition("}")[2].lower()
        if plain.startswith("on"):
            raise ValueError(f"the icon must not have the attribute {plain}")
        is_link = plain in ("href", "src") and not value.startswith("#")
        if is_link or _FOREIGN_URL.search(value) is not None:
            raise ValueError("the icon must not refer to anything outside itself")


def plain_icon(name: str, title: str) -> str:
    """Return a plain tile with the app's first letter, in a colour that is always the same for a name."""
    hue = hashlib.sha256(name.encode()).digest()[0] / 256
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue, 0.32, 0.5))
    letter = next((character for character in title if character.isalnum()), name[0]).upper()[:1]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" role="img" aria-label="{escape(title)}">\n'
        f'  <rect width="24" height="24" rx="5" fill="#{red:02x}{green:02x}{blue:02x}"/>\n'
        f'  <text x="12" y="17" text-anchor="middle" font-family="sans-serif" font-size="14" fill="#fff">'
        f"{escape(letter)}</text>\n"
        f"</svg>\n"
    )
