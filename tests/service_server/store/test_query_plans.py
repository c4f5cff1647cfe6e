"""How the databases find rows: no page and no upkeep reads a whole table that grows with use."""

import contextlib
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import Engine, event

from service_server.store import (
    AccountFilter,
    Accounts,
    AuditEvents,
    AuditFilter,
    CallFilter,
    CallLog,
    ConnectSessions,
    Database,
    IdempotencyRecords,
    Processes,
    Retention,
    call_search,
)
from service_server.store.clock import timestamp
from service_server.store.prepared import Arguments, DriverStatement, Parameters
from tests.service_server.databases import EmptyDatabases, execute, rows
from tests.service_server.store.databases import call, keyed, new_account

GROWING = ("calls", "refusals", "connect_sessions", "idempotency", "accounts", "audit_events")
ROWS = 4000
# What an answer may have to read beside its own rows.
FEW = 200
# Their rows are few, whatever the table holds; the log is read from its newest row on for as many as a page shows.
SMALL = ("ix_calls_unfinished", "ix_calls_failed", "ix_connect_sessions_in_progress", "ix_connect_sessions_unredeemed")
NEWEST_FIRST = ("sqlite_autoindex_calls_1", "sqlite_autoindex_refusals_1", "sqlite_autoindex_audit_events_1")
UNNARROWED = ("newest calls", "succeeded calls", "newest refusals", "newest acts")
FILTERS = {
    "newest": CallFilter(),
    "one application's": CallFilter(application_id=7),
    "one user's": CallFilter(user_id="rare"),
    "one function's": CallFilter(function_name="sandbox-rare"),
    "one user's in one application": CallFilter(application_id=7, user_id="rare"),
}
OF_CALLS = {
    "one app's": CallFilter(app_name="rare"),
    "one request's": CallFilter(request_id="rare", application_id=7),
    "one app's failed": CallFilter(app_name="rare", succeeded=False),
}
OUTCOMES = {
    "unknown": CallFilter(outcome="unknown"),
    "started": CallFilter(outcome="started"),
    "failed": CallFilter(succeeded=False),
    "succeeded": CallFilter(succeeded=True),
}
Use = Callable[[Database], Awaitable[Any]]


def listing(kind: str, matching: CallFilter) -> Use:
    """A page of the console, of `calls` or `refusals`."""
    return lambda database: getattr(CallLog(database), kind)(limit=51, before="z", matching=matching)


def trail(matching: AuditFilter) -> Use:
    """A page of the audit trail."""
    return lambda database: AuditEvents(database).events(limit=51, before="z", matching=matching)


ANYWHERE = AccountFilter(user_id="rare")
ACTS = {
    "newest": AuditFilter(),
    "one operator's": AuditFilter(actor="rare"),
    "one kind of": AuditFilter(act="rare"),
    "one thing's": AuditFilter(subject="rare"),
    "old": AuditFilter(until="2020"),
}

USES: dict[str, Use] = {
    **{f"{name} calls": listing("calls", matching) for name, matching in {**FILTERS, **OF_CALLS, **OUTCOMES}.items()},
    **{f"{name} refusals": listing("refusals", matching) for name, matching in FILTERS.items()},
    "what is too old": lambda database: Retention(database).forget(90),
    "processes that are gone": lambda database: Processes(database).recover(),
    "the end of a call": lambda database: CallLog(database).finish(call("rare", network_code="200")),
    "what expired sessions needed": lambda database: ConnectSessions(database).erase_progress(),
    "what was not redeemed": lambda database: ConnectSessions(database).unredeemed(),
    "who revokes it": lambda database: ConnectSessions(database).claim_unredeemed("rare", 60),
    "sessions that are waited for": lambda database: ConnectSessions(database).ended_of(["rare", "other"]),
    "the session of a state": lambda database: ConnectSessions(database).with_state("state"),
    "the end of a session": lambda database: ConnectSessions(database).finish("rare", "cancelled"),
    "whose identity it is": lambda database: Accounts(database).is_connected(new_account("rare")),
    "who holds a key": lambda database: IdempotencyRecords(database).claim(keyed("rare", Processes(database))),
    "the answer of a key": lambda database: IdempotencyRecords(database).complete(keyed("k", Processes(database)), "a"),
    **{f"{name} acts": trail(matching) for name, matching in ACTS.items()},
    "a user's accounts in any application": lambda database: Accounts(database).search(ANYWHERE, limit=51),
    "a user's accounts": lambda database: Accounts(database).of_user(7, "rare", "sandbox"),
}


@contextlib.contextmanager
def recorded() -> Iterator[list[tuple[str, Sequence[Any]]]]:
    """What is run meanwhile, with its first parameters."""
    seen: list[tuple[str, Sequence[Any]]] = []

    def note(_conn: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        seen.append((statement, parameters[0] if many else parameters))

    arguments = DriverStatement.arguments

    def note_prepared(statement: DriverStatement, parameters: Parameters) -> Arguments:
        seen.append((statement.sql, arguments(statement, parameters)))
        return arguments(statement, parameters)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DriverStatement, "arguments", note_prepared)
            yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@pytest.fixture
