"""The migrations and the tables that the code is written for."""

import contextlib
import re
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from service_server.store import migrations
from service_server.store.migrations import upgrade
from service_server.store.tables import METADATA
from tests.service_server.databases import execute, rows, sqlite_url
from tests.service_server.processes import command
from tests.service_server.store.schema_changes import on

pytestmark = pytest.mark.slow

PARTITIONS = "SELECT relname FROM pg_class WHERE relispartition"
INDEXES = (
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version' "
    f"AND tablename NOT IN ({PARTITIONS})"
)
CONSTRAINTS = (
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = 'public'::regnamespace AND conrelid IS DISTINCT FROM to_regclass('alembic_version') "
    f"AND conrelid::regclass::text NOT IN ({PARTITIONS})"
)


def test_migrations_make_the_tables_of_the_code(database_url: str) -> None:
    """Whoever changes a table writes the migration too: nothing is left for a next one to do."""

    def compare(connection: Connection) -> Any:
        partitions = set(connection.scalars(text(PARTITIONS))) if connection.dialect.name == "postgresql" else set()
        options = {
            "compare_type": True,
            "compare_server_default": True,
            "include_name": lambda name, kind, _: kind != "table" or name not in partitions,
        }
        return compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)

    assert [] == on(database_url, compare)


def test_keys_and_partial_indexes_are_migrated_too(empty_database: Path, tmp_path: Path) -> None:
    """What the comparison of columns does not see (never reused ids, conditions of indexes) is the same as well."""
    on(sqlite_url(tmp_path), METADATA.create_all)

    direct = _schema(tmp_path / "service.db")
    assert direct
    assert direct == _schema(empty_database)


@pytest.mark.postgresql
def test_indexes_and_constraints_are_the_same_on_postgresql(postgresql: Any, empty_on_postgresql: Any) -> None:
    """With their names and conditions."""
    with postgresql.database() as direct:
        on(direct, METADATA.create_all)
        migrated = postgresql.url(empty_on_postgresql.template)

        for query in (INDEXES, CONSTRAINTS):
            assert sorted(rows(direct, query)) == sorted(rows(migrated, query))


def test_several_upgrade_at_once(no_tables: str, tmp_path: Path) -> None:
    """Processes that start at the same time on a new database: one makes the schema, the others wait for it."""
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: command(tmp_path / "data", "db", "upgrade", "--database", no_tables), range(4)))

    assert ["The database is up to date.\n"] * 4 == told
    assert 1 == len(rows(no_tables, "SELECT version_num FROM alembic_version"))


def test_what_was_open_before_there_were_processes_is_closed(no_tables: str) -> None:
    """Of the version that knew one process only: its open calls are unknown, keys of unsent calls are free."""
    upgrade(no_tables, "0001")
    for name, outcome in (("00a", "started"), ("00b", "finished")):
        execute(
            no_tables,
            "INSERT INTO calls (id, application_id, user_id, app_name, function_name, function_type, account_id, "
            f"outcome, started_at, request_id) VALUES ('{name}', 1, 'ann', 'x', 'x-y', 'mutation', 1, "
            f"'{outcome}', '2026-01-01T00:00:00.000000Z', 'r')",
        )
    for call in ("00a", "unsent"):
        execute(
            no_tables,
            "INSERT INTO idempotency (application_id, user_id, function_name, idempotency_key, arguments_hash, "
            f"call_id, created_at) VALUES (1, 'ann', 'x-y', '{call}', 'hash', '{call}', 1)",
        )
    upgrade(no_tables)

    assert [("00a", "unknown"), ("00b", "finished")] == rows(no_tables, "SELECT id, outcome FROM calls ORDER BY id")
    assert [("00a",)] == rows(no_tables, "SELECT call_id FROM idempotency")


def test_upgrading_again_changes_nothing(tmp_path: Path) -> None:
    """Every start upgrades; on a database that is up to date, wherever it is, this keeps schema and rows."""
    folder = tmp_path / "100% of my data"
    folder.mkdir()
    upgrade(sqlite_url(folder))
    execute(sqlite_url(folder), "INSERT INTO app_ids (name) VALUES ('sandbox')")
    with contextlib.closing(sqlite3.connect(folder / "service.db")) as connection:
        before = list(connection.iterdump())
        upgrade(sqlite_url(folder))

        assert before == list(connection.iterdump())


def test_a_start_that_changes_nothing_imports_no_alembic(tmp_path: Path) -> None:
    """It takes a tenth of a second and some memory, in every process and at every start."""
    url = sqlite_url(tmp_path)
    script = (
        "import sys; from service_server.store.migrations import upgrade; upgrade(sys.argv[1]); "
        "print([name for name in sys.modules if name.startswith('alembic')] != [])"
    )
    first, second = [
        subprocess.run([sys.executable, "-c", script, url], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]

    assert ("True\n", "False\n") == (first, second)


def test_the_newest_revision_is_told_by_the_names_of_the_files() -> None:
    """As Alembic finds it, which would otherwise go on from where a start takes the schema to be up to date."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))

    assert ScriptDirectory.from_config(config).get_current_head() == migrations.newest_revision()


def _schema(path: Path) -> dict[str, set[str]]:
    """Per table or index, what defines it: the statement's parts, in no order."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL "
            "AND name NOT LIKE 'sqlite_%' AND name != 'alembic_version'"
        ).fetchall()
        keys = {name: connection.execute(f"PRAGMA foreign_key_list({name})").fetchall() for name, _ in found}
    return {name: _parts(sql) | {str(key) for key in keys[name]} for name, sql in found}


def _parts(sql: str) -> set[str]:
    one_line = re.sub(r"\s+", " ", sql.replace('"', ""))
    # A key to another table may be written beside its column or after all columns.
    one_line = re.sub(r"(, FOREIGN KEY ?\(\w+\))? REFERENCES (\w+) \((\w+)\)", "", one_line)
    return {part.strip(" ()") for part in re.split(r"[,(]", one_line)}
