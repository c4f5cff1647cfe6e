"""
Access tokens of five seconds behind calls that never notice: one renewal an expiry, whoever asks at once.

The provider ends a whole grant when a refresh token comes a second time, so a single renewal too many would show as an
account that has to be reconnected.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator

import pytest

from service_client import CallRefusedError
from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import (
    ACCESS_TOKEN_SECONDS,
    KintoWorld,
    create_companies,
    wait_for_expiry,
)

pytestmark = pytest.mark.real_apps

LIST_BUCKETS = "kinto-list-buckets"
AT_ONCE = 50
# The service renews a tenth of a token's life before its end, so that one renewal serves at least this long.
SHORTEST_USE_SECONDS = ACCESS_TOKEN_SECONDS * 0.9


@contextlib.contextmanager
def renewed_once(world: KintoWorld) -> Iterator[None]:
    """Meanwhile tokens have to be renewed, no more often than once and once more for each that could end, and taken."""
    before, since = len(world.token_requests()), time.monotonic()
    yield
    seen = world.token_requests()[before:]
    assert 0 == seen.count(("grant.error", "refresh_token"))
    most = 1 + int((time.monotonic() - since) / SHORTEST_USE_SECONDS)
    assert 1 <= seen.count(("grant.success", "refresh_token")) <= most


@pytest.fixture(scope="module")
def account(world: KintoWorld) -> int:
    """The one account of user `busy`."""
    return world.connect("busy", "busy")


@pytest.fixture
def expired(world: KintoWorld, account: int) -> int:
    """The same, when its access token has ended."""
    wait_for_expiry()
    return account


def test_calls_outlive_their_tokens(world: KintoWorld, account: int) -> None:
    """Expiry after expiry a call just works; each time one renewal, and a refresh token that was not there before."""
    seen = {secrets_of(world, account).refresh_token}
    with world.client("busy") as client:
        before = client.connected_accounts.list("kinto")
        for _ in range(3):
            wait_for_expiry()
            with renewed_once(world):
                assert "200" == client.functions.call(LIST_BUCKETS).network_code
            seen.add(secrets_of(world, account).refresh_token)
        assert before == client.connected_accounts.list("kinto")

    assert 4 == len(seen)


def test_a_token_without_a_known_end_is_renewed(world: KintoWorld, account: int) -> None:
    """When Kinto refuses a token, it is renewed and the request sent once more, even that of a mutation."""
    with world.client("busy") as client:
        where = create_companies(client, "endless")
        forget_expiry(world, account)
        wait_for_expiry(kinto=True)
        with renewed_once(world):
            made = client.functions.call("kinto-create-record", {**where, "data": {"name": "Only one"}})
        names = [record["name"] for record in client.functions.items("kinto-list-records", where)]

    assert ("201", ["Only one"]) == (made.network_code, names)


@pytest.mark.usefixtures("expired")
async def test_many_calls_right_after_expiry(world: KintoWorld) -> None:
    """All of them succeed on one renewal, and the grant is alive afterwards."""
    async with world.front.async_client("busy") as client:
        with renewed_once(world):
            results = await asyncio.gather(*(client.functions.call(LIST_BUCKETS) for _ in range(AT_ONCE)))
        wait_for_expiry()
        again = await client.functions.call(LIST_BUCKETS)

    assert {"200"} == {result.network_code for result in (*results, again)}


def test_the_provider_is_away_when_a_token_ends(world: KintoWorld, expired: int) -> None:
    """The call is refused as one to try again, nothing is lost, and it works as soon as the provider is back."""
    with world.client("busy") as client:
        where = {"bucket": "untouched"}
        with world.provider_down():
            for _ in range(2):
                with pytest.raises(CallRefusedError) as refused:
                    client.functions.call("kinto-create-bucket", where)
                assert ("app_unreachable", "wait") == (refused.value.code, refused.value.action)
            (account,) = client.connected_accounts.list("kinto")
            assert "active" == account.state
        again = client.functions.call("kinto-create-bucket", where)

    assert "201" == again.network_code
