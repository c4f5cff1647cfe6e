"""What is too old goes while others work, in small transactions, and never in the way of a start."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from service_server.store import Budgets, CallLog, Database, IdempotencyRecords, Processes, Retention
from service_server.store import retention as retention_module
from service_server.store.clock import now, timestamp
from tests.service_server.databases import EmptyDatabases, execute, note_database, rows
from tests.service_server.postgresql import holding
from tests.service_server.processes import create_application, service
from tests.service_server.store.databases import call, keyed, opened, pending_session, refusal

pytestmark = pytest.mark.slow

DAY = 24 * 3600


async def test_calls_and_refusals_go_when_they_are_too_old(database: Database) -> None:
    """Those beyond the period go, younger ones stay."""
    log = CallLog(database)
    old, young = timestamp(now() - 90 * DAY - 60), timestamp(now() - 90 * DAY + 60)
    for identifier, at in (("a", old), ("b", young)):
        await log.record(call(identifier, started_at=at))
        await log.refuse(refusal(identifier, at=at))
    await Retention(database).forget(90)

    assert ["b"] == [each.id for each in (await log.calls(limit=9)).entries]
    assert ["b"] == [each.id for each in (await log.refusals(limit=9)).entries]


async def test_all_else_goes_after_a_day(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys, requests that were counted, connect sessions; but no session whose grant has still to be revoked."""
    nobody = Processes(database)
    await Budgets(database).take_turn(1, 1, 2.0, 5.0)
    await IdempotencyRecords(database).claim(keyed("old", nobody))
    await pending_session(database)
    unrevoked = await pending_session(database, sealed_outcome="sealed")
    monkeypatch.setattr(retention_module, "now", lambda: now() + DAY + 1000)
    await Budgets(database).take_turn(2, 1, 2.0, 5.0)
    execute(database_url, f"UPDATE budget_uses SET at = at + {DAY} WHERE account_id = 2")
    await IdempotencyRecords(database).claim(keyed("young", nobody, created_at=now() + DAY))
    young = await pending_session(database, expires_at=now() + DAY)
    await Retention(database).forget(90)

    assert [(2,)] == rows(database_url, "SELECT account_id FROM budget_uses")
    assert [("young",)] == rows(database_url, "SELECT idempotency_key FROM idempotency")
    assert {(unrevoked.id,), (young.id,)} == set(rows(database_url, "SELECT id FROM connect_sessions"))


async def test_others_write_between_two_batches(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that ends while a long log goes is kept long before all of that log is gone."""
    monkeypatch.setattr(retention_module, "_BATCH_ROWS", 5)
    log = CallLog(database)
    old = timestamp(now() - 2 * DAY)
    await asyncio.gather(*(log.record(call(f"old {number}", started_at=old)) for number in range(100)))
    forgetting = asyncio.create_task(Retention(database).forget(1))
    await asyncio.sleep(0)
    await log.record(call("young", started_at=timestamp()))
    left = len((await log.calls(limit=101)).entries)
    forgotten = await forgetting

    assert 1 < left <= 101
    assert 100 == forgotten
    assert [("young",)] == rows(database_url, "SELECT id FROM calls")


async def test_processes_drop_together(database: Database, database_url: str) -> None:
    """Each row goes once, whoever drops it."""
    log = CallLog(database)
    old = timestamp(now() - 2 * DAY)
    await asyncio.gather(*(log.record(call(f"{number}", started_at=old)) for number in range(450)))
    async with opened(database_url) as other:
        forgotten = await asyncio.gather(*(Retention(each).forget(1) for each in (database, other)))

    assert 450 == sum(forgotten)


@pytest.mark.postgresql  # on SQLite nothing can be held that a start would not need
async def test_a_start_does_not_wait_for_what_is_too_old(empty_on_postgresql: EmptyDatabases, tmp_path: Path) -> None:
    """With a much shorter period than before, the service serves while the log can't go, and it goes later."""
    with empty_on_postgresql.new(tmp_path) as url, contextlib.ExitStack() as held:
        note_database(tmp_path, url)
        application = create_application(tmp_path, "Acme")
        async with opened(url) as database:
            await CallLog(database).record(call("old", started_at=timestamp(now() - 2 * DAY)))
        held.enter_context(holding(url, "SELECT id FROM calls FOR UPDATE"))
        with service(tmp_path, application=application, env={"SERVICE_CALL_RETENTION_DAYS": "1"}) as running:
            with running.api("ann") as ann:
                ann.get("/apps").raise_for_status()
            held.close()
            running.program.wait_until(lambda: rows(url, "SELECT 1 FROM calls") == [] or None)
