"""A choice after the sign-in is used up by what came of it, and not before."""

import asyncio
from typing import Any

import httpx
import pytest
from attrs import evolve

from service_server.catalog.auth_parts import Then
from service_server.connect.sessions import choosing, completion
from service_server.connect.signing_in.setback import Setback
from service_server.store import Accounts, ConnectSessions, DatabaseAway
from tests.service_server.connect.anns_sessions import accounts, allow, status
from tests.service_server.connected_world import HOST_ORIGIN, Browser, World

pytestmark = pytest.mark.slow

BACK = f"{HOST_ORIGIN}/back"


@pytest.fixture
def choice(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the sandbox is asked for after a sign-in, of two places; the one where it is."""
    connector = world.catalog.connectors["sandbox"]
    oauth, *others = connector.auth
    listing = connector.test_of(oauth)
    assert listing is not None
    then = Then(request=listing, variable="base_url", value="id", label="name")
    asking = evolve(connector, auth=(evolve(oauth, then=then), *others))

    async def listed(*_: Any) -> tuple[tuple[str, str], ...]:
        return (world.sandbox.url, "Here"), ("http://127.0.0.1:1", "Nowhere")

    monkeypatch.setattr(choosing, "choices_of", listed)
    monkeypatch.setattr(world.catalog, "connector", lambda name: asking)
    return world.sandbox.url


async def choose(visitor: Browser, value: str) -> httpx.Response:
    """Send the page with a choice, which stays open."""
    page = visitor.page
    try:
        return await visitor.submit(choice=value)
    finally:
        visitor.page = page


@pytest.mark.parametrize("redirect_url", [None, BACK])
async def test_a_choice_is_good_until_its_account_is_kept(
    world: World, visitor: Browser, monkeypatch: pytest.MonkeyPatch, choice: str, redirect_url: str | None
) -> None:
    """A database that goes away in between takes nothing from the user; of several presses one counts."""

    async def away(*_: Any, **__: Any) -> None:
        raise DatabaseAway("it is away")

    session_id, answer = await allow(world, visitor, redirect_url=redirect_url)
    await visitor.open(answer)
    with monkeypatch.context() as during:
        during.setattr(Accounts, "connect", away)
        during.setattr(ConnectSessions, "await_redemption", away)
        assert (await choose(visitor, choice)).is_server_error
    came = await asyncio.gather(*(choose(visitor, choice) for _ in range(3)))
    await world.connect.abandoned.clear_up()

    assert [] == world.sandbox.received("/oauth/revoke")
    if redirect_url is None:
        assert ("connected", 1) == (await status(world, session_id), len(await accounts(world)))
        assert any("is connected" in each.text for each in came)
    else:
        codes = [each.text.partition("code=")[2].partition('"')[0] for each in came if BACK in each.text]
        (code,) = dict.fromkeys(codes)
        redeemed = await world.connect.redeem(world.application, "ann", session_id, code)
        assert ("connected", 1) == (redeemed.status, len(await accounts(world)))


async def test_a_choice_that_fails_ends_the_grant(
    world: World, visitor: Browser, monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    """What the app then refuses is used up, and revoked once, however often it was sent."""

    async def refused(*_: Any) -> None:
        raise Setback("It did not work there.")

    session_id, answer = await allow(world, visitor)
    await visitor.open(answer)
    with monkeypatch.context() as during:
        during.setattr(completion, "verify", refused)
        failed = await asyncio.gather(*(choose(visitor, choice) for _ in range(2)))
    again = await choose(visitor, choice)
    await world.connect.abandoned.clear_up()

    assert all("It did not work there." in each.text or "chosen any more" in each.text for each in failed)
    assert "chosen any more" in again.text
    assert 1 == len(world.sandbox.received("/oauth/revoke"))
    assert ("pending", []) == (await status(world, session_id), await accounts(world))
