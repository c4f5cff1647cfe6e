"""The log in partitions by time, on PostgreSQL."""

import asyncio
import json

import pytest

from service_server.store import CallLog, Database, DatabaseAway, Processes, Retention
from service_server.store import postgresql_partitions as partitions_module
from service_server.store import retention as retention_module
from service_server.store.call_ids import call_id, first_id
from service_server.store.clock import now, timestamp
from service_server.store.migrations import upgrade
from tests.service_server.databases import EmptyDatabases, execute, rows
from tests.service_server.postgresql import PostgreSQLServer, holding
from tests.service_server.store.databases import call, opened

pytestmark = pytest.mark.postgresql

DAY = 24 * 3600
LENGTH = 8 * DAY  # of a partition, where the log is kept for 90 days
FIRST = 7 * DAY  # from the making of the tables to the end of the first one
PARTS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'calls'::regclass ORDER BY 1"
WHERE = "SELECT id, tableoid::regclass::text FROM calls ORDER BY id"


@pytest.fixture
def empty_databases(empty_on_postgresql: EmptyDatabases) -> EmptyDatabases:
    """Only those on PostgreSQL."""
    return empty_on_postgresql


def at(moment: float) -> str:
    """The id of a call of a moment."""
    return first_id(moment) + 20 * "0"


async def record(database: Database, moment: float) -> str:
    """Keep a call of a moment; its id."""
    await CallLog(database).record(call(at(moment), started_at=timestamp(moment)))
    return at(moment)


def set_clock(monkeypatch: pytest.MonkeyPatch, moment: float) -> None:
    """Have what looks after the log believe that it is some moment."""
    for module in (partitions_module, retention_module):
        monkeypatch.setattr(module, "now", lambda: moment)


def parts(url: str) -> list[str]:
    """The names of the partitions of calls."""
    return [name for (name,) in rows(url, PARTS)]


