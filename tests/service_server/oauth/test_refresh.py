"""Tokens are renewed when they are due: once, by one, and without losing any."""

import asyncio
import json
from typing import Any
from unittest.mock import AsyncMock

import pytest
from attrs import evolve

from service_server.errors import ServiceError
from service_server.oauth import late_tokens
from service_server.oauth import refresh as refresh_module
from service_server.oauth.token_answer import TokenAnswer
from service_server.store import Account, DatabaseAway
from tests.service_server.connected_world import World, connected_world
from tests.service_server.databases import execute, rows
from tests.service_server.oauth.due_accounts import (
    connected_account,
    current,
    due,
    fail_once,
    refreshes,
    refused,
    renewed,
    secrets_of,
    with_secrets,
)
from tests.service_server.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture
async def account(world: World) -> Account:
    """An account whose token is due."""
    return await due(world, await connected_account(world))


async def asked(world: World) -> None:
    """Wait until the provider has been asked for a new token."""
    await until(lambda: refreshes(world.sandbox))


async def test_leeway(world: World) -> None:
    """A token in its last tenth (a minute at most) is renewed before it ends; one before that is used as it is."""
    account = await connected_account(world)
    moment = secrets_of(world, account).obtained_at
    assert moment is not None
    early = await with_secrets(world, account, obtained_at=moment - 80, expires_at=moment + 20)
    assert early == (await world.credentials.usable(early)).account
    await renewed(world, await with_secrets(world, early, obtained_at=moment - 95, expires_at=moment + 5))


async def test_many_tasks_one_refresh_per_expiry(world: World, account: Account) -> None:
    """In each of 5 rounds 200 tasks find the token ended: each round makes one refresh, and everyone gets a token."""
    for round_number in range(1, 6):
        stale = await due(world, account)
        opened = await asyncio.gather(*(world.credentials.usable(stale) for _ in range(200)))
        assert 1 == len({one.context["token"]["access_token"] for one in opened})
        assert round_number == len(refreshes(world.sandbox))
        account = await current(world, stale)
    assert "active" == account.state


async def test_two_processes_one_refresh(world: World, account: Account) -> None:
    """Two processes on one database, 50 tasks each, ask the provider once between them."""
    async with connected_world(None, world.database_folder, world.sandbox) as elsewhere:
        uses = [each.credentials.usable(account) for each in (world, elsewhere) for _ in range(50)]
        opened = await asyncio.gather(*uses)
    assert 1 == len({one.context["token"]["access_token"] for one in opened})
    assert 1 == len(refreshes(world.sandbox))


async def test_refresh_replaces_what_it_brings_and_keeps_the_rest(world: World, account: Account) -> None:
    """The rotated refresh token is kept, `modified_at` stays, and the account works again afterwards."""
    before = secrets_of(world, account)
    opened = await world.credentials.usable(account)
    after = secrets_of(world, await current(world, account))
    assert after.refresh_token not in (None, before.refresh_token)
    assert (after.expires_at or 0) > (before.expires_at or 0)
    assert account.modified_at == (await current(world, account)).modified_at
    assert after.token == opened.context["token"]
    assert not any(str(token) in f"{opened!r} {account!r}" for token in after.token.values() if len(str(token)) > 30)


async def test_refresh_after_a_401(world: World) -> None:
    """A token that the app refuses before its time is renewed once for all who saw the refusal."""
    account = await connected_account(world)
    world.sandbox.expire_tokens()
    opened = await world.credentials.usable(account)
    after = await asyncio.gather(*(world.credentials.refresh_after_401(opened) for _ in range(20)))
    assert 1 == len(refreshes(world.sandbox))
    assert {account.version + 1} == {one.account.version for one in after if one is not None}


async def test_a_key_can_not_be_refreshed(world: World) -> None:
    """After a 401 there is nothing to renew about an API key."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.type_key(session.url, world.sandbox.api_keys["alice"])
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    opened = await world.credentials.usable(account)
    assert {"api_key": world.sandbox.api_keys["alice"]} == opened.context["creds"]
    assert await world.credentials.refresh_after_401(opened) is None


async def test_refused_refresh_needs_a_reconnect(
    world: World, account: Account, capfd: pytest.CaptureFixture[str]
) -> None:
    """`invalid_grant` marks the account with the reason, without secrets, and no later call bothers the provider."""
    token = secrets_of(world, account).token
    world.sandbox.control("/_revoke", {})
    for _ in range(2):
        error = await refused(world, await current(world, account))
        assert (400, "reconnect_required", "reconnect") == (error.status, error.code, error.details[0].action)
    marked = await current(world, account)
    assert ("reconnect_required", 1) == (marked.state, len(refreshes(world.sandbox)))
    assert "The app refused to renew its access (invalid_grant)." == marked.state_reason
    told = "".join([str(error), str(error.details), *capfd.readouterr()])
    for secret in (token["access_token"], token["refresh_token"], world.sandbox.client_secret):
        assert secret not in told


async def test_a_refresher_that_died_before_it_kept_the_answer(
    world: World, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account has to be reconnected, and tells why; what was only given up for dead changes nothing any more."""
    ask, has_rotated, revives = refresh_module.next_token, asyncio.Event(), asyncio.Event()

    async def ask_and_die(*arguments: Any) -> TokenAnswer:
        tokens = await ask(*arguments)
        has_rotated.set()
        await revives.wait()
        return tokens

    async with connected_world(None, world.database_folder, world.sandbox) as elsewhere:
        with monkeypatch.context() as patch:
            patch.setattr(refresh_module, "next_token", ask_and_die)
            dead = asyncio.create_task(elsewhere.credentials.usable(account))
            await has_rotated.wait()
        execute(world.database_folder, "UPDATE accounts SET lease_until = 0")  # as time would have it
        error, marked = await refused(world, account), await current(world, account)
        assert ("reconnect_required", "reconnect_required") == (error.code, marked.state)
        assert "cut off before the answer could be kept" in (marked.state_reason or "")
        assert marked.state_reason in str(error)
        revives.set()
        await asyncio.gather(dead, return_exceptions=True)
    assert marked == await current(world, account)


