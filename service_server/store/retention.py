"""How long what is kept stays, and how it goes: in small transactions, so that nobody has to wait for it."""

import asyncio
from typing import Any

from attrs import frozen
from sqlalchemy import ColumnElement, Delete, Table, delete, select, tuple_

from service_server.store.clock import now, timestamp
from service_server.store.database import Database
from service_server.store.tables import BUDGET_USES, CALLS, CONNECT_SESSIONS, IDEMPOTENCY, REFUSALS

_DAY_SECONDS = 24 * 3600.0
_BATCH_ROWS = 100  # a row of the log may hold 64 KiB, and SQLite overwrites what it deletes
_SHARE = 0.25  # of the time; the rest is left to those who serve


@frozen
class _Kept:
    """A table, the column with the moment from which its rows count, and the columns that tell them apart."""

    table: Table
    moment: str
    key: tuple[str, ...]
    may_go: ColumnElement[bool] | None = None

    def oldest(self, limit: str | float) -> Delete:
        """Delete a batch of those from before a moment, oldest first."""
        moment, key = self.table.c[self.moment], [self.table.c[name] for name in self.key]
        found = select(*key).where(moment < limit).order_by(moment).limit(_BATCH_ROWS)
        if self.may_go is not None:
            found = found.where(self.may_go)
        return delete(self.table).where((key[0] if len(key) == 1 else tuple_(*key)).in_(found))


_LOGS = (_Kept(CALLS, "started_at", ("id",)), _Kept(REFUSALS, "at", ("id",)))
_OF_A_DAY = (
    _Kept(IDEMPOTENCY, "created_at", ("application_id", "user_id", "function_name", "idempotency_key")),
    _Kept(BUDGET_USES, "at", ("account_id", "at")),
    _Kept(CONNECT_SESSIONS, "expires_at", ("id",), CONNECT_SESSIONS.c.sealed_outcome.is_(None)),
)


class Retention:
    """Forgets what is too old."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def forget(self, call_days: int) -> int:
        """
        Drop calls and refusals older than so many days, and of all else what ended a day ago; returns how many rows.

        It may take long where there is much, and holds nobody up: each batch is a transaction of its own, of all
        processes one at a time drops rows of a table, and most of the time nobody does.
        """
        forgotten = 0
        for kept in _LOGS:
            forgotten += await self._forget(kept, timestamp(now() - call_days * _DAY_SECONDS))
        for kept in _OF_A_DAY:
            forgotten += await self._forget(kept, now() - _DAY_SECONDS)
        return forgotten

    async def _forget(self, kept: _Kept, limit: Any) -> int:
        clock = asyncio.get_running_loop().time
        statement = kept.oldest(limit)
        forgotten = 0
        while True:
            began = clock()
            async with self._database.write(turn=f"old {kept.table.name}") as connection:
                rows = (await connection.execute(statement)).rowcount
            forgotten += rows
            if rows < _BATCH_ROWS:
                return forgotten
            await asyncio.sleep((clock() - began) * (1 / _SHARE - 1))
