"""Connecting, reconnecting and disconnecting Review Board accounts through its own pages, and by API token."""

import pytest

from tests.real_apps.kinto_accounts import secrets_of
from tests.real_apps.review_board_world import ReviewBoardWorld


def who_am_i(at_review_board: ReviewBoardWorld, user_id: str, account: int | None = None) -> str:
    """The name by which Review Board knows a user's account."""
    with at_review_board.front.client(user_id) as client:
        me = client.functions.passthrough("review_board", "GET", "/session/", connected_account_id=account)
    return str(me.output["session"]["links"]["user"]["title"])


def test_one_identity_is_one_account_however_it_signs_in(at_review_board: ReviewBoardWorld) -> None:
    """The same person by OAuth again and then by API token stays one account; the newest credentials are in use."""
    first = at_review_board.connect("once", "ida")
    again = at_review_board.connect("once", "ida")
    token = at_review_board.review_board.create_api_token("ida")
    by_token = at_review_board.front.connect("once", "token", {"field.api_token": token})
    kept = secrets_of(at_review_board.front, by_token)

    assert first == again == by_token
    assert [first] == [account.id for account in at_review_board.front.accounts("once")]
    assert (token, {}) == (kept.creds["api_token"], kept.token)
    assert "ida" == who_am_i(at_review_board, "once")


@pytest.mark.parametrize(
    ("token", "problem"),
    [
        ("rbp_" + "x" * 60, "Review Board did not accept this. Check it and try again."),
        ("short", "API token isn't in the expected format. Copy all of it again."),
        ("", "Enter API token."),
    ],
)
def test_a_wrong_api_token_is_refused_at_its_field(at_review_board: ReviewBoardWorld, token: str, problem: str) -> None:
    """What Review Board does not take, and what can't be a token, leaves the page open with what to do."""
    attempt = at_review_board.front.try_to_connect("wrong", "token", {"field.api_token": token})

    assert problem in attempt.problem()
    assert ("pending", None) == (attempt.status, attempt.account)
    assert [] == at_review_board.front.accounts("wrong")


def test_a_deleted_api_token_asks_for_reconnecting(at_review_board: ReviewBoardWorld) -> None:
    """A token that its owner deleted is tried once and marks the account; another token brings it back in place."""
    token = at_review_board.review_board.create_api_token("tom")
    account = at_review_board.front.connect("tokens", "token", {"field.api_token": token})
    at_review_board.review_board.end_api_tokens("tom")
    with at_review_board.front.client("tokens") as client:
        tried = client.functions.call("review_board-list-groups")
    assert account == at_review_board.front.must_reconnect("tokens", "review_board-list-groups")
    fresh = {"field.api_token": at_review_board.review_board.create_api_token("tom")}

    assert ("401", 104) == (tried.network_code, tried.output["err"]["code"])
    assert account == at_review_board.front.connect("tokens", "token", fresh, reconnect=account)
    assert "tom" == who_am_i(at_review_board, "tokens")
