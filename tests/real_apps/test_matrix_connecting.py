"""Connecting, reconnecting and disconnecting Matrix accounts by password, and by a token the user already has."""

import pytest

from service_client import CallRefusedError
from tests.real_apps.kinto_accounts import secrets_of
from tests.real_apps.matrix_world import MatrixWorld

pytestmark = pytest.mark.real_apps

WHO_AM_I = "matrix-who-am-i"


@pytest.fixture
def world(matrix_service: MatrixWorld) -> MatrixWorld:
    """The one homeserver with its service."""
    return matrix_service


def who_am_i(world: MatrixWorld, user_id: str, account: int | None = None) -> str:
    """The id by which the homeserver knows a user's account."""
    with world.front.client(user_id) as client:
        answer = client.functions.call(WHO_AM_I, connected_account_id=account)
    assert "200" == answer.network_code, answer
    return str(answer.output["user_id"])


def test_a_password_becomes_tokens(world: MatrixWorld) -> None:
    """Who signs in by password has an account of their Matrix id; the tokens are kept, the password is not."""
    account = world.connect("first", "ada")
    kept = secrets_of(world.front, account)

    assert "@ada:localhost" == who_am_i(world, "first")
    assert ["@ada:localhost"] == [each.display_name for each in world.front.accounts("first")]
    assert {"username": "ada"} == kept.creds
    assert {"access_token", "refresh_token"} == set(kept.token)
    assert kept.expires_at is not None


def test_accounts_are_told_apart_by_name(world: MatrixWorld) -> None:
    """Two people's accounts of one user show their Matrix ids, newest first, and work apart."""
    first, second = world.connect("two", "ada"), world.connect("two", "grace")
    accounts = world.front.accounts("two")
    with world.front.client("two") as client, pytest.raises(CallRefusedError) as unchosen:
        client.functions.call(WHO_AM_I)

    assert [(second, "@grace:localhost"), (first, "@ada:localhost")] == [
        (each.id, each.display_name) for each in accounts
    ]
    assert ["@ada:localhost", "@grace:localhost"] == [who_am_i(world, "two", each) for each in (first, second)]
    assert ("account_required", "pick_account") == (unchosen.value.code, unchosen.value.action)


def test_one_identity_is_one_account_however_it_signs_in(world: MatrixWorld) -> None:
    """The same person by password again and then by access token stays one account, with the newest credentials."""
    first, again = world.connect("once", "ida"), world.connect("once", "ida")
    token = world.synapse.sign_in("ida")
    by_token = world.front.connect("once", "token", world.token_fields(token))
    kept = secrets_of(world.front, by_token)

    assert first == again == by_token
    assert [first] == [account.id for account in world.front.accounts("once")]
    assert ({"access_token": token}, {}) == (kept.creds, kept.token)
    assert "@ida:localhost" == who_am_i(world, "once")


def test_a_wrong_password_connects_nothing(world: MatrixWorld) -> None:
    """The page stays, says what to do, shows the name again and the password not, and the next try works."""
    world.synapse.add_person("wendy")
    attempt = world.try_to_connect("wrong", "wendy", "not-her-password")
    stranger = world.try_to_connect("wrong", "nobody-at-all")

    for each in (attempt, stranger):
        assert "Matrix did not accept this. Check it and try again." in each.problem()
        assert ("pending", None) == (each.status, each.account)
        assert "not-her-password" not in each.page.text
    assert 'value="wendy"' in attempt.page.text
    assert [] == world.front.accounts("wrong")
    assert world.connect("wrong", "wendy")


@pytest.mark.parametrize(
    ("homeserver", "problem"),
    [
        ("my own server", "Homeserver: not an absolute http(s) URL"),
        ("http://127.0.0.1:9", "Matrix can't be reached"),
        ("", "Enter Homeserver."),
    ],
)
def test_a_wrong_homeserver_connects_nothing(world: MatrixWorld, homeserver: str, problem: str) -> None:
    """An address that is none, one inside the operator's network and a missing one are said to be the problem."""
    fields = {**world.password_fields("ada"), "variable.homeserver": homeserver}
    attempt = world.front.try_to_connect("astray", "password", fields)

    assert problem in attempt.problem()
    assert ("pending", []) == (attempt.status, world.front.accounts("astray"))


