"""Writes what applications are to be told, in the transaction that makes it true; `webhook_deliveries` sends it on."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import field, frozen
from sqlalchemy import bindparam, insert, select

from service_client.models.converter import CONVERTER
from service_client.models.event import AccountEvent, CallEvent, EventType
from service_server.store.calls import Call
from service_server.store.clock import now, timestamp
from service_server.store.database import Database
from service_server.store.engines import AsyncConnection
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import CALLS, WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS
from service_server.store.webhook_endpoints import WebhookEndpoint

_CALL_FINISHED: EventType = "call.finished"


@frozen(kw_only=True)
class NewEvent:
    """Something that an application is to be told; `account_id` is 0 where it is about none."""

    type: EventType
    application_id: int
    account_id: int
    data: AccountEvent | CallEvent | Mapping[str, Any]
    id: str = field(factory=lambda: f"evt_{secrets.token_hex(16)}")
    at: float = field(factory=now)

    def delivery(self, endpoint_id: str) -> dict[str, Any]:
        """The row of its delivery to an endpoint."""
        data = dict(self.data) if isinstance(self.data, Mapping) else CONVERTER.unstructure(self.data)
        body = {"type": self.type, "timestamp": timestamp(self.at), "data": data}
        return {
            "endpoint_id": endpoint_id,
            "account_id": self.account_id,
            "event_id": self.id,
            "event_type": self.type,
            "body": json.dumps(body, ensure_ascii=False, separators=(",", ":")),
            "state": "pending",
            "attempts": 0,
            "due_at": self.at,
            "lease_owner": None,
            "lease_until": None,
            "status": None,
            "problem": None,
            "created_at": self.at,
            "ended_at": None,
        }


def account_event(
    event_type: EventType, application_id: int, user_id: str, app_name: str, account_id: int, reason: str | None = None
) -> NewEvent:
    """What happened to an account."""
    data = AccountEvent(user_id=user_id, app=app_name, connected_account_id=account_id, reason=reason)
    return NewEvent(type=event_type, application_id=application_id, account_id=account_id, data=data)


def call_event(call: Call) -> NewEvent:
    """The end of a call; always the same event for the same call."""
    data = CallEvent(
        call_id=call.id,
        request_id=call.request_id,
        function=call.function_name,
        app=call.app_name,
        user_id=call.user_id,
        connected_account_id=call.account_id,
        outcome=call.outcome,
        network_code=call.network_code,
        duration_ms=call.duration_ms,
        started_at=datetime.fromisoformat(call.started_at),
    )
    return NewEvent(
        type=_CALL_FINISHED,
        application_id=call.application_id,
        account_id=call.account_id,
        data=data,
        id=f"evt_{call.id}",
    )


async def record(connection: AsyncConnection, event: NewEvent) -> None:
    """Write an event for each endpoint of its application that wants it."""
    columns = WEBHOOK_ENDPOINTS.c
    enabled = select(columns.id, columns.event_types).where(
        columns.application_id == event.application_id, columns.state == "enabled"
    )
    found = await connection.execute(enabled)
    rows = [event.delivery(each.id) for each in found if not each.event_types or event.type in each.event_types]
    if rows:
        await connection.execute(insert(WEBHOOK_DELIVERIES), rows)


async def record_unknown_calls(connection: AsyncConnection, process_ids: Sequence[str]) -> None:
    """Write the ends of the calls that dead processes had under way, before these are marked as unknown."""
    told = select(WEBHOOK_ENDPOINTS.c.id).where(
        WEBHOOK_ENDPOINTS.c.application_id == CALLS.c.application_id, WEBHOOK_ENDPOINTS.c.state == "enabled"
    )
    left = select(*(CALLS.c[name] for name in _OF_A_CALL)).where(
        CALLS.c.process_id.in_(process_ids), CALLS.c.outcome == "started", told.exists()
    )
    for row in (await connection.execute(left)).all():
        await record(connection, call_event(Call(**{**row._mapping, "outcome": "unknown"})))


_OF_A_CALL = [column.name for column in CALLS.c if column.name not in ("arguments", "output", "process_id")]
# `inline`: nobody asks for the number of the new row.
_WRITTEN = [column.name for column in WEBHOOK_DELIVERIES.c if column.name != "id"]
_INSERT = PreparedStatement(
    insert(WEBHOOK_DELIVERIES).values({name: bindparam(f"new_{name}") for name in _WRITTEN}).inline()
)
_TOLD = PreparedStatement(
    select(WEBHOOK_DELIVERIES.c.endpoint_id).where(WEBHOOK_DELIVERIES.c.event_id == bindparam("event"))
)


class CallEvents:
    """
    Writes the ends of calls for the endpoints that want them, along with the log.

    Which these are is known beforehand, from `follow`, so that a call that nobody wants to hear of costs nothing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._wanted_by: Mapping[int, tuple[str, ...]] = {}

    def follow(self, endpoints: Iterable[WebhookEndpoint]) -> None:
        """From now on write for those of these endpoints that want it."""
        wanted: dict[int, tuple[str, ...]] = {}
        for each in endpoints:
            if each.wants(_CALL_FINISHED):
                wanted[each.application_id] = (*wanted.get(each.application_id, ()), each.id)
        self._wanted_by = wanted

    def are_wanted_by(self, application_id: int) -> bool:
        """Whether anybody wants to hear of the calls of an application."""
        return application_id in self._wanted_by

    async def record(self, call: Call, *, durable: bool) -> None:
        """Write the end of a call; what is started together with the call's own row is committed with it."""
        await self._write(call_event(call), self._wanted_by.get(call.application_id, ()), durable=durable)

    async def settle(self, call: Call) -> None:
        """Write the end of a call, unless it is written already: an earlier attempt may have got through."""
        event = call_event(call)
        told = {row["endpoint_id"] for row in await self._database.fetch(_TOLD, {"event": event.id})}
        wanted = self._wanted_by.get(call.application_id, ())
        await self._write(event, [each for each in wanted if each not in told], durable=True)

    async def _write(self, event: NewEvent, endpoint_ids: Iterable[str], *, durable: bool) -> None:
        rows = [event.delivery(endpoint_id) for endpoint_id in endpoint_ids]
        await self._database.commit_together_soon(
            _INSERT, [{f"new_{name}": value for name, value in row.items()} for row in rows], durable=durable
        )
