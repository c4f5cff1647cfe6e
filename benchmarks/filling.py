"""Fills a database with what years of use leave in it: accounts, and rows of the log, all by a statement each."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator

from tests.service_server.databases import execute, rows
from tests.service_server.postgresql import query

SQLITE = "sqlite+aiosqlite:///"
DAY_MS = 86_400_000
FUNCTIONS = ("sandbox-list-projects", "sandbox-create-ticket", "sandbox-list-tickets", "sandbox-get-ticket")
COUNTED_FUNCTIONS, UNKNOWN = 500, 60
SEALED = "v1." + "A" * 400
ARGUMENTS, OUTPUT = '{"limit": 20, "state": "open"}', '{"items": [' + ", ".join(['{"id": 1, "title": "T"}'] * 8) + "]}"


def fill(url: str, accounts: int, calls: int) -> float:
    """
    Add so many accounts and calls, each account a user's own, and counts for charts; returns the seconds that it took.

    The calls were made within the last day, one in a hundred failed and one in ten thousand has an unknown outcome.
    """
    began = time.monotonic()
    ((application,),) = rows(url, "SELECT min(id) FROM applications")
    is_sqlite = url.startswith(SQLITE)
    with _filled(url) if is_sqlite else contextlib.nullcontext() as connection:
        filling = (
            _accounts(application, accounts, is_sqlite),
            _calls(application, accounts, calls, is_sqlite),
            _counts(3600, 7 * 24, min(calls, COUNTED_FUNCTIONS), is_sqlite),
            _counts(24 * 3600, 60, min(calls, COUNTED_FUNCTIONS), is_sqlite),
        )
        for statement in filling:
            if connection is not None:
                connection.execute(statement)
            else:
                execute(url, statement)
    if not is_sqlite:
        query(url, "ANALYZE accounts", "ANALYZE calls", "ANALYZE call_counts")
    return time.monotonic() - began


def _numbers(count: int, is_sqlite: bool) -> str:
    if not is_sqlite:
        return f"generate_series(1, {count}) AS numbers(n)"
    counting = f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT {count})"
    return f"({counting} SELECT n FROM numbers)"


def _moment(ms: str, is_sqlite: bool) -> str:
    """A time in milliseconds as the text that the service writes."""
    if is_sqlite:
        return f"strftime('%Y-%m-%dT%H:%M:%S', {ms} / 1000, 'unixepoch') || '.000000Z'"
    return f"to_char(to_timestamp({ms} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"


def _accounts(application: int, count: int, is_sqlite: bool) -> str:
    moment = _moment(str(int(time.time() * 1000)), is_sqlite)
    return (
        "INSERT INTO accounts (application_id, user_id, app_name, auth_id, external_id, display_name, state, "
        "sealed_credentials, variables, version, created_at, modified_at) "
        f"SELECT {application}, 'user' || n, 'sandbox', 'key', 'external' || n, 'Somebody', 'active', '{SEALED}', "
        f"'{{}}', 1, {moment}, {moment} FROM {_numbers(count, is_sqlite)}"
    )


def _calls(application: int, accounts: int, count: int, is_sqlite: bool) -> str:
    first = int(time.time() * 1000) - DAY_MS
    ms = f"({first} + CAST(n AS bigint) * {DAY_MS} / {count})"
    if is_sqlite:
        identifier = f"printf('%012x%04x%016x', {ms}, n & 65535, n)"
    else:
        parts = ((ms, 12), ("n & 65535", 4), ("n", 16))
        identifier = " || ".join(f"lpad(to_hex({value}), {digits}, '0')" for value, digits in parts)
    names = " ".join(f"WHEN {number} THEN '{name}'" for number, name in enumerate(FUNCTIONS))
    return (
        "INSERT INTO calls (id, application_id, user_id, app_name, function_name, function_type, account_id, outcome, "
        "network_code, arguments, output, started_at, duration_ms, request_id) "
        # A step that has no factor in common with the number of users leads through all of them, in no order.
        f"SELECT {identifier}, {application}, 'user' || ((CAST(n AS bigint) * 7919) % {accounts} + 1), 'sandbox', "
        f"CASE n % {len(FUNCTIONS)} {names} END, 'query', (CAST(n AS bigint) * 7919) % {accounts} + 1, "
        # A page of unknown outcomes, however few rows there are, so that pages of the same length are compared.
        f"CASE WHEN n % 10000 = 7 OR n <= {UNKNOWN} THEN 'unknown' ELSE 'finished' END, "
        "CASE n % 100 WHEN 3 THEN '500' ELSE '200' END, "
        f"'{ARGUMENTS}', '{OUTPUT}', {_moment(ms, is_sqlite)}, 12.5, 'request' || n FROM {_numbers(count, is_sqlite)}"
    )


def _counts(seconds: int, periods: int, functions: int, is_sqlite: bool) -> str:
    """Counts of so many functions, ten of an app, and of the apps as a whole, in the last so many periods."""
    last, apps = int(time.time()) // seconds * seconds, -(-functions // 10)
    rows = functions + apps
    return (
        "INSERT INTO call_counts "
        "(seconds, begins_at, app_name, function_name, executed, failed, refused, app_ms, service_ms) "
        f"SELECT {seconds}, {last} - (n / {rows}) * {seconds}, "
        f"'app' || CASE WHEN n % {rows} < {functions} THEN n % {rows} / 10 ELSE n % {rows} - {functions} END, "
        f"CASE WHEN n % {rows} < {functions} THEN 'function' || (n % {rows}) ELSE '' END, "
        f"100 + n % 7, n % 3, n % 2, 12345.6, 234.5 FROM {_numbers(periods * rows, is_sqlite)} "
        f"WHERE n < {periods * rows}"
    )


@contextlib.contextmanager
def _filled(url: str) -> Iterator[sqlite3.Connection]:
    """A connection for large inserts; indexes are made once all is there, which takes a fraction of the time."""
    with contextlib.closing(sqlite3.connect(url.removeprefix(SQLITE))) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -500000")
        made = connection.execute(
            "SELECT name, sql FROM sqlite_master "
            "WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('calls', 'accounts')"
        ).fetchall()
        for name, _ in made:
            connection.execute(f'DROP INDEX "{name}"')
        yield connection
        for _, statement in made:
            connection.execute(statement)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
