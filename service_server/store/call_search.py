"""
Searches the log: the newest rows that meet some conditions, and never much work for a page, however long the log is.

Of the conditions that have an index, the one with the fewest rows leads. At most `MOST_READ` of its rows are tried
for a page. If that is not enough to fill it, the page says from where the search goes on.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Generic, TypeVar

from attrs import frozen
from sqlalchemy import Column, ColumnElement, Table, select, true

from service_server.store.call_filter import CallFilter, Condition
from service_server.store.database import Database
from service_server.store.engines import AsyncConnection

MOST_READ = 5_000
_READ_AT_ONCE = 100  # a row may hold twice 64 KiB

Entry = TypeVar("Entry")


@frozen(kw_only=True)
class Page(Generic[Entry]):
    """
    What was found, newest first; `older` is the id before which the search goes on, None where it is at its end.

    Where it is `cut`, the page is not full although there may be more: enough was read for one page.
    """

    entries: Sequence[Entry]
    older: str | None
    cut: bool = False


async def search(
    database: Database,
    kind: Callable[..., Entry],
    columns: Sequence[Column[Any]],
    matching: CallFilter,
    *,
    limit: int,
    before: str | None,
) -> Page[Entry]:
    """A page of the newest rows of a table that match, from `before` on; an entry is made of these columns of a row."""
    table = columns[0].table
    assert isinstance(table, Table)  # noqa: S101  the columns of the log's tables
    bounds = matching.period(table)
    if before:
        bounds.append(table.c.id < before)
    conditions = matching.conditions(table)
    async with database.read() as connection:
        end: str | None = None
        if len(conditions) > 1 or any(not each.indexed for each in conditions):
            conditions, end = await _led(connection, table, conditions, bounds)
        query = select(*columns).where(*bounds).order_by(table.c.id.desc()).limit(limit + 1)
        for number, each in enumerate(conditions):
            query = query.where(each.plain if number == 0 and each.indexed else each.tried)
        if end is not None:
            query = query.where(table.c.id >= end)
        found = [row._mapping for row in await connection.execute(query)]
    entries = [kind(**row) for row in found[:limit]]
    if len(found) > limit:
        return Page(entries=entries, older=found[limit - 1]["id"])
    return Page(entries=entries, older=end, cut=end is not None)


async def search_all(
    database: Database, kind: Callable[..., Entry], columns: Sequence[Column[Any]], matching: CallFilter
) -> AsyncIterator[Entry]:
    """All that match, newest first, a few read at a time."""
    before: str | None = None
    while True:
        page = await search(database, kind, columns, matching, limit=_READ_AT_ONCE, before=before)
        for entry in page.entries:
            yield entry
        before = page.older
        if before is None:
            return


async def _led(
    connection: AsyncConnection,
    table: Table,
    conditions: list[Condition],
    bounds: Sequence[ColumnElement[bool]],
) -> tuple[list[Condition], str | None]:
    """The conditions, the one that leads first, and the id of the last row that may be tried; None if all may be."""
    leading: list[Condition | None] = [each for each in conditions if each.indexed]
    chosen: tuple[str, Condition | None] | None = None
    for each in leading or [None]:
        condition = true() if each is None else each.plain
        query = select(table.c.id).where(condition, *bounds).order_by(table.c.id.desc())
        last: str | None = await connection.scalar(query.offset(MOST_READ - 1).limit(1))
        if last is None:
            return _first(each, conditions), None
        if chosen is None or last < chosen[0]:
            chosen = last, each
    assert chosen is not None  # noqa: S101  there is at least one
    return _first(chosen[1], conditions), chosen[0]


def _first(leads: Condition | None, conditions: list[Condition]) -> list[Condition]:
    return conditions if leads is None else [leads, *(each for each in conditions if each is not leads)]
