"""Connecting, reconnecting and disconnecting Matrix accounts by password, and by a token the user already has."""

import pytest

from service_client import CallRefusedError
from tests.real_apps.kinto_accounts import secrets_of
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


def test_secrets_are_nowhere_in_plain_text(at_matrix: MatrixWorld) -> None:
    """Neither what is kept on disk nor what is printed holds a password or a token, not even a wrong one."""
    at_matrix.synapse.add_person("dora")
    at_matrix.try_to_connect("discreet", "dora", "almost-her-password")
    secrets = secrets_of(at_matrix.front, at_matrix.connect("discreet", "dora"))
    at_matrix.synapse.add_person("otto")
    token = at_matrix.synapse.sign_in("otto")
    at_matrix.front.connect("discreet", "token", at_matrix.token_fields(token))
    hidden = [secrets.token["access_token"], secrets.refresh_token, token, "password-of-dora", "almost-her-password"]

    assert [] == at_matrix.front.where_found(*hidden)
    assert at_matrix.front.where_found("@dora:localhost")
