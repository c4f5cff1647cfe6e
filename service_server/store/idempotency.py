"""Results of calls that carried an Idempotency-Key, so that a repeated call does not happen twice."""

from typing import Any

from attrs import frozen
from sqlalchemy import bindparam, delete, insert, null, select, update

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
    response: Any = None
    created_at: float


_COMPLETE = (
    update(IDEMPOTENCY)
    .where(
        IDEMPOTENCY.c.application_id == bindparam("application"),
        IDEMPOTENCY.c.user_id == bindparam("user"),
        IDEMPOTENCY.c.function_name == bindparam("function"),
        IDEMPOTENCY.c.idempotency_key == bindparam("key"),
    )
    .values(response=bindparam("answer"))
)


class IdempotencyRecords:
    """The keys of the last 24 hours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, record: IdempotencyRecord) -> IdempotencyRecord | None:
        """Take a key; returns None on success, else the record that holds it."""
        table = IDEMPOTENCY
        values = {
            "application_id": record.application_id,
            "user_id": record.user_id,
            "function_name": record.function_name,
            "idempotency_key": record.idempotency_key,
            "arguments_hash": record.arguments_hash,
            "call_id": record.call_id,
            "created_at": record.created_at,
        }
        async with self._database.write() as connection:
            await connection.execute(delete(table).where(table.c.created_at < now() - KEPT_SECONDS))
            # Looked for in the same transaction: between two, a refused call might give the key back, and this one
            # would run without holding it.
            holder = (await connection.execute(select(table).where(*_identity(record)))).first()
            if holder is None:
                await connection.execute(insert(table).values(values))
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
                "answer": response,
            },
        )

    async def release_unused(self) -> int:
        """
        At start-up: give back the keys of calls that were cut off before anything of them was sent; returns how many.

        A call that may change something stands in the log before it is sent, so one that does not never was.
        """
        statement = delete(IDEMPOTENCY).where(
            IDEMPOTENCY.c.response.is_(null()), IDEMPOTENCY.c.call_id.not_in(select(CALLS.c.id))
        )
        async with self._database.write() as connection:
            return (await connection.execute(statement)).rowcount

    async def release(self, record: IdempotencyRecord) -> None:
        """Give a key back: the call was refused, so a corrected one may use it."""
        async with self._database.write() as connection:
            await connection.execute(delete(IDEMPOTENCY).where(*_identity(record)))


def _identity(record: IdempotencyRecord) -> tuple[Any, ...]:
    columns = IDEMPOTENCY.c
    return (
        columns.application_id == record.application_id,
        columns.user_id == record.user_id,
        columns.function_name == record.function_name,
        columns.idempotency_key == record.idempotency_key,
    )
