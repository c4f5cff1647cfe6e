"""
Access tokens of five seconds behind calls that never notice, renewed by a call of the homeserver's own, not OAuth's.

The homeserver takes a refresh token no longer once the tokens it was exchanged for have been used.
"""

import asyncio

import httpx
import pytest

from service_client import CallRefusedError
from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import wait_for_expiry
from tests.real_apps.matrix_world import MatrixWorld

pytestmark = pytest.mark.real_apps

WHO_AM_I = "matrix-who-am-i"
AT_ONCE = 50


@pytest.fixture(scope="module")
def world(matrix_service: MatrixWorld) -> MatrixWorld:
    """The one homeserver with its service."""
    return matrix_service


@pytest.fixture(scope="module")
def expired(world: MatrixWorld) -> dict[str, int]:
    """An account for each test, by login, whose access tokens have ended while nobody used them."""
    accounts = {login: world.connect(login, login) for login in ("bea", "emil", "cleo", "sid", "lou")}
    forget_expiry(world.front, accounts["emil"])
    refresh_token = secrets_of(world.front, accounts["sid"]).refresh_token
    stolen = world.synapse.renew(refresh_token).json()
    assert world.synapse.takes(stolen["access_token"])
    wait_for_expiry()
    return accounts


def test_calls_outlive_their_tokens(world: MatrixWorld, expired: dict[str, int]) -> None:
    """Expiry after expiry a call just works; each time one renewal, and a refresh token that was not there before."""
    account = expired["bea"]
    first = secrets_of(world.front, account)
    seen = {first.refresh_token}
    before = len(world.synapse.renewals())
    with world.front.client("bea") as client:
        for wait in (False, True):
            if wait:
                wait_for_expiry()
            assert "200" == client.functions.call(WHO_AM_I).network_code
            seen.add(secrets_of(world.front, account).refresh_token)

    assert ["200", "200"] == world.synapse.renewals()[before:]
    assert 3 == len(seen)
    assert not world.synapse.takes(first.token["access_token"])
    assert 1 == world.synapse.sessions("bea")


def test_a_soft_logout_leads_to_one_renewal(world: MatrixWorld, expired: dict[str, int]) -> None:
    """A token refused with 401 is renewed once and the request, even a mutation, sent once more and done once."""
    refused = ask_with(world, secrets_of(world.front, expired["emil"]).token["access_token"])
    before = len(world.synapse.renewals())
    with world.front.client("emil") as client:
        made = client.functions.call("matrix-create-room", {"name": "Only one"})
        rooms = list(client.functions.items("matrix-list-joined-rooms"))

    assert (401, "M_UNKNOWN_TOKEN", True) == (
        refused.status_code,
        refused.json()["errcode"],
        refused.json()["soft_logout"],
    )
    assert ("200", ["200"]) == (made.network_code, world.synapse.renewals()[before:])
    assert [{"room_id": made.output["room_id"]}] == rooms


def ask_with(world: MatrixWorld, token: str) -> httpx.Response:
    """Use an access token without the service."""
    with world.synapse.api(token) as api:
        return api.get("/_matrix/client/v3/joined_rooms")


@pytest.mark.usefixtures("expired")
async def test_many_calls_right_after_expiry(world: MatrixWorld) -> None:
    """All of them succeed on one renewal."""
    before = len(world.synapse.renewals())
    async with world.front.async_client("cleo") as client:
        results = await asyncio.gather(*(client.functions.call(WHO_AM_I) for _ in range(AT_ONCE)))

    assert {"200"} == {result.network_code for result in results}
    assert ["200"] == world.synapse.renewals()[before:]


def test_a_used_up_refresh_token_asks_for_reconnecting(world: MatrixWorld, expired: dict[str, int]) -> None:
    """A refresh token that somebody else used up is refused; the account says so, and signing in again restores it."""
    with world.front.client("sid") as client, pytest.raises(CallRefusedError) as refused:
        client.functions.call(WHO_AM_I)
    (marked,) = world.front.accounts("sid")

    assert ("reconnect_required", "reconnect") == (refused.value.code, refused.value.action)
    assert "reconnect_required" == marked.state
    assert expired["sid"] == world.connect("sid", "sid", reconnect=expired["sid"])
    assert ["active"] == [each.state for each in world.front.accounts("sid")]


def test_disconnecting_after_expiry_logs_out_too(world: MatrixWorld, expired: dict[str, int]) -> None:
    """A session whose access token ended long ago ends at the homeserver all the same; it can't be renewed."""
    refresh_token = secrets_of(world.front, expired["lou"]).refresh_token
    assert refresh_token is not None
    assert 1 == world.synapse.sessions("lou")
    with world.front.client("lou") as client:
        client.connected_accounts.disconnect("matrix", expired["lou"])

    assert 0 == world.synapse.sessions("lou")
    assert 401 == world.synapse.renew(refresh_token).status_code
