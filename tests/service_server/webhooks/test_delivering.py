"""What happened is delivered: in order for an account, until it is taken, whatever the receiver does."""

import contextlib
from typing import Any

import pytest

from service_server.administration.live_secrets import secret_fingerprint
from service_server.store import DatabaseAway, WebhookEndpoint
from service_server.webhooks import delivering, sending
from service_server.webhooks.retrying import DISABLE_SECONDS, GIVE_UP_SECONDS
from tests.service_server.actors import OWNER
from tests.service_server.databases import ON_SQLITE
from tests.service_server.onward.scripted import Connection
from tests.service_server.waiting import until
from tests.service_server.webhooks.conftest import ALLOWED, Clock, Post
from tests.service_server.webhooks.receiver import Answering, Received, Receiver, accept, answer, stall

pytestmark = pytest.mark.slow

HOUR = 3600.0
BOTH = ["connected", "disconnected"]
FAILS = answer("500 Internal Server Error")


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for what is due many times a second."""
    monkeypatch.setattr(delivering, "LOOK_SECONDS", 0.02)


async def waiting_for(post: Post, receiver: Receiver, answering: Answering = accept) -> WebhookEndpoint:
    """An endpoint whose receiver behaves so, and for which one event waits: Ann has connected an account."""
    receiver.answering = answering
    endpoint = await post.endpoint(receiver.url)
    await post.connected("ann")
    return endpoint


async def test_events_of_an_account_arrive_signed_and_in_order(post: Post, receiver: Receiver) -> None:
    """Connected, refused by the app, connected again, disconnected: as it happened, in small bodies without secrets."""
    endpoint, secret = await post.administration.create(OWNER, post.application, receiver.url)
    account = await post.connected("ann")
    await post.accounts.require_reconnect(account, "The app refused.")
    await post.connected_and_gone("ann")
    async with post.running():
        await post.until_over(endpoint)

    assert {account.id: ["connected", "reconnect_required", *BOTH]} == receiver.types_of_accounts()
    assert all(each.is_signed_with(secret) for each in receiver.accepted)
    told = receiver.accepted[1].body
    assert {
        "type": "account.reconnect_required",
        "timestamp": told["timestamp"],
        "data": {"user_id": "ann", "app": "sandbox", "connected_account_id": account.id, "reason": "The app refused."},
    } == told
    assert 4 == len({each.id for each in receiver.received})
    assert b"sealed" not in b"".join(each.raw for each in receiver.received)


async def test_nothing_is_told_of_what_did_not_happen(post: Post, receiver: Receiver) -> None:
    """A change that came too late, and a first failure that others follow, are not told, or told once."""
    endpoint = await post.endpoint(receiver.url, "account.disconnected", "account.refresh_failed")
    account = await post.connected("ann")
    lease = await post.accounts.take_lease(account, "me", 10)
    assert lease is not None
    await post.accounts.release_lease(account, lease, interrupted=False, reason="It is away.")
    await post.accounts.release_lease(account, lease, interrupted=False, reason="It is still away.")
    await post.accounts.replace_credentials(account, "sealed", None, {})
    assert not await post.accounts.disconnect(account)
    current = await post.accounts.get(account.id)
    assert current is not None
    await post.accounts.release_lease(current, lease, interrupted=False, reason="It is away again.")

    first, second = [each.body for each in await post.log(endpoint)]
    assert "It is away." in first
    assert "It is away again." in second


@ON_SQLITE
async def test_an_account_whose_event_fails_holds_up_no_other(post: Post, receiver: Receiver, clock: Clock) -> None:
    """Its own next event waits for the one before, and comes after it once that is taken."""
    endpoint = await post.endpoint(receiver.url)
    bad, good = await post.connected_and_gone("bad"), await post.connected_and_gone("good")

    async def refuse_one(connection: Connection, received: Received) -> None:
        if received.account == bad.id:
            await FAILS(connection, received)
        else:
            receiver.accepted.append(received)
            await connection.answer()

    receiver.answering = refuse_one
    async with post.running():
        await until(lambda: 2 == len(receiver.accepted))
        assert {good.id: BOTH} == receiver.types_of_accounts()
        assert {"account.connected"} == {each.body["type"] for each in receiver.received if each.account == bad.id}
        receiver.answering = accept
        clock.move(60)
        await post.until_over(endpoint)

    assert {good.id: BOTH, bad.id: BOTH} == receiver.types_of_accounts()


async def test_nothing_is_lost_while_a_receiver_is_away_for_an_hour(
    post: Post, receiver: Receiver, clock: Clock
) -> None:
    """Once it is back every event arrives, of each account in its order, and once however many processes deliver."""
    endpoint = await post.endpoint(receiver.url)
    receiver.answering = answer("503 Service Unavailable")
    happened: dict[int, list[str]] = {}
    async with post.running():
        for _ in range(3):
            seen = len(receiver.received)
            for user in ("ann", "bob", "cy", "di"):
                account = await post.connected_and_gone(user)
                happened.setdefault(account.id, []).extend(BOTH)
            await until(lambda seen=seen: len(receiver.received) > seen)
            clock.move(HOUR / 3)
    # Not while an attempt is under way: noted after the clock has moved, it would be repeated later than anybody waits.
    receiver.answering = accept
    clock.move(2 * HOUR)
    async with post.running(), post.running(), post.running():
        await post.until_over(endpoint)

    assert happened == receiver.types_of_accounts()


async def test_a_delivery_is_given_up_after_a_day_and_can_be_sent_again(
    post: Post, receiver: Receiver, clock: Clock
) -> None:
    """What follows it goes on; the one that is sent again has the id of the event."""
    endpoint = await post.endpoint(receiver.url)
    await post.connected_and_gone("ann")
    receiver.answering = FAILS
    async with post.running():
        await post.until_tried(endpoint)
        clock.move(GIVE_UP_SECONDS)
        await post.until_over(endpoint)
        lost, _ = await post.log(endpoint)
        assert ("failed", 2, 500) == (lost.state, lost.attempts, lost.status)
        receiver.answering = accept
        await post.administration.resend(OWNER, endpoint, lost.id)
        await post.until_over(endpoint)

    assert [lost.event_id] == [each.id for each in receiver.accepted]
    assert ["failed", "failed", "delivered"] == [each.state for each in await post.log(endpoint)]


@ON_SQLITE
async def test_gone_disables_an_endpoint(post: Post, receiver: Receiver, clock: Clock) -> None:
    """After a 410, in however many words, nothing is sent and nothing new is kept for it, until it is enabled."""
    endpoint = await waiting_for(post, receiver, answer("410 Gone", body=b"x" * 100_000))
    async with post.running():
        assert "It answered 410 Gone." == await until_disabled(post, endpoint)
        await post.connected("bob")
        clock.move(HOUR)
        receiver.answering = accept
        await post.administration.enable(OWNER, endpoint)
        await post.until_over(endpoint)

    assert ["ann"] == [each.body["data"]["user_id"] for each in receiver.accepted]


async def until_disabled(post: Post, endpoint: WebhookEndpoint) -> str | None:
    """Wait until nothing is sent to an endpoint any more; why."""
    return (await post.until_stands(endpoint, lambda found: "disabled" == found.state)).state_reason


@ON_SQLITE
async def test_an_endpoint_that_fails_for_days_is_disabled(post: Post, receiver: Receiver, clock: Clock) -> None:
    """It is shown why; until then it stays enabled, however often it fails, or long after an event that was lost."""
    endpoint = await waiting_for(post, receiver, FAILS)

    async def until_failing() -> WebhookEndpoint:
        await post.until(lambda: post.log(endpoint), lambda log: all(each.attempts for each in log))
        return await post.until_stands(endpoint, lambda found: found.failing_since is not None)

    async with post.running():
        await until_failing()
        clock.move(DISABLE_SECONDS - 60)
        await post.until_over(endpoint)
        clock.move(HOUR)
        await post.connected("bob")
        assert "enabled" == (await until_failing()).state
        clock.move(GIVE_UP_SECONDS)
        assert "Nothing arrived there for 3 days. It answered 500." == await until_disabled(post, endpoint)


@ON_SQLITE
async def test_an_endpoint_is_left_alone_as_long_as_it_asks(post: Post, receiver: Receiver, clock: Clock) -> None:
    """`Retry-After` of a 429 counts for all that is sent to it, an hour at most."""
    endpoint = await waiting_for(post, receiver, answer("429 Too Many Requests", "Retry-After: 600\r\n"))
    async with post.running():
        await post.until_stands(endpoint, lambda found: found.paused_until is not None)
        receiver.answering = accept
        await post.connected("bob")
        clock.move(300)
        await post.deliverer().look()
        assert not receiver.accepted
        clock.move(301)
        await post.until_over(endpoint)

    assert {"ann", "bob"} == {each.body["data"]["user_id"] for each in receiver.accepted}


@ON_SQLITE
async def test_a_receiver_that_stalls_is_not_waited_for(
    post: Post, receiver: Receiver, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempt ends by itself, counts as failed, and is repeated."""
    monkeypatch.setattr(sending, "TIMEOUT_SECONDS", 0.2)
    endpoint = await waiting_for(post, receiver, stall)
    async with sending.sender_for_webhooks(ALLOWED) as hasty, post.deliverer(hasty).running():
        assert "It did not answer within 0.2 seconds." == (await post.until_tried(endpoint)).problem
        receiver.answering = accept
        clock.move(60)
        await post.until_over(endpoint)

    assert 1 == len(receiver.accepted)


