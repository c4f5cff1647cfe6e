"""
Access tokens of five seconds behind calls that never notice, renewed by a call of the homeserver's own, not OAuth's.

The homeserver takes a refresh token no longer once the tokens it was exchanged for have been used.
"""

import httpx
import pytest

from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import wait_for_expiry
from tests.real_apps.matrix_world import MatrixWorld

WHO_AM_I = "matrix-who-am-i"


@pytest.fixture(scope="module")
def expired(at_matrix: MatrixWorld) -> dict[str, int]:
    """An account for each test, by login, whose access tokens have ended while nobody used them."""
    accounts = {login: at_matrix.connect(login, login) for login in ("bea", "emil", "sid", "lou")}
    forget_expiry(at_matrix.front, accounts["emil"])
    refresh_token = secrets_of(at_matrix.front, accounts["sid"]).refresh_token
    stolen = at_matrix.synapse.renew(refresh_token).json()
    assert at_matrix.synapse.takes(stolen["access_token"])
    wait_for_expiry()
    return accounts


def test_calls_outlive_their_tokens(at_matrix: MatrixWorld, expired: dict[str, int]) -> None:
    """Expiry after expiry a call just works; each time one renewal, and a refresh token that was not there before."""
    account = expired["bea"]
    first = secrets_of(at_matrix.front, account)
    seen = {first.refresh_token}
    before = len(at_matrix.synapse.renewals())
    with at_matrix.front.client("bea") as client:
        for wait in (False, True):
            if wait:
                wait_for_expiry()
            assert "200" == client.functions.call(WHO_AM_I).network_code
            seen.add(secrets_of(at_matrix.front, account).refresh_token)

    assert ["200", "200"] == at_matrix.synapse.renewals()[before:]
    assert 3 == len(seen)
    assert not at_matrix.synapse.takes(first.token["access_token"])
    assert 1 == at_matrix.synapse.sessions("bea")


def test_a_soft_logout_leads_to_one_renewal(at_matrix: MatrixWorld, expired: dict[str, int]) -> None:
    """A token refused with 401 is renewed once and the request, even a mutation, sent once more and done once."""
    refused = ask_with(at_matrix, secrets_of(at_matrix.front, expired["emil"]).token["access_token"])
    before = len(at_matrix.synapse.renewals())
    with at_matrix.front.client("emil") as client:
        made = client.functions.call("matrix-create-room", {"name": "Only one"})
        rooms = list(client.functions.items("matrix-list-joined-rooms"))

    assert (401, "M_UNKNOWN_TOKEN", True) == (
        refused.status_code,
        refused.json()["errcode"],
        refused.json()["soft_logout"],
    )
    assert ("200", ["200"]) == (made.network_code, at_matrix.synapse.renewals()[before:])
    assert [{"room_id": made.output["room_id"], "name": "Only one"}] == rooms


def ask_with(at_matrix: MatrixWorld, token: str) -> httpx.Response:
    """Use an access token without the service."""
    with at_matrix.synapse.api(token) as api:
        return api.get("/_matrix/client/v3/joined_rooms")


def test_a_used_up_refresh_token_asks_for_reconnecting(at_matrix: MatrixWorld, expired: dict[str, int]) -> None:
    """A refresh token that somebody else used up is refused; the account says so, and signing in again restores it."""
    assert expired["sid"] == at_matrix.front.must_reconnect("sid", WHO_AM_I)
    assert expired["sid"] == at_matrix.connect("sid", "sid", reconnect=expired["sid"])
    assert ["active"] == [each.state for each in at_matrix.front.accounts("sid")]


def test_disconnecting_after_expiry_logs_out_too(at_matrix: MatrixWorld, expired: dict[str, int]) -> None:
    """A session whose access token ended long ago ends at the homeserver all the same; it can't be renewed."""
    refresh_token = secrets_of(at_matrix.front, expired["lou"]).refresh_token
    assert refresh_token is not None
    assert 1 == at_matrix.synapse.sessions("lou")
    with at_matrix.front.client("lou") as client:
        client.connected_accounts.disconnect("matrix", expired["lou"])

    assert 0 == at_matrix.synapse.sessions("lou")
    assert 401 == at_matrix.synapse.renew(refresh_token).status_code
