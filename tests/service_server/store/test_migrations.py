"""The migrations and the tables that the code is written for."""

import contextlib
import re
import sqlite3
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from service_server.store.migrations import upgrade
from service_server.store.tables import METADATA


def test_migrations_make_the_tables_of_the_code(empty_database: Path) -> None:
    """Whoever changes a table writes the migration too: nothing is left for a next one to do."""
    engine = create_engine(f"sqlite:///{empty_database}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        differences = compare_metadata(context, METADATA)
    engine.dispose()

    assert [] == differences


def test_keys_and_partial_indexes_are_migrated_too(empty_database: Path, tmp_path: Path) -> None:
    """What the comparison of columns does not see (never reused ids, conditions of indexes) is the same as well."""
    engine = create_engine(f"sqlite:///{tmp_path / 'direct.db'}")
    METADATA.create_all(engine)
    engine.dispose()

    direct = _schema(tmp_path / "direct.db")
    assert direct
    assert direct == _schema(empty_database)


def test_upgrading_again_changes_nothing(tmp_path: Path) -> None:
    """Every start upgrades; on a database that is up to date this keeps schema and rows."""
    path = tmp_path / "service.db"
    upgrade(f"sqlite+aiosqlite:///{path}")
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO app_ids (name) VALUES ('sandbox')")
    before = list(_dump(path))
    upgrade(f"sqlite+aiosqlite:///{path}")

    assert before == list(_dump(path))


def test_any_path_can_be_upgraded(tmp_path: Path) -> None:
    """A folder with spaces and percent signs in its name is fine."""
    folder = tmp_path / "100% of my data"
    folder.mkdir()
    upgrade(f"sqlite+aiosqlite:///{folder / 'service.db'}")

    assert "accounts" in _schema(folder / "service.db")


def _schema(path: Path) -> dict[str, set[str]]:
    """Per table or index, what defines it: the statement's parts, in no order."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL "
            "AND name NOT LIKE 'sqlite_%' AND name != 'alembic_version'"
        ).fetchall()
    return {name: _parts(sql) for name, sql in found}


def _parts(sql: str) -> set[str]:
    one_line = re.sub(r"\s+", " ", sql.replace('"', ""))
    return {part.strip(" ()") for part in re.split(r"[,(]", one_line)}


def _dump(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())
