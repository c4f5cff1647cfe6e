"""What an attempt has gained and nobody keeps is revoked at the app and erased, whatever happens in between."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from service_server.connect.sessions import abandoned
from service_server.store import Account, Accounts, DatabaseAway
from service_server.store.clock import now
from tests.examples.processes import SandboxApp
from tests.service_server.connect.anns_sessions import accounts, allow, cancel, connect, opened, status
from tests.service_server.connected_world import HOST_ORIGIN, Browser, World, connected_world, provider_answer
from tests.service_server.connecting import leads_to, submit
from tests.service_server.databases import execute, rows, sqlite_url
from tests.service_server.killed_service import installed
from tests.service_server.processes import http

pytestmark = pytest.mark.slow

BACK = f"{HOST_ORIGIN}/back"
EXPIRED = f"UPDATE connect_sessions SET expires_at = {now() - 60}"


async def grant(world: World, visitor: Browser) -> tuple[str, str]:
    """Grant access in redirect mode, up to where the host page would redeem it: the session's id, and the code."""
    session_id, answer = await allow(world, visitor, redirect_url=BACK)
    return session_id, redemption_code(await visitor.http.get(answer))


def redemption_code(back: httpx.Response) -> str:
    """The code with which a browser is sent back to the host page."""
    assert back.headers["location"].startswith(BACK)
    return parse_qs(urlsplit(back.headers["location"]).query)["code"][0]


def revoked(sandbox: SandboxApp) -> int:
    """How many grants the app was told to end."""
    return len(sandbox.received("/oauth/revoke"))


def kept(world: World) -> list[str]:
    """What stands sealed in connect sessions."""
    found = rows(world.database_folder, "SELECT sealed_progress, sealed_outcome, code_hash FROM connect_sessions")
    return [value for row in found for value in row if value is not None]


@pytest.mark.parametrize("over", ["cancelled", "expired"])
async def test_what_nobody_redeems_is_revoked(world: World, visitor: Browser, over: str) -> None:
    """Once, by any of several processes, as soon as the session is over; until then it is left alone."""
    session_id, _ = await grant(world, visitor)
    await world.connect.abandoned.clear_up()
    before = revoked(world.sandbox)
    if over == "cancelled":
        await cancel(world, session_id)
    else:
        execute(world.database_folder, EXPIRED)
    async with connected_world(None, world.database_folder, world.sandbox) as other:
        await asyncio.gather(*(each.connect.abandoned.clear_up() for each in (other, world) * 3))

    assert (0, 1, []) == (before, revoked(world.sandbox), kept(world))
    assert over == await status(world, session_id)