async def test_an_answer_lost_on_its_way(world: World, account: Account) -> None:
    """After a connection that broke with the new token on it, the refusal of the old one is explained by that."""
    for fault in ("reset_after_commit", "server_error"):
        fail_once(world, fault)
        assert "app_unreachable" == (await refused(world, account)).code
    assert "reconnect_required" == (await refused(world, account)).code
    assert "cut off" in ((await current(world, account)).state_reason or "")


class Away:
    """Stands before a method of the accounts: the database is away for so many calls, before or after they do it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, world: World, name: str, times: int, *, after: bool) -> None:
        self._method, self._after, self.times = getattr(world.accounts, name), after, times
        monkeypatch.setattr(world.accounts, name, self)

    async def __call__(self, *arguments: Any) -> Any:
        """Fail, or do it."""
        if self.times:
            self.times -= 1
            if self._after:
                await self._method(*arguments)
            raise DatabaseAway("away")
        return await self._method(*arguments)


@pytest.mark.parametrize("after", [False, True])
async def test_tokens_that_came_while_the_database_was_away(
    world: World, account: Account, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    """They are kept once it is back, since the app takes the old ones no more; until then nobody asks with those."""
    away = Away(monkeypatch, world, "replace_credentials", 1_000, after=after)
    for _ in range(2):
        with pytest.raises(DatabaseAway):
            await world.credentials.usable(account)
    away.times = 0
    await world.credentials.drain()
    kept = await current(world, account)
    opened = await world.credentials.usable(account)

    assert (account.version + 1, "active") == (kept.version, kept.state)
    assert kept == evolve(opened.account, refreshed_at=kept.refreshed_at)
    assert 1 == len(refreshes(world.sandbox))
    world.sandbox.expire_tokens()
    assert await world.credentials.refresh_after_401(opened) is not None


@pytest.mark.parametrize("failure", [DatabaseAway("away"), RuntimeError("a defect")])
async def test_tokens_that_can_not_be_kept_at_all(
    world: World, account: Account, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """It isn't tried for ever; the lease that nobody gave back explains why the app takes the old ones no more."""
    monkeypatch.setattr(late_tokens, "KEEPING_SECONDS", 0.2)
    Away(monkeypatch, world, "replace_credentials", 1, after=False)
    with pytest.raises(DatabaseAway):
        await world.credentials.usable(account)
    with monkeypatch.context() as patch:
        patch.setattr(world.accounts, "replace_credentials", AsyncMock(side_effect=failure))
        await world.credentials.drain()
    execute(world.database_folder, "UPDATE accounts SET lease_until = 0")  # as time would have it

    assert "reconnect_required" == (await refused(world, account)).code
    assert "cut off" in ((await current(world, account)).state_reason or "")


@pytest.mark.parametrize(
    "fault",
    [
        {"fault": "server_error"},
        {"fault": "connection_reset"},
        {"fault": "answer", "status": 400, "content": '{"message": "maintenance"}'},
        {"fault": "answer", "status": 403, "content": "<h1>Back at noon</h1>"},
    ],
)
async def test_an_outage_disconnects_nobody(world: World, account: Account, fault: dict[str, Any]) -> None:
    """Nor does an answer that names no OAuth error: the call is refused for now, and once it is over all works."""
    fail_once(world, **fault)
    error = await refused(world, account)
    assert (400, "app_unreachable", "wait") == (error.status, error.code, error.details[0].action)
    assert f"answered {fault.get('status', '')}" in str(error) or "status" not in fault
    assert "active" == (await current(world, account)).state
    await renewed(world, account)


