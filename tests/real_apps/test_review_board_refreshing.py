"""
Access tokens of five seconds behind calls that never notice.

Review Board answers an expired token as it answers a wrong password: with 401 and a challenge for Basic.
"""

from collections.abc import Iterator

import httpx
import pytest

from service_client import CallRefusedError
from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import wait_for_expiry
from tests.real_apps.review_board_world import REFUSALS_AN_HOUR, ReviewBoard, ReviewBoardWorld

pytestmark = pytest.mark.real_apps

LIST_GROUPS = "review_board-list-groups"


@pytest.fixture(scope="module")
def world(review_board_service: ReviewBoardWorld) -> ReviewBoardWorld:
    """The one Review Board with its service."""
    return review_board_service


def ask_with(review_board: ReviewBoard, token: str) -> httpx.Response:
    """Use an access token without the service."""
    return httpx.get(f"{review_board.url}/api/groups/", headers={"authorization": f"Bearer {token}"}, trust_env=False)


def test_a_challenge_for_basic_leads_to_one_renewal(world: ReviewBoardWorld) -> None:
    """A token refused with 401 is renewed once and the request, even a mutation, sent once more and done once."""
    account = world.connect("emil", "emil")
    forget_expiry(world.front, account)
    wait_for_expiry()
    refused = ask_with(world.review_board, secrets_of(world.front, account).token["access_token"])
    before = len(world.review_board.token_requests())
    with world.front.client("emil") as client:
        made = client.functions.call("review_board-create-review-request")
    renewals = world.review_board.token_requests()[before:]
    with world.review_board.api("emil") as api:
        all_of_emil = api.get("/review-requests/", params={"from-user": "emil", "status": "all"}).json()

    assert (401, 'Basic realm="Web API"') == (refused.status_code, refused.headers["www-authenticate"])
    assert ("201", ["200"]) == (made.network_code, renewals)
    assert [made.output["review_request"]["id"]] == [each["id"] for each in all_of_emil["review_requests"]]


def test_a_person_who_is_shut_out_has_to_reconnect(world: ReviewBoardWorld) -> None:
    """A token that is renewed and refused again is tried no third time; let in again, the person reconnects."""
    account = world.connect("shut", "otis")
    world.review_board.set_active("otis", False)
    before = len(world.review_board.token_requests())
    with world.front.client("shut") as client:
        tried = client.functions.call(LIST_GROUPS)
        renewals = world.review_board.token_requests()[before:]
        with pytest.raises(CallRefusedError) as refused:
            client.functions.call(LIST_GROUPS)
        world.review_board.set_active("otis", True)
        assert account == world.connect("shut", "otis", reconnect=account)
        assert "200" == client.functions.call(LIST_GROUPS).network_code

    assert ("401", ["200"]) == (tried.network_code, renewals)
    assert "reconnect_required" == refused.value.code


@pytest.fixture
def too_many_refusals(world: ReviewBoardWorld) -> Iterator[int]:
    """A connected account, when Review Board has just refused too many tokens from the service's address."""
    account = world.connect("patient", "pia")
    forget_expiry(world.front, account)  # else a slow machine is past the time to renew
    for _ in range(REFUSALS_AN_HOUR + 1):
        assert 401 == ask_with(world.review_board, "no-token").status_code
    yield account
    world.review_board.forgive_refusals()


def test_others_wrong_tokens_break_no_account(world: ReviewBoardWorld, too_many_refusals: int) -> None:
    """Its 401 to everybody from an address that showed too many wrong tokens costs nobody the account."""
    before = len(world.review_board.token_requests())
    with world.front.client("patient") as client:
        tried = client.functions.call(LIST_GROUPS)
        (kept,) = world.front.accounts("patient")
        renewals = world.review_board.token_requests()[before:]
        attempt = world.front.try_to_connect("patient", "token", {"field.api_token": "x" * 40})
        world.review_board.forgive_refusals()
        again = client.functions.call(LIST_GROUPS)

    assert ("401", "Maximum number of login attempts exceeded.") == (tried.network_code, tried.output["err"]["msg"])
    assert (too_many_refusals, "active", []) == (kept.id, kept.state, renewals)
    assert "Review Board is busy and asks us to slow down. Try again in a minute." in attempt.problem()
    assert "200" == again.network_code
