"""
The log on PostgreSQL is in partitions by time, so that old rows are dropped as whole tables.

A row's id begins with its moment (`calls.call_id`), and partitions are ranges of ids: so the id stays the primary key,
and a look-up by id finds its partition. Rows that no partition was made for are kept by `<table>_default`.
"""

import re
from datetime import UTC, datetime

from attrs import frozen
from sqlalchemy import TableClause, column, func, select, table, text

from service_server.store.clock import now
from service_server.store.engines import AsyncConnection

_AHEAD = 2  # partitions made beyond the current one
_MARGIN_MILLISECONDS = (
    60_000  # until a partition that is made too late begins: rows from before that go to the default one
)
# Dropping one needs the table for itself for a moment; while it waits for that, everybody else queues behind it.
_PATIENCE = text("SET LOCAL lock_timeout = '500ms'")
_FOUND = text(
    "SELECT part.relname AS name, pg_get_expr(part.relpartbound, part.oid) AS bound, part.reltuples AS rows "
    "FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid WHERE inhparent = to_regclass(:table)"
)
_BOUND = re.compile(r"FOR VALUES FROM \((?:MINVALUE|'[0-9a-f]{12}')\) TO \('(?P<end>[0-9a-f]{12})'\)")


@frozen
class _Partition:
    """A partition of a table: when it ends, in milliseconds since 1970, and about how many rows it holds."""

    name: str
    end: int
    rows: int


class Partitions:
    """The partitions of the tables that are divided by the moment in their ids."""

    async def make_ahead(self, connection: AsyncConnection, name: str, seconds: float) -> int:
        """
        Make the partitions of the time to come, each for so many seconds; returns how many.

        Nobody waits for it: writing and reading go on beside it. DatabaseBusy where others hold what it needs.
        """
        await connection.execute(_PATIENCE)
        present, length = _milliseconds(now()), _milliseconds(seconds)
        end, made = max((each.end for each in await _partitions(connection, name)), default=0), 0
        if end < present:
            end = present + _MARGIN_MILLISECONDS
        while end < present + _AHEAD * length:
            begin, end = end, end + length
            await _make(connection, name, await _beyond_default(connection, name, begin, end), end)
            made += 1
        return made

    async def drop_before(self, connection: AsyncConnection, name: str, moment: float) -> int | None:
        """Drop the oldest, if it ended before a moment; returns about how many rows it had. Raises DatabaseBusy."""
        await connection.execute(_PATIENCE)
        oldest = min(await _partitions(connection, name), key=lambda each: each.end, default=None)
        if oldest is None or oldest.end > _milliseconds(moment):
            return None
        await connection.execute(text(f'DROP TABLE "{oldest.name}"'))
        return oldest.rows


def _first_id(milliseconds: int) -> str:
    return f"{milliseconds:012x}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)


async def _partitions(connection: AsyncConnection, name: str) -> list[_Partition]:
    """Those that have an end."""
    found = [(row, _BOUND.fullmatch(row.bound)) for row in await connection.execute(_FOUND, {"table": name})]
    return [_Partition(row.name, int(bound["end"], 16), max(int(row.rows), 0)) for row, bound in found if bound]


async def _beyond_default(connection: AsyncConnection, name: str, begin: int, end: int) -> int:
    """The beginning of a period, moved behind the rows of it that the default partition holds: they stay there."""
    default: TableClause = table(f"{name}_default", column("id"))
    latest = select(func.max(default.c.id)).where(default.c.id >= _first_id(begin), default.c.id < _first_id(end))
    found: str | None = await connection.scalar(latest)
    return begin if found is None else int(found[:12], 16) + 1


async def _make(connection: AsyncConnection, name: str, begin: int, end: int) -> None:
    # Made as a table of its own and then attached, which blocks no writers; creating it as a partition would.
    part = f"{name}_{datetime.fromtimestamp(begin / 1000, UTC):%Y%m%d_%H%M%S}"
    await connection.execute(text(f'CREATE TABLE "{part}" (LIKE "{name}" INCLUDING DEFAULTS INCLUDING STORAGE)'))
    bounds = f"FROM ('{_first_id(begin)}') TO ('{_first_id(end)}')"
    await connection.execute(text(f'ALTER TABLE "{name}" ATTACH PARTITION "{part}" FOR VALUES {bounds}'))
