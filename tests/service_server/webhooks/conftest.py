"""The parts that deliver, beside a receiver, on an empty database of each kind; and a clock that is moved."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from types import SimpleNamespace
from typing import TypeVar

import pytest
from attrs import define, field, frozen

from service_server.administration.webhooks import WebhookAdministration
from service_server.onward.sender import Sender
from service_server.store import (
    Account,
    Accounts,
    Application,
    Applications,
    CallEvents,
    Database,
    WebhookDeliveries,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEndpoints,
)
from service_server.vault import Vault, keys_from_text
from service_server.webhooks.delivering import Deliverer
from service_server.webhooks.sending import sender_for_webhooks
from tests.service_server.actors import OWNER
from tests.service_server.connected_world import VAULT_KEY
from tests.service_server.store.databases import connect, new_account, opened

ALLOWED = ("webhooks=127.0.0.1",)
Found = TypeVar("Found")


@define
class Clock:
    """The service's clock, as far as a test has moved it."""

    ahead: float = 0.0

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self.ahead += seconds


@frozen
class Post:
    """The parts of a service that deliver, and one application."""

    database: Database
    application: Application
    administration: WebhookAdministration
    endpoints: WebhookEndpoints
    deliveries: WebhookDeliveries
    call_events: CallEvents
    accounts: Accounts
    vault: Vault = field(repr=False)
    sender: Sender = field(repr=False)

    def deliverer(self, sender: Sender | None = None) -> Deliverer:
        """What delivers, as one process has it."""
        sender = sender or self.sender
        return Deliverer(self.endpoints, self.deliveries, self.call_events, self.vault, sender, ALLOWED)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Deliver while the block lasts."""
        return self.deliverer().running()

    async def endpoint(self, url: str, *event_types: str) -> WebhookEndpoint:
        """An endpoint of the application."""
        endpoint, _ = await self.administration.create(OWNER, self.application, url, event_types)
        return endpoint

    async def connected(self, user_id: str) -> Account:
        """An account that a user has just connected."""
        return await connect(self.database, new_account(user_id, user_id=user_id, application_id=self.application.id))

    async def connected_and_gone(self, user_id: str) -> Account:
        """An account that a user has connected and disconnected, which are two events."""
        account = await self.connected(user_id)
        await self.accounts.disconnect(account)
        return account

    async def until(self, look: Callable[[], Awaitable[Found]], holds: Callable[[Found], bool]) -> Found:
        """Wait until something holds of what a look at the database finds; what that was."""
        async with asyncio.timeout(30):
            while not holds(found := await look()):  # noqa: ASYNC110  other processes tell nobody
                await asyncio.sleep(0.02)
        return found

    async def until_over(self, endpoint: WebhookEndpoint) -> None:
        """Wait until nothing waits for an endpoint."""
        await self.until(self.deliveries.waited_for, lambda waited: endpoint.id not in waited)

    async def until_tried(self, endpoint: WebhookEndpoint) -> WebhookDelivery:
        """Wait until the oldest delivery of an endpoint has been tried once; how it stands then."""
        return (await self.until(lambda: self.log(endpoint), lambda log: 1 == log[0].attempts))[0]

    async def until_stands(
        self, endpoint: WebhookEndpoint, holds: Callable[[WebhookEndpoint], bool]
    ) -> WebhookEndpoint:
        """Wait until something holds of an endpoint; how it stands then."""
        return await self.until(lambda: self.administration.endpoint(endpoint.id), holds)

    async def log(self, endpoint: WebhookEndpoint) -> list[WebhookDelivery]:
        """The deliveries of an endpoint, oldest first."""
        return (await self.deliveries.log(endpoint.id, limit=1000))[::-1]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the service in this process."""
    clock = Clock()
    moved = SimpleNamespace(time=lambda: time.time() + clock.ahead)
    monkeypatch.setattr("service_server.store.clock.time", moved)
    return clock


@pytest.fixture
async def post(database_url: str) -> AsyncIterator[Post]:
    """The parts that deliver."""
    async with opened(database_url) as database, sender_for_webhooks(ALLOWED) as sender:
        vault = Vault(keys_from_text(VAULT_KEY))
        endpoints, deliveries = WebhookEndpoints(database), WebhookDeliveries(database)
        yield Post(
            database=database,
            application=await Applications(database).create("Host", "app_host", ["sealed"], []),
            administration=WebhookAdministration(vault, endpoints, deliveries, ALLOWED),
            endpoints=endpoints,
            deliveries=deliveries,
            call_events=CallEvents(database),
            accounts=Accounts(database),
            vault=vault,
            sender=sender,
        )