async def talk(connection: Connection, _: Received) -> None:
    """Say that it was taken, and go on for ever."""
    await connection.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n")
    with contextlib.suppress(ConnectionError):
        while True:
            await connection.write(b"x" * 65536)


def begin(body: bytes) -> Answering:
    """Say that it was taken, with a body that doesn't come to its end."""

    async def answering(connection: Connection, _: Received) -> None:
        await connection.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        await connection.until_closed()

    return answering


@ON_SQLITE
@pytest.mark.parametrize(
    ("answering", "state", "status"),
    [
        pytest.param(talk, "delivered", 200, id="endless"),
        pytest.param(begin(b"no length of a chunk\r\n"), "delivered", 200, id="broken"),
        pytest.param(begin(b""), "delivered", 200, id="stalled"),
        pytest.param(answer("303 See Other", "Location: /elsewhere\r\n"), "pending", 303, id="redirect"),
    ],
)
async def test_only_the_status_of_an_answer_counts(
    post: Post, receiver: Receiver, answering: Answering, state: str, status: int
) -> None:
    """Whoever answers 2xx has taken the event, whatever follows; a redirect is no 2xx, and is not followed."""
    endpoint = await waiting_for(post, receiver, answering)
    async with post.running():
        tried = await post.until_tried(endpoint)

    assert (state, status) == (tried.state, tried.status)
    assert 1 == len(receiver.received)


