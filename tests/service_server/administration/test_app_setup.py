"""What trying an app's sign-in settings finds out, at a real app: whether it answers, and knows the client."""

import pytest

from service_server.administration.actors import NotAllowed
from service_server.administration.app_setup import AppSetup
from service_server.administration.failures import AdministrationError
from service_server.catalog.auth import OAuth2Code
from service_server.oauth.app_settings import AppSettings, OAuthClient
from service_server.store import AuditEvents
from tests.service_server.actors import OWNER, VIEWER
from tests.service_server.connected_world import CALLBACK_URL, World

pytestmark = pytest.mark.slow


async def tried(world: World, callback_url: str = CALLBACK_URL, **changes: str) -> list[tuple[str, str]]:
    """What is found out with the sandbox's own settings but for these changes; its last words go with it."""
    client = OAuthClient(
        changes.get("client_id", world.sandbox.client_id), changes.get("client_secret", world.sandbox.client_secret)
    )
    settings = AppSettings(client, {"base_url": changes.get("base_url", world.sandbox.url)}, ())
    setup = AppSetup(world.sender, AuditEvents(world.database), callback_url)
    found = await setup.try_sign_in(OWNER, world.catalog.connectors["sandbox"], settings)
    return [(each.what, each.result) for each in found]


async def test_right_settings_work(world: World) -> None:
    """The page answers, and of the exchange only the code is refused; the trail says that it was tried."""
    assert [("sign-in page", "works"), ("client", "works")] == await tried(world)
    assert ["app.tried"] == [each.act for each in await AuditEvents(world.database).events(limit=10)]


async def test_what_is_wrong_is_told(world: World) -> None:
    """An unknown client, a wrong secret, another callback URL, an address at which nobody answers, an outage."""
    assert [("sign-in page", "fails"), ("client", "fails")] == await tried(world, client_id="unknown")
    assert [("sign-in page", "works"), ("client", "fails")] == await tried(world, client_secret="wrong")
    elsewhere = await tried(world, "https://elsewhere.example/oauth/callback")
    assert ("sign-in page", "fails") == elsewhere[0]
    nobody = await tried(world, base_url="http://127.0.0.1:9")
    assert [("sign-in page", "fails"), ("client", "fails")] == nobody
    world.sandbox.fault("/oauth/token", "server_error")
    assert ("client", "unknown") == (await tried(world))[1]


async def test_what_can_not_be_tried(world: World) -> None:
    """Nothing is sent before all is set, where users type keys in, or for a viewer."""
    setup = AppSetup(world.sender, AuditEvents(world.database), CALLBACK_URL)
    sandbox = world.catalog.connectors["sandbox"]
    with pytest.raises(AdministrationError, match="Complete the settings first"):
        await setup.try_sign_in(OWNER, sandbox, AppSettings(None, {}, ()))
    by_key = next(
        each for each in world.catalog.connectors.values() if not any(isinstance(way, OAuth2Code) for way in each.auth)
    )
    with pytest.raises(AdministrationError, match="users type their keys in"):
        await setup.try_sign_in(OWNER, by_key, AppSettings(None, {}, ()))
    with pytest.raises(NotAllowed):
        await setup.try_sign_in(VIEWER, sandbox, AppSettings(OAuthClient("id", "secret"), {"base_url": "x"}, ()))
