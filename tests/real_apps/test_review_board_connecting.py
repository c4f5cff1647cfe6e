"""Review Board accounts through its own pages and by API token: connected, renewed, reconnected."""

from collections.abc import Iterator

import httpx
import pytest

from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import wait_for_expiry
from tests.real_apps.review_board_world import REFUSALS_AN_HOUR, ReviewBoard, ReviewBoardWorld


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


LIST_GROUPS = "review_board-list-groups"


def ask_with(review_board: ReviewBoard, token: str) -> httpx.Response:
    """Use an access token without the service."""
    return httpx.get(f"{review_board.url}/api/groups/", headers={"authorization": f"Bearer {token}"}, trust_env=False)


def test_a_challenge_for_basic_leads_to_one_renewal(at_review_board: ReviewBoardWorld) -> None:
    """A token refused with 401 is renewed once and the request, even a mutation, sent once more and done once."""
    account = at_review_board.connect("emil", "emil")
    forget_expiry(at_review_board.front, account)
    wait_for_expiry()
    refused = ask_with(at_review_board.review_board, secrets_of(at_review_board.front, account).token["access_token"])
    before = len(at_review_board.review_board.token_requests())
    with at_review_board.front.client("emil") as client:
        made = client.functions.call("review_board-create-review-request")
    renewals = at_review_board.review_board.token_requests()[before:]
    with at_review_board.review_board.api("emil") as api:
        all_of_emil = api.get("/review-requests/", params={"from-user": "emil", "status": "all"}).json()

    assert (401, 'Basic realm="Web API"') == (refused.status_code, refused.headers["www-authenticate"])
    assert ("201", ["200"]) == (made.network_code, renewals)
    assert [made.output["review_request"]["id"]] == [each["id"] for each in all_of_emil["review_requests"]]


def test_a_person_who_is_shut_out_has_to_reconnect(at_review_board: ReviewBoardWorld) -> None:
    """A token that is renewed and refused again is tried no third time; let in again, the person reconnects."""
    account = at_review_board.connect("shut", "otis")
    at_review_board.review_board.set_active("otis", False)
    before = len(at_review_board.review_board.token_requests())
    with at_review_board.front.client("shut") as client:
        tried = client.functions.call(LIST_GROUPS)
        renewals = at_review_board.review_board.token_requests()[before:]
        assert account == at_review_board.front.must_reconnect("shut", LIST_GROUPS)
        at_review_board.review_board.set_active("otis", True)
        assert account == at_review_board.connect("shut", "otis", reconnect=account)
        assert "200" == client.functions.call(LIST_GROUPS).network_code

    assert ("401", ["200"]) == (tried.network_code, renewals)


@pytest.fixture
def too_many_refusals(at_review_board: ReviewBoardWorld) -> Iterator[int]:
    """A connected account, when Review Board has just refused too many tokens from the service's address."""
    account = at_review_board.connect("patient", "pia")
    forget_expiry(at_review_board.front, account)  # else a slow machine is past the time to renew
    for _ in range(REFUSALS_AN_HOUR + 1):
        assert 401 == ask_with(at_review_board.review_board, "no-token").status_code
    yield account
    at_review_board.review_board.forgive_refusals()


def test_others_wrong_tokens_break_no_account(at_review_board: ReviewBoardWorld, too_many_refusals: int) -> None:
    """Its 401 to everybody from an address that showed too many wrong tokens costs nobody the account."""
    before = len(at_review_board.review_board.token_requests())
    with at_review_board.front.client("patient") as client:
        tried = client.functions.call(LIST_GROUPS)
        (kept,) = at_review_board.front.accounts("patient")
        renewals = at_review_board.review_board.token_requests()[before:]
        attempt = at_review_board.front.try_to_connect("patient", "token", {"field.api_token": "x" * 40})
        at_review_board.review_board.forgive_refusals()
        again = client.functions.call(LIST_GROUPS)

    assert ("401", "Maximum number of login attempts exceeded.") == (tried.network_code, tried.output["err"]["msg"])
    assert (too_many_refusals, "active", []) == (kept.id, kept.state, renewals)
    assert "Review Board is busy and asks us to slow down. Try again in a minute." in attempt.problem()
    assert "200" == again.network_code