@ON_SQLITE
async def test_private_addresses_are_not_reached(post: Post, receiver: Receiver) -> None:
    """An endpoint's name that leads to this machine gets nothing, unless the operator has opened it."""
    closed = await waiting_for(post, receiver)
    async with sending.sender_for_webhooks(()) as strict, post.deliverer(strict).running():
        assert "Nothing could be sent" in str((await post.until_tried(closed)).problem)

    assert not receiver.received


async def test_what_another_process_had_begun_is_sent(post: Post, receiver: Receiver, clock: Clock) -> None:
    """At once where that has ended; of one that is dead when its lease has run out. Nothing overtakes it meanwhile."""
    endpoint = await post.endpoint(receiver.url)
    account = await post.connected_and_gone("ann")
    receiver.answering = stall
    async with post.running():
        await until(lambda: 1 == len(receiver.received))
    (begun,) = await post.deliveries.due(endpoint.id, 10)
    assert await post.deliveries.claim(begun, "dead", delivering.LEASE_SECONDS)
    assert [] == await post.deliveries.due(endpoint.id, 10)
    receiver.answering = accept
    async with post.running():
        clock.move(delivering.LEASE_SECONDS + 1)
        await post.until_over(endpoint)

    assert {account.id: BOTH} == receiver.types_of_accounts()


@ON_SQLITE
async def test_two_secrets_sign_while_one_replaces_the_other(post: Post, receiver: Receiver) -> None:
    """Whichever of them the receiver knows; a retired one signs no more."""
    endpoint, old = await post.administration.create(OWNER, post.application, receiver.url)
    rotated, new = await post.administration.add_secret(OWNER, endpoint)
    async with post.running():
        await post.administration.test(OWNER, rotated)
        await post.until_over(endpoint)
        await post.administration.retire_secret(OWNER, rotated, secret_fingerprint(rotated.sealed_secrets[-1]))
        await post.administration.test(OWNER, rotated)
        await post.until_over(endpoint)

    both, one = receiver.accepted
    assert (True, True) == (both.is_signed_with(old), both.is_signed_with(new))
    assert (False, True) == (one.is_signed_with(old), one.is_signed_with(new))
    assert "webhook.test" == one.body["type"]


@ON_SQLITE
async def test_a_database_that_goes_away_meanwhile_loses_nothing(
    post: Post, receiver: Receiver, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sent and could not be noted comes again once its lease has run out; everything else just goes on."""
    endpoint = await post.endpoint(receiver.url)
    accounts = [await post.connected_and_gone(user) for user in ("ann", "bob", "cy")]
    note, away = post.deliveries.note_attempt, 2

    async def note_or_fail(*arguments: Any, **named: Any) -> None:
        nonlocal away
        if away:
            away -= 1
            raise DatabaseAway("The database does not answer.")
        await note(*arguments, **named)

    monkeypatch.setattr(post.deliveries, "note_attempt", note_or_fail)
    async with post.running():
        await until(lambda: 3 <= len(receiver.accepted) and not away)
        clock.move(delivering.LEASE_SECONDS + 1)
        await post.until_over(endpoint)

    first_arrivals = {account: list(dict.fromkeys(types)) for account, types in receiver.types_of_accounts().items()}
    assert dict.fromkeys((account.id for account in accounts), BOTH) == first_arrivals
    assert 8 == len(receiver.accepted)
