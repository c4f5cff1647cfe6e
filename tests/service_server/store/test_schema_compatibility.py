"""A schema changes only so that the release before goes on working on it, and says how far back that holds."""

import contextlib
import itertools
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from service_server.store.migrations import HERE, upgrade
from tests.service_server.databases import EmptyDatabases, rows
from tests.service_server.store.schema_changes import on, schema, taken

pytestmark = pytest.mark.slow

REVISIONS = {each.revision: each for each in reversed(list(ScriptDirectory(str(HERE)).walk_revisions()))}
ORDER = list(REVISIONS)
# From this one on each says which older revisions' code works on it.
DECLARING = ORDER[ORDER.index("0007") :]
CHANGES: dict[str, list[str]] = {
    "CREATE TABLE more (id INTEGER)": [],
    "ALTER TABLE operators ADD COLUMN more TEXT": [],
    "ALTER TABLE operators ADD COLUMN more TEXT NOT NULL DEFAULT 'x'": [],
    "CREATE INDEX ix ON operators (created_at)": [],
    "ALTER TABLE operators ADD COLUMN more TEXT NOT NULL": ["rows without operators.more"],
    "DROP TABLE operators": ["the table operators"],
    "ALTER TABLE operators RENAME TO people": ["the table operators"],
    "ALTER TABLE operators DROP COLUMN created_at": ["the column operators.created_at"],
    "ALTER TABLE operators RENAME COLUMN created_at TO made_at": [
        "the column operators.created_at",
        "rows without operators.made_at",
    ],
    "ALTER TABLE accounts ALTER COLUMN external_id SET NOT NULL": ["leaving accounts.external_id empty"],
    "ALTER TABLE accounts ALTER COLUMN display_name TYPE varchar(9)": ["the type of accounts.display_name"],
    "CREATE UNIQUE INDEX ix ON operators (created_at)": [
        "rows against a new rule of operators: a row is the only one by ['created_at']"
    ],
    "ALTER TABLE operators ADD CHECK (created_at > 'a')": [
        "rows against a new rule of operators: rows meet created_at::text > 'a'::text"
    ],
    "ALTER TABLE accounts ADD FOREIGN KEY (application_id) REFERENCES applications (id)": [
        "rows against a new rule of accounts: ['application_id'] stand in applications"
    ],
}


def oldest_working(revision: str) -> str:
    """The oldest revision whose code works on this one, by its migration."""
    declared = getattr(REVISIONS[revision].module, "oldest_working", None)
    assert isinstance(declared, str), f"migration {revision} does not say `oldest_working`"
    return declared


def test_what_takes_something_away_says_so(no_tables: str) -> None:
    """Where older code misses something or may be refused, the migration has raised `oldest_working`."""
    upgrade(no_tables, DECLARING[0])
    before = on(no_tables, schema)
    for earlier, later in itertools.pairwise(DECLARING):
        upgrade(no_tables, later)
        after = on(no_tables, schema)
        if oldest_working(earlier) == oldest_working(later):
            assert [] == list(taken(before, after)), f"migration {later} has to raise `oldest_working`"
        before = after


def test_the_release_before_goes_on_working() -> None:
    """A schema asks for no later code than that of the revision before it, and never for earlier code again."""
    bounds = [ORDER.index(oldest_working(revision)) for revision in DECLARING]

    assert sorted(bounds) == bounds
    assert all(bound < ORDER.index(revision) for bound, revision in zip(bounds, DECLARING, strict=True))


def test_the_database_says_it(database_url: str) -> None:
    """The bound stands in the database, where an older release finds it."""
    assert [(oldest_working(ORDER[-1]),)] == rows(database_url, "SELECT oldest_revision FROM schema_compatibility")


@pytest.mark.postgresql
def test_changes_are_told_apart(empty_on_postgresql: EmptyDatabases, tmp_path: Path) -> None:
    """Additions take nothing away; what is dropped, renamed or asked for does."""

    def try_out(connection: Connection) -> None:
        before = schema(connection)
        for change, expected in CHANGES.items():
            with contextlib.closing(connection.begin_nested()):  # which takes it back
                connection.execute(text(change))
                assert expected == list(taken(before, schema(connection))), change

    with empty_on_postgresql.new(tmp_path) as url:
        on(url, try_out)