@pytest.mark.parametrize("wrong", ["secret", "address"])
async def test_our_own_wrong_registration_kills_no_account(world: World, account: Account, wrong: str) -> None:
    """`invalid_client`, or nobody there, is the operator's matter: once it is put right the account works again."""
    client, secret, url = world.sandbox.client_id, world.sandbox.client_secret, world.sandbox.url
    async with connected_world(None, world.database_folder, world.sandbox) as elsewhere:
        if wrong == "secret":
            await elsewhere.configure(client, "wrong", base_url=url)
        else:
            await elsewhere.configure(client, secret, base_url="http://127.0.0.1:9")
        assert "app_unreachable" == (await refused(elsewhere, account)).code
    await world.configure(client, secret, base_url=url)
    await renewed(world, account)


async def test_no_refresh_token(world: World, account: Account) -> None:
    """Without a refresh token the access token is used to its end, and then the account must be reconnected."""
    token = {"access_token": secrets_of(world, account).token["access_token"]}
    near = await with_secrets(world, account, token=token, obtained_at=0.0, expires_at=4e9)
    assert near == (await world.credentials.usable(near)).account
    ended = await due(world, near)
    assert "reconnect_required" == (await refused(world, ended)).code
    assert "reconnect_required" == (await current(world, ended)).state
    assert [] == refreshes(world.sandbox)


async def test_a_dead_refresher_is_replaced(world: World, account: Account) -> None:
    """A lease whose holder died runs out, and the next caller renews the token."""
    assert await world.accounts.take_lease(account, "a process that died", 0.3)
    await renewed(world, account)
    assert 1 == len(refreshes(world.sandbox))


async def test_a_caller_that_gives_up_loses_no_token(world: World, account: Account) -> None:
    """Cancelling the call that started a refresh leaves the refresh to finish."""
    fail_once(world, "slow", seconds=0.3)
    caller = asyncio.create_task(world.credentials.usable(account))
    await asked(world)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    await world.credentials.drain()
    assert account.version + 1 == (await current(world, account)).version


async def test_reconnected_while_refreshing(world: World, account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refresh that ends after the user has reconnected doesn't overwrite the newer credentials."""
    ask, newer = refresh_module.next_token, []

    async def reconnecting(*arguments: Any) -> TokenAnswer:
        tokens = await ask(*arguments)
        newer.append(await with_secrets(world, await current(world, account), creds={"a": "b"}, expires_at=None))
        return tokens

    monkeypatch.setattr(refresh_module, "next_token", reconnecting)
    assert newer == [(await world.credentials.usable(account)).account]


async def test_disconnected_before(world: World, account: Account) -> None:
    """A call for an account that is gone is refused, not answered with a defect."""
    await world.accounts.disconnect(account)
    assert "account_not_found" == (await refused(world, account)).code


@pytest.mark.parametrize("moment", ["while the provider is asked", "while the old tokens are revoked"])
async def test_disconnected_meanwhile(
    world: World, account: Account, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Disconnecting in the very moment in which tokens are renewed leaves no living grant behind."""
    ask, revoke, outcomes = refresh_module.next_token, world.credentials.revoke, []

    async def ask_and_lose(*arguments: Any) -> Any:
        tokens = await ask(*arguments)
        await world.connect.disconnect(world.application, "ann", "sandbox", account.id)
        return tokens

    async def renew_and_revoke(what: Account) -> None:
        if not outcomes:
            outcomes.append(await renewed(world, account))
        await revoke(what)

    if moment == "while the provider is asked":
        monkeypatch.setattr(refresh_module, "next_token", ask_and_lose)
        with pytest.raises(ServiceError, match="has been disconnected"):
            await world.credentials.usable(account)
    else:
        monkeypatch.setattr(world.credentials, "revoke", renew_and_revoke)
        await world.connect.disconnect(world.application, "ann", "sandbox", account.id)
    assert await world.accounts.get(account.id) is None
    assert [200, 200] == [request["status"] for request in world.sandbox.received("/oauth/revoke")]


async def test_credentials_open_for_their_owner_only(world: World, account: Account) -> None:
    """Sealed credentials moved to another user's account don't open there."""
    assert "reconnect_required" == (await refused(world, evolve(account, user_id="ben"))).code


async def test_nothing_is_asked_for_that_could_not_be_kept(
    world: World, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the vault's key file holds a foreign key no token is rotated: it could not be sealed."""
    with monkeypatch.context() as patch:
        patch.setattr(type(world.vault), "can_seal", False)
        assert "app_unreachable" == (await refused(world, account)).code
    assert [] == refreshes(world.sandbox)
    await renewed(world, account)


async def test_the_application_is_told_of_a_failure(world: World, account: Account) -> None:
    """With the reason."""
    execute(
        world.database_folder,
        "INSERT INTO webhook_endpoints (id, application_id, url, event_types, sealed_secrets, state, created_at) "
        f"VALUES ('e', {world.application.id}, 'u', '[\"account.refresh_failed\"]', '[]', 'enabled', '2026')",
    )
    fail_once(world, "malformed_json")
    await refused(world, account)

    ((told,),) = rows(world.database_folder, "SELECT body FROM webhook_deliveries")
    assert json.loads(told)["data"]["reason"].startswith("the token endpoint answered 200 with")
