"""The brand that operators give an application, and the images that may be its logo."""

import base64
import struct
from collections.abc import Callable, Mapping

from attrs import evolve

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError, check_name
from service_server.html_pages.colours import read_colour
from service_server.store import Applications, Brand

MOST_LOGO_BYTES = 64 * 1024
MOST_LOGO_PIXELS = 1024
"""On each side: what a small file may unpack to is limited as well."""


async def set_brand(
    actor: Actor, applications: Applications, application_id: int, given: Mapping[str, str | bytes | None]
) -> Brand:
    """
    Set `name`, `accent` or `logo` (an image's bytes); None or an empty text removes it. The next page shows the change.

    Raises AdministrationError with what is wrong, by setting; nothing is changed then.
    """
    changes, problems = dict[str, str | None](), dict[str, str]()
    for setting, value in given.items():
        try:
            changes[setting] = _READERS[setting](value) if value else None
        except AdministrationError as error:
            problems[setting] = str(error)
    if problems:
        raise AdministrationError("\n".join(problems.values()), problems)
    act = actor.does("application.branded", application_id)
    return await applications.change_brand(application_id, lambda brand: evolve(brand, **changes), act)


def logo_of(content: bytes) -> str:
    """Return an image as a `data:` URL; AdministrationError for what is too large, or may be more than an image."""
    if len(content) > MOST_LOGO_BYTES:
        raise AdministrationError(
            f"A logo has {MOST_LOGO_BYTES // 1024} KiB at most; this one has {len(content)} bytes."
        )
    for media_type, size in _SIZES.items():
        try:
            found = size(content)
        except (struct.error, IndexError):
            found = None
        if found is None:
            continue
        if not all(0 < side <= MOST_LOGO_PIXELS for side in found):
            width, height = found
            raise AdministrationError(
                f"A logo is at most {MOST_LOGO_PIXELS} pixels wide and high; this one is {width} × {height}."
            )
        return f"data:{media_type};base64,{base64.b64encode(content).decode()}"
    raise AdministrationError("A logo is a PNG, JPEG or WebP image. SVG is not taken, since it can hold scripts.")


def _read_name(value: str | bytes) -> str:
    name = str(value).strip()
    check_name(name)
    return name


def _read_accent(value: str | bytes) -> str:
    colour = read_colour(str(value))
    if colour is None:
        raise AdministrationError("A colour is written as #rrggbb, such as #0a7d5c.")
    return colour


def _read_logo(value: str | bytes) -> str:
    return logo_of(value if isinstance(value, bytes) else value.encode())


_READERS: Mapping[str, Callable[[str | bytes], str]] = {
    "name": _read_name,
    "accent": _read_accent,
    "logo": _read_logo,
}


def _png_size(content: bytes) -> tuple[int, int] | None:
    if not content.startswith(b"\x89PNG\r\n\x1a\n") or content[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    """Read from marker to marker until the frame, which says how large the image is."""
    if not content.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return width, height
        at += 2 + struct.unpack(">H", content[at + 2 : at + 4])[0]
    return None


def _webp_size(content: bytes) -> tuple[int, int] | None:
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return None
    match content[12:16]:
        case b"VP8 ":
            width, height = struct.unpack("<HH", content[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            bits = struct.unpack("<I", content[21:25])[0]
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    return None


_SIZES: Mapping[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/png": _png_size,
    "image/jpeg": _jpeg_size,
    "image/webp": _webp_size,
}
