"""Several processes on one database: each is responsible for what it has under way."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = ("calls", "idempotency")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("started_at", sa.String(length=27), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    # The one process there was before has ended: what it left open is closed, as its next start would have done.
    op.execute("DELETE FROM idempotency WHERE response IS NULL AND call_id NOT IN (SELECT id FROM calls)")
    op.execute("UPDATE calls SET outcome = 'unknown' WHERE outcome = 'started'")
    op.drop_index("ix_calls_open", table_name="calls")
    for table in TABLES:
        # As one statement, which every database carries out without copying the table.
        op.execute(f"ALTER TABLE {table} ADD COLUMN process_id VARCHAR(32) REFERENCES processes (id)")
        op.create_index(
            op.f(f"ix_{table}_process_id"),
            table,
            ["process_id"],
            sqlite_where=sa.text("process_id IS NOT NULL"),
            postgresql_where=sa.text("process_id IS NOT NULL"),
        )


def downgrade() -> None:
    """Undo."""
    for table in TABLES:
        op.drop_index(op.f(f"ix_{table}_process_id"), table_name=table)
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("process_id")
    op.create_index("ix_calls_open", "calls", ["outcome"], sqlite_where=sa.text("outcome = 'started'"))
    op.drop_table("processes")
