"""What an attempt has gained and nobody keeps is revoked at the app and erased, whatever happens in between."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.connect.sessions import abandoned
from service_server.store.clock import now
from tests.examples.processes import SandboxApp
from tests.service_server.connected_world import (
    HOST_ORIGIN,
    Browser,
    World,
    connected_world,
    provider_answer,
    requests_seen,
    sandbox_post,
)
from tests.service_server.connecting import leads_to, submit
from tests.service_server.databases import execute, rows, sqlite_url
from tests.service_server.killed_service import installed
from tests.service_server.processes import http

pytestmark = pytest.mark.slow

EXPIRED = f"UPDATE connect_sessions SET expires_at = {now() - 60}"


async def sign_in(world: World, browser: Browser, username: str = "alice", reconnect: int | None = None) -> str:
    """Grant access in a session in redirect mode, up to where the host page would redeem it; its id."""
    session = await world.connect.create(
        world.application, "ann", "sandbox", redirect_url=f"{HOST_ORIGIN}/back", connected_account_id=reconnect
    )
    await browser.open(session.url)
    await browser.submit()
    back = await browser.http.get(provider_answer(world.sandbox, browser.leads_to(), username))
    assert back.headers["location"].startswith(HOST_ORIGIN)
    return session.id


async def connect(world: World, browser: Browser, username: str) -> int:
    """Connect an account through the provider; its id."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    await browser.sign_in(session.url, world.sandbox, username)
    account_id = (await world.connect.state(world.application, "ann", session.id)).connected_account_id
    assert account_id is not None
    return account_id


def revoked(sandbox: SandboxApp) -> int:
    """How many grants the app was told to end."""
    return len(requests_seen(sandbox, "/oauth/revoke"))


def kept(world: World) -> list[str]:
    """What stands sealed in connect sessions."""
    found = rows(world.database_folder, "SELECT sealed_progress, sealed_outcome, code_hash FROM connect_sessions")
    return [value for row in found for value in row if value is not None]


@pytest.fixture
async def browser(world: World) -> AsyncIterator[Browser]:
    """The user's browser."""
    async with world.browser() as browser:
        yield browser


@pytest.mark.parametrize("over", ["cancelled", "expired"])
async def test_what_nobody_redeems_is_revoked(world: World, browser: Browser, over: str) -> None:
    """Once, as soon as the session is over; as long as it may still be redeemed it is left alone."""
    session_id = await sign_in(world, browser)
    await world.connect.abandoned.clear_up()
    before = revoked(world.sandbox)
    if over == "cancelled":
        await world.connect.cancel(world.application, "ann", session_id)
    else:
        execute(world.database_folder, EXPIRED)
    await world.connect.abandoned.clear_up()
    await world.connect.abandoned.clear_up()

    assert (0, 1) == (before, revoked(world.sandbox))
    assert [] == kept(world)
    assert over == (await world.connect.state(world.application, "ann", session_id)).status


async def test_several_processes_revoke_once(world: World, browser: Browser, tmp_path: Path) -> None:
    """Only one of them takes a grant on, also one that another process had gained: it stands in the database."""
    session_id = await sign_in(world, browser)
    await world.connect.cancel(world.application, "ann", session_id)
    async with (
        connected_world(None, tmp_path, world.sandbox) as restarted,
        connected_world(None, tmp_path, world.sandbox) as other,
    ):
        await asyncio.gather(*(each.connect.abandoned.clear_up() for each in (restarted, other) * 3))

    assert 1 == revoked(world.sandbox)
    assert [] == kept(world)


