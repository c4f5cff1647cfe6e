"""Tokens are renewed when they are due: once, by one, and without losing any."""

import asyncio
import json
import sys
from typing import Any

import pytest
from attrs import evolve
from sqlalchemy import update

from service_server.errors import ServiceError
from service_server.oauth import refresh as refresh_module
from service_server.oauth.token_answer import TokenAnswer
from service_server.store import Account
from service_server.store.tables import ACCOUNTS
from tests.real_apps.running import ROOT
from tests.service_server.connected_world import World, connected_world, sandbox_post
from tests.service_server.databases import execute, rows
from tests.service_server.oauth.due_accounts import connected_account, current, due, refreshes, secrets_of, with_secrets

pytestmark = pytest.mark.slow


async def refusal(work: object) -> ServiceError:
    """What the work is refused with."""
    with pytest.raises(ServiceError) as raised:
        await work  # type: ignore[misc]
    return raised.value


async def start_refreshing(world: World, account: Account, tasks: int) -> asyncio.subprocess.Process:
    """A process that uses the account from many tasks once it is sent a line."""
    command = [sys.executable, "-m", "tests.service_server.oauth.refreshing_process"]
    command += [str(world.database_folder), world.sandbox.url, str(account.id), str(tasks)]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"
    return process


async def test_fresh_tokens_are_used_as_they_are(world: World) -> None:
    """A token far from its end is not renewed."""
    account = await connected_account(world)
    opened = await world.credentials.usable(account)
    assert opened.account == account
    assert refreshes(world) == []


async def test_leeway(world: World) -> None:
    """A token in its last tenth (a minute at most) is renewed before it ends; one before that is not."""
    account = await connected_account(world)
    moment = secrets_of(world, account).obtained_at
    assert moment is not None
    early = await with_secrets(world, account, obtained_at=moment - 80, expires_at=moment + 20)
    assert (await world.credentials.usable(early)).account == early
    late = await with_secrets(world, early, obtained_at=moment - 95, expires_at=moment + 5)
    assert (await world.credentials.usable(late)).account.version == late.version + 1


async def test_many_tasks_one_refresh_per_expiry(world: World) -> None:
    """In each of 20 rounds 200 tasks find the token ended: each round makes one refresh, and everyone gets a token."""
    account = await connected_account(world)
    for round_number in range(1, 21):
        stale = await due(world, account)
        opened = await asyncio.gather(*(world.credentials.usable(stale) for _ in range(200)))
        assert len({one.context["token"]["access_token"] for one in opened}) == 1
        assert len(refreshes(world)) == round_number
        account = await current(world, stale)
    assert account.state == "active"


async def test_two_processes_one_refresh(world: World) -> None:
    """Two processes on one database, 50 tasks each, ask the provider once between them."""
    account = await due(world, await connected_account(world))
    processes = [await start_refreshing(world, account, 50) for _ in range(2)]
    results = await asyncio.gather(*(process.communicate(b"go\n") for process in processes))
    reports = [json.loads(output.splitlines()[-1]) for output, _ in results]
    assert [report["opened"] for report in reports] == [50, 50]
    assert len({token for report in reports for token in report["tokens"]}) == 1
    assert len(refreshes(world)) == 1


async def test_refresh_replaces_what_it_brings_and_keeps_the_rest(world: World) -> None:
    """The rotated refresh token is kept, `modified_at` stays, and the account works again afterwards."""
    account = await due(world, await connected_account(world))
    before = secrets_of(world, account)
    opened = await world.credentials.usable(account)
    after = secrets_of(world, await current(world, account))
    assert after.refresh_token not in (None, before.refresh_token)
    assert after.expires_at is not None
    assert after.expires_at > (before.expires_at or 0)
    assert (await current(world, account)).modified_at == account.modified_at
    assert opened.context["token"] == after.token


async def test_refresh_after_a_401(world: World) -> None:
    """A token that the app refuses before its time is renewed once for all who saw the refusal."""
    account = await connected_account(world)
    sandbox_post(world.sandbox, "/_expire", {})
    opened = await world.credentials.usable(account)
    renewed = await asyncio.gather(*(world.credentials.refresh_after_401(opened) for _ in range(20)))
    assert len(refreshes(world)) == 1
    assert {one.account.version for one in renewed if one is not None} == {account.version + 1}


