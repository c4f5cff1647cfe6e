"""Results of calls that carried an Idempotency-Key, so that a repeated call does not happen twice."""

from typing import Any

from attrs import frozen
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.tables import IDEMPOTENCY

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
        try:
            async with self._database.write() as connection:
                await connection.execute(delete(table).where(table.c.created_at < now() - KEPT_SECONDS))
                await connection.execute(insert(table).values(values))
        except IntegrityError:
            return await self.get(record)
        return None

    async def get(self, record: IdempotencyRecord) -> IdempotencyRecord | None:
        """The record that holds a key now; None if nobody does."""
        async with self._database.read() as connection:
            row = (await connection.execute(select(IDEMPOTENCY).where(*_identity(record)))).first()
            return None if row is None else IdempotencyRecord(**row._mapping)

    async def complete(self, record: IdempotencyRecord, response: Any) -> None:
        """Keep the answer for repeats."""
        async with self._database.write() as connection:
            await connection.execute(update(IDEMPOTENCY).where(*_identity(record)).values(response=response))

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
