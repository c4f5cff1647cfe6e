"""A Kinto account behind an OpenID provider that ends the whole grant when a refresh token comes twice."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from attrs import evolve

from service_server.oauth.app_settings import seal_client_secret
from service_server.store import Account
from service_server.store.clock import now
from service_server.store.migrations import upgrade
from tests.examples.processes import SandboxApp
from tests.real_apps.processes import Kinto, OidcProvider
from tests.real_apps.sign_in import allow, exchange
from tests.service_server.connected_world import World, connected_world
from tests.service_server.oauth.due_accounts import current, due, secrets_of

pytestmark = pytest.mark.real_apps

ROUNDS = 20
CALLS_A_ROUND = 200


@pytest.fixture
async def world(tmp_path: Path, provider: OidcProvider, kinto_app: Kinto) -> AsyncIterator[World]:
    """A service set up for this Kinto; its callback is the one the provider knows."""
    await asyncio.to_thread(upgrade, f"sqlite+aiosqlite:///{tmp_path / 'service.db'}")
    callback = urlsplit(provider.redirect_uri)
    hosts = (urlsplit(provider.url).netloc, urlsplit(kinto_app.url).netloc)
    no_sandbox = SandboxApp("http://127.0.0.1:9", "none", "none", {}, provider.program)
    async with connected_world(
        None, tmp_path, no_sandbox, public_url=f"{callback.scheme}://{callback.netloc}", allow_hosts=hosts
    ) as world:
        await world.configurations.change(
            "kinto",
            lambda current: evolve(
                current,
                client_id=provider.client_id,
                sealed_client_secret=seal_client_secret(world.vault, "kinto", provider.client_secret),
                variables={"server_url": kinto_app.url.removesuffix("/v1"), "issuer": provider.url},
            ),
        )
        yield world


@pytest.fixture
async def account(world: World, provider: OidcProvider) -> Account:
    """Ann's account, connected through the provider's own pages."""
    session = await world.connect.create(world.application, "ann", "kinto")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        answer = await asyncio.to_thread(allow, provider, "ann-at-work", browser.leads_to())
        page = await browser.open(f"{provider.redirect_uri}?{urlencode(answer)}")
    assert "Kinto is connected" in page.text
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    return account


async def bucket_status(world: World, account: Account) -> int:
    """What Kinto answers to a call with the account's credentials."""
    opened = await world.credentials.usable(account)
    function = world.catalog.function("kinto-list-buckets")
    assert function is not None
    context = {**opened.context, "args": {}}
    request = function.request.build(opened.connector.base_url(context), context)
    response = await world.sender.fetch(
        opened.auth.inject.apply(request, context), opened.connector.host_rules(context)
    )
    return response.status


async def test_account_is_named_after_its_identity(account: Account) -> None:
    """The account carries the identity that Kinto gives it."""
    assert account.external_id is not None
    assert "ann-at-work" in account.display_name
    assert account.expires_at is not None


async def test_calls_go_on_after_expiry(world: World, account: Account) -> None:
    """Once its five-second token has ended, a call works all the same, with a token that was renewed."""
    assert await bucket_status(world, account) == 200
    before = await bucket_status(world, account)
    assert account.expires_at is not None
    await asyncio.sleep(max(0.0, account.expires_at - now()) + 1.5)
    stale = secrets_of(world, account).token["access_token"]
    assert await bucket_status(world, await current(world, account)) == before
    assert secrets_of(world, await current(world, account)).token["access_token"] != stale


async def test_one_refresh_for_all_calls(world: World, account: Account) -> None:
    """20 expiries with 200 calls each make 20 refreshes; a single one too many would have ended the grant."""
    first_version = account.version
    renewals = 0
    for _ in range(ROUNDS):
        stale = await due(world, await current(world, account))
        opened = await asyncio.gather(*(world.credentials.usable(stale) for _ in range(CALLS_A_ROUND)))
        assert {one.account.version for one in opened} == {stale.version + 1}
        renewals += 1
    kept = await current(world, account)
    assert kept.version == first_version + 2 * renewals  # each round: one change by `due`, one refresh
    assert kept.state == "active"
    assert await bucket_status(world, kept) == 200


async def test_disconnecting_ends_the_grant(world: World, account: Account, provider: OidcProvider) -> None:
    """After disconnecting the provider takes the refresh token no longer."""
    refresh_token = secrets_of(world, account).refresh_token
    assert refresh_token is not None
    await world.connect.disconnect(world.application, "ann", "kinto", account.id)
    answer = await asyncio.to_thread(
        lambda: exchange(provider, grant_type="refresh_token", refresh_token=refresh_token)
    )
    assert answer.json()["error"] == "invalid_grant"