def database_url(empty_databases: EmptyDatabases, tmp_path: Path) -> Iterator[str]:
    """The URL of a database in which much has happened, all of it lately, and nothing of what is looked for."""
    with empty_databases.new(tmp_path) as url:
        fill(url)
        yield url


def fill(database_url: str) -> None:
    """Have much happen in a database."""
    counting = (
        f"FROM generate_series(1, {ROWS}) AS n"
        if database_url.startswith("postgresql")
        else f"FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {ROWS}) SELECT n FROM c)"
    )
    moment, soon = f"'{timestamp()}'", "4000000000.0"
    owner = {"application_id": "n % 3", "user_id": "'u' || (n % 50)"}
    function = {"function_name": "'x-' || (n % 5)", "request_id": "'r'"}
    tables: dict[str, dict[str, str]] = {
        "calls": {"id": "'c' || n", **owner, **function, "app_name": "'x'", "function_type": "'query'"}
        | {"account_id": "1", "outcome": "'finished'", "network_code": "'200'", "started_at": moment},
        "refusals": {"id": "'r' || n", **owner, **function, "code": "'c'", "error": "'e'", "at": moment},
        "connect_sessions": {"id": "'s' || n", **owner, "app_name": "'x'", "status": "'pending'"}
        | {"created_at": "1.0", "expires_at": soon},
        "idempotency": {**owner, "function_name": "'x-y'", "idempotency_key": "'k' || n", "arguments_hash": "'h'"}
        | {"call_id": "'c' || n", "created_at": soon},
        "accounts": {**owner, "user_id": "'u' || n", "app_name": "'x'", "auth_id": "'key'", "external_id": "'e' || n"}
        | {"display_name": "'N'", "state": "'active'", "sealed_credentials": "'sealed'", "variables": "'{}'"}
        | {"version": "1", "created_at": moment, "modified_at": moment},
        "audit_events": {"id": "'a' || n", "at": moment, "via": "'console'", "actor": "'o' || (n % 5)"}
        | {"act": "'a' || (n % 5)", "subject": "'s' || (n % 50)", "changes": "'{}'"},
        "applications": {"id": "n", "name": "'A'", "app_key": "'a' || n", "sealed_secrets": "'[]'"}
        | {"allowed_origins": "'[]'", "created_at": moment},
    }
    for table, columns in tables.items():
        few = "WHERE n <= 3" if table == "applications" else ""
        values = ", ".join(columns.values())
        execute(database_url, f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} {counting} {few}")
    execute(database_url, "INSERT INTO processes (id, started_at) VALUES ('gone', '2026-01-01T00:00:00.000000Z')")
    if database_url.startswith("postgresql"):
        execute(database_url, f"ANALYZE {', '.join(GROWING)}")


async def test_no_table_is_read_through(database_url: str, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a page or the upkeep looks for is found by an index, which SQLite and PostgreSQL tell by their plans."""
    monkeypatch.setattr(call_search, "MOST_READ", FEW // 2)
    explain = _postgresql_reads if database_url.startswith("postgresql") else _sqlite_reads
    for name, use in USES.items():
        with recorded() as seen:
            await use(database)
        asked = [each for each in seen if each[0].lstrip().startswith(("SELECT", "UPDATE", "DELETE"))]
        reads = [read for statement, parameters in asked for read in await explain(database_url, statement, parameters)]
        allowed = (*SMALL, *NEWEST_FIRST) if name in UNNARROWED else SMALL

        assert asked, name
        assert [] == [each for each in reads if not any(index in each for index in allowed)], name

    # The plans are read right: a condition without an index is told.
    statement = "SELECT id FROM calls WHERE process_id IS NULL AND network_code = 'nobody'"
    assert (await explain(database_url, statement, ()))[0].startswith("SCAN calls")
    assert [(ROWS,)] == rows(database_url, "SELECT count(*) FROM calls")


async def _sqlite_reads(url: str, statement: str, parameters: Sequence[Any]) -> list[str]:
    """The steps of a plan that read a growing table, or all of an index on it, from end to end or have to sort it."""
    with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite+aiosqlite:///"))) as connection:
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", tuple(parameters))]
    return [step for step in steps if step.startswith("SCAN ") and step.split()[1] in GROWING]


async def _postgresql_reads(url: str, statement: str, parameters: Sequence[Any]) -> list[str]:
    """The steps of a plan that read a growing table from end to end, or far more of it than they need."""
    connection = await asyncpg.connect(url)
    try:
        transaction = connection.transaction()
        await transaction.start()
        (row,) = await connection.fetch(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", *parameters)
        await transaction.rollback()
    finally:
        await connection.close()
    (plan,) = json.loads(row[0])
    return list(_wasteful(plan["Plan"]))


def _wasteful(node: dict[str, Any]) -> Iterator[str]:
    if node.get("Relation Name", "").startswith(GROWING):  # a partition is named after its table
        skipped = node.get("Rows Removed by Filter", 0) * node["Actual Loops"]
        read = skipped + node["Actual Rows"] * node["Actual Loops"]
        if (node["Node Type"] == "Seq Scan" and read) or skipped > FEW:
            yield f"SCAN {node['Relation Name']} by {node['Node Type']} {node.get('Index Name', '')}, {skipped} in vain"
    for child in node.get("Plans", ()):
        yield from _wasteful(child)
