"""Disconnecting in the very moment in which tokens are renewed leaves no living grant behind."""

from typing import Any

import pytest

from service_server.errors import ServiceError
from service_server.oauth import refresh as refresh_module
from service_server.store import Account
from tests.service_server.connected_world import World, requests_seen
from tests.service_server.oauth.due_accounts import connected_account, due

pytestmark = pytest.mark.slow


def _revocations(world: World) -> list[int]:
    """What the provider answered to each revocation."""
    return [request["status"] for request in requests_seen(world.sandbox, "/oauth/revoke")]


async def test_a_refresh_while_the_old_tokens_are_revoked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that arrive between revoking and erasing are revoked as well before the account is erased."""
    account = await due(world, await connected_account(world))
    revoke = world.credentials.revoke
    renewed = []

    async def renew_and_revoke(what: Account) -> None:
        if not renewed:
            renewed.append(await world.credentials.usable(account))
        await revoke(what)

    monkeypatch.setattr(world.credentials, "revoke", renew_and_revoke)
    await world.connect.disconnect(world.application, "ann", "sandbox", account.id)

    assert renewed[0].account.version > account.version
    assert await world.accounts.get(account.id) is None
    assert [200, 200] == _revocations(world)


async def test_disconnecting_while_the_provider_is_asked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that arrive for an account that is gone are revoked, and the call is refused."""
    account = await due(world, await connected_account(world))
    ask = refresh_module.next_token

    async def ask_and_lose(*arguments: Any) -> Any:
        tokens = await ask(*arguments)
        await world.connect.disconnect(world.application, "ann", "sandbox", account.id)
        return tokens

    monkeypatch.setattr(refresh_module, "next_token", ask_and_lose)
    with pytest.raises(ServiceError, match="has been disconnected"):
        await world.credentials.usable(account)

    assert await world.accounts.get(account.id) is None
    assert [200, 200] == _revocations(world)
