"""What is on the disk when a write returns, and what only outlives the process."""

import asyncio
from collections.abc import Iterable

import pytest
from sqlalchemy import Text, bindparam, cast, delete, func, insert, select, table
from sqlalchemy import column as column_of

from service_server.store import Database
from service_server.store.failures import RowRefused
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import APP_IDS
from tests.service_server.databases import rows

NOTED = {"sqlite": {"2": True, "1": False}, "postgresql": {"on": True, "off": False}}


def note(kind: str) -> PreparedStatement:
    """A statement that writes down under which name it was run, and how the commit it is part of is made."""
    if kind == "postgresql":
        mode = select(bindparam("name", type_=Text) + "=" + func.current_setting("synchronous_commit"))
    else:
        found = cast(column_of("synchronous"), Text)
        mode = select(bindparam("name", type_=Text) + "=" + found).select_from(table("pragma_synchronous"))
    return PreparedStatement(insert(APP_IDS).from_select(["name"], mode))


async def committed(database: Database, url: str, batches: Iterable[dict[str, bool]]) -> dict[str, bool]:
    """Which of the writes, by their names, were made durable; those of a batch are handed over together."""
    kind = url.partition("+")[0].partition(":")[0]
    statement = note(kind)
    for batch in batches:
        await asyncio.gather(
            *(database.commit_soon(statement, {"name": name}, durable=durable) for name, durable in batch.items())
        )
    found = (row[0].split("=") for row in rows(url, "SELECT name FROM app_ids"))
    return {name: NOTED[kind][mode] for name, mode in found}


async def test_what_is_durable_is_written_to_the_disk(database: Database, database_url: str) -> None:
    """And so is all that is committed with it; what need not be, by itself is not, and changes nothing for others."""
    batches = [{"a": True}, {"b": False, "c": False}, {"d": True}, {"e": False, "f": True}, {"g": False}]

    assert {"a": True, "b": False, "c": False, "d": True, "e": True, "f": True, "g": False} == await committed(
        database, database_url, batches
    )


async def test_a_failed_commit_changes_nothing_for_the_next(database: Database, database_url: str) -> None:
    """A row that need not be durable and is refused leaves no open transaction, and no other way of committing."""
    twice = PreparedStatement(insert(APP_IDS).values(name="nobody=off", id=bindparam("number")))
    for durable in (False, True):
        with pytest.raises(RowRefused):
            await asyncio.gather(*(database.commit_soon(twice, {"number": 1}, durable=durable) for _ in range(2)))
        async with database.write() as connection:
            await connection.execute(delete(APP_IDS))
        batches = [{"a": not durable}, {"b": durable}]

        assert {"a": not durable, "b": durable} == await committed(database, database_url, batches)
        async with database.write() as connection:
            await connection.execute(delete(APP_IDS))
