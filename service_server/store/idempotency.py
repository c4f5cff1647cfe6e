"""Results of calls that carried an Idempotency-Key, so that a repeated call does not happen twice."""

from collections.abc import Iterable, Sequence
from typing import Any

import attrs
from attrs import frozen
from sqlalchemy import BindParameter, Delete, Update, bindparam, delete, exists, insert, null, select, update

from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.failures import RowRefused
from service_server.store.prepared import PreparedStatement
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
_OF_CALL = (*_IDENTITY, "call_id")
_CLAIMED = tuple(each.name for each in attrs.fields(IdempotencyRecord) if each.name != "response")


def _given(column: str) -> BindParameter[Any]:
    """The value that a record has for a column."""
    return bindparam(f"given_{column}", type_=IDEMPOTENCY.c[column].type)


_IS_IDENTITY = [IDEMPOTENCY.c[name] == _given(name) for name in _IDENTITY]
_IS_OF_CALL = [IDEMPOTENCY.c[name] == _given(name) for name in _OF_CALL]
_ROW = tuple(_given(name).key for name in _IDENTITY)
_GET = PreparedStatement(select(IDEMPOTENCY).where(*_IS_IDENTITY))
_FORGET = PreparedStatement(
    delete(IDEMPOTENCY).where(*_IS_IDENTITY, IDEMPOTENCY.c.created_at < bindparam("before")), row=_ROW
)
_CLAIM = PreparedStatement(
    insert(IDEMPOTENCY).from_select(
        _CLAIMED, select(*(_given(name) for name in _CLAIMED)).where(~exists().where(*_IS_IDENTITY))
    ),
    row=_ROW,
)
_RELEASE = PreparedStatement(delete(IDEMPOTENCY).where(*_IS_OF_CALL), row=_ROW)
_COMPLETE = PreparedStatement(
    update(IDEMPOTENCY).where(*_IS_OF_CALL).values(response=bindparam("answer"), process_id=None), row=_ROW
)


def given_back(process_ids: Sequence[str]) -> Delete:
    """Free the keys of calls that dead processes had under way, and of which nothing can have been sent."""
    return delete(IDEMPOTENCY).where(
        IDEMPOTENCY.c.process_id.in_(process_ids),
        IDEMPOTENCY.c.response.is_(null()),
        ~exists().where(CALLS.c.id == IDEMPOTENCY.c.call_id),
    )


def no_longer_under_way(process_ids: Sequence[str]) -> Update:
    """Release the other keys from their dead processes: their calls are in the log."""
    return update(IDEMPOTENCY).where(IDEMPOTENCY.c.process_id.in_(process_ids)).values(process_id=None)


class IdempotencyRecords:
    """The keys of the last 24 hours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, record: IdempotencyRecord) -> IdempotencyRecord | None:
        """Take a key; returns None on success, else the record that holds it."""
        while True:
            holder = await self.get(record)
            if holder is not None and holder.call_id == record.call_id:
                return None
            if holder is not None and holder.created_at >= (before := now() - KEPT_SECONDS):
                return holder
            if holder is not None:
                await self._database.commit_soon(_FORGET, {**_values(record, _IDENTITY), "before": before})
            # Read again afterwards: by now it may be another's, or nobody's if that call was refused.
            try:
                await self._database.commit_soon(_CLAIM, _values(record, _CLAIMED))
            except RowRefused:  # another process was first
                continue

    async def get(self, record: IdempotencyRecord) -> IdempotencyRecord | None:
        """The record that holds a key now; None if the key is free."""
        rows = await self._database.fetch(_GET, _values(record, _IDENTITY))
        return IdempotencyRecord(**rows[0]) if rows else None

    async def complete(self, record: IdempotencyRecord, response: Any) -> None:
        """Keep the answer for repeats; durable when it returns."""
        await self._database.commit_soon(_COMPLETE, {**_values(record, _OF_CALL), "answer": response})

    async def release(self, record: IdempotencyRecord) -> None:
        """Give a key back: the call was refused, so a corrected one may use it."""
        await self._database.commit_soon(_RELEASE, _values(record, _OF_CALL))


def _values(record: IdempotencyRecord, columns: Iterable[str]) -> dict[str, Any]:
    return {f"given_{column}": getattr(record, column) for column in columns}