async def test_an_app_that_is_away_is_asked_again(
    world: World, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at once, and not for ever: after an hour the grant is erased, which leaves nobody with its tokens."""
    session_id = await sign_in(world, browser)
    await world.connect.cancel(world.application, "ann", session_id)
    fault = {"path": "/oauth/revoke", "fault": "server_error", "times": 2}
    sandbox_post(world.sandbox, "/_faults", fault)
    await world.connect.abandoned.clear_up()
    await world.connect.abandoned.clear_up()
    tried_once = revoked(world.sandbox)
    execute(world.database_folder, "UPDATE connect_sessions SET revoking_until = 1")
    monkeypatch.setattr(abandoned, "CLAIM_SECONDS", -1.0)
    await world.connect.abandoned.clear_up()
    still_kept = kept(world)
    await world.connect.abandoned.clear_up()

    assert 1 == tried_once
    assert still_kept
    assert ([], 3) == (kept(world), revoked(world.sandbox))


async def test_what_can_never_be_revoked_is_erased(world: World, browser: Browser) -> None:
    """An hour after the session's end, if the app has not answered until then."""
    await sign_in(world, browser)
    execute(world.database_folder, f"UPDATE connect_sessions SET expires_at = {now() - abandoned.LONGEST_SECONDS - 60}")
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/revoke", "fault": "connection_reset"})
    await world.connect.abandoned.clear_up()

    assert [] == kept(world)


async def test_a_connected_identity_keeps_its_grant(world: World, browser: Browser) -> None:
    """Many apps end all that they have granted for an identity at once, and with it the account that is in use."""
    await connect(world, browser, "alice")
    session_id = await sign_in(world, browser, "alice")
    await world.connect.cancel(world.application, "ann", session_id)
    await world.connect.abandoned.clear_up()

    assert (0, []) == (revoked(world.sandbox), kept(world))
    assert 1 == len(await world.accounts.of_user(world.application.id, "ann"))


async def test_a_redeemed_account_is_kept(world: World, browser: Browser) -> None:
    """Nothing of it is left in the session for anybody to revoke."""
    session = await world.connect.create(world.application, "ann", "sandbox", redirect_url=f"{HOST_ORIGIN}/back")
    await browser.open(session.url)
    await browser.submit()
    back = await browser.http.get(provider_answer(world.sandbox, browser.leads_to()))
    (code,) = parse_qs(urlsplit(back.headers["location"]).query)["code"]
    await world.connect.redeem(world.application, "ann", session.id, code)
    execute(world.database_folder, EXPIRED)
    await world.connect.abandoned.clear_up()

    assert (0, []) == (revoked(world.sandbox), kept(world))


async def test_signing_in_as_someone_else_instead_ends_the_first_grant(world: World, browser: Browser) -> None:
    """The user goes back before anything is redeemed, and signs in as another user: the first grant is of no use."""
    session_id = await sign_in(world, browser, "alice")
    await browser.open(f"/connect/{session_id}")
    await browser.submit()
    await browser.http.get(provider_answer(world.sandbox, browser.leads_to(), "bob"))
    first = revoked(world.sandbox)
    await world.connect.cancel(world.application, "ann", session_id)
    await world.connect.abandoned.clear_up()

    assert (1, 2) == (first, revoked(world.sandbox))


@pytest.mark.parametrize("mode", ["popup", "redirect"])
async def test_a_grant_of_the_wrong_identity_is_revoked(world: World, browser: Browser, mode: str) -> None:
    """Whoever was to reconnect as Alice and signs in as Bob is refused, and what Bob granted ends at once."""
    alice = await connect(world, browser, "alice")
    url = None if mode == "popup" else f"{HOST_ORIGIN}/back"
    session = await world.connect.create(
        world.application, "ann", "sandbox", redirect_url=url, connected_account_id=alice
    )
    page = await browser.sign_in(session.url, world.sandbox, "bob")

    assert "signed in as" in page.text
    assert 1 == revoked(world.sandbox)
    assert [(None,)] * 2 == rows(world.database_folder, "SELECT sealed_outcome FROM connect_sessions")


@pytest.mark.parametrize("end", ["cancelled", "killed, and expired before the next start"])
def test_a_running_service_revokes(tmp_path: Path, end: str) -> None:
    """By itself, within seconds of the end or of its own next start."""
    with installed(tmp_path, sqlite_url(tmp_path), HOST_ORIGIN) as installation:
        sandbox = installation.sandbox
        with installation.start() as running, running.api("ann") as api, http(running.url) as visitor:
            session = api.post("/apps/sandbox/connect_sessions", json={"redirect_url": f"{HOST_ORIGIN}/back"})
            page = visitor.get(session.json()["url"])
            answer = submit(visitor, page)
            back = visitor.get(provider_answer(sandbox, leads_to(answer.text)))
            assert back.headers["location"].startswith(HOST_ORIGIN)
            if end == "cancelled":
                assert 204 == api.delete(f"/connect_sessions/{session.json()['id']}").status_code
                running.program.wait_until(lambda: revoked(sandbox) or None)
            else:
                running.program.process.kill()
        if end != "cancelled":
            execute(tmp_path, EXPIRED)
            with installation.start() as running:
                running.program.wait_until(lambda: revoked(sandbox) or None)

        assert 1 == revoked(sandbox)