async def test_a_key_can_not_be_refreshed(world: World) -> None:
    """After a 401 there is nothing to renew about an API key."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.type_key(session.url, world.sandbox.api_keys["alice"])
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    opened = await world.credentials.usable(account)
    assert opened.context["creds"] == {"api_key": world.sandbox.api_keys["alice"]}
    assert await world.credentials.refresh_after_401(opened) is None


async def test_refused_refresh_needs_a_reconnect(world: World) -> None:
    """`invalid_grant` marks the account with the reason, and no later call bothers the provider again."""
    account = await due(world, await connected_account(world))
    sandbox_post(world.sandbox, "/_revoke", {})
    for _ in range(2):
        error = await refusal(world.credentials.usable(await current(world, account)))
        assert (error.status, error.code, error.details[0].action) == (400, "reconnect_required", "reconnect")
    marked = await current(world, account)
    assert (marked.state, len(refreshes(world))) == ("reconnect_required", 1)
    assert marked.state_reason == "The app refused to renew its access (invalid_grant)."


async def test_a_refresher_killed_before_it_kept_the_answer(world: World) -> None:
    """The account that lost its rotated token with a process must be reconnected, and that is the reason it tells."""
    account = await due(world, await connected_account(world))
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": "slow", "seconds": 60})
    process = await start_refreshing(world, account, 1)
    assert process.stdin is not None
    process.stdin.write(b"go\n")
    async with asyncio.timeout(30):
        while not refreshes(world):  # noqa: ASYNC110  another process; it has rotated, and its answer is on its way
            await asyncio.sleep(0.02)
    process.kill()
    await process.communicate()
    async with world.database.write() as connection:
        await connection.execute(update(ACCOUNTS).values(lease_until=0.0))  # as time would have it

    error = await refusal(world.credentials.usable(account))
    marked = await current(world, account)
    assert "reconnect_required" == error.code
    assert "reconnect_required" == marked.state
    assert "cut off before the answer could be kept" in (marked.state_reason or "")
    assert marked.state_reason in str(error)


async def test_an_answer_lost_on_its_way(world: World) -> None:
    """After a connection that broke with the new token on it, the refusal of the old one is explained by that."""
    account = await due(world, await connected_account(world))
    for fault in ("reset_after_commit", "server_error"):
        sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": fault})
        assert "app_unreachable" == (await refusal(world.credentials.usable(account))).code
    assert "reconnect_required" == (await refusal(world.credentials.usable(account))).code
    assert "cut off" in ((await current(world, account)).state_reason or "")


async def test_a_refresher_given_up_for_dead_comes_too_late(world: World) -> None:
    """What it still brings neither revives the account nor replaces what a reconnect has brought."""
    account = await due(world, await connected_account(world))
    assert await world.accounts.require_reconnect(account, "The app refused to renew its access.")
    assert not await world.accounts.replace_credentials(account, "late", None, {})
    assert "reconnect_required" == (await current(world, account)).state


async def test_an_outage_disconnects_nobody(world: World) -> None:
    """Nor does an answer that names no OAuth error: the call is refused for now, and once it is over all works."""
    faults = [{"fault": fault} for fault in ("server_error", "connection_reset", "malformed_json", "rate_limited")]
    contents = ('{"message": "maintenance"}', "", "<h1>Back at noon</h1>")
    answers = [
        {"fault": "answer", "status": status, "content": content} for status in (400, 401, 403) for content in contents
    ]
    account = await connected_account(world)
    for fault in (*faults, *answers):
        account = await due(world, account)
        sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", **fault})
        error = await refusal(world.credentials.usable(account))
        assert (400, "app_unreachable", "wait") == (error.status, error.code, error.details[0].action), fault
        assert f"answered {fault.get('status', '')}" in str(error) or fault in faults, fault
        assert "active" == (await current(world, account)).state, fault
        renewed = (await world.credentials.usable(account)).account
        assert account.version + 1 == renewed.version, fault
        account = renewed


async def test_nothing_listens_at_the_token_endpoint(world: World) -> None:
    """An address where nobody is refuses the call for now."""
    account = await due(world, await connected_account(world))
    async with connected_world(None, world.database_folder, world.sandbox) as elsewhere:
        await elsewhere.configure("id", "secret", base_url="http://127.0.0.1:9")
        error = await refusal(elsewhere.credentials.usable(account))
    assert error.code == "app_unreachable"


async def test_our_own_wrong_registration_kills_no_account(world: World) -> None:
    """`invalid_client` is the operator's matter: once that is put right the account works without reconnecting."""
    account = await due(world, await connected_account(world))
    async with connected_world(None, world.database_folder, world.sandbox) as elsewhere:
        await elsewhere.configure(world.sandbox.client_id, "wrong", base_url=world.sandbox.url)
        assert (await refusal(elsewhere.credentials.usable(account))).code == "app_unreachable"
    await world.configure(world.sandbox.client_id, world.sandbox.client_secret, base_url=world.sandbox.url)
    assert (await world.credentials.usable(account)).account.version == account.version + 1