async def test_an_app_that_is_away_is_asked_again(
    world: World, visitor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at once, and not for ever: after an hour the grant is erased, which leaves nobody with its tokens."""
    clear_up = world.connect.abandoned.clear_up
    session_id, _ = await grant(world, visitor)
    await cancel(world, session_id)
    world.sandbox.fault("/oauth/revoke", "server_error", times=3)
    await clear_up()
    await clear_up()
    assert 1 == revoked(world.sandbox)
    execute(world.database_folder, "UPDATE connect_sessions SET revoking_until = 1")
    monkeypatch.setattr(abandoned, "CLAIM_SECONDS", -1.0)
    await clear_up()
    assert (2, True) == (revoked(world.sandbox), bool(kept(world)))
    execute(world.database_folder, f"UPDATE connect_sessions SET expires_at = {now() - abandoned.LONGEST_SECONDS - 60}")
    await clear_up()
    assert (3, []) == (revoked(world.sandbox), kept(world))


async def test_a_connected_identity_keeps_its_grant(world: World, visitor: Browser) -> None:
    """Many apps end all that they have granted for an identity at once, and with it the account that is in use."""
    account = await connect(world, visitor)
    session_id, _ = await grant(world, visitor)
    await cancel(world, session_id)
    await world.connect.abandoned.clear_up()

    assert (0, []) == (revoked(world.sandbox), kept(world))
    assert [account] == await accounts(world)


@pytest.mark.parametrize("comes_back", ["with nothing", "with the account"])
async def test_what_the_database_could_not_keep_is_revoked(
    world: World, visitor: Browser, monkeypatch: pytest.MonkeyPatch, comes_back: str
) -> None:
    """As soon as it is back, unless it had kept the account after all."""
    connecting = Accounts.connect

    async def away(self: Accounts, *given: Any, **more: Any) -> Account:
        if comes_back == "with the account":
            await connecting(self, *given, **more)
        raise DatabaseAway("it is away")

    async def is_away(*_: Any) -> bool:
        raise DatabaseAway("it is away")

    _, answer = await allow(world, visitor)
    with monkeypatch.context() as during:
        during.setattr(Accounts, "connect", away)
        during.setattr(Accounts, "is_connected", is_away)
        assert (await visitor.http.get(answer)).is_server_error
        with pytest.raises(DatabaseAway):
            await world.connect.abandoned.clear_up()
    assert 0 == revoked(world.sandbox)
    await world.connect.abandoned.clear_up()
    await world.connect.abandoned.clear_up()

    is_kept = comes_back == "with the account"
    assert ((0, 1) if is_kept else (1, 0)) == (revoked(world.sandbox), len(await accounts(world)))


async def test_a_redeemed_account_is_kept(world: World, visitor: Browser) -> None:
    """Nothing of it is left in the session for anybody to revoke."""
    session_id, code = await grant(world, visitor)
    await world.connect.redeem(world.application, "ann", session_id, code)
    execute(world.database_folder, EXPIRED)
    await world.connect.abandoned.clear_up()

    assert (0, []) == (revoked(world.sandbox), kept(world))


async def test_signing_in_as_someone_else_instead_ends_the_first_grant(world: World, visitor: Browser) -> None:
    """The user goes back before anything is redeemed, and signs in as another user: the first grant is of no use."""
    session_id, _ = await grant(world, visitor)
    await visitor.open(f"/connect/{session_id}")
    await visitor.submit()
    await visitor.http.get(provider_answer(world.sandbox, visitor.leads_to(), "bob"))
    first = revoked(world.sandbox)
    await cancel(world, session_id)
    await world.connect.abandoned.clear_up()

    assert (1, 2) == (first, revoked(world.sandbox))


@pytest.mark.parametrize("redirect_url", [None, BACK])
async def test_a_grant_of_the_wrong_identity_is_revoked(
    world: World, visitor: Browser, redirect_url: str | None
) -> None:
    """Whoever was to reconnect as Alice and signs in as Bob is refused, and what Bob granted ends at once."""
    alice = await connect(world, visitor)
    session = await opened(world, redirect_url=redirect_url, connected_account_id=alice.id)
    page = await visitor.sign_in(session.url, world.sandbox, "bob")

    assert "signed in as" in page.text
    assert 1 == revoked(world.sandbox)
    assert [(None,)] * 2 == rows(world.database_folder, "SELECT sealed_outcome FROM connect_sessions")
    assert [alice] == await accounts(world)


def test_a_running_service_revokes(tmp_path: Path) -> None:
    """By itself, within seconds of the end or, where it was killed in between, of its own next start."""
    with installed(tmp_path, sqlite_url(tmp_path), HOST_ORIGIN) as installation:
        sandbox = installation.sandbox
        with installation.start() as running, running.api("ann") as api:
            sessions = []
            for username in ("alice", "bob"):
                sessions.append(api.post("/apps/sandbox/connect_sessions", json={"redirect_url": BACK}).json())
                with http(running.url) as visitor:
                    answer = submit(visitor, visitor.get(sessions[-1]["url"]))
                    redemption_code(visitor.get(provider_answer(sandbox, leads_to(answer.text), username)))
            assert 204 == api.delete(f"/connect_sessions/{sessions[0]['id']}").status_code
            running.program.wait_until(lambda: revoked(sandbox) or None)
            running.program.process.kill()
        assert 1 == revoked(sandbox)
        execute(tmp_path, EXPIRED)
        with installation.start() as running:
            running.program.wait_until(lambda: revoked(sandbox) == 2 or None)
