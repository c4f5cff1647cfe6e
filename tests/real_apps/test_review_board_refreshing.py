"""
Access tokens of five seconds behind calls that never notice.

Review Board answers an expired token as it answers a wrong password: with 401 and a challenge for Basic.
"""

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from service_client import CallRefusedError
from tests.real_apps.async_client import async_client
from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import wait_for_expiry
from tests.real_apps.review_board_world import REFUSALS_AN_HOUR, ReviewBoard, ReviewBoardWorld

pytestmark = pytest.mark.real_apps

LIST_GROUPS = "review_board-list-groups"


@pytest.fixture(scope="module")
def world(review_board_service: ReviewBoardWorld) -> ReviewBoardWorld:
    """The one Review Board with its service."""
    return review_board_service


@pytest.fixture(scope="module")
def expired(world: ReviewBoardWorld) -> dict[str, int]:
    """An account for each test, by login, whose access tokens have ended while nobody used them."""
    accounts = {login: world.connect(login, login) for login in ("bea", "emil", "cleo", "rosa")}
    forget_expiry(world.front, accounts["emil"])
    refresh_token = secrets_of(world.front, accounts["rosa"]).refresh_token
    assert refresh_token is not None
    assert 200 == world.review_board.refresh(refresh_token).status_code
    wait_for_expiry()
    return accounts


def ask_with(review_board: ReviewBoard, token: str) -> httpx.Response:
    """Use an access token without the service."""
    return httpx.get(f"{review_board.url}/api/groups/", headers={"authorization": f"Bearer {token}"}, trust_env=False)


def test_calls_outlive_their_tokens(world: ReviewBoardWorld, expired: dict[str, int]) -> None:
    """Expiry after expiry a call just works; each time one renewal, and a refresh token that was not there before."""
    account = expired["bea"]
    seen = {secrets_of(world.front, account).refresh_token}
    with world.front.client("bea") as client:
        before = len(world.review_board.token_requests())
        for wait in (False, True):
            if wait:
                wait_for_expiry()
            assert "200" == client.functions.call(LIST_GROUPS).network_code
            seen.add(secrets_of(world.front, account).refresh_token)
        renewals = world.review_board.token_requests()[before:]

    assert ["200", "200"] == renewals
    assert 3 == len(seen)


def test_a_challenge_for_basic_leads_to_one_renewal(world: ReviewBoardWorld, expired: dict[str, int]) -> None:
    """A token refused with 401 is renewed once and the request, even a mutation, sent once more and done once."""
    refused = ask_with(world.review_board, secrets_of(world.front, expired["emil"]).token["access_token"])
    before = len(world.review_board.token_requests())
    with world.front.client("emil") as client:
        made = client.functions.call("review_board-create-review-request")
    renewals = world.review_board.token_requests()[before:]
    with world.review_board.api("emil") as api:
        all_of_emil = api.get("/review-requests/", params={"from-user": "emil", "status": "all"}).json()

    assert (401, 'Basic realm="Web API"') == (refused.status_code, refused.headers["www-authenticate"])
    assert ("201", ["200"]) == (made.network_code, renewals)
    assert [made.output["review_request"]["id"]] == [each["id"] for each in all_of_emil["review_requests"]]


@pytest.mark.usefixtures("expired")
async def test_many_calls_right_after_expiry(world: ReviewBoardWorld) -> None:
    """All of them succeed on one renewal."""
    before = len(world.review_board.token_requests())
    async with async_client(world.front.service, "cleo") as client:
        results = await asyncio.gather(*(client.functions.call(LIST_GROUPS) for _ in range(20)))

    assert {"200"} == {result.network_code for result in results}
    assert ["200"] == world.review_board.token_requests()[before:]


def test_a_used_up_refresh_token_asks_for_reconnecting(world: ReviewBoardWorld, expired: dict[str, int]) -> None:
    """A refresh token that somebody else used refuses the call and marks the account; reconnecting keeps its id."""
    account = expired["rosa"]
    with world.front.client("rosa") as client:
        for _ in range(2):
            with pytest.raises(CallRefusedError) as refused:
                client.functions.call(LIST_GROUPS)
            assert ("reconnect_required", "reconnect") == (refused.value.code, refused.value.action)
        (marked,) = world.front.accounts("rosa")
        assert account == world.connect("rosa", "rosa", reconnect=account)
        (restored,) = world.front.accounts("rosa")
        assert "200" == client.functions.call(LIST_GROUPS).network_code

    assert (account, "reconnect_required") == (marked.id, marked.state)
    assert (account, "active") == (restored.id, restored.state)


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
