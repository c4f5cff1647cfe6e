"""Connecting, reconnecting and disconnecting Kinto accounts through the provider's own pages."""

import httpx
import pytest

from service_client import BadRequestError, CallRefusedError
from service_server.oauth.secrets_of_account import Secrets
from tests.real_apps.kinto_accounts import revoke, secrets_of
from tests.real_apps.kinto_world import KintoWorld, wait_for_expiry
from tests.real_apps.processes import OidcProvider
from tests.real_apps.sign_in import exchange

LIST_BUCKETS = "kinto-list-buckets"


def test_one_identity_is_one_account(world: KintoWorld) -> None:
    """The same person connected again stays one account, and the newer tokens are in use."""
    first = world.connect("once", "ida")
    replaced = secrets_of(world, first).refresh_token
    second = world.connect("once", "ida")
    with world.client("once") as client:
        accounts = client.connected_accounts.list("kinto")
        assert "200" == client.functions.call(LIST_BUCKETS).network_code

    assert first == second
    assert [first] == [account.id for account in accounts]
    assert replaced != secrets_of(world, second).refresh_token


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


def test_tokens_are_nowhere_in_plain_text(world: KintoWorld) -> None:
    """Neither what is kept on disk nor what is printed holds a token or the client's secret."""
    account = world.connect("discreet", "dora")
    secrets = secrets_of(world, account)
    with world.client("discreet") as client:
        client.functions.call(LIST_BUCKETS)
    hidden = [secrets.token["access_token"], str(secrets.refresh_token), world.provider.client_secret]

    assert world.front.where_found("Account dora")
    assert [] == world.front.where_found(*hidden)


def me(provider: OidcProvider, secrets: Secrets) -> int:
    """How the provider answers to an access token."""
    bearer = {"authorization": f"Bearer {secrets.token['access_token']}"}
    return httpx.get(f"{provider.url}/me", headers=bearer, trust_env=False).status_code
