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

from tests.real_apps.kinto_accounts import secrets_of
from tests.real_apps.kinto_world import ACCESS_TOKEN_SECONDS, KintoWorld, wait_for_expiry

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
        for _ in range(2):
            wait_for_expiry()
            with renewed_once(world):
                assert "200" == client.functions.call(LIST_BUCKETS).network_code
            seen.add(secrets_of(world, account).refresh_token)
        assert before == client.connected_accounts.list("kinto")

    assert 3 == len(seen)


@pytest.mark.usefixtures("expired")
async def test_many_calls_right_after_expiry(world: KintoWorld) -> None:
    """All of them succeed on one renewal, and the grant is alive afterwards."""
    async with world.front.async_client("busy") as client:
        with renewed_once(world):
            results = await asyncio.gather(*(client.functions.call(LIST_BUCKETS) for _ in range(AT_ONCE)))
        wait_for_expiry()
        again = await client.functions.call(LIST_BUCKETS)

    assert {"200"} == {result.network_code for result in (*results, again)}
