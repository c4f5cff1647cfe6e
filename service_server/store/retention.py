"""How long things are kept, and how they are dropped: in small transactions, so that nobody has to wait for it."""

import asyncio
import math
from collections.abc import Sequence
from typing import Any

import structlog
from attrs import frozen
from sqlalchemy import ColumnElement, Delete, Row, Select, Table, delete, select, tuple_
from sqlalchemy.exc import DBAPIError

from service_server.store.clock import now, timestamp
from service_server.store.database import Database
from service_server.store.failures import DatabaseAway
from service_server.store.tables import (
    ACCOUNT_EVENTS,
    AUDIT_EVENTS,
    BUDGET_USES,
    CALL_COUNTS,
    CALLS,
    CONNECT_SESSIONS,
    IDEMPOTENCY,
    REFUSALS,
    WEBHOOK_DELIVERIES,
)
from service_server.store.webhook_deliveries import WebhookDeliveries

_DAY_SECONDS = 24 * 3600.0
_BATCH_ROWS = 100  # a row of the log may hold 64 KiB, and SQLite overwrites what it deletes
_SHARE = 0.25  # of the time; the rest is left to requests
_MOST_PARTITIONS = 12  # for the time that the log is kept, each of whole days

_LOG = structlog.get_logger(__name__)


@frozen
class _Kept:
    """A table, the column with the moment from which its rows count, and the columns that tell them apart."""

    table: Table
    moment: str
    key: tuple[str, ...]
    may_go: ColumnElement[bool] | None = None

    def oldest(self, limit: str | float) -> Select[Any]:
        """The keys of a batch of those from before a moment, oldest first."""
        moment = self.table.c[self.moment]
        found = select(*self._columns).where(moment < limit).order_by(moment).limit(_BATCH_ROWS)
        return found if self.may_go is None else found.where(self.may_go)

    def without(self, keys: Sequence[Row[Any]]) -> Delete:
        """Delete the rows with these keys: each listed, since a join with the batch might read all of a small table."""
        column = self._columns[0] if len(self.key) == 1 else tuple_(*self._columns)
        return delete(self.table).where(column.in_([key[0] if len(key) == 1 else tuple(key) for key in keys]))

    @property
    def _columns(self) -> list[ColumnElement[Any]]:
        return [self.table.c[name] for name in self.key]


_LOGS = (_Kept(CALLS, "started_at", ("id",)), _Kept(REFUSALS, "at", ("id",)))
_AUDIT = _Kept(AUDIT_EVENTS, "at", ("id",))
_ACCOUNT_EVENTS = _Kept(ACCOUNT_EVENTS, "at", ("id",))
_DELIVERIES = _Kept(WEBHOOK_DELIVERIES, "created_at", ("id",))
_OF_A_DAY = (
    _Kept(IDEMPOTENCY, "created_at", ("application_id", "user_id", "function_name", "idempotency_key")),
    _Kept(BUDGET_USES, "at", ("account_id", "at")),
    _Kept(CONNECT_SESSIONS, "expires_at", ("id",), CONNECT_SESSIONS.c.sealed_outcome.is_(None)),
)


def _counts(seconds: int) -> _Kept:
    key = ("seconds", "begins_at", "app_name", "function_name")
    return _Kept(CALL_COUNTS, "begins_at", key, CALL_COUNTS.c.seconds == seconds)


# Hours are compared with those of the week before, days are charted for months.
_COUNTS_DAYS = ((3600, 15), (24 * 3600, 400))


class Retention:
    """Forgets what is too old."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def forget(self, call_days: int, audit_days: int = 400) -> int:
        """
        Drop the log, account events, webhook deliveries and the audit trail after so many days, all else a day later.

        Returns how many rows. It may take long if there is much, but holds nobody up: each batch is a transaction of
        its own, only one process at a time drops rows of a table, and most of the time none does.
        """
        forgotten = 0
        for kept in _LOGS:
            oldest = now() - call_days * _DAY_SECONDS
            forgotten += await self._look_after_partitions(kept.table.name, oldest, call_days)
            forgotten += await self._forget(kept, timestamp(oldest))
        forgotten += await self._forget(_DELIVERIES, now() - call_days * _DAY_SECONDS)
        # What was written while the endpoint was being removed, and by a release that kept it all.
        forgotten += await WebhookDeliveries(self._database).forget_of_removed()
        forgotten += await self._forget(_ACCOUNT_EVENTS, timestamp(now() - call_days * _DAY_SECONDS))
        forgotten += await self._forget(_AUDIT, timestamp(now() - audit_days * _DAY_SECONDS))
        for seconds, days in _COUNTS_DAYS:
            forgotten += await self._forget(_counts(seconds), now() - days * _DAY_SECONDS)
        for kept in _OF_A_DAY:
            forgotten += await self._forget(kept, now() - _DAY_SECONDS)
        return forgotten

    async def _look_after_partitions(self, table: str, oldest: float, call_days: int) -> int:
        """Make new partitions and drop old ones, each in a moment; if others are in the way, try again next time."""
        partitions = self._database.partitions
        if partitions is None:
            return 0
        turn, forgotten = f"partitions of {table}", 0
        seconds = _DAY_SECONDS * max(1, math.ceil(call_days / _MOST_PARTITIONS))
        try:
            async with self._database.write(turn=turn) as connection:
                await partitions.make_ahead(connection, table, seconds)
            while True:
                async with self._database.write(turn=turn) as connection:
                    rows = await partitions.drop_before(connection, table, oldest)
                if rows is None:
                    break
                forgotten += rows
        except (DatabaseAway, DBAPIError) as reason:  # rows still go one by one
            _LOG.warning("retention.partitions_delayed", table=table, reason=str(reason))
        return forgotten

    async def _forget(self, kept: _Kept, limit: Any) -> int:
        clock = asyncio.get_running_loop().time
        oldest = kept.oldest(limit)
        forgotten = 0
        while True:
            began = clock()
            async with self._database.write(turn=f"old {kept.table.name}") as connection:
                keys = (await connection.execute(oldest)).all()
                if keys:
                    forgotten += (await connection.execute(kept.without(keys))).rowcount
            if len(keys) < _BATCH_ROWS:
                return forgotten
            await asyncio.sleep((clock() - began) * (1 / _SHARE - 1))
