"""The harness itself: the provider and Kinto behave as the connector's tests count on."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.real_apps.processes import Kinto, OidcProvider
from tests.real_apps.sign_in import allow, authorization_url, exchange, tokens_of

pytestmark = pytest.mark.real_apps

SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "title": "Name"},
        "stage": {"type": "string", "enum": ["lead", "won", "lost"]},
        "employees": {"type": "number"},
        "active": {"type": "boolean"},
    },
}


Api = Callable[[str], httpx.Client]


@pytest.fixture
def api(kinto_app: Kinto) -> Iterator[Api]:
    """Makes clients of Kinto's API out of access tokens."""
    with contextlib.ExitStack() as clients:

        def make(token: str) -> httpx.Client:
            headers = {"authorization": f"Bearer {token}"}
            return clients.enter_context(httpx.Client(base_url=kinto_app.url, headers=headers, trust_env=False))

        yield make


def renew(provider: OidcProvider, tokens: dict[str, Any]) -> httpx.Response:
    """Exchange the refresh token."""
    return exchange(provider, grant_type="refresh_token", refresh_token=tokens["refresh_token"])


def wait_for_expiry(client: httpx.Client) -> None:
    """Ask until the token is refused; two seconds apart, since Kinto trusts a token for one second after each use."""
    for _ in range(15):
        time.sleep(2)
        if client.get("/buckets").status_code == 401:
            return
    pytest.fail("the access token never expired")


def test_login_and_consent_give_tokens(provider: OidcProvider) -> None:
    """The provider's pages lead back with code, state and iss, and the code to short-lived tokens of that login."""
    tokens = tokens_of(provider, "alice")
    bearer = {"authorization": f"Bearer {tokens['access_token']}"}
    me = httpx.get(f"{provider.url}/me", headers=bearer, trust_env=False).json()

    assert (5, "Bearer") == (tokens["expires_in"], tokens["token_type"])
    assert ("alice", "Account alice") == (me["sub"], me["name"])
    callback = allow(provider, "bob", authorization_url(provider, state="x y"))
    assert ("x y", provider.url) == (callback["state"], callback["iss"])


def test_pkce_is_required(provider: OidcProvider) -> None:
    """Without a code challenge the provider refuses."""
    url = authorization_url(provider).split("&code_challenge=")[0]
    response = httpx.get(url, trust_env=False)

    assert "error=invalid_request" in response.headers["location"]


def test_reused_refresh_token_ends_the_grant(provider: OidcProvider) -> None:
    """A rotated refresh token that comes again is refused and takes its successor with it."""
    tokens = tokens_of(provider, "alice")
    renewed = renew(provider, tokens)

    assert 200 == renewed.status_code
    assert "invalid_grant" == renew(provider, tokens).json()["error"]
    assert "invalid_grant" == renew(provider, renewed.json()).json()["error"]


def test_revoked_token_is_dead(provider: OidcProvider) -> None:
    """Revocation of the refresh token is accepted and final."""
    tokens = tokens_of(provider, "alice")
    revoked = httpx.post(
        f"{provider.url}/token/revocation",
        data={"token": tokens["refresh_token"]},
        auth=(provider.client_id, provider.client_secret),
        trust_env=False,
    )

    assert 200 == revoked.status_code
    assert "invalid_grant" == renew(provider, tokens).json()["error"]


def test_kinto_keeps_records_and_checks_them(provider: OidcProvider, api: Api) -> None:
    """Records follow the collection's schema and are listed page by page through Next-Page."""
    client = api(tokens_of(provider, "keeper")["access_token"])
    assert 201 == client.put("/buckets/crm").status_code
    assert 201 == client.put("/buckets/crm/collections/companies", json={"data": {"schema": SCHEMA}}).status_code
    assert SCHEMA == client.get("/buckets/crm/collections/companies").json()["data"]["schema"]

    records = "/buckets/crm/collections/companies/records"
    for number in range(3):
        created = client.post(records, json={"data": {"name": f"Company {number}", "stage": "lead"}})
        assert 201 == created.status_code
    refused = client.post(records, json={"data": {"stage": "maybe"}})
    assert (400, 107) == (refused.status_code, refused.json()["errno"])

    first = client.get(records)
    second = client.get(first.headers["next-page"])
    assert [2, 1] == [len(page.json()["data"]) for page in (first, second)]
    assert "next-page" not in second.headers


def test_kinto_refuses_an_expired_token(provider: OidcProvider, api: Api) -> None:
    """After the access token's five seconds Kinto answers 401, and 200 again with a refreshed one."""
    tokens = tokens_of(provider, "alice")
    client = api(tokens["access_token"])
    assert 200 == client.get("/buckets").status_code

    wait_for_expiry(client)
    renewed = renew(provider, tokens).json()
    assert 200 == api(renewed["access_token"]).get("/buckets").status_code


def test_kinto_keeps_users_apart(provider: OidcProvider, api: Api) -> None:
    """One user's bucket is out of another's reach."""
    owner = api(tokens_of(provider, "owner")["access_token"])
    stranger = api(tokens_of(provider, "stranger")["access_token"])

    assert 201 == owner.put("/buckets/private").status_code
    assert 403 == stranger.get("/buckets/private").status_code
    assert [] == stranger.get("/buckets").json()["data"]
