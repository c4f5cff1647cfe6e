"""Accounts whose access token is due, as time would make them."""

from typing import Any

import pytest
from attrs import evolve

from service_server.errors import ServiceError
from service_server.oauth.secrets_of_account import Secrets, open_secrets, seal_secrets
from service_server.store import Account
from service_server.store.clock import now
from tests.examples.processes import SandboxApp
from tests.service_server.connected_world import World


async def connected_account(world: World) -> Account:
    """Alice's account, connected through the provider's pages."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.sign_in(session.url, world.sandbox)
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    return account


async def with_secrets(world: World, account: Account, **changes: Any) -> Account:
    """The account with changed secrets, kept as a refresh would keep them."""
    owner = (account.application_id, account.user_id, account.app_name)
    secrets = evolve(open_secrets(world.vault, account.sealed_credentials, *owner), **changes)
    sealed = seal_secrets(world.vault, secrets, *owner)
    assert await world.accounts.replace_credentials(account, sealed, secrets.expires_at, account.variables)
    return await current(world, account)


async def due(world: World, account: Account) -> Account:
    """The account with an access token that ended a second ago."""
    return await with_secrets(world, account, obtained_at=now() - 301, expires_at=now() - 1)


async def current(world: World, account: Account) -> Account:
    """The account as it is kept now."""
    found = await world.accounts.get(account.id)
    assert found is not None
    return found


def secrets_of(world: World, account: Account) -> Secrets:
    """The secrets of an account."""
    return open_secrets(
        world.vault, account.sealed_credentials, account.application_id, account.user_id, account.app_name
    )


def refreshes(sandbox: SandboxApp) -> list[dict[str, Any]]:
    """The refresh requests that the provider got."""
    return [
        request
        for request in sandbox.received("/oauth/token")
        if request["body"] and request["body"].get("grant_type") == "refresh_token"
    ]


def fail_once(world: World, fault: str, **more: Any) -> None:
    """Have the provider's token endpoint do something else than answer, the next time."""
    world.sandbox.fault("/oauth/token", fault, **more)


async def refused(world: World, account: Account) -> ServiceError:
    """What using the account is refused with."""
    with pytest.raises(ServiceError) as raised:
        await world.credentials.usable(account)
    return raised.value


async def renewed(world: World, account: Account) -> Account:
    """The account, once using it has renewed its token."""
    opened = await world.credentials.usable(account)
    assert account.version + 1 == opened.account.version
    return opened.account
