"""Kinto accounts through the provider's own pages: connected, renewed, reconnected, disconnected."""

import contextlib
import time
from collections.abc import Iterator

import httpx
import pytest

from service_client import BadRequestError, CallRefusedError
from service_server.oauth.secrets_of_account import Secrets
from tests.real_apps.kinto_accounts import revoke, secrets_of
from tests.real_apps.kinto_world import ACCESS_TOKEN_SECONDS, KintoWorld, wait_for_expiry
from tests.real_apps.processes import OidcProvider
from tests.real_apps.sign_in import exchange

LIST_BUCKETS = "kinto-list-buckets"


def test_a_revoked_grant_asks_for_reconnecting(world: KintoWorld) -> None:
    """A grant ended at the provider refuses the call, marks the account, and reconnecting keeps the account's id."""
    account = world.connect("revoked", "rosa")
    (before,) = world.front.accounts("revoked")
    revoke(world.provider, secrets_of(world, account).refresh_token)
    wait_for_expiry()
    for _ in range(2):
        assert account == world.front.must_reconnect("revoked", LIST_BUCKETS)
    assert account == world.connect("revoked", "rosa", reconnect=account)
    (restored,) = world.front.accounts("revoked")
    with world.client("revoked") as client:
        assert "200" == client.functions.call(LIST_BUCKETS).network_code

    assert (account, "active", "Account rosa") == (restored.id, restored.state, restored.display_name)
    assert restored.modified_at > before.modified_at


def test_disconnecting_revokes_at_the_provider(world: KintoWorld) -> None:
    """Both tokens are dead at the provider afterwards, and the account is gone from the service."""
    account = world.connect("leaving", "lea")
    secrets = secrets_of(world, account)
    assert me(world.provider, secrets) == 200
    with world.client("leaving") as client:
        client.connected_accounts.disconnect("kinto", account)
        accounts = client.connected_accounts.list("kinto")
        with pytest.raises(CallRefusedError) as refused:
            client.functions.call(LIST_BUCKETS)
        with pytest.raises(BadRequestError) as again:
            client.connected_accounts.disconnect("kinto")
    renewed = exchange(world.provider, grant_type="refresh_token", refresh_token=secrets.refresh_token)

    assert () == accounts
    assert ["not_connected", "not_connected"] == [refused.value.code, again.value.code]
    assert (400, "invalid_grant") == (renewed.status_code, renewed.json()["error"])
    assert 401 == me(world.provider, secrets)


def me(provider: OidcProvider, secrets: Secrets) -> int:
    """How the provider answers to an access token."""
    bearer = {"authorization": f"Bearer {secrets.token['access_token']}"}
    return httpx.get(f"{provider.url}/me", headers=bearer, trust_env=False).status_code


# The service renews a tenth of a token's life before its end, so that one renewal serves at least this long.
SHORTEST_USE_SECONDS = ACCESS_TOKEN_SECONDS * 0.9


@contextlib.contextmanager
def renewed_once(world: KintoWorld) -> Iterator[None]:
    """Meanwhile tokens have to be renewed, no more often than once and once more for each that could end, and taken."""
    before, since = len(world.token_requests()), time.monotonic()
    yield
    seen = world.token_requests()[before:]
    assert 0 == seen.count(("grant.error", "refresh_token"))
    most = 1 + int((time.monotonic() - since) / SHORTEST_USE_SECONDS)
    assert 1 <= seen.count(("grant.success", "refresh_token")) <= most


@pytest.fixture(scope="module")
def account(world: KintoWorld) -> int:
    """The one account of user `busy`."""
    return world.connect("busy", "busy")


def test_calls_outlive_their_tokens(world: KintoWorld, account: int) -> None:
    """Expiry after expiry a call just works; each time one renewal, and a refresh token that was not there before."""
    seen = {secrets_of(world, account).refresh_token}
    with world.client("busy") as client:
        before = client.connected_accounts.list("kinto")
        for _ in range(2):
            wait_for_expiry()
            with renewed_once(world):
                assert "200" == client.functions.call(LIST_BUCKETS).network_code
            seen.add(secrets_of(world, account).refresh_token)
        assert before == client.connected_accounts.list("kinto")

    assert 3 == len(seen)
