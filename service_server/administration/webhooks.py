"""What an operator does with webhooks: endpoints, their secrets, tests, and sending once more."""

import secrets
from collections.abc import Sequence
from typing import get_args
from urllib.parse import urlsplit

from attrs import evolve, frozen

from service_client.models.event import EventType
from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError, NotThere
from service_server.administration.live_secrets import adding, retiring
from service_server.store import (
    Application,
    NewEvent,
    WebhookDeliveries,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEndpoints,
)
from service_server.store.clock import timestamp
from service_server.vault import Vault
from service_server.webhooks.destination import problem_with
from service_server.webhooks.secrets import new_secret, seal_secret

TEST: EventType = "webhook.test"
EVENT_TYPES: tuple[EventType, ...] = tuple(each for each in get_args(EventType) if each != TEST)
"""The types that an endpoint may be limited to."""
MOST_ENDPOINTS = 20
"""How many an application may have."""


@frozen
class WebhookAdministration:
    """
    Changes endpoints; a running service picks that up within seconds.

    `allow_hosts` are the private hosts that the service may reach, `[APP=]HOST[:PORT]`. Whatever can't be done raises
    AdministrationError.
    """

    vault: Vault
    endpoints: WebhookEndpoints
    deliveries: WebhookDeliveries
    allow_hosts: Sequence[str] = ()

    async def create(
        self, actor: Actor, application: Application, url: str, event_types: Sequence[str] = ()
    ) -> tuple[WebhookEndpoint, str]:
        """Add an endpoint of an application; returns it with its secret, which is shown this once."""
        if problem := problem_with(url, self.allow_hosts):
            raise AdministrationError(problem)
        for each in event_types:
            if each not in EVENT_TYPES:
                raise AdministrationError(f"There is no event {each[:80]!r}; there are: {', '.join(EVENT_TYPES)}.")
        endpoint_id = f"whe_{secrets.token_hex(12)}"
        secret, sealed = self._new_secret(application.id, endpoint_id)
        endpoint = WebhookEndpoint(
            id=endpoint_id,
            application_id=application.id,
            url=url,
            event_types=tuple(dict.fromkeys(event_types)),
            sealed_secrets=(sealed,),
            created_at=timestamp(),
        )
        # A path or query may hold a secret of the receiver's.
        host, types = urlsplit(url).hostname, list(endpoint.event_types)
        act = actor.does("webhook.created", endpoint_id, application=application.id, host=host, event_types=types)
        if not await self.endpoints.create(endpoint, MOST_ENDPOINTS, act):
            raise AdministrationError(f"An application has at most {MOST_ENDPOINTS} webhook endpoints.")
        return endpoint, secret

    async def of_application(self, application_id: int) -> list[WebhookEndpoint]:
        """The endpoints of an application, oldest first."""
        return [each for each in await self.endpoints.everyone() if each.application_id == application_id]

    async def endpoint(self, endpoint_id: str) -> WebhookEndpoint:
        """An endpoint by its id."""
        found = await self.endpoints.get(endpoint_id)
        if found is None:
            raise NotThere(f"There is no webhook endpoint {endpoint_id[:80]}; `webhook list` shows them.")
        return found

    async def add_secret(self, actor: Actor, endpoint: WebhookEndpoint) -> tuple[WebhookEndpoint, str]:
        """Sign with a second secret beside the one there is; returns it, shown this once."""
        secret, sealed = self._new_secret(endpoint.application_id, endpoint.id)
        act = actor.does("webhook.secret_added", endpoint.id)
        return await self.endpoints.change(endpoint.id, adding(sealed), act), secret

    async def retire_secret(self, actor: Actor, endpoint: WebhookEndpoint, fingerprint: str) -> WebhookEndpoint:
        """Sign no longer with the older of two secrets; the fingerprint must name it."""
        act = actor.does("webhook.secret_retired", endpoint.id)
        return await self.endpoints.change(endpoint.id, retiring(fingerprint), act)

    async def enable(self, actor: Actor, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        """Deliver again to a disabled endpoint: first what was still waiting for it, then what happens from now on."""
        return await self.endpoints.change(
            endpoint.id,
            lambda current: evolve(current, state="enabled", state_reason=None, failing_since=None, paused_until=None),
            actor.does("webhook.enabled", endpoint.id),
        )

    async def disable(self, actor: Actor, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        """Send nothing more; what was not delivered waits, and what happens from now on is not told."""
        reason = "An operator disabled it."
        return await self.endpoints.change(
            endpoint.id,
            lambda current: evolve(current, state="disabled", state_reason=reason),
            actor.does("webhook.disabled", endpoint.id),
        )

    async def remove(self, actor: Actor, endpoint: WebhookEndpoint) -> None:
        """Remove an endpoint with all that it was told; nothing more is sent there, not even what was to be."""
        await self.endpoints.remove(endpoint.id, actor.does("webhook.removed", endpoint.id))
        await self.deliveries.forget_of_removed()

    async def test(self, actor: Actor, endpoint: WebhookEndpoint) -> WebhookDelivery:
        """Have an event of the type `webhook.test` delivered, whatever types the endpoint is limited to."""
        self._refuse_disabled(endpoint)
        event = NewEvent(
            type=TEST, application_id=endpoint.application_id, account_id=0, data={"endpoint_id": endpoint.id}
        )
        return await self.deliveries.add(event, endpoint.id, actor.does("webhook.tested", endpoint.id))

    async def resend(self, actor: Actor, endpoint: WebhookEndpoint, delivery_id: int) -> WebhookDelivery:
        """Have an event delivered once more, with the same id, whatever became of it before."""
        self._refuse_disabled(endpoint)
        # A database has no larger numbers; asking for one would fail.
        found = await self.deliveries.get(delivery_id) if 0 < delivery_id < 2**63 else None
        if found is None or found.endpoint_id != endpoint.id:
            raise AdministrationError(
                f"This endpoint has no delivery {delivery_id}; they are kept as long as calls are."
            )
        if found.state == "pending":
            raise AdministrationError("This delivery is still being tried; it will be sent without that.")
        act = actor.does("webhook.resent", endpoint.id, delivery=delivery_id, event_id=found.event_id)
        return await self.deliveries.resend(found, act)

    def _new_secret(self, application_id: int, endpoint_id: str) -> tuple[str, str]:
        secret = new_secret()
        return secret, seal_secret(self.vault, application_id, endpoint_id, secret)

    @staticmethod
    def _refuse_disabled(endpoint: WebhookEndpoint) -> None:
        if endpoint.state == "disabled":
            raise AdministrationError(
                f"The endpoint is disabled: {endpoint.state_reason} Enable it first (`webhook enable`)."
            )
