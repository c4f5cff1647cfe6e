"""Changing the schema beside others who use the database: it waits, says for whom, and keeps nobody waiting."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from service_server.store.migrations import DatabaseUnusable, upgrade
from tests.service_server.commands import forked
from tests.service_server.databases import rows, sqlite_url
from tests.service_server.postgresql import PostgreSQLServer, holding, query

pytestmark = pytest.mark.slow

VERSION = "SELECT version_num FROM alembic_version"
TOLD = "SERVICE_MIGRATION_WAIT_SECONDS"
# What the change of the schema waits for here: a table, or whoever changes the schema too.
SLOW = "CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); END $$"
HELD = ["SELECT count(*) FROM connect_sessions", "SELECT pg_advisory_lock(hashtextextended('schema', 0))"]


@pytest.mark.postgresql
@pytest.mark.parametrize("statement", HELD)
def test_who_is_waited_for_is_told(postgresql: PostgreSQLServer, tmp_path: Path, statement: str) -> None:
    """In the log, and after too long with how to end it; others read and write, and once it has ended all is done."""
    with postgresql.database() as url, contextlib.ExitStack() as held:
        upgrade(url, "0004")
        held.enter_context(holding(url, statement, setup="SET application_name = 'long report'"))
        with pytest.raises(DatabaseUnusable) as told:
            upgrade(url, wait_seconds=1)
        (pid,) = rows(url, "SELECT pid FROM pg_stat_activity WHERE application_name = 'long report'")[0]
        session = f"process {pid} of the server (long report, user service"
        assert session in str(told.value)
        assert f"SELECT pg_terminate_backend({pid})" in str(told.value)
        assert TOLD in str(told.value)

        with forked(["db", "upgrade", "--data-dir", tmp_path], env={"SERVICE_DATABASE": url}) as program:
            program.wait_until(lambda: session in program.output() or None)
            for _ in range(3):
                # Without an end to its own waiting, the change would hold them up until the transaction ends.
                query(url, "SET statement_timeout = '8s'", "SELECT count(*) FROM connect_sessions")
                query(url, "SET statement_timeout = '8s'", "DELETE FROM connect_sessions WHERE id = 'nobody'")
            assert program.process.poll() is None
            assert [("0004",)] == rows(url, VERSION)
            held.close()
            assert 0 == program.process.wait(60)
            assert "The database is up to date." in program.output()
        assert [("0004",)] < rows(url, VERSION)


@pytest.mark.postgresql
def test_an_index_that_was_begun_is_built_anew(postgresql: PostgreSQLServer) -> None:
    """An index beside running transactions is built in steps; what an attempt that was cut off has left is replaced."""
    with postgresql.database() as url:
        upgrade(url, "0005")
        with holding(url, "UPDATE calls SET id = 'x' WHERE id = 'nobody'"), pytest.raises(DatabaseUnusable):
            upgrade(url, wait_seconds=1)
        left = rows(url, "SELECT count(*) FROM pg_index WHERE NOT indisvalid")
        upgrade(url)
        # Every start looks; only those that change something need what others may hold.
        with holding(url, "LOCK TABLE calls", HELD[1]):
            upgrade(url, wait_seconds=0)

        assert [(1,)] == left
        assert [] == rows(url, "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")


@pytest.mark.postgresql
def test_a_change_may_take_long(postgresql: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an answer to a request may take is no limit for a change of the schema."""
    with postgresql.database() as url:
        upgrade(url, "0004")
        postgresql.run(
            url.rpartition("/")[2], SLOW, "CREATE EVENT TRIGGER slow ON ddl_command_start EXECUTE FUNCTION slow()"
        )
        monkeypatch.setattr("service_server.store.postgresql._ANSWER_SECONDS", 0.2)
        upgrade(url, "0005")

        assert [("0005",)] == rows(url, VERSION)


def test_a_file_that_is_written_to_is_told(tmp_path: Path) -> None:
    """On SQLite too: another writer is waited for, and then named for what it is."""
    url = sqlite_url(tmp_path)
    upgrade(url, "0004")
    with contextlib.closing(sqlite3.connect(tmp_path / "service.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseUnusable, match=f"another process is writing to the file.*{TOLD}"):
            upgrade(url, wait_seconds=0.5)
    upgrade(url)

    assert [("0004",)] < rows(url, VERSION)
