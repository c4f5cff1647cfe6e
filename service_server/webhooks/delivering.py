"""Delivers what happened, beside all else that a service does: in order for an account, a few accounts at a time."""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import AsyncIterator, Sequence

import structlog
from attrs import evolve

from service_server.onward.sender import Sender
from service_server.store import (
    CallEvents,
    DatabaseAway,
    WebhookDeliveries,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEndpoints,
)
from service_server.store.clock import now
from service_server.upkeep.repeating import repeated
from service_server.vault import Vault
from service_server.webhooks.retrying import DISABLE_SECONDS, next_attempt
from service_server.webhooks.sending import TIMEOUT_SECONDS, Attempt, attempt

LOOK_SECONDS = 1.0
# Longer than an attempt can take: whoever has the lease longer has died.
LEASE_SECONDS = TIMEOUT_SECONDS + 15
_ACCOUNTS_AT_ONCE = 8
_MOST_READ = 100
_MOST_IN_A_ROW = 50  # of one account, while others wait

_LOG = structlog.get_logger(__name__)


class Deliverer:
    """
    Delivers to all endpoints, while as many other processes as like do the same.

    Which process sends is settled for each delivery by a lease in the database. A process that is killed leaves its
    leases to run out; then another one sends again what was perhaps sent already.
    """

    def __init__(
        self,
        endpoints: WebhookEndpoints,
        deliveries: WebhookDeliveries,
        call_events: CallEvents,
        vault: Vault,
        sender: Sender,
        allow_hosts: Sequence[str],
    ) -> None:
        self._endpoints = endpoints
        self._deliveries = deliveries
        self._call_events = call_events
        self._vault = vault
        self._sender = sender
        self._allow_hosts = allow_hosts
        self._owner = secrets.token_hex(16)
        self._serving: dict[str, asyncio.Task[None]] = {}
        self._under_way: set[int] = set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Deliver while the block lasts; who wants to hear of calls is known when it begins."""
        await self.look()
        try:
            looking = repeated(self.look, LOOK_SECONDS, "webhook.not_looked_for", passing=DatabaseAway, at_once=False)
            async with looking:
                yield
        finally:
            await self._stop()

    async def look(self) -> None:
        """See which endpoints there are, and begin to deliver where something waits that nobody is delivering."""
        endpoints = await self._endpoints.everyone()
        self._call_events.follow(endpoints)
        if not endpoints:
            return
        waiting, moment = await self._deliveries.waited_for(), now()
        for endpoint in endpoints:
            if endpoint.id in waiting and endpoint.takes_at(moment) and endpoint.id not in self._serving:
                task = asyncio.create_task(self._serve(endpoint.id), name="webhooks")
                self._serving[endpoint.id] = task
                task.add_done_callback(lambda done, of=endpoint.id: self._ended(of, done))  # type: ignore[misc]

    def _ended(self, endpoint_id: str, done: asyncio.Task[None]) -> None:
        self._serving.pop(endpoint_id, None)
        failure = None if done.cancelled() else done.exception()
        if isinstance(failure, DatabaseAway):
            _LOG.warning("webhook.waits_for_database", endpoint=endpoint_id, reason=str(failure))
        elif failure is not None:
            _LOG.error("webhook.failed", endpoint=endpoint_id, exc_info=failure)

    async def _stop(self) -> None:
        tasks = list(self._serving.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(DatabaseAway):  # the leases run out by themselves
            if self._under_way:
                await self._deliveries.release(self._under_way, self._owner)

    async def _serve(self, endpoint_id: str) -> None:
        """Deliver all that is due to an endpoint, several accounts at a time."""
        waiting: deque[WebhookDelivery] = deque()
        accounts: set[asyncio.Task[bool]] = set()
        takes_more = True
        try:
            while True:
                if takes_more and not waiting:
                    due = await self._deliveries.due(endpoint_id, _MOST_READ)
                    # A clock that is put forward ends leases; what this process sends is under way all the same.
                    waiting.extend(each for each in due if each.id not in self._under_way)
                while waiting and len(accounts) < _ACCOUNTS_AT_ONCE:
                    accounts.add(asyncio.create_task(self._one_after_the_other(waiting.popleft())))
                if not accounts:
                    return
                ended, accounts = await asyncio.wait(
                    accounts, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                # Once it takes nothing more, what is still waiting is left for when it does.
                if not all(await asyncio.gather(*ended)):
                    takes_more = False
                    waiting.clear()
        except asyncio.CancelledError:  # the service ends
            for task in accounts:
                task.cancel()
            raise
        finally:
            await asyncio.gather(*accounts, return_exceptions=True)

    async def _one_after_the_other(self, delivery: WebhookDelivery | None) -> bool:
        """Deliver what waits of an account, up to what fails; False if the endpoint takes nothing more now."""
        for _ in range(_MOST_IN_A_ROW):
            if delivery is None:
                break
            endpoint = await self._endpoints.get(delivery.endpoint_id)
            if endpoint is None or not endpoint.takes_at(now()):
                return False
            if not await self._deliver(endpoint, delivery):
                break
            delivery = await self._deliveries.following(delivery)
        return True

    async def _deliver(self, endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> bool:
        """Try once; True if the next one of the account may follow."""
        if delivery.id in self._under_way:  # found a second time before it was claimed
            return False
        self._under_way.add(delivery.id)
        try:
            may_follow = await self._claimed_and_tried(endpoint, delivery)
        except Exception:
            self._under_way.discard(delivery.id)
            raise
        # Not when cancelled: then its lease is given back.
        self._under_way.discard(delivery.id)
        return may_follow

    async def _claimed_and_tried(self, endpoint: WebhookEndpoint, delivery: WebhookDelivery) -> bool:
        if not await self._deliveries.claim(delivery, self._owner, LEASE_SECONDS):
            return False
        came = await attempt(endpoint, delivery, self._vault, self._sender, self._allow_hosts)
        ended_at, again_at = now(), None
        if came.problem is not None:
            again_at = next_attempt(delivery.attempts + 1, delivery.created_at, ended_at)
        await self._deliveries.note_attempt(
            delivery, self._owner, status=came.status, problem=came.problem, again_at=again_at
        )
        is_given_up = came.problem is not None and again_at is None
        await self._note_health(endpoint, came, ended_at, is_given_up=is_given_up)
        if is_given_up:
            _LOG.warning(
                "webhook.given_up",
                endpoint=endpoint.id,
                delivery=delivery.id,
                event_id=delivery.event_id,
                reason=came.problem,
            )
        return again_at is None

    async def _note_health(self, endpoint: WebhookEndpoint, came: Attempt, moment: float, *, is_given_up: bool) -> None:
        """
        Keep how an endpoint fares since an attempt ended at a moment, where that has changed; end what nobody takes.

        That is so only once an event was tried for a day: where little happens, the failure before may be days old.
        """
        if came.problem is None and endpoint.failing_since is None:
            return

        def changed(current: WebhookEndpoint) -> WebhookEndpoint:
            if came.problem is None:
                return evolve(current, failing_since=None, paused_until=None)
            since = moment if current.failing_since is None else current.failing_since
            current = evolve(current, failing_since=since)
            if came.pause_seconds:
                current = evolve(current, paused_until=moment + came.pause_seconds)
            if came.gone:
                return evolve(current, state="disabled", state_reason="It answered 410 Gone.")
            if is_given_up and moment - since >= DISABLE_SECONDS:
                days = round(DISABLE_SECONDS / 86_400)
                reason = f"Nothing arrived there for {days} days. {came.problem}"
                return evolve(current, state="disabled", state_reason=reason)
            return current

        with contextlib.suppress(LookupError):  # removed meanwhile
            now_is = await self._endpoints.change(endpoint.id, changed)
            if now_is.state == "disabled" and endpoint.state == "enabled":
                _LOG.warning("webhook.endpoint_disabled", endpoint=endpoint.id, reason=now_is.state_reason)
