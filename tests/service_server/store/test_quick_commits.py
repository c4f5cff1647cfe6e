"""Small commits to SQLite that needn't be on the disk: made where they are asked for, unless somebody else writes."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from service_server.store import CallLog, Database, sqlite_driver
from service_server.store.sqlite_driver import SqliteDriver
from tests.service_server.databases import ON_SQLITE, rows
from tests.service_server.store.databases import call

pytestmark = ON_SQLITE
IDS = "SELECT id FROM calls ORDER BY id"


@pytest.fixture
def in_the_thread(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each commit in the thread was durable."""
    seen: list[bool] = []
    commit = SqliteDriver._commit

    def noted(self: SqliteDriver, groups: Any, durable: bool) -> None:
        seen.append(durable)
        commit(self, groups, durable)

    monkeypatch.setattr(SqliteDriver, "_commit", noted)
    return seen


async def test_only_what_must_be_on_the_disk_waits_for_it(
    database: Database, database_url: str, in_the_thread: list[bool]
) -> None:
    """Another connection reads the others as soon as they are committed, too."""
    await asyncio.gather(*(CallLog(database).record(call(f"{number}"), durable=False) for number in range(3)))
    assert [] == in_the_thread
    assert [("0",), ("1",), ("2",)] == rows(database_url, IDS)
    await CallLog(database).record(call("3"))
    assert [True] == in_the_thread


async def test_a_large_one_keeps_nobody_waiting(
    database: Database, database_url: str, in_the_thread: list[bool]
) -> None:
    """Writing megabytes takes milliseconds."""
    await CallLog(database).record(call("a", output="a" * 100_000), durable=False)
    assert [False] == in_the_thread
    assert [("a",)] == rows(database_url, IDS)


async def test_who_writes_is_waited_for_beside_the_loop(
    database: Database, database_url: str, tmp_path: Path, in_the_thread: list[bool]
) -> None:
    """Whether it is another process or a transaction of this one."""
    log = CallLog(database)
    await log.record(call("a"), durable=False)
    with contextlib.closing(sqlite3.connect(tmp_path / "service.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(log.record(call("b"), durable=False))
        await asyncio.sleep(0.1)
        assert not writing.done()
        other.execute("COMMIT")
        await writing
    async with database.write():
        writing = asyncio.create_task(log.record(call("c"), durable=False))
        await asyncio.sleep(0.01)
        assert not writing.done()
    await writing
    await log.record(call("d"), durable=False)

    assert [False, False] == in_the_thread
    assert [("a",), ("b",), ("c",), ("d",)] == rows(database_url, IDS)


async def test_what_was_written_is_moved_into_the_file(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the log beside the file, which is read at each start, would grow as long as nothing else is written."""
    monkeypatch.setattr(sqlite_driver, "_ROWS_BETWEEN_CHECKPOINTS", 10)
    sizes = []
    for number in range(300):
        await CallLog(database).record(call(f"{number}", output="a" * 4000), durable=False)
        await asyncio.sleep(0.001)
        sizes.append((tmp_path / "service.db-wal").stat().st_size)

    assert max(sizes) < 300 * 4000
    assert (tmp_path / "service.db").stat().st_size > 200 * 4000
