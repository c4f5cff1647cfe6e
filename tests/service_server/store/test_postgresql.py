"""What is PostgreSQL's own: a server that goes and comes, its errors, and its turns."""

import asyncio
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from service_server.store import CallLog, ConnectSessions, Database, DatabaseAway, Operators, Processes
from service_server.store.call_filter import CallFilter
from service_server.store.failures import RowRefused
from service_server.store.idempotency import _CLAIM, _CLAIMED, _values
from service_server.store.migrations import DatabaseUnusable, upgrade
from service_server.store.postgresql_driver import PostgreSQLDriver
from service_server.store.postgresql_failures import translated
from tests.service_server.databases import EmptyDatabases, execute, rows
from tests.service_server.postgresql import PASSWORD, PostgreSQLServer, holding, postgresql_server
from tests.service_server.store.databases import call, keyed, opened, put_operator
from tests.service_server.waiting import until

pytestmark = pytest.mark.postgresql


@pytest.fixture
def empty_databases(empty_on_postgresql: EmptyDatabases) -> EmptyDatabases:
    """Only those on PostgreSQL."""
    return empty_on_postgresql


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgreSQLServer]:
    """A server that a test may stop, and has to start again."""
    with postgresql_server() as server:
        yield server


async def test_a_restart_costs_no_request(own_server: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads, transactions and group commits that begin while the server is away wait for it, and are done."""
    monkeypatch.setattr("service_server.store.postgresql._RESTART_SECONDS", 60.0)  # a busy machine starts it slowly
    url = own_server.url(own_server.create())
    await asyncio.to_thread(upgrade, url)
    async with opened(url) as database:
        log, operators = CallLog(database), Operators(database)
        for identifier, mode in (("a", "fast"), ("b", "immediate")):
            await asyncio.gather(log.record(call(identifier)), put_operator(operators, identifier), log.get("a"))
            await asyncio.to_thread(own_server.stop, mode)
            later = f"{identifier}-later"
            waiting = asyncio.gather(log.record(call(later)), put_operator(operators, later), log.get(identifier))
            await asyncio.sleep(0.1)
            assert not waiting.done()
            await asyncio.to_thread(own_server.start)
            *_, found = await waiting
            assert found is not None

    assert [("a",), ("a-later",), ("b",), ("b-later",)] == rows(url, "SELECT id FROM calls ORDER BY id")
    assert [(4,)] == rows(url, "SELECT count(*) FROM operators")


async def test_a_server_that_stays_away_is_told(own_server: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked for then fails as DatabaseAway, in words without a password, and works again later."""
    url = own_server.url(own_server.create())
    await asyncio.to_thread(upgrade, url)
    monkeypatch.setattr("service_server.store.postgresql._RESTART_SECONDS", 0.2)
    async with opened(url) as database:
        log, operators = CallLog(database), Operators(database)
        await log.record(call("a"))
        await asyncio.to_thread(own_server.stop)
        failures = await asyncio.gather(
            log.record(call("b")), put_operator(operators, "olga"), log.get("a"), return_exceptions=True
        )
        await asyncio.to_thread(own_server.start)
        await log.record(call("c"))

    assert [DatabaseAway] * 3 == [type(failure) for failure in failures]
    assert not any(PASSWORD in str(failure) for failure in failures)
    assert [("a",), ("c",)] == rows(url, "SELECT id FROM calls ORDER BY id")


@pytest.mark.parametrize(
    ("state", "away"),
    [
        ("08006", True),  # connection failure
        ("25006", True),  # read-only: a standby
        ("40001", True),  # serialization failure
        ("40P01", True),  # deadlock
        ("42501", True),  # insufficient privilege
        ("53100", True),  # disk full
        ("53300", True),  # too many connections
        ("55P03", True),  # a lock that did not come in time
        ("57014", True),  # query canceled
        ("57P01", True),  # the server is shut down
        ("58030", True),  # I/O error
        ("22012", False),  # division by zero
        ("23505", False),  # unique violation
        ("42601", False),  # syntax error
    ],
)
async def test_failures_are_told_apart(database: Database, state: str, away: bool) -> None:
    """What the database or its operator is to blame for is DatabaseAway; what we are to blame for is not."""
    failing = text(
        f"DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '{state}', DETAIL = 'plan' || 'ted'; END $$"
    )

    async def fail() -> None:
        async with database.write() as connection:
            await connection.execute(failing)

    with pytest.raises(DatabaseAway if away else DBAPIError) as caught:
        await fail()
    assert "as asked" in str(caught.value)
    assert "planted" not in str(caught.value)
    await CallLog(database).record(call("a"))


def test_a_session_that_ends_as_it_is_asked_is_the_database_being_away() -> None:
    """The driver then reports no error of the server, but that it lost its own thread; asking again is right."""
    error = translated(asyncpg.InternalClientError("cannot switch to state 15; another operation (2) is in progress"))

    assert isinstance(error, DatabaseAway)
    assert error.passing


async def test_a_read_only_database_refuses_writes_only(database: Database, database_url: str) -> None:
    """As a standby does, or a server that has no room left."""
    await CallLog(database).record(call("a"))
    name = database_url.rpartition("/")[2]
    execute(database_url, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    async with opened(database_url) as read_only:
        with pytest.raises(DatabaseAway, match="read-only"):
            await CallLog(read_only).record(call("b"))
        assert await CallLog(read_only).get("a") is not None


async def test_errors_quote_no_rows(database: Database) -> None:
    """Neither what a row holds nor what was sent for it; a log may keep them."""
    log = CallLog(database)
    await log.record(call("a", user_id="planted"))
    with pytest.raises(RowRefused) as caught:
        await log.record(call("a", user_id="planted", arguments={"title": "planted"}))
    with pytest.raises(RowRefused) as missing:
        await log.record(call("b", user_id="planted", function_name=None))

    for error in (caught.value, missing.value):
        assert "planted" not in f"{error}{error.__cause__}{error.__context__ if not error.__suppress_context__ else ''}"


async def test_a_nul_is_never_found(database: Database) -> None:
    """Addresses and forms may carry one; PostgreSQL would refuse the statement."""
    assert await CallLog(database).get("a\0") is None
    assert [] == (await CallLog(database).calls(limit=9, matching=CallFilter(user_id="ann\0"))).entries
    assert await ConnectSessions(database).get("\0") is None
    assert await Operators(database).get("olga\0") is None


async def until_others_wait(url: str, known: set[int], count: int = 1) -> None:
    """Wait until so many more sessions of a database wait for a lock, and note them among those that are known."""
    waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

    def others() -> set[int]:
        return {pid for (pid,) in rows(url, waiting)} - known

    await until(lambda: len(others()) >= count)
    known |= await asyncio.to_thread(others)


async def test_turns_of_one_name_exclude_each_other(database_url: str) -> None:
    """In all processes, until the transaction ends; turns of other names do not wait."""
    order: list[str] = []
    async with opened(database_url) as here, opened(database_url) as there:

        async def second() -> None:
            async with there.write(turn="one"):
                order.append("second")

        async with here.write(turn="one"):
            waiting = asyncio.create_task(second())
            async with there.write(turn="another"):
                order.append("another")
            await until_others_wait(database_url, set())
            order.append("first")
        await waiting

    assert ["another", "first", "second"] == order


def test_the_schema_that_may_not_be_made_is_told(own_server: PostgreSQLServer) -> None:
    """A user without rights is named the reason in one line."""
    name = own_server.create()
    own_server.run("postgres", "CREATE ROLE guest LOGIN PASSWORD 'guest-password'")
    with pytest.raises(DatabaseUnusable, match="permission denied for schema public") as caught:
        upgrade(own_server.url(name, user="guest", password="guest-password"))

    assert "guest-password" not in str(caught.value)


async def test_a_read_that_is_broken_off_leaves_no_session_behind(database: Database, database_url: str) -> None:
    """Callers that go away while they wait for the server take none of the few sessions with them."""
    log = CallLog(database)
    await log.record(call("a"))
    known: set[int] = set()
    with holding(database_url, "LOCK TABLE calls"):
        for _ in range(5):
            reading = asyncio.create_task(log.get("a"))
            await until_others_wait(database_url, known)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
    found = await asyncio.wait_for(asyncio.gather(*(log.get("a") for _ in range(5))), 30)

    assert None not in found


async def test_commits_of_the_same_keys_never_deadlock(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes claim the same keys, each in an order of its own; one in the middle is a third one's for now."""
    deadlocks: list[asyncpg.DeadlockDetectedError] = []
    commit = PostgreSQLDriver.commit

    async def noting(*arguments: Any, **options: Any) -> None:
        try:
            await commit(*arguments, **options)
        except asyncpg.DeadlockDetectedError as error:
            deadlocks.append(error)
            raise

    monkeypatch.setattr(PostgreSQLDriver, "commit", noting)
    keys = [f"key-{number:02}" for number in range(21)]
    columns = "application_id, user_id, function_name, idempotency_key, arguments_hash, call_id, created_at"
    third = f"INSERT INTO idempotency ({columns}) VALUES (1, 'ann', 'sandbox-create-ticket', 'key-10', 'h', 'third', 1)"
    async with opened(database_url) as here, opened(database_url) as there:
        claims = [(here, key) for key in keys] + [(there, key) for key in reversed(keys)]
        with holding(database_url, third):
            claiming = asyncio.gather(
                *(each.commit_soon(_CLAIM, _values(keyed(key, Processes(each)), _CLAIMED)) for each, key in claims)
            )
            await until_others_wait(database_url, set(), 2)
        await claiming

    assert [] == deadlocks
    assert [(21,)] == rows(database_url, "SELECT count(*) FROM idempotency")