async def test_partitions_are_made_ahead(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls of the next weeks stand in a partition of their time, and looking after it again makes no more."""
    await Retention(database).forget(90)
    made = parts(database_url)
    await Retention(database).forget(90)
    assert made == parts(database_url)

    for weeks in range(12):
        moment = now() + weeks * 7 * DAY
        set_clock(monkeypatch, moment)
        await Retention(database).forget(90)
        await record(database, moment)
    kept_in = [where for _, where in rows(database_url, WHERE)]

    assert "calls_default" not in kept_in
    assert len(set(kept_in)) > 8


async def test_what_is_too_old_goes_as_a_whole(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A partition whose time is over is dropped; of the one at the boundary only the rows that are too old go."""
    today = now()
    for days in range(0, 120, 4):
        set_clock(monkeypatch, today + days * DAY)
        await Retention(database).forget(1000)  # in partitions of 84 days
    first = parts(database_url)
    moments = [today + days * DAY for days in (0, 60, 110)]
    ids = [await record(database, moment) for moment in moments]
    set_clock(monkeypatch, today + 150 * DAY)
    await Retention(database).forget(100)

    assert ids[1:] == [each.id for each in reversed((await CallLog(database).calls(limit=9)).entries)]
    assert "calls_first" in first
    assert "calls_first" not in parts(database_url)
    set_clock(monkeypatch, today + 900 * DAY)
    await Retention(database).forget(90)
    assert [] == (await CallLog(database).calls(limit=9)).entries


async def test_a_call_of_any_time_is_kept(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What no partition was made for in time, or a wrong clock has dated, is kept, found, finished and forgotten."""
    log, late = CallLog(database), now() + 30 * DAY
    ids = [await record(database, late), await record(database, now() + 9000 * DAY)]
    set_clock(monkeypatch, late)
    await Retention(database).forget(90)
    ids.append(await record(database, late + LENGTH))
    for each in ids:
        await log.finish(call(each, network_code="200"))
    kept_in = dict(rows(database_url, WHERE))

    assert ["calls_default", "calls_default"] == [kept_in[each] for each in ids[:2]]
    assert kept_in[ids[2]].startswith("calls_2")
    assert {"finished"} == {each.outcome for each in (await log.calls(limit=9)).entries}
    set_clock(monkeypatch, late + 100 * DAY)
    await Retention(database).forget(90)
    assert [ids[1]] == [each.id for each in (await log.calls(limit=9)).entries]


async def test_the_next_partition_begins_after_what_the_default_one_holds(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row has to be moved for it, and none keeps it from being made."""
    end = now() + FIRST
    ahead = await record(database, end + DAY)
    await Retention(database).forget(90)
    after = await record(database, end + DAY + 60)
    kept_in = dict(rows(database_url, WHERE))

    assert "calls_default" == kept_in[ahead]
    assert kept_in[after].startswith("calls_2")


async def test_several_processes_look_after_it(database_url: str) -> None:
    """At the same moment, each partition is made once; who looks for an id reads one of them."""
    async with opened(database_url) as here, opened(database_url) as there:
        await asyncio.gather(*(Retention(each).forget(90) for each in (here, there, here, there)))
        async with here.read() as connection:
            query = f"EXPLAIN (FORMAT JSON) SELECT outcome FROM calls WHERE id = '{call_id()}'"
            plan = (await connection.exec_driver_sql(query)).scalar_one()
    (found,) = json.loads(plan) if isinstance(plan, str) else plan

    assert 4 == len(parts(database_url)), parts(database_url)
    assert "calls_first" == found["Plan"]["Relation Name"]


async def test_what_is_in_the_way_is_not_waited_for(database: Database, database_url: str) -> None:
    """While others hold the log, calls go on and the rest of what is too old goes; partitions are made another time."""
    before = parts(database_url)
    old = call_id()
    await CallLog(database).record(call(old, started_at=timestamp(now() - 91 * DAY)))
    with holding(database_url, "LOCK TABLE calls IN SHARE UPDATE EXCLUSIVE MODE"):
        await Retention(database).forget(90)
        kept = await record(database, now())
    assert before == parts(database_url)
    assert [kept] == [each.id for each in (await CallLog(database).calls(limit=9)).entries]
    await Retention(database).forget(90)
    assert before != parts(database_url)


async def record_as_then(database: Database, moment: float) -> str:
    """Write a call as the release did that had no partitions; its id."""
    identifier = f"{first_id(moment)}{call_id()[12:]}"
    async with database.write() as connection:
        await connection.exec_driver_sql(
            "INSERT INTO calls (id, application_id, user_id, app_name, function_name, function_type, account_id, "
            f"outcome, started_at, request_id) VALUES ('{identifier}', 1, 'ann', 'x', 'x-y', 'query', 1, 'started', "
            f"'{timestamp(moment)}', 'r')"
        )
    return identifier


async def test_a_log_is_divided_while_calls_go_on(postgresql: PostgreSQLServer) -> None:
    """What is there becomes a partition as it is, with its indexes; what is written meanwhile is kept as well."""
    with postgresql.database() as url:
        await asyncio.to_thread(upgrade, url, "0007")
        file = "SELECT pg_relation_filenode(indexrelid) FROM pg_index WHERE indrelid = 'calls%s'::regclass ORDER BY 1"
        async with opened(url) as database:
            log, kept = (
                CallLog(database),
                [await record_as_then(database, now() - number * DAY) for number in range(40)],
            )
            files = rows(url, file % "")
            upgrading = asyncio.create_task(asyncio.to_thread(upgrade, url, "0008"))
            while not upgrading.done():
                kept.append(await record_as_then(database, now()))
            await upgrading
            assert files == rows(url, file % "_first")
            await asyncio.to_thread(upgrade, url)
            async with Processes(database).serving():
                kept.append(await record(database, now()))
            found = {each.id for each in (await log.calls(limit=len(kept) + 1)).entries}
            with pytest.raises(DatabaseAway):  # the key to the processes still holds
                await log.record(call(call_id(), process_id="nobody"))

        assert set(kept) == found
        assert ["calls_default", "calls_first"] == parts(url)


def test_dividing_can_be_cut_off_and_begun_again(postgresql: PostgreSQLServer) -> None:
    """What an attempt has left behind is replaced."""
    with postgresql.database() as url:
        upgrade(url, "0007")
        execute(url, "ALTER TABLE calls ADD CONSTRAINT calls_first_bound CHECK (id < '0') NOT VALID")
        upgrade(url)

        assert ["calls_default", "calls_first"] == parts(url)
