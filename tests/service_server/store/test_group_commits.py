"""Many small writes committed as one."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import column, select, table, text

from service_server.store import CallLog, Database, sqlite_driver
from service_server.store.failures import RowRefused
from service_server.store.prepared import PreparedStatement
from tests.service_server.databases import rows
from tests.service_server.store.databases import call, opened, opened_copy

IDS = "SELECT id FROM calls ORDER BY id"


@pytest.mark.parametrize("durable", [True, False])
async def test_one_bad_row_takes_no_others_with_it(database: Database, database_url: str, durable: bool) -> None:
    """Of writes that wait together only the one that cannot be kept fails, and its caller is told."""
    log = CallLog(database)
    await log.record(call("b"))
    writes = [log.record(call(identifier), durable=durable) for identifier in ("a", "b", "c")]
    results = await asyncio.gather(*writes, return_exceptions=True)

    assert [None, RowRefused, None] == [result and type(result) for result in results]
    assert [("a",), ("b",), ("c",)] == rows(database_url, IDS)


@pytest.mark.parametrize("with_a_bad_row", [False, True])
async def test_writes_happen_in_the_order_they_came(
    database: Database, database_url: str, with_a_bad_row: bool
) -> None:
    """A call that is recorded, discarded, recorded and finished all at once is there and finished."""
    log = CallLog(database)
    writes = [
        log.record(call("a")),
        log.discard("a"),
        log.record(call("a")),
        log.finish(call("a", outcome="finished", network_code="201", output={"id": 1}, duration_ms=1.5)),
    ]
    if with_a_bad_row:
        writes.insert(1, log.record(call("a")))
    results = await asyncio.gather(*writes, return_exceptions=True)

    assert with_a_bad_row == any(results)
    assert [("a", "finished", "201")] == rows(database_url, "SELECT id, outcome, network_code FROM calls")


async def test_a_caller_who_goes_away_takes_nothing_along(database: Database, database_url: str) -> None:
    """A write whose caller is cancelled meanwhile is kept, and so are its neighbours."""
    log = CallLog(database)
    leaving, staying = (asyncio.create_task(log.record(call(identifier))) for identifier in ("a", "b"))
    await asyncio.sleep(0)
    leaving.cancel()
    await staying

    assert [("a",), ("b",)] == rows(database_url, IDS)


async def test_closing_keeps_what_waits(database_url: str) -> None:
    """It commits all that was handed over before; a write afterwards neither hangs nor seems to be kept."""
    async with opened(database_url) as database:
        log = CallLog(database)
        writes = [asyncio.create_task(log.record(call(f"{number:03}"))) for number in range(50)]
        await asyncio.sleep(0)
    results = await asyncio.wait_for(asyncio.gather(*writes), 10)
    with pytest.raises(RuntimeError, match="not open"):
        await asyncio.wait_for(log.record(call("a")), 10)

    assert [None] * 50 == results
    assert [(f"{number:03}",) for number in range(50)] == rows(database_url, IDS)


async def test_a_failed_transaction_leaves_nothing(database: Database, database_url: str) -> None:
    """What was written before an exception inside a transaction is taken back, and the next one works."""

    async def fail() -> None:
        async with database.write() as connection:
            await connection.execute(text("INSERT INTO app_ids (name) VALUES ('lost')"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with database.write() as connection:
        await connection.execute(text("INSERT INTO app_ids (name) VALUES ('kept')"))

    assert [("kept",)] == rows(database_url, "SELECT name FROM app_ids")


async def test_reads_go_on_while_something_is_written(database: Database) -> None:
    """A reader sees the last committed state beside an open transaction, instead of waiting for it."""
    log = CallLog(database)
    await log.record(call("a"))
    async with database.write() as connection:
        await connection.execute(text("DELETE FROM calls"))
        seen = await asyncio.wait_for(log.get("a"), 10)

    assert seen is not None
    assert await log.get("a") is None


async def test_a_transaction_and_a_group_commit_take_turns(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one process neither has to wait for the database's own lock, however long the other takes."""
    monkeypatch.setattr(sqlite_driver, "WAIT_SECONDS", 0.0)
    log = CallLog(database)
    for turn in range(5):
        async with database.write() as connection:
            await connection.execute(text(f"INSERT INTO app_ids (name) VALUES ('{turn}')"))
            writing = asyncio.create_task(log.record(call(f"{turn}")))
            await asyncio.sleep(0.01)
        await writing

    assert [(f"{turn}",) for turn in range(5)] == rows(database_url, IDS)


async def test_a_locked_file_is_waited_for_beside_the_loop(empty_database: Path, tmp_path: Path) -> None:
    """Where another program has the SQLite file for itself, a read waits for it, and nobody else does."""
    waits = PreparedStatement(select(column("timeout")).select_from(table("pragma_busy_timeout")))
    async with opened_copy(empty_database, tmp_path) as database:
        with contextlib.closing(sqlite3.connect(tmp_path / "service.db", isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode=EXCLUSIVE")
            other.execute("DELETE FROM calls")
            reading = asyncio.create_task(CallLog(database).get("a"))
            await asyncio.sleep(0.2)
            assert not reading.done()
        assert await reading is None
        await CallLog(database).record(call("a"))
        assert await CallLog(database).get("a") is not None
        assert [{"timeout": 0}] == await database.fetch(waits, {})