def test_a_wrong_access_token_connects_nothing(world: MatrixWorld) -> None:
    """A token that the homeserver does not know leaves the page open with what to do."""
    attempt = world.front.try_to_connect("wrong-token", "token", world.token_fields("syt_unknown"))

    assert "Matrix did not accept this. Check it and try again." in attempt.problem()
    assert ("pending", []) == (attempt.status, world.front.accounts("wrong-token"))


def test_ended_sessions_ask_for_reconnecting(world: MatrixWorld) -> None:
    """A new password ends all sessions: the app says 401, the account is marked, and reconnecting keeps its id."""
    account = world.connect("revoked", "rosa")
    world.synapse.change_password("rosa", "new-password")
    with world.front.client("revoked") as client:
        assert "401" == client.functions.call(WHO_AM_I).network_code
        with pytest.raises(CallRefusedError) as refused:
            client.functions.call(WHO_AM_I)
    assert ("reconnect_required", "reconnect") == (refused.value.code, refused.value.action)
    (marked,) = world.front.accounts("revoked")
    wrong = world.try_to_connect("revoked", "rosa", reconnect=account)
    right = world.try_to_connect("revoked", "rosa", "new-password", reconnect=account)
    (restored,) = world.front.accounts("revoked")

    assert (account, "reconnect_required") == (marked.id, marked.state)
    assert "Matrix did not accept this." in wrong.problem()
    assert ("connected", account) == (right.status, right.account)
    assert (account, "active") == (restored.id, restored.state)
    assert "@rosa:localhost" == who_am_i(world, "revoked")


def test_reconnecting_takes_no_other_person(world: MatrixWorld) -> None:
    """Who signs in as somebody else while reconnecting is refused with both names, and nothing changes."""
    account = world.connect("mistaken", "mona")
    world.synapse.add_person("lisa")
    attempt = world.try_to_connect("mistaken", "lisa", reconnect=account)
    (kept,) = world.front.accounts("mistaken")

    assert "connected" != attempt.status
    expected = "You signed in as “@lisa:localhost”, but the account to reconnect is “@mona:localhost”."
    assert expected in attempt.problem()
    assert (account, "@mona:localhost") == (kept.id, kept.display_name)
    assert "@mona:localhost" == who_am_i(world, "mistaken")


def test_disconnecting_logs_out(world: MatrixWorld) -> None:
    """The session ends at the homeserver, both its tokens are dead, and the account is gone from the service."""
    account = world.connect("leaving", "lea")
    assert "@lea:localhost" == who_am_i(world, "leaving")
    secrets = secrets_of(world.front, account)
    assert 1 == world.synapse.sessions("lea")
    with world.front.client("leaving") as client:
        client.connected_accounts.disconnect("matrix", account)
        with pytest.raises(CallRefusedError) as refused:
            client.functions.call(WHO_AM_I)

    assert 0 == world.synapse.sessions("lea")
    assert not world.synapse.takes(secrets.token["access_token"])
    assert secrets.refresh_token is not None
    assert 401 == world.synapse.renew(secrets.refresh_token).status_code
    assert ([], "not_connected") == (world.front.accounts("leaving"), refused.value.code)


def test_disconnecting_leaves_the_users_own_session(world: MatrixWorld) -> None:
    """A token that the user brought along belongs to another client of theirs, which stays signed in."""
    world.synapse.add_person("olga")
    token = world.synapse.sign_in("olga")
    account = world.front.connect("guest", "token", world.token_fields(token))
    with world.front.client("guest") as client:
        client.connected_accounts.disconnect("matrix", account)

    assert [] == world.front.accounts("guest")
    assert world.synapse.takes(token)


def test_secrets_are_nowhere_in_plain_text(world: MatrixWorld) -> None:
    """Neither what is kept on disk nor what is printed holds a password or a token, not even a wrong one."""
    world.synapse.add_person("dora")
    world.try_to_connect("discreet", "dora", "almost-her-password")
    secrets = secrets_of(world.front, world.connect("discreet", "dora"))
    world.synapse.add_person("otto")
    token = world.synapse.sign_in("otto")
    world.front.connect("discreet", "token", world.token_fields(token))
    hidden = [secrets.token["access_token"], secrets.refresh_token, token, "password-of-dora", "almost-her-password"]

    assert [] == world.front.where_found(*hidden)
    assert world.front.where_found("@dora:localhost")
