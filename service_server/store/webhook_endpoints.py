"""Webhook endpoints: where an application is told what happens."""

from collections.abc import Callable
from typing import Any, Literal

import attrs
from attrs import field, frozen
from sqlalchemy import RowMapping, delete, insert, select, update

from service_server.store.audit_events import Act, acting
from service_server.store.database import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import WEBHOOK_ENDPOINTS

EndpointState = Literal["enabled", "disabled"]


@frozen(kw_only=True)
class WebhookEndpoint:
    """
    Where an application is told what happens; without `event_types` it is told all.

    `sealed_secrets` holds one or two, newest first. Since `failing_since` nothing could be delivered; until
    `paused_until` nothing is sent, as it asked for.
    """

    id: str
    application_id: int
    url: str
    event_types: tuple[str, ...]
    sealed_secrets: tuple[str, ...] = field(repr=False)
    state: EndpointState = "enabled"
    state_reason: str | None = None
    failing_since: float | None = None
    paused_until: float | None = None
    created_at: str

    def wants(self, event_type: str) -> bool:
        """Whether it is told of events of this type."""
        return self.state == "enabled" and (not self.event_types or event_type in self.event_types)

    def takes_at(self, moment: float) -> bool:
        """Whether something may be sent to it at a moment."""
        return self.state == "enabled" and (self.paused_until is None or self.paused_until <= moment)


_EVERYONE = PreparedStatement(select(WEBHOOK_ENDPOINTS).order_by(WEBHOOK_ENDPOINTS.c.created_at))


class WebhookEndpoints:
    """The webhook endpoints of all applications."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, endpoint: WebhookEndpoint, most: int, act: Act | None = None) -> bool:
        """Add an endpoint; False if its application has that many already."""
        of_application = WEBHOOK_ENDPOINTS.c.application_id == endpoint.application_id
        turn = f"webhook endpoints of {endpoint.application_id}"
        async with acting(self._database, act, turn=turn) as done:
            found = await done.connection.scalars(select(WEBHOOK_ENDPOINTS.c.id).where(of_application))
            if len(found.all()) >= most:
                return False
            await done.connection.execute(insert(WEBHOOK_ENDPOINTS).values(_values(endpoint)))
            await done.note()
        return True

    async def everyone(self) -> list[WebhookEndpoint]:
        """All endpoints, oldest first."""
        return [_endpoint(row) for row in await self._database.fetch(_EVERYONE, {})]

    async def get(self, endpoint_id: str) -> WebhookEndpoint | None:
        """An endpoint by its id."""
        async with self._database.read() as connection:
            found = await connection.execute(select(WEBHOOK_ENDPOINTS).where(WEBHOOK_ENDPOINTS.c.id == endpoint_id))
            row = found.mappings().first()
        return None if row is None else _endpoint(row)

    async def change(
        self, endpoint_id: str, change: Callable[[WebhookEndpoint], WebhookEndpoint], act: Act | None = None
    ) -> WebhookEndpoint:
        """
        Change an endpoint; no other change can come in between, and if `change` raises, it stays as it was.

        LookupError if it is gone.
        """
        this = WEBHOOK_ENDPOINTS.c.id == endpoint_id
        async with acting(self._database, act) as done:
            found = await done.connection.execute(select(WEBHOOK_ENDPOINTS).where(this).with_for_update())
            row = found.mappings().first()
            if row is None:
                raise LookupError(f"no webhook endpoint {endpoint_id}")
            before = _endpoint(row)
            changed = change(before)
            await done.connection.execute(update(WEBHOOK_ENDPOINTS).where(this).values(_values(changed)))
            await done.note(before=before, after=changed)
            return changed

    async def remove(self, endpoint_id: str, act: Act | None = None) -> bool:
        """Remove an endpoint; `WebhookDeliveries` forgets what it was told. False if it was gone already."""
        statement = delete(WEBHOOK_ENDPOINTS).where(WEBHOOK_ENDPOINTS.c.id == endpoint_id)
        async with acting(self._database, act) as done:
            removed = (await done.connection.execute(statement)).rowcount > 0
            if removed:
                await done.note()
            return removed


def _values(endpoint: WebhookEndpoint) -> dict[str, Any]:
    values = attrs.asdict(endpoint)
    return {**values, "event_types": list(endpoint.event_types), "sealed_secrets": list(endpoint.sealed_secrets)}


def _endpoint(row: RowMapping | dict[str, Any]) -> WebhookEndpoint:
    values: dict[str, Any] = dict(row)
    values["event_types"] = tuple(values["event_types"])
    values["sealed_secrets"] = tuple(values["sealed_secrets"])
    return WebhookEndpoint(**values)
