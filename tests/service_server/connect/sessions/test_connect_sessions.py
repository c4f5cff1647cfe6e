"""Connect sessions and disconnecting, as the REST side uses them."""

import asyncio
import contextlib
from unittest.mock import AsyncMock
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.connect.sessions.changes import Changes
from service_server.errors import ServiceError
from service_server.store import DatabaseAway
from tests.service_server.connect.anns_sessions import (
    accounts,
    allow,
    cancel,
    connect,
    connect_by_key,
    opened,
    state,
    status,
)
from tests.service_server.connected_world import HOST_ORIGIN, Browser, World, connected_world

pytestmark = pytest.mark.slow


async def refusal(work: object) -> tuple[int, str, str | None]:
    """What the work is refused with: the status, the code and the field."""
    with pytest.raises(ServiceError) as raised:
        await work
    return raised.value.status, raised.value.code, raised.value.details[0].field


async def test_redirect_url_must_be_the_applications(world: World) -> None:
    """Users are sent back to allowed origins only."""
    elsewhere = ["https://evil.test/back", "https://host.test.evil.test/", "https://host.test:8443/"]
    disguised = ["http://host.test/", "https://user@host.test/", "https://host.test\\@evil.test/", "//host.test/"]
    for url in [*elsewhere, *disguised, "javascript:alert(1)", "/back", "https://host.test/\n", ""]:
        assert (400, "format", "redirect_url") == await refusal(opened(world, redirect_url=url)), url


async def test_what_is_not_theirs_is_unknown(world: World, visitor: Browser) -> None:
    """Nobody opens a session for another's account, nor watches, cancels or redeems another's session."""
    account, session = await connect(world, visitor), await opened(world)
    connection, application = world.connect, world.application
    other = await world.applications.create("Other", "other-key", [], [])
    reconnecting = connection.create(application, "ben", "sandbox", connected_account_id=account.id)
    assert (400, "account_not_found", "connected_account_id") == await refusal(reconnecting)
    assert (404, "unknown_app", None) == await refusal(connection.create(application, "ann", "nothing"))
    for owner in ((application, "ben"), (other, "ann")):
        for work in (
            connection.state(*owner, session.id),
            connection.cancel(*owner, session.id),
            connection.redeem(*owner, session.id, "code"),
        ):
            assert (404, "unknown_connect_session", None) == await refusal(work)
    assert "pending" == await status(world, session.id)


@pytest.mark.parametrize("end", ["cancelled here", "cancelled by another process", "expired"])
async def test_waiting_ends_with_the_session(world: World, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long-poll answers when the session ends, long before its own time is over."""
    is_watched, watching = asyncio.Event(), Changes.watching

    def noticed(changes: Changes, session_id: str) -> contextlib.AbstractContextManager[asyncio.Event]:
        is_watched.set()
        return watching(changes, session_id)

    monkeypatch.setattr(Changes, "watching", noticed)
    session = await opened(world, expires_in=0.3 if end == "expired" else None)
    waiting = asyncio.create_task(state(world, session.id, 25))
    await is_watched.wait()
    if end == "cancelled here":
        await cancel(world, session.id)
    elif end == "cancelled by another process":
        async with connected_world(None, world.database_folder, world.sandbox) as elsewhere:
            await cancel(elsewhere, session.id)
    async with asyncio.timeout(15):
        assert end.partition(" ")[0] == (await waiting).status


async def test_redirect_mode_keeps_the_account_when_redeemed(world: World, visitor: Browser) -> None:
    """In redirect mode nothing is connected until the page that started redeems the code, once."""
    session_id, answer = await allow(world, visitor, redirect_url=f"{HOST_ORIGIN}/settings?tab=apps#top")
    location = urlsplit((await visitor.http.get(answer)).headers["location"])
    sent = parse_qs(location.query)
    assert ("host.test", "/settings", "top") == (location.netloc, location.path, location.fragment)
    assert (["apps"], [session_id]) == (sent["tab"], sent["connect_session"])
    assert ("pending", []) == (await status(world, session_id), await accounts(world))

    ours = (world.application, "ann", session_id)
    assert (400, "format", "code") == await refusal(world.connect.redeem(*ours, "wrong"))
    redeemed = await world.connect.redeem(*ours, sent["code"][0])
    (account,) = await accounts(world)
    assert ("connected", account.id) == (redeemed.status, redeemed.connected_account_id)
    assert (400, "format", "code") == await refusal(world.connect.redeem(*ours, sent["code"][0]))


async def test_a_code_is_good_until_its_account_is_kept(
    world: World, visitor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that goes away in between takes nothing from the user; of several who redeem it, one does."""
    session_id, answer = await allow(world, visitor, redirect_url=f"{HOST_ORIGIN}/settings")
    code = parse_qs(urlsplit((await visitor.http.get(answer)).headers["location"]).query)["code"][0]
    ours = (world.application, "ann", session_id, code)
    with monkeypatch.context() as patched:
        patched.setattr(world.accounts, "connect", AsyncMock(side_effect=DatabaseAway("away")))
        with pytest.raises(DatabaseAway):
            await world.connect.redeem(*ours)
    came = await asyncio.gather(*(world.connect.redeem(*ours) for _ in range(3)), return_exceptions=True)
    (account,) = await accounts(world)

    assert [account.id] == [each.connected_account_id for each in came if not isinstance(each, BaseException)]
    assert ["format"] * 2 == [each.code for each in came if isinstance(each, ServiceError)]


async def test_redirect_mode_with_a_key(world: World, visitor: Browser) -> None:
    """Going back and off to the provider makes the code that a page of ours gave for a key worthless."""
    session = await opened(world, redirect_url=f"{HOST_ORIGIN}/back")
    await visitor.type_key(session.url, world.sandbox.api_keys["alice"])
    code = parse_qs(urlsplit(visitor.leads_to()).query)["code"][0]
    await visitor.open(session.url)
    await visitor.submit(auth="oauth")
    redeeming = world.connect.redeem(world.application, "ann", session.id, code)
    assert (400, "format", "code") == await refusal(redeeming)


async def test_disconnect_revokes_at_the_provider(world: World, visitor: Browser) -> None:
    """It erases the account and ends the grant at the provider, which can't keep the user from disconnecting."""
    for fault in (None, "connection_reset"):
        await connect(world, visitor)
        if fault is not None:
            world.sandbox.fault("/oauth/revoke", fault)
        await world.connect.disconnect(world.application, "ann", "sandbox", None)
        assert [] == await accounts(world)
    revocation, _ = world.sandbox.received("/oauth/revoke")
    assert (200, "client") == (revocation["status"], revocation["auth"]["kind"])


async def test_disconnect_chooses_no_account_by_itself(world: World, visitor: Browser) -> None:
    """With several accounts one must be named, with none there is nothing to do, and others' are not found."""

    async def disconnect(user: str, app: str, account_id: int | None = None) -> tuple[int, str, str | None]:
        return await refusal(world.connect.disconnect(world.application, user, app, account_id))

    assert (400, "not_connected", None) == await disconnect("ann", "sandbox")
    first, second = await connect_by_key(world, visitor), await connect_by_key(world, visitor, "bob")
    assert (400, "account_required", "connected_account_id") == await disconnect("ann", "sandbox")
    assert (400, "account_not_found", "connected_account_id") == await disconnect("ben", "sandbox", first.id)
    assert (404, "unknown_app", None) == await disconnect("ann", "nothing")
    await world.connect.disconnect(world.application, "ann", "sandbox", first.id)
    assert [second.id] == [account.id for account in await accounts(world)]
