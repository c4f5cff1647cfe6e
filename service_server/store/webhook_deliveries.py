"""What webhook endpoints are told, or were: one at a time of an account, in the order in which it happened."""

from collections.abc import Collection
from typing import Any, Literal

import attrs
from attrs import field, frozen
from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
    update,
)

from service_server.store.audit_events import Act, acting
from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import IS_GIVEN_UP, IS_PENDING, WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS
from service_server.store.webhook_events import NewEvent

DeliveryState = Literal["pending", "delivered", "failed"]


@frozen(kw_only=True)
class WebhookDelivery:
    """
    An event on its way to an endpoint, or at its end there.

    `status` and `problem` are those of the last attempt; moments are seconds since 1970.
    """

    id: int
    endpoint_id: str
    account_id: int
    event_id: str
    event_type: str
    body: str = field(repr=False)
    state: DeliveryState
    attempts: int
    due_at: float
    status: int | None
    problem: str | None
    created_at: float
    ended_at: float | None


_BATCH_ROWS = 100
_D = WEBHOOK_DELIVERIES.c
_COLUMNS = [_D[attribute.name] for attribute in attrs.fields(WebhookDelivery)]
_NO_LEASE: dict[str, Any] = {"lease_owner": None, "lease_until": None}


def _pending(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    # As literal text, since a database uses a partial index only if the query has the words of its condition.
    return and_(text(IS_PENDING), *conditions)


def _free_at(moment: ColumnElement[float]) -> ColumnElement[bool]:
    return and_(_D.due_at <= moment, or_(_D.lease_until.is_(None), _D.lease_until < moment))


def _heads_of() -> Select[Any]:
    """
    The first pending delivery of each account, where it is due and nobody has it.

    It jumps in the index from account to account, so it takes long only if many accounts wait, however much each does.
    """
    of_endpoint = _D.endpoint_id == bindparam("endpoint")
    accounts = select(func.min(_D.account_id).label("account_id")).where(_pending(of_endpoint))
    seen = accounts.cte("accounts", recursive=True)
    following = select(func.min(_D.account_id)).where(_pending(of_endpoint, _D.account_id > seen.c.account_id))
    every = seen.union_all(select(following.scalar_subquery()).where(seen.c.account_id.is_not(None)))
    first = select(func.min(_D.id)).where(_pending(of_endpoint, _D.account_id == every.c.account_id))
    heads = select(first.scalar_subquery().label("id")).select_from(every).subquery()
    due = select(*_COLUMNS).join(heads, heads.c.id == _D.id).where(_free_at(bindparam("moment", type_=_D.due_at.type)))
    return due.order_by(_D.due_at, _D.id).limit(bindparam("most"))


_WAITED_FOR = PreparedStatement(
    select(WEBHOOK_ENDPOINTS.c.id).where(
        select(_D.id).where(_pending(_D.endpoint_id == WEBHOOK_ENDPOINTS.c.id)).exists()
    )
)
_HEADS = _heads_of()
_LATER = (
    select(*_COLUMNS)
    .where(_pending(_D.endpoint_id == bindparam("endpoint"), _D.account_id == bindparam("account")))
    .order_by(_D.id)
    .limit(1)
)
_END = PreparedStatement(
    update(WEBHOOK_DELIVERIES)
    .where(_D.id == bindparam("delivery"), _D.lease_owner == bindparam("owner"))
    .values(
        state=bindparam("new_state"),
        attempts=_D.attempts + literal_column("1"),
        due_at=bindparam("due"),
        status=bindparam("answer"),
        problem=bindparam("trouble"),
        ended_at=bindparam("end"),
        lease_owner=None,
        lease_until=None,
    ),
    row=("delivery",),
)


class WebhookDeliveries:
    """
    The deliveries of all endpoints: what waits, and the log of what was delivered or given up.

    Only the first pending one of an account is ever sent to an endpoint, by the one process that has the lease on it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def waited_for(self) -> set[str]:
        """The endpoints for which something waits, due or not."""
        return {row["id"] for row in await self._database.fetch(_WAITED_FOR, {})}

    async def due(self, endpoint_id: str, most: int) -> list[WebhookDelivery]:
        """The next deliveries to send to an endpoint, one for each account, those that wait longest first."""
        parameters = {"endpoint": endpoint_id, "moment": now(), "most": most}
        async with self._database.read() as connection:
            return [WebhookDelivery(**row._mapping) for row in await connection.execute(_HEADS, parameters)]

    async def following(self, delivery: WebhookDelivery) -> WebhookDelivery | None:
        """What is to be sent after a delivery that has ended."""
        parameters = {"endpoint": delivery.endpoint_id, "account": delivery.account_id}
        async with self._database.read() as connection:
            row = (await connection.execute(_LATER, parameters)).first()
        return None if row is None else WebhookDelivery(**row._mapping)

    async def claim(self, delivery: WebhookDelivery, owner: str, seconds: float) -> bool:
        """Become the one who sends a delivery; False if it is not due, has ended, or someone else sends it."""
        moment = now()
        statement = (
            update(WEBHOOK_DELIVERIES)
            .where(_pending(_D.id == delivery.id, _free_at(bindparam("moment", moment, type_=_D.due_at.type))))
            .values(lease_owner=owner, lease_until=moment + seconds)
        )
        async with self._database.write() as connection:
            return (await connection.execute(statement)).rowcount > 0

    async def release(self, delivery_ids: Collection[int], owner: str) -> None:
        """Give leases back without having sent anything, or without knowing what came of it."""
        statement = update(WEBHOOK_DELIVERIES).where(_D.id.in_(delivery_ids), _D.lease_owner == owner)
        async with self._database.write() as connection:
            await connection.execute(statement.values(**_NO_LEASE))

    async def note_attempt(
        self, delivery: WebhookDelivery, owner: str, *, status: int | None, problem: str | None, again_at: float | None
    ) -> None:
        """
        Note how an attempt ended: delivered without a `problem`, else to be sent again at a moment, or given up.

        Not durable: if the machine fails at that moment, it is sent once more.
        """
        state: DeliveryState = "delivered" if problem is None else "failed" if again_at is None else "pending"
        parameters = {
            "delivery": delivery.id,
            "owner": owner,
            "new_state": state,
            "due": delivery.due_at if again_at is None else again_at,
            "answer": status,
            "trouble": problem,
            "end": None if state == "pending" else now(),
        }
        await self._database.commit_soon(_END, parameters, durable=False)

    async def add(self, event: NewEvent, endpoint_id: str, act: Act | None = None) -> WebhookDelivery:
        """Have an event delivered to one endpoint."""
        return await self._insert(event.delivery(endpoint_id), act)

    async def resend(self, delivery: WebhookDelivery, act: Act | None = None) -> WebhookDelivery:
        """Have the same event delivered once more, after all that waits for the endpoint of the same account."""
        again = attrs.asdict(delivery) | {
            "state": "pending",
            "attempts": 0,
            "due_at": now(),
            "status": None,
            "problem": None,
            "created_at": now(),
            "ended_at": None,
        }
        del again["id"]
        return await self._insert(again, act)

    async def get(self, delivery_id: int) -> WebhookDelivery | None:
        """A delivery by its number."""
        async with self._database.read() as connection:
            row = (await connection.execute(select(*_COLUMNS).where(_D.id == delivery_id))).first()
        return None if row is None else WebhookDelivery(**row._mapping)

    async def log(
        self, endpoint_id: str, *, limit: int, before: int | None = None, state: DeliveryState | None = None
    ) -> list[WebhookDelivery]:
        """The deliveries of an endpoint, newest first; `before` is the number of the last one already seen."""
        query = select(*_COLUMNS).where(_D.endpoint_id == endpoint_id).order_by(_D.id.desc()).limit(limit)
        if before is not None:
            query = query.where(_D.id < before)
        if state is not None:
            query = query.where(text(IS_GIVEN_UP) if state == "failed" else _D.state == state)
        async with self._database.read() as connection:
            return [WebhookDelivery(**row._mapping) for row in await connection.execute(query)]

    async def forget_of_removed(self) -> int:
        """Delete what endpoints were told that are there no longer, in small transactions; returns how many that is."""
        forgotten, endpoint_id = 0, ""
        while True:
            # Each look at an endpoint is one in the index, however many deliveries it has.
            following = select(func.min(_D.endpoint_id)).where(_D.endpoint_id > endpoint_id)
            async with self._database.read() as connection:
                found = await connection.scalar(following)
            if found is None:
                return forgotten
            endpoint_id = str(found)
            while count := await self._forget_some(endpoint_id):
                forgotten += count

    async def _forget_some(self, endpoint_id: str) -> int:
        of_removed = and_(
            _D.endpoint_id == endpoint_id,
            ~select(WEBHOOK_ENDPOINTS.c.id).where(WEBHOOK_ENDPOINTS.c.id == endpoint_id).exists(),
        )
        async with self._database.write() as connection:
            ids = list(await connection.scalars(select(_D.id).where(of_removed).order_by(_D.id).limit(_BATCH_ROWS)))
            if ids:
                await connection.execute(delete(WEBHOOK_DELIVERIES).where(_D.id.in_(ids)))
        return len(ids)

    async def _insert(self, values: dict[str, Any], act: Act | None) -> WebhookDelivery:
        statement = insert(WEBHOOK_DELIVERIES).values(values).returning(*_COLUMNS)
        async with acting(self._database, act) as done:
            made = WebhookDelivery(**(await done.connection.execute(statement)).one()._mapping)
            await done.note()
            return made
