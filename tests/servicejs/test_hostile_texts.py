"""Texts that try to be HTML, in every slot of every screen."""

import pytest

from tests.servicejs.hostile_texts import PAYLOADS, Structure, screens

HARMLESS = "harmless"


@pytest.fixture
async def harmless() -> dict[str, Structure]:
    """What every screen is made of where the texts are only words."""
    return {name: Structure(html) async for name, html in screens(HARMLESS)}


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_no_text_becomes_html(payload: str, harmless: dict[str, Structure]) -> None:
    """Whatever apps, accounts, the service and the page say, no screen has one more element or link for it."""
    seen = 0
    async for name, html in screens(payload):
        structure = Structure(html)
        assert harmless[name].elements == structure.elements, name
        assert not [each for each in structure.addresses if not each.startswith(("https://", "http://"))], name
        seen += "hostile" in html or "7 * 7" in html

    assert seen >= len(harmless) - 3  # the text is shown, and not just left out
