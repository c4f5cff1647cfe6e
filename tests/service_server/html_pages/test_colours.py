"""A colour of an application's is shown in shades that can be read, whichever it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.html_pages.colours import LEAST_CONTRAST, contrast, read_colour, shades_of

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
LIGHT, DARK = ("#ffffff", "#f2f4f7"), ("#12161c", "#1c222b")


@given(COLOURS)
def test_every_colour_has_shades_that_can_be_read(colour: str) -> None:
    """As text on each ground of light and of dark pages, and with text on it, as on a button."""
    shades = shades_of(colour)

    for shade, grounds in ((shades.light, LIGHT), (shades.dark, DARK)):
        assert all(contrast(shade.colour, ground) >= LEAST_CONTRAST for ground in grounds)
        assert contrast(shade.colour, shade.on_it) >= LEAST_CONTRAST
        assert shade.colour == read_colour(shade.colour)


def test_a_colour_that_can_be_read_stays() -> None:
    """It is the application's own, not one near it."""
    assert "#0a6b4f" == shades_of("#0a6b4f").light.colour
    assert "#7fd6a0" == shades_of("#7fd6a0").dark.colour


@pytest.mark.parametrize("text", ["", "red", "#fff", "#12345g", "0a7d5c", "#0a7d5c;}", "#0a7d5c\n}body{"])
def test_only_hexadecimal_colours_are_colours(text: str) -> None:
    """What is written into a style sheet is nothing else."""
    assert read_colour(text) is None
