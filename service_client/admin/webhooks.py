"""Webhook endpoints and what was delivered there."""

from collections.abc import Sequence

from service_client.admin.lists import pages
from service_client.models.administration import (
    WebhookDeliveries,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEndpoints,
    WebhookEndpointWithSecret,
)
from service_client.plans import AsyncResource, ItemsAt, Plan, Request, SyncResource, listed, operation, read

_PATH = ("admin", "webhooks")


class _Webhooks:
    @listed
    def list(
        self,
        *,
        application: int | None = None,
        limit: int | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[WebhookEndpoint]]:
        """List the endpoints of all applications, or of one."""
        return pages(("webhooks",), WebhookEndpoints, {"application": application, "limit": limit}, cursor, timeout)

    @operation
    def get(self, id: str, *, timeout: float | None = None) -> Plan[WebhookEndpoint]:
        """Fetch one endpoint."""
        response = yield Request("GET", (*_PATH, id), timeout=timeout)
        return read(response, WebhookEndpoint)

    @operation
    def create(
        self, application: int, url: str, *, event_types: Sequence[str] = (), timeout: float | None = None
    ) -> Plan[WebhookEndpointWithSecret]:
        """Tell an application what happens, all of it or these types; keep the secret, which is told this once."""
        body = {"application_id": application, "url": url, "event_types": [*event_types]}
        response = yield Request("POST", _PATH, body=body, timeout=timeout)
        return read(response, WebhookEndpointWithSecret)

    @operation
    def remove(self, id: str, *, timeout: float | None = None) -> Plan[None]:
        """Send nothing more there, not even what was to be."""
        yield Request("DELETE", (*_PATH, id), timeout=timeout)

    @operation
    def add_secret(self, id: str, *, timeout: float | None = None) -> Plan[WebhookEndpointWithSecret]:
        """Sign with a second secret as well, which is told this once."""
        response = yield Request("POST", (*_PATH, id, "secrets"), timeout=timeout)
        return read(response, WebhookEndpointWithSecret)

    @operation
    def retire_secret(self, id: str, fingerprint: str, *, timeout: float | None = None) -> Plan[None]:
        """Sign no longer with the older of two secrets, by its fingerprint: the last of the endpoint's `secrets`."""
        yield Request("DELETE", (*_PATH, id, "secrets", fingerprint), timeout=timeout)

    @operation
    def enable(self, id: str, *, timeout: float | None = None) -> Plan[WebhookEndpoint]:
        """Deliver again: first what was still waiting, then what happens from now on."""
        response = yield Request("POST", (*_PATH, id, "enable"), timeout=timeout)
        return read(response, WebhookEndpoint)

    @operation
    def disable(self, id: str, *, timeout: float | None = None) -> Plan[WebhookEndpoint]:
        """Send nothing more; what was not delivered waits."""
        response = yield Request("POST", (*_PATH, id, "disable"), timeout=timeout)
        return read(response, WebhookEndpoint)

    @operation
    def test(self, id: str, *, timeout: float | None = None) -> Plan[WebhookDelivery]:
        """Have an event of the type webhook.test delivered."""
        response = yield Request("POST", (*_PATH, id, "test"), timeout=timeout)
        return read(response, WebhookDelivery)

    @listed
    def deliveries(
        self,
        id: str,
        *,
        state: str | None = None,
        limit: int | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[WebhookDelivery]]:
        """List what an endpoint was told, newest first; `state` is pending, delivered or failed."""
        path, query = ("webhooks", id, "deliveries"), {"state": state, "limit": limit}
        return pages(path, WebhookDeliveries, query, cursor, timeout)

    @operation
    def resend(self, id: str, delivery: int, *, timeout: float | None = None) -> Plan[WebhookDelivery]:
        """Deliver an event once more, with the same event id."""
        path = (*_PATH, id, "deliveries", str(delivery), "resend")
        response = yield Request("POST", path, timeout=timeout)
        return read(response, WebhookDelivery)


class AdminWebhooks(_Webhooks, SyncResource):
    """Webhook endpoints."""


class AsyncAdminWebhooks(_Webhooks, AsyncResource):
    """Webhook endpoints."""