async def test_no_refresh_token(world: World) -> None:
    """Without a refresh token the access token is used to its end, and then the account must be reconnected."""
    account = await connected_account(world)
    token = {"access_token": secrets_of(world, account).token["access_token"]}
    near = await with_secrets(world, account, token=token, obtained_at=0.0)
    assert (await world.credentials.usable(near)).account == near
    ended = await due(world, near)
    assert (await refusal(world.credentials.usable(ended))).code == "reconnect_required"
    assert (await current(world, ended)).state == "reconnect_required"
    assert refreshes(world) == []


async def test_a_dead_refresher_is_replaced(world: World) -> None:
    """A lease whose holder died runs out, and the next caller renews the token."""
    account = await due(world, await connected_account(world))
    assert await world.accounts.take_lease(account, "a process that died", 0.3)
    opened = await world.credentials.usable(account)
    assert opened.account.version == account.version + 1
    assert len(refreshes(world)) == 1


async def test_a_caller_that_gives_up_loses_no_token(world: World) -> None:
    """Cancelling the call that started a refresh leaves the refresh to finish."""
    account = await due(world, await connected_account(world))
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": "slow", "seconds": 0.3})
    caller = asyncio.create_task(world.credentials.usable(account))
    async with asyncio.timeout(30):
        while not refreshes(world):  # noqa: ASYNC110  the app is another process
            await asyncio.sleep(0.02)
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    await world.credentials.drain()
    assert (await current(world, account)).version == account.version + 1


async def test_reconnected_while_refreshing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refresh that ends after the user has reconnected doesn't overwrite the newer credentials."""
    account = await due(world, await connected_account(world))
    ask = refresh_module.next_token

    async def reconnecting(*arguments: Any) -> TokenAnswer:
        reconnected.set()
        return await ask(*arguments)

    reconnected = asyncio.Event()
    monkeypatch.setattr(refresh_module, "next_token", reconnecting)
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": "slow", "seconds": 0.5})
    caller = asyncio.create_task(world.credentials.usable(account))
    await reconnected.wait()
    newer = await with_secrets(world, await current(world, account), creds={"newer": "yes"}, expires_at=None)
    assert (await caller).account == newer


async def test_disconnected_meanwhile(world: World) -> None:
    """A call for an account that is gone is refused, not answered with a defect."""
    account = await due(world, await connected_account(world))
    await world.accounts.disconnect(account)
    assert (await refusal(world.credentials.usable(account))).code == "account_not_found"


async def test_credentials_open_for_their_owner_only(world: World) -> None:
    """Sealed credentials moved to another user's account don't open there."""
    account = await connected_account(world)
    error = await refusal(world.credentials.usable(evolve(account, user_id="ben")))
    assert error.code == "reconnect_required"


async def test_errors_hold_no_secret(world: World, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither the refusal nor the log of a failed refresh holds a token or the client's secret."""
    account = await due(world, await connected_account(world))
    sandbox_post(world.sandbox, "/_revoke", {})
    error = await refusal(world.credentials.usable(account))
    token = secrets_of(world, account).token
    out, err = capfd.readouterr()
    told = f"{error} {error.details} {out} {err} {(await current(world, account)).state_reason}"
    assert "reconnect_required" in told
    for secret in (token["access_token"], token["refresh_token"], world.sandbox.client_secret):
        assert secret not in told


async def test_nothing_is_asked_for_that_could_not_be_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the vault's key file holds a foreign key no token is rotated: it could not be sealed."""
    account = await due(world, await connected_account(world))
    with monkeypatch.context() as patch:
        patch.setattr(type(world.vault), "can_seal", False)
        refused = await refusal(world.credentials.usable(account))

    assert "app_unreachable" == refused.code
    assert [] == refreshes(world)
    assert (await world.credentials.usable(await current(world, account))).account.version == account.version + 1
    assert 1 == len(refreshes(world))


async def test_the_application_is_told_of_the_first_failure(world: World) -> None:
    """With the reason; not of those that follow, and again once a renewal has succeeded in between."""
    folder = world.database_folder
    execute(
        folder,
        "INSERT INTO webhook_endpoints (id, application_id, url, event_types, sealed_secrets, state, created_at) "
        f"VALUES ('e', {world.application.id}, 'u', '[\"account.refresh_failed\"]', '[]', 'enabled', '2026')",
    )
    account = await due(world, await connected_account(world))
    for fault in ("malformed_json", "server_error"):
        sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": fault})
        await refusal(world.credentials.usable(account))
    told = [json.loads(body)["data"]["reason"] for (body,) in rows(folder, "SELECT body FROM webhook_deliveries")]
    account = (await world.credentials.usable(account)).account
    account = await due(world, account)
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": "server_error"})
    await refusal(world.credentials.usable(account))

    assert 1 == len(told)
    assert told[0].startswith("the token endpoint answered 200 with")
    assert 2 == len(rows(folder, "SELECT id FROM webhook_deliveries"))
