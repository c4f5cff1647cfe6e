"""The connect pages in the user's language, in the theme of the page they come from, with the application's brand."""

import base64
import hashlib
import re

import pytest

from service_server.connect.sessions.sessions import HostPage
from service_server.store import Brand
from servicejs.language import LOCALES
from tests.service_server.connect.anns_sessions import leave, opened, state
from tests.service_server.connected_world import Browser, World

pytestmark = pytest.mark.slow

LOGO = "data:image/png;base64,iVBORw0KGgo="
CANCELLED = {
    "de": "Es wurde nichts verbunden",
    "es": "No se conectó nada",
    "fr": "Rien n’a été connecté",
    "ja": "何も接続されていません",
    "pt-BR": "Nada foi conectado",
    "ar": "لم يُربط أي شيء",
}


async def test_all_pages_speak_the_sessions_language(world: World, visitor: Browser) -> None:
    """Whatever the browser's: the page that asks, and the one that says how it ended."""
    visitor.http.headers["Accept-Language"] = "it, en"
    for locale in CANCELLED.keys() & set(LOCALES):
        session = await opened(world, page=HostPage(locale=locale))
        asked, ended = await visitor.open(session.url), await visitor.submit("/cancel")
        for page in (asked, ended):
            assert f'<html lang="{locale}"' in page.text
        assert "would like to use" not in asked.text
        assert CANCELLED[locale] in ended.text


async def test_without_a_language_the_browsers_counts(world: World, visitor: Browser) -> None:
    """Such as for links that a backend made; also on a page of a link that leads nowhere."""
    session = await opened(world)
    visitor.http.headers["Accept-Language"] = "fr-CA, en;q=0.5"

    assert "souhaite utiliser votre compte" in (await visitor.open(session.url)).text
    assert "Ce lien n’est pas valide" in (await visitor.open("/connect/" + "x" * 43)).text


async def test_what_went_wrong_is_told_in_the_language(world: World, visitor: Browser) -> None:
    """On the page, and to the page of the application that waits for the session."""
    session_id, address = await leave(world, visitor, page=HostPage(locale="de"))
    given = re.findall("state=[^&]+", address)[0]
    foreign = await visitor.open(f"/oauth/callback?error=invalid_client&{given}")
    ended = await state(world, session_id)

    assert "kennt diesen Dienst nicht mit der Client-ID" in foreign.text
    assert "failed" == ended.status
    assert "Bitten Sie den Betreiber dieses Dienstes" in str(ended.error)


async def test_the_brand_is_shown(world: World, visitor: Browser) -> None:
    """The name that users know, the logo, and the colour, which the page's own policy lets in and nothing else."""
    brand = Brand(name="Acme & Söhne", accent="#ffd400", logo=LOGO)
    await world.applications.change_brand(world.application.id, lambda _: brand)
    page = await visitor.open((await opened(world)).url)

    style = re.search("<style>(.*?)</style>", page.text)
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert "Acme &amp; Söhne" in page.text
    assert world.application.name not in page.text
    assert f'src="{LOGO}"' in page.text
    assert f"style-src 'self' 'sha256-{digest}'" in page.headers["content-security-policy"]
    assert "--strong:#ffd400" in style[1].partition("@media")[2]  # yellow is read on dark ground
    assert "--strong:#ffd400" not in style[1].partition("@media")[0]


@pytest.mark.parametrize(("theme", "dark"), [("light", False), ("dark", True)])
async def test_the_pages_theme_and_colour_come_before_the_brands(
    world: World, visitor: Browser, theme: str, dark: bool
) -> None:
    """What the page that began the session shows is what the window shows."""
    await world.applications.change_brand(world.application.id, lambda _: Brand(accent="#b3261e"))
    page = HostPage(theme="dark" if dark else "light", accent="#0a6b4f")
    shown = await visitor.open((await opened(world, page=page)).url)

    assert f'<meta name="color-scheme" content="{theme}">' in shown.text
    assert dark == ("/assets/styles/dark.css" in shown.text)
    assert "prefers-color-scheme" not in shown.text
    assert dark != ("--strong:#0a6b4f" in shown.text)
    assert "b3261e" not in shown.text
