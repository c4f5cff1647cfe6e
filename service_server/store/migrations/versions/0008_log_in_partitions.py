"""On PostgreSQL the log is in partitions by time, so that old rows are dropped as whole tables."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None
oldest_working = "0006"

TABLES = ("calls", "refusals")
# Existing rows become the first partition, with everything written before that partition ends. If this migration
# is cut off, it must be tried again before then: after that nothing more can be written until the next attempt.
FIRST_SECONDS = 7 * 24 * 3600


def upgrade() -> None:
    """Apply: the tables are checked without blocking writers, and then exchanged in a moment."""
    if op.get_bind().dialect.name != "postgresql":
        return
    with op.get_context().autocommit_block():
        ends = {table: _bound(table) for table in TABLES}
    for table, end in ends.items():
        _exchange(table, end)


def _bound(table: str) -> str:
    """Have the database ensure that all ids of a table, now and for a while, are below a bound; return the bound."""
    latest = op.get_bind().scalar(sa.select(sa.func.max(sa.column("id"))).select_from(sa.table(table)))
    # If a clock was ahead, there are ids of later moments.
    milliseconds = max(int((time.time() + FIRST_SECONDS) * 1000), int(latest[:12], 16) + 1 if latest else 0)
    end = f"{milliseconds:012x}"
    op.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {table}_first_bound")  # of an attempt that was cut off
    op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {table}_first_bound CHECK (id < '{end}') NOT VALID")
    op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {table}_first_bound")
    return end


def _exchange(table: str, end: str) -> None:
    """Replace a table by a partitioned one with the same indexes; the old table becomes its first partition."""
    connection, first = op.get_bind(), f"{table}_first"
    query = sa.text(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = :table AND schemaname = current_schema()"
    )
    indexes = [(row.indexname, row.indexdef) for row in connection.execute(query, {"table": table})]
    op.execute(f"ALTER TABLE {table} RENAME TO {first}")
    for name, _ in indexes:
        op.execute(f"ALTER INDEX {name} RENAME TO {name}_first")
    op.execute(f"CREATE TABLE {table} (LIKE {first} INCLUDING DEFAULTS INCLUDING STORAGE) PARTITION BY RANGE (id)")
    op.execute(f"ALTER TABLE {table} ADD CONSTRAINT pk_{table} PRIMARY KEY (id)")
    for name, definition in indexes:
        if name != f"pk_{table}":
            op.execute(definition)
    if table == "calls":
        key = "calls_process_id_fkey FOREIGN KEY (process_id) REFERENCES processes (id)"
        op.execute(f"ALTER TABLE calls ADD CONSTRAINT {key}")
    op.execute(f"ALTER TABLE {table} ATTACH PARTITION {first} FOR VALUES FROM (MINVALUE) TO ('{end}')")
    op.execute(f"ALTER TABLE {first} DROP CONSTRAINT {table}_first_bound")
    op.execute(f"CREATE TABLE {table}_default PARTITION OF {table} DEFAULT")
