"""Matrix accounts by password and by a token the user has: connected, renewed, reconnected, disconnected."""

import httpx
import pytest

from service_client import CallRefusedError
from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import wait_for_expiry
from tests.real_apps.matrix_world import MatrixWorld

WHO_AM_I = "matrix-who-am-i"


def who_am_i(at_matrix: MatrixWorld, user_id: str, account: int | None = None) -> str:
    """The id by which the homeserver knows a user's account."""
    with at_matrix.front.client(user_id) as client:
        answer = client.functions.call(WHO_AM_I, connected_account_id=account)
    assert "200" == answer.network_code, answer
    return str(answer.output["user_id"])


def test_a_password_becomes_tokens(at_matrix: MatrixWorld) -> None:
    """Who signs in by password has an account of their Matrix id; the tokens are kept, the password is not."""
    account = at_matrix.connect("first", "ada")
    kept = secrets_of(at_matrix.front, account)

    assert "@ada:localhost" == who_am_i(at_matrix, "first")
    assert ["@ada:localhost"] == [each.display_name for each in at_matrix.front.accounts("first")]
    assert {"username": "ada"} == kept.creds
    assert {"access_token", "refresh_token"} == set(kept.token)
    assert kept.expires_at is not None


def test_one_identity_is_one_account_however_it_signs_in(at_matrix: MatrixWorld) -> None:
    """The same person by password again and then by access token stays one account, with the newest credentials."""
    first, again = at_matrix.connect("once", "ida"), at_matrix.connect("once", "ida")
    token = at_matrix.synapse.sign_in("ida")
    by_token = at_matrix.front.connect("once", "token", at_matrix.token_fields(token))
    kept = secrets_of(at_matrix.front, by_token)

    assert first == again == by_token
    assert [first] == [account.id for account in at_matrix.front.accounts("once")]
    assert ({"access_token": token}, {}) == (kept.creds, kept.token)
    assert "@ida:localhost" == who_am_i(at_matrix, "once")


def test_what_is_wrong_connects_nothing(at_matrix: MatrixWorld) -> None:
    """The page stays, says what to do, shows the name again and no secret, and the next try works."""
    at_matrix.synapse.add_person("wendy")
    attempts = [
        at_matrix.try_to_connect("wrong", "wendy", "not-her-secret"),
        at_matrix.try_to_connect("wrong", "nobody-at-all", "not-her-secret"),
        at_matrix.front.try_to_connect("wrong", "token", at_matrix.token_fields("not-her-secret")),
    ]

    for each in attempts:
        assert "Matrix did not accept this. Check it and try again." in each.problem()
        assert ("pending", None) == (each.status, each.account)
        assert "not-her-secret" not in each.page.text
    assert 'value="wendy"' in attempts[0].page.text
    assert [] == at_matrix.front.accounts("wrong")
    assert at_matrix.connect("wrong", "wendy")


@pytest.mark.parametrize(
    ("homeserver", "problem"),
    [
        ("my own server", "Homeserver: not an absolute http(s) URL"),
        ("http://127.0.0.1:9", "Matrix can't be reached"),
        ("", "Enter Homeserver."),
    ],
)
def test_a_wrong_homeserver_connects_nothing(at_matrix: MatrixWorld, homeserver: str, problem: str) -> None:
    """An address that is none, one inside the operator's network and a missing one are said to be the problem."""
    fields = {**at_matrix.password_fields("ada"), "variable.homeserver": homeserver}
    attempt = at_matrix.front.try_to_connect("astray", "password", fields)

    assert problem in attempt.problem()
    assert ("pending", []) == (attempt.status, at_matrix.front.accounts("astray"))


def test_ended_sessions_ask_for_reconnecting(at_matrix: MatrixWorld) -> None:
    """A new password ends all sessions: the app says 401, the account is marked, and reconnecting keeps its id."""
    account = at_matrix.connect("revoked", "rosa")
    at_matrix.synapse.change_password("rosa", "new-password")
    with at_matrix.front.client("revoked") as client:
        assert "401" == client.functions.call(WHO_AM_I).network_code
    assert account == at_matrix.front.must_reconnect("revoked", WHO_AM_I)
    wrong = at_matrix.try_to_connect("revoked", "rosa", reconnect=account)
    right = at_matrix.try_to_connect("revoked", "rosa", "new-password", reconnect=account)
    (restored,) = at_matrix.front.accounts("revoked")

    assert "Matrix did not accept this." in wrong.problem()
    assert ("connected", account) == (right.status, right.account)
    assert (account, "active") == (restored.id, restored.state)
    assert "@rosa:localhost" == who_am_i(at_matrix, "revoked")


def test_disconnecting_logs_out(at_matrix: MatrixWorld) -> None:
    """The session ends at the homeserver, both its tokens are dead, and the account is gone from the service."""
    account = at_matrix.connect("leaving", "lea")
    assert "@lea:localhost" == who_am_i(at_matrix, "leaving")
    secrets = secrets_of(at_matrix.front, account)
    assert 1 == at_matrix.synapse.sessions("lea")
    with at_matrix.front.client("leaving") as client:
        client.connected_accounts.disconnect("matrix", account)
        with pytest.raises(CallRefusedError) as refused:
            client.functions.call(WHO_AM_I)

    assert 0 == at_matrix.synapse.sessions("lea")
    assert not at_matrix.synapse.takes(secrets.token["access_token"])
    assert secrets.refresh_token is not None
    assert 401 == at_matrix.synapse.renew(secrets.refresh_token).status_code
    assert ([], "not_connected") == (at_matrix.front.accounts("leaving"), refused.value.code)


def test_disconnecting_leaves_the_users_own_session(at_matrix: MatrixWorld) -> None:
    """A token that the user brought along belongs to another client of theirs, which stays signed in."""
    at_matrix.synapse.add_person("olga")
    token = at_matrix.synapse.sign_in("olga")
    account = at_matrix.front.connect("guest", "token", at_matrix.token_fields(token))
    with at_matrix.front.client("guest") as client:
        client.connected_accounts.disconnect("matrix", account)

    assert [] == at_matrix.front.accounts("guest")
    assert at_matrix.synapse.takes(token)


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
