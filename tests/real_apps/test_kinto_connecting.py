"""Connecting, reconnecting and disconnecting Kinto accounts through the provider's own pages."""

import httpx
import pytest

from service_client import BadRequestError, CallRefusedError
from service_server.oauth.secrets_of_account import Secrets
from tests.real_apps.kinto_accounts import revoke, secrets_of
from tests.real_apps.kinto_world import KintoWorld, wait_for_expiry
from tests.real_apps.processes import OidcProvider
from tests.real_apps.sign_in import exchange

pytestmark = pytest.mark.real_apps

LIST_BUCKETS = "kinto-list-buckets"


def test_accounts_are_told_apart_by_name(world: KintoWorld) -> None:
    """Two people's accounts of one user show the names their provider gives, newest first, and work apart."""
    first, second = world.connect("two", "ada"), world.connect("two", "grace")
    with world.client("two") as client:
        accounts = client.connected_accounts.list("kinto")
        with pytest.raises(CallRefusedError) as unchosen:
            client.functions.call(LIST_BUCKETS)
        for account, login in ((first, "ada"), (second, "grace")):
            me = client.functions.passthrough("kinto", "GET", "/", connected_account_id=account)
            assert f"oidc:{login}" == me.output["user"]["id"]

    assert [(second, "Account grace"), (first, "Account ada")] == [(each.id, each.display_name) for each in accounts]
    assert ("account_required", "pick_account") == (unchosen.value.code, unchosen.value.action)


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


def test_the_same_person_of_another_user_is_another_account(world: KintoWorld) -> None:
    """Users share no accounts, even where they sign in as the same person."""
    accounts = {world.connect(user, "shared") for user in ("left", "right")}
    assert 2 == len(accounts)


def test_a_revoked_grant_asks_for_reconnecting(world: KintoWorld) -> None:
    """A grant ended at the provider refuses the call, marks the account, and reconnecting keeps the account's id."""
    account = world.connect("revoked", "rosa")
    revoke(world.provider, secrets_of(world, account).refresh_token)
    wait_for_expiry()
    with world.client("revoked") as client:
        for _ in range(2):
            with pytest.raises(CallRefusedError) as refused:
                client.functions.call(LIST_BUCKETS)
            assert ("reconnect_required", "reconnect") == (refused.value.code, refused.value.action)
        (marked,) = client.connected_accounts.list("kinto")

        assert account == world.connect("revoked", "rosa", reconnect=account)
        (restored,) = client.connected_accounts.list("kinto")
        assert "200" == client.functions.call(LIST_BUCKETS).network_code

    assert (account, "reconnect_required") == (marked.id, marked.state)
    assert (account, "active") == (restored.id, restored.state)
    assert restored.modified_at > marked.modified_at


def test_reconnecting_takes_no_other_person(world: KintoWorld) -> None:
    """Who signs in as somebody else while reconnecting an account changes nothing."""
    account = world.connect("mistaken", "mona")
    with world.client("mistaken") as client:
        session = client.connect_sessions.create("kinto", connected_account_id=account)
        world.sign_in(session, "lisa")
        state = client.connect_sessions.get(session.id)
        (kept,) = client.connected_accounts.list("kinto")

    assert "connected" != state.status
    assert (account, "Account mona") == (kept.id, kept.display_name)


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
