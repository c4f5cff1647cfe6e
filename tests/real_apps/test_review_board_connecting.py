"""Connecting, reconnecting and disconnecting Review Board accounts through its own pages, and by API token."""

from urllib.parse import parse_qs, urlsplit

import pytest

from service_client import CallRefusedError
from tests.real_apps.kinto_accounts import secrets_of
from tests.real_apps.review_board_sign_in import signed_in
from tests.real_apps.review_board_world import ReviewBoardWorld
from tests.service_server.processes import http

pytestmark = pytest.mark.real_apps

WHO_AM_I = ("GET", "/session/")


@pytest.fixture
def world(review_board_service: ReviewBoardWorld) -> ReviewBoardWorld:
    """The one Review Board with its service."""
    return review_board_service


def who_am_i(world: ReviewBoardWorld, user_id: str, account: int | None = None) -> str:
    """The name by which Review Board knows a user's account."""
    with world.front.client(user_id) as client:
        method, url = WHO_AM_I
        me = client.functions.passthrough("review_board", method, url, connected_account_id=account)
    return str(me.output["session"]["links"]["user"]["title"])


def test_review_board_is_asked_with_pkce(world: ReviewBoardWorld) -> None:
    """The browser is sent with a state, an S256 challenge, the scopes as Review Board has them, and no secret."""
    with world.front.client("asking") as client, http(world.front.service.url) as browser:
        target = world.leave(browser, client.connect_sessions.create("review_board"))
    asked = {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
    world.review_board.add_person("ada")
    with signed_in(target, "ada", "password-of-ada") as consent:
        shown = consent.scopes

    assert ("code", "S256") == (asked["response_type"], asked["code_challenge_method"])
    assert f"{world.front.service.url}/oauth/callback" == asked["redirect_uri"]
    assert asked["scope"].split() == shown
    assert {"root:read", "user:read", "review_request_draft:write"} < set(shown)
    assert world.review_board.client_secret not in target


def test_accounts_are_told_apart_by_name(world: ReviewBoardWorld) -> None:
    """Two people's accounts of one user show the names that Review Board knows them by, and work apart."""
    first, second = world.connect("two", "ada"), world.connect("two", "grace")
    accounts = world.front.accounts("two")
    with world.front.client("two") as client, pytest.raises(CallRefusedError) as unchosen:
        client.functions.call("review_board-list-groups")

    assert [(second, "grace"), (first, "ada")] == [(each.id, each.display_name) for each in accounts]
    assert ["ada", "grace"] == [who_am_i(world, "two", first), who_am_i(world, "two", second)]
    assert ("account_required", "pick_account") == (unchosen.value.code, unchosen.value.action)


def test_one_identity_is_one_account_however_it_signs_in(world: ReviewBoardWorld) -> None:
    """The same person by OAuth again and then by API token stays one account; the newest credentials are in use."""
    first = world.connect("once", "ida")
    again = world.connect("once", "ida")
    token = world.review_board.create_api_token("ida")
    by_token = world.front.connect("once", "token", {"field.api_token": token})
    kept = secrets_of(world.front, by_token)

    assert first == again == by_token
    assert [first] == [account.id for account in world.front.accounts("once")]
    assert (token, {}) == (kept.creds["api_token"], kept.token)
    assert "ida" == who_am_i(world, "once")


@pytest.mark.parametrize(
    ("token", "problem"),
    [
        ("rbp_" + "x" * 60, "Review Board did not accept this. Check it and try again."),
        ("short", "API token isn't in the expected format. Copy all of it again."),
        ("", "Enter API token."),
    ],
)
def test_a_wrong_api_token_is_refused_at_its_field(world: ReviewBoardWorld, token: str, problem: str) -> None:
    """What Review Board does not take, and what can't be a token, leaves the page open with what to do."""
    attempt = world.front.try_to_connect("wrong", "token", {"field.api_token": token})

    assert problem in attempt.problem()
    assert ("pending", None) == (attempt.status, attempt.account)
    assert [] == world.front.accounts("wrong")


def test_a_deleted_api_token_asks_for_reconnecting(world: ReviewBoardWorld) -> None:
    """A token that its owner deleted is tried once and marks the account; another token brings it back in place."""
    token = world.review_board.create_api_token("tom")
    account = world.front.connect("tokens", "token", {"field.api_token": token})
    world.review_board.end_api_tokens("tom")
    with world.front.client("tokens") as client:
        tried = client.functions.call("review_board-list-groups")
        with pytest.raises(CallRefusedError) as refused:
            client.functions.call("review_board-list-groups")
    (marked,) = world.front.accounts("tokens")
    fresh = world.review_board.create_api_token("tom")
    again = world.front.connect("tokens", "token", {"field.api_token": fresh}, reconnect=account)

    assert ("401", 104) == (tried.network_code, tried.output["err"]["code"])
    assert ("reconnect_required", "reconnect_required") == (refused.value.code, marked.state)
    assert account == again
    assert "tom" == who_am_i(world, "tokens")
