"""
Access tokens of five seconds behind calls that never notice: one renewal an expiry, whoever asks at once.

The provider ends a whole grant when a refresh token comes a second time, so a single renewal too many would show as an
account that has to be reconnected.
"""

import asyncio
import time
from collections.abc import Iterator

import pytest
from attrs import frozen

from service_client import AsyncClient, CallRefusedError, CallResult
from tests.real_apps.kinto_accounts import forget_expiry, secrets_of
from tests.real_apps.kinto_world import (
    ACCESS_TOKEN_SECONDS,
    KintoWorld,
    allowed_hosts,
    create_companies,
    wait_for_expiry,
)
from tests.service_server.processes import UNLIMITED, service

pytestmark = pytest.mark.real_apps

LIST_BUCKETS = "kinto-list-buckets"
AT_ONCE = 50
# The service renews a tenth of a token's life before its end, so that one renewal serves at least this long.
SHORTEST_USE_SECONDS = ACCESS_TOKEN_SECONDS * 0.9


@frozen
class Renewals:
    """How often the provider renewed and refused since some moment, and how often it may have been asked to renew."""

    done: int
    refused: int
    most: int


class Watch:
    """Counts what the provider's token endpoint is asked for from now on."""

    def __init__(self, world: KintoWorld) -> None:
        self._world = world
        self._before = len(world.token_requests())
        self._since = time.monotonic()

    def read(self) -> Renewals:
        """What happened since; `most` is one renewal and another for each time that a token could end since."""
        seen = self._world.token_requests()[self._before :]
        return Renewals(
            done=seen.count(("grant.success", "refresh_token")),
            refused=seen.count(("grant.error", "refresh_token")),
            most=1 + int((time.monotonic() - self._since) / SHORTEST_USE_SECONDS),
        )


@pytest.fixture(scope="module")
def account(world: KintoWorld) -> int:
    """The one account of user `busy`."""
    return world.connect("busy", "busy")


@pytest.fixture
def expired(world: KintoWorld, account: int) -> int:
    """The same, when its access token has ended."""
    wait_for_expiry()
    return account


async def call_at_once(*clients: AsyncClient) -> list[CallResult]:
    """Many calls at the same moment, spread over the clients."""
    calls = [clients[number % len(clients)].functions.call(LIST_BUCKETS) for number in range(AT_ONCE)]
    return await asyncio.gather(*calls)


def assert_renewed_once(renewals: Renewals) -> None:
    """Renewed, no more often than tokens ended, and never refused."""
    assert 0 == renewals.refused
    assert 1 <= renewals.done <= renewals.most


def test_calls_outlive_their_tokens(world: KintoWorld, account: int) -> None:
    """Expiry after expiry a call just works; each time one renewal, and a refresh token that was not there before."""
    seen = {secrets_of(world, account).refresh_token}
    with world.client("busy") as client:
        before = client.connected_accounts.list("kinto")
        for _ in range(3):
            wait_for_expiry()
            watch = Watch(world)
            assert "200" == client.functions.call(LIST_BUCKETS).network_code
            assert_renewed_once(watch.read())
            seen.add(secrets_of(world, account).refresh_token)
        assert before == client.connected_accounts.list("kinto")

    assert 4 == len(seen)


def test_a_token_without_a_known_end_is_renewed(world: KintoWorld, account: int) -> None:
    """When Kinto refuses a token, it is renewed and the request sent once more, even that of a mutation."""
    with world.client("busy") as client:
        where = create_companies(client, "endless")
        forget_expiry(world, account)
        wait_for_expiry(kinto=True)
        watch = Watch(world)
        made = client.functions.call("kinto-create-record", {**where, "data": {"name": "Only one"}})
        assert_renewed_once(watch.read())
        names = [record["name"] for record in client.functions.items("kinto-list-records", where)]

    assert ("201", ["Only one"]) == (made.network_code, names)


async def test_many_calls_right_after_expiry(world: KintoWorld, expired: int) -> None:
    """All of them succeed on one renewal, and the grant is alive afterwards."""
    watch = Watch(world)
    async with world.async_client("busy") as client:
        results = await call_at_once(client)
        assert {"200"} == {result.network_code for result in results}
        assert_renewed_once(watch.read())

        wait_for_expiry()
        assert "200" == (await client.functions.call(LIST_BUCKETS)).network_code
    assert 0 == watch.read().refused


@pytest.fixture(scope="module")
def second_process(world: KintoWorld) -> Iterator[str]:
    """Another process of the same service, on the same data; its address."""
    application = {"app_key": world.service.app_key, "app_secret": world.service.app_secret}
    options = [*allowed_hosts(world.provider, world.kinto), "--public-url", world.service.url]
    with service(world.service.data_directory, *options, application=application, env=UNLIMITED) as started:
        yield started.url


async def test_two_processes_right_after_expiry(world: KintoWorld, second_process: str, expired: int) -> None:
    """Two processes on the same data directory renew a token once between them, and both go on with it."""
    watch = Watch(world)
    async with world.async_client("busy") as one, world.async_client("busy", second_process) as two:
        results = await call_at_once(one, two)
        assert {"200"} == {result.network_code for result in results}
        assert_renewed_once(watch.read())

        for client in (two, one):
            wait_for_expiry()
            assert "200" == (await client.functions.call(LIST_BUCKETS)).network_code
    assert 0 == watch.read().refused


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


async def test_all_callers_learn_that_the_provider_is_away(world: KintoWorld, expired: int) -> None:
    """Many calls at once are all refused in the same way, and all work afterwards."""
    async with world.async_client("busy") as client:
        with world.provider_down():
            calls = [client.functions.call(LIST_BUCKETS) for _ in range(AT_ONCE)]
            refusals = await asyncio.gather(*calls, return_exceptions=True)
        results = await call_at_once(client)

    assert {(CallRefusedError, "app_unreachable")} == {(type(each), getattr(each, "code", None)) for each in refusals}
    assert {"200"} == {result.network_code for result in results}
