"""Results of calls that carried an Idempotency-Key, so that a repeated call does not happen twice."""

from collections.abc import Sequence
from typing import Any

import attrs
from attrs import frozen
from sqlalchemy import Delete, Update, bindparam, delete, exists, insert, null, select, update

from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.tables import CALLS, IDEMPOTENCY

KEPT_SECONDS = 24 * 3600


@frozen(kw_only=True)
class IdempotencyRecord:
    """One key: whose it is, what it was used with, and the sealed answer once there is one."""

    application_id: int
    user_id: str
    function_name: str
    idempotency_key: str
    arguments_hash: str
    call_id: str
    process_id: str | None = None
    response: Any = None
    created_at: float


_IDENTITY = ("application_id", "user_id", "function_name", "idempotency_key")
_COMPLETE = (
    update(IDEMPOTENCY)
    .where(
        IDEMPOTENCY.c.application_id == bindparam("application"),
        IDEMPOTENCY.c.user_id == bindparam("user"),
        IDEMPOTENCY.c.function_name == bindparam("function"),
        IDEMPOTENCY.c.idempotency_key == bindparam("key"),
        IDEMPOTENCY.c.call_id == bindparam("call"),
    )
    .values(response=bindparam("answer"), process_id=None)
)


def given_back(process_ids: Sequence[str]) -> Delete:
    """Free the keys of calls that processes which are gone had under way, and of which nothing can have been sent."""
    return delete(IDEMPOTENCY).where(
        IDEMPOTENCY.c.process_id.in_(process_ids),
        IDEMPOTENCY.c.response.is_(null()),
        ~exists().where(CALLS.c.id == IDEMPOTENCY.c.call_id),
    )


def no_longer_under_way(process_ids: Sequence[str]) -> Update:
    """Release the other keys from their processes, which are gone: their calls stand in the log."""
    return update(IDEMPOTENCY).where(IDEMPOTENCY.c.process_id.in_(process_ids)).values(process_id=None)


class IdempotencyRecords:
    """The keys of the last 24 hours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, record: IdempotencyRecord) -> IdempotencyRecord | None:
        """Take a key; returns None on success, else the record that holds it."""
        values = attrs.asdict(record, filter=attrs.filters.exclude("response"))
        async with self._database.write(turn=_turn(record)) as connection:
            await connection.execute(
                delete(IDEMPOTENCY).where(*_identity(record), IDEMPOTENCY.c.created_at < now() - KEPT_SECONDS)
            )
            # Looked for in the same turn: between two, a refused call might give the key back, and this one would run
            # without holding it.
            holder = (await connection.execute(select(IDEMPOTENCY).where(*_identity(record)))).first()
            if holder is None:
                await connection.execute(insert(IDEMPOTENCY).values(values))
        return None if holder is None else IdempotencyRecord(**holder._mapping)

    async def get(self, record: IdempotencyRecord) -> IdempotencyRecord | None:
        """The record that holds a key now; None if nobody does."""
        async with self._database.read() as connection:
            row = (await connection.execute(select(IDEMPOTENCY).where(*_identity(record)))).first()
            return None if row is None else IdempotencyRecord(**row._mapping)

    async def complete(self, record: IdempotencyRecord, response: Any) -> None:
        """Keep the answer for repeats; durable when it returns."""
        await self._database.commit_soon(
            _COMPLETE,
            {
                "application": record.application_id,
                "user": record.user_id,
                "function": record.function_name,
                "key": record.idempotency_key,
                "call": record.call_id,
                "answer": response,
            },
        )

    async def release(self, record: IdempotencyRecord) -> None:
        """Give a key back: the call was refused, so a corrected one may use it."""
        async with self._database.write() as connection:
            await connection.execute(
                delete(IDEMPOTENCY).where(*_identity(record), IDEMPOTENCY.c.call_id == record.call_id)
            )


def _identity(record: IdempotencyRecord) -> list[Any]:
    return [IDEMPOTENCY.c[name] == getattr(record, name) for name in _IDENTITY]


def _turn(record: IdempotencyRecord) -> str:
    return repr(("idempotency", *(getattr(record, name) for name in _IDENTITY)))
