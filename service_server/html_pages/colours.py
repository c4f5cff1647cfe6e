"""A colour that an application chose, in shades that can be read on the pages' light and dark grounds."""

import colorsys
import re

from attrs import frozen

LEAST_CONTRAST = 4.5
"""For text, as WCAG's level AA requires it."""

_COLOUR = re.compile(r"#[0-9a-f]{6}\Z")
# The grounds in page.css and dark.css that are nearest to the shades: a shade that can be read there can be read on all
# the grounds.
_LIGHT_GROUND = "#f2f4f7"
_DARK_GROUND = "#1c222b"
_STEPS = 100


@frozen
class Shade:
    """A colour for text, links and buttons on a ground, and the colour for text on top of it."""

    colour: str
    on_it: str


@frozen
class Shades:
    """A colour as it is shown on light and on dark pages."""

    light: Shade
    dark: Shade


def read_colour(text: str) -> str | None:
    """Return a colour such as `#0a7d5c` in lower case; None if it isn't one."""
    colour = text.strip().lower()
    return colour if _COLOUR.match(colour) else None


def shades_of(colour: str) -> Shades:
    """Return a colour unchanged where it can be read, otherwise as much darker or lighter as it takes."""
    return Shades(
        light=_readable(colour, _LIGHT_GROUND, towards=0.0), dark=_readable(colour, _DARK_GROUND, towards=1.0)
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _readable(colour: str, ground: str, towards: float) -> Shade:
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(colour))
    for step in range(_STEPS + 1):
        share = step / _STEPS
        shade = colour if step == 0 else _text(hue, lightness + (towards - lightness) * share, saturation)
        if contrast(shade, ground) >= LEAST_CONTRAST:
            break
    return Shade(shade, max(("#ffffff", "#000000"), key=lambda on_it: contrast(shade, on_it)))


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _text(hue: float, lightness: float, saturation: float) -> str:
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in colorsys.hls_to_rgb(hue, lightness, saturation))


def _luminance(colour: str) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in _channels(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
