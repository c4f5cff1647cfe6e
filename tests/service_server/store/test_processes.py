"""Several processes on one database: what one leaves open is closed by another, once it is gone, or in a copy."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import Mock
from unittest.mock import call as _call

import pytest

from service_server.store import (
    Accounts,
    CallLog,
    ConnectSessions,
    Database,
    DatabaseAway,
    IdempotencyRecords,
    Listener,
    Processes,
)
from service_server.store.clock import now
from service_server.store.cut_off import CutOff, end_what_was_under_way
from service_server.store.processes import Recovered
from tests.real_apps.running import running
from tests.service_server.databases import EmptyDatabases, execute, rows
from tests.service_server.store.databases import call, connect, keyed, new_account, opened, pending_session
from tests.service_server.waiting import until

pytestmark = pytest.mark.slow

NOTHING = Recovered(0, 0)
SERVING = [sys.executable, "-m", "tests.service_server.store.serving_process"]
OUTCOMES = "SELECT id, outcome FROM calls ORDER BY id"


@contextlib.asynccontextmanager
async def serving(database_url: str, look_seconds: float = 0.05) -> AsyncIterator[tuple[Database, Processes]]:
    """One more process on the database, as far as the database can tell."""
    async with opened(database_url) as database:
        processes = Processes(database, look_seconds=look_seconds)
        async with processes.serving():
            yield database, processes


def sign_of(database_url: str, folder: Path, processes: Processes) -> int | None:
    """What tells one sign of life of a process from the next: the session that holds its lock, or the locked file."""
    if database_url.startswith("postgresql"):
        lock = f"(hashtextextended('process {processes.id}', 0) & 4294967295)"
        query = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = {lock}"
        return next((int(pid) for (pid,) in rows(database_url, query)), None)
    path = folder / f"service.db-process-{processes.id}"
    return path.stat().st_ino if path.exists() else None


def hide(database_url: str, folder: Path, processes: Processes) -> None:
    """Take the sign of life of a process away although it lives."""
    if database_url.startswith("postgresql"):
        execute(database_url, f"SELECT pg_terminate_backend({sign_of(database_url, folder, processes)})")
    else:
        path = folder / f"service.db-process-{processes.id}"
        path.rename(path.with_suffix(".hidden"))


async def test_what_a_killed_process_left_open_is_closed(database_url: str) -> None:
    """Its sent call is unknown and keeps its key, the key of its unsent call is free; what others do goes on."""
    with running([*SERVING, database_url]) as program:
        await asyncio.to_thread(program.first_json_line)
        async with serving(database_url) as (database, processes):
            log, keys = CallLog(database), IdempotencyRecords(database)
            await keys.claim(keyed("mine", processes))
            await log.record(call("call-mine", process_id=processes.id))
            assert await processes.recover() == NOTHING
            assert [("call-mine", "started"), ("call-sent", "started")] == rows(database_url, OUTCOMES)

            program.process.kill()
            program.process.wait()
            await until(lambda: 1 == len(rows(database_url, "SELECT id FROM processes")))

            assert [("call-mine", "started"), ("call-sent", "unknown")] == rows(database_url, OUTCOMES)
            assert await keys.claim(keyed("unsent", processes)) is None
            for key in ("sent", "mine"):
                holder = await keys.claim(keyed(key, processes, call_id="another"))
                assert f"call-{key}" == holder.call_id


async def test_the_next_start_closes_what_was_left_open(database_url: str, tmp_path: Path) -> None:
    """Of the only process: at once, before the next one serves, which at its end leaves nothing open or beside it."""
    with running([*SERVING, database_url]) as program:
        await asyncio.to_thread(program.first_json_line)
        program.process.kill()
        program.process.wait()
        async with serving(database_url, look_seconds=3600) as (database, processes):
            assert [("call-sent", "unknown")] == rows(database_url, OUTCOMES)
            await CallLog(database).record(call("mine", process_id=processes.id))

    assert [("call-sent", "unknown"), ("mine", "unknown")] == rows(database_url, OUTCOMES)
    assert [] == rows(database_url, "SELECT id FROM processes")
    assert [] == list(tmp_path.glob("service.db-process-*"))


async def test_who_was_taken_for_gone_sends_nothing_more(database_url: str) -> None:
    """What it began before can no longer be written down as sent, and it serves on under another id."""
    async with serving(database_url) as (_, other), serving(database_url) as (database, taken):
        log, keys = CallLog(database), IdempotencyRecords(database)
        old, began = taken.id, keyed("began", taken)
        assert await keys.claim(began) is None
        # As `recover` does, at a moment that a test can't choose; the processes here may hold the database meanwhile.
        await asyncio.to_thread(execute, database_url, "DELETE FROM idempotency")
        await asyncio.to_thread(execute, database_url, f"DELETE FROM processes WHERE id = '{old}'")

        with pytest.raises(DatabaseAway):
            await log.record(call(began.call_id, process_id=began.process_id))
        with pytest.raises(DatabaseAway):
            await keys.claim(keyed("late", taken, process_id=old))
        await until(lambda: taken.id not in (None, old))
        await until(lambda: 2 == len(rows(database_url, "SELECT id FROM processes")))
        await log.record(call("b", process_id=taken.id))
        assert NOTHING == await other.recover()
        assert [("b", "started")] == rows(database_url, OUTCOMES)


async def test_a_hidden_process_shows_itself_again(database_url: str, tmp_path: Path) -> None:
    """A process that lives and whose sign was lost is seen again, before anybody looked, and keeps what it has."""
    async with serving(database_url, 3600) as (_, other), serving(database_url) as (database, processes):
        sign, identity = sign_of(database_url, tmp_path, processes), processes.id
        await CallLog(database).record(call("a", process_id=processes.id))
        hide(database_url, tmp_path, processes)
        await until(lambda: sign_of(database_url, tmp_path, processes) not in (None, sign))

        assert NOTHING == await other.recover()
        assert identity == processes.id
        assert [("a", "started")] == rows(database_url, OUTCOMES)


async def test_a_key_is_left_to_who_holds_it_now(database_url: str) -> None:
    """An earlier holder, whose key was given back and taken by another call, neither completes nor releases it."""
    async with serving(database_url) as (database, processes):
        keys = IdempotencyRecords(database)
        earlier, now = keyed("key", processes), keyed("key", processes, call_id="now")
        assert await keys.claim(now) is None
        await keys.release(earlier)
        await keys.complete(earlier, "an answer")

        assert now == await keys.get(now)


@pytest.mark.postgresql
@pytest.mark.parametrize("lost_before", [False, True])
async def test_the_end_of_a_connect_session_is_heard_by_other_processes(
    empty_on_postgresql: EmptyDatabases, tmp_path: Path, lost_before: bool
) -> None:
    """However it ends, and also after the session that listens was lost; what does not end it is not announced."""
    ears = Mock(Listener)
    with empty_on_postgresql.new(tmp_path) as url:
        async with opened(url) as here, opened(url) as there:
            processes = Processes(here, ears)
            async with processes.serving():
                if lost_before:
                    sign = sign_of(url, tmp_path, processes)
                    hide(url, tmp_path, processes)
                    await until(lambda: sign_of(url, tmp_path, processes) not in (None, sign))
                cancelled, connected = await pending_session(there), await pending_session(there)
                await ConnectSessions(there).show(cancelled.id, "page")
                assert await ConnectSessions(there).finish(cancelled.id, "cancelled")
                await Accounts(there).connect(new_account(), session_id=connected.id)
                await until(lambda: ears.heard.call_count > 1)

    assert [_call(cancelled.id), _call(connected.id)] == ears.heard.call_args_list


async def test_nothing_is_under_way_afterwards(database: Database) -> None:
    """Calls are unknown, refreshes interrupted, grants gone; keys stay taken, as a call may have been sent since."""
    processes, log, records = Processes(database), CallLog(database), IdempotencyRecords(database)
    sessions, accounts = ConnectSessions(database), Accounts(database)
    account = await connect(database, new_account())
    async with processes.serving():
        await log.record(call("call-sent", process_id=processes.id))
        await log.record(call("call-ended", outcome="finished", network_code="200"))
        for key in ("sent", "claimed"):
            assert await records.claim(keyed(key, processes)) is None
        assert await accounts.take_lease(account, "refresher", 60.0) is not None
        waiting = await pending_session(database)
        assert await sessions.progress(waiting.id, "state", "sealed")
        gained = await pending_session(database)
        assert await sessions.await_redemption(gained.id, "code", "sealed")
        ended = await end_what_was_under_way(database)
    async with Processes(database).serving():  # which gives back what it finds of processes that are gone
        held = [await records.claim(keyed(key, Processes(database), call_id="other")) for key in ("sent", "claimed")]
    lease = await accounts.take_lease(account, "next", 60.0)

    assert CutOff(calls=1, idempotency_keys=2, refreshes=1, connect_sessions=2) == ended
    assert ["unknown", "finished"] == [(await log.get(each)).outcome for each in ("call-sent", "call-ended")]
    assert ["call-sent", "call-claimed"] == [record.call_id for record in held if record is not None]
    assert lease.follows_interruption
    for session in (waiting, gained):
        found = await sessions.get(session.id)
        assert ("expired", None, None) == (found.status, found.sealed_progress, found.sealed_outcome)
        assert found.expires_at > now()
    assert [] == await sessions.unredeemed()
