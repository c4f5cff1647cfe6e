"""The log tells where a call's time went and is searched by app and request, charts have their counts."""

import sqlalchemy as sa
from alembic import context, op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None
oldest_working = "0006"

INDEXES = (
    ("ix_calls_app_name_id", "calls", ["app_name", "id"]),
    ("ix_calls_request_id_id", "calls", ["request_id", "id"]),
    ("ix_refusals_request_id_id", "refusals", ["request_id", "id"]),
)
INACTIVE = "state <> 'active'"
TIMES = ("app_ms", "renewal_ms", "waiting_ms")


def upgrade() -> None:
    """Apply; on PostgreSQL without blocking writers, since a long log takes a while."""
    if op.get_bind().dialect.name != "postgresql":
        op.create_index("ix_accounts_inactive", "accounts", ["app_name", "modified_at"], sqlite_where=sa.text(INACTIVE))
        for name, table, columns in INDEXES:
            op.create_index(name, table, columns)
    else:
        _create_indexes_on_postgresql()
    for name in TIMES:
        op.add_column("calls", sa.Column(name, sa.Float(), nullable=True))
    op.create_table(
        "call_counts",
        sa.Column("seconds", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column(
            "begins_at", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("app_name", sa.String(64), nullable=False),
        sa.Column("function_name", sa.String(64), nullable=False),
        *(
            sa.Column(name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False)
            for name in ("executed", "failed", "refused")
        ),
        sa.Column("app_ms", sa.Float(), nullable=False),
        sa.Column("service_ms", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("seconds", "begins_at", "app_name", "function_name", name=op.f("pk_call_counts")),
    )


def _create_indexes_on_postgresql() -> None:
    wait_seconds = context.config.attributes["wait_seconds"]
    with op.get_context().autocommit_block():
        # This waits for transactions that have begun before, and nobody queues behind it.
        op.execute(f"SET lock_timeout = '{wait_seconds * 1000:.0f}ms'")
        _create_beside_writers("ix_accounts_inactive", "accounts", "app_name, modified_at", f"WHERE {INACTIVE}")
        for name, table, columns in INDEXES:
            _create_on_partitions(name, table, ", ".join(columns))
        op.execute("RESET lock_timeout")


def _create_beside_writers(name: str, table: str, columns: str, condition: str = "") -> None:
    op.execute(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"')  # of an attempt that was cut off
    op.execute(f'CREATE INDEX CONCURRENTLY "{name}" ON "{table}" ({columns}) {condition}')


def _create_on_partitions(name: str, table: str, columns: str) -> None:
    """An index of a table in partitions is made of one on each; those that come later get theirs with it."""
    op.execute(f"CREATE INDEX IF NOT EXISTS {name} ON ONLY {table} ({columns})")
    partitions = sa.text(
        "SELECT part.relname FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid "
        "WHERE inhparent = to_regclass(:table) AND NOT EXISTS (SELECT FROM pg_index own JOIN pg_inherits of_it "
        "ON of_it.inhrelid = own.indexrelid WHERE own.indrelid = part.oid AND of_it.inhparent = to_regclass(:name))"
    )
    for part in op.get_bind().scalars(partitions, {"table": table, "name": name}).all():
        of_part = f"{part[:40]}_{'_'.join(columns.split(', '))}_idx"
        _create_beside_writers(of_part, part, columns)
        op.execute(f'ALTER INDEX {name} ATTACH PARTITION "{of_part}"')


def downgrade() -> None:
    """Undo."""
    for name, table, _ in INDEXES:
        op.drop_index(name, table_name=table)
    op.drop_index("ix_accounts_inactive", table_name="accounts")
    op.drop_table("call_counts")
    for name in TIMES:
        op.drop_column("calls", name)
