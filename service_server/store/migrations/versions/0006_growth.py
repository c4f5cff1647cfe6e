"""Pages and upkeep find their rows by indexes, however many rows there are."""

import sqlalchemy as sa
from alembic import context, op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_calls_application_id_id", "calls", ["application_id", "id"], None),
    ("ix_calls_user_id_id", "calls", ["user_id", "id"], None),
    ("ix_calls_function_name_id", "calls", ["function_name", "id"], None),
    ("ix_calls_unfinished", "calls", ["id"], "outcome <> 'finished'"),
    ("ix_calls_failed", "calls", ["id"], "outcome = 'finished' AND network_code NOT LIKE '2%'"),
    ("ix_refusals_at", "refusals", ["at"], None),
    ("ix_refusals_application_id_id", "refusals", ["application_id", "id"], None),
    ("ix_refusals_user_id_id", "refusals", ["user_id", "id"], None),
    ("ix_refusals_function_name_id", "refusals", ["function_name", "id"], None),
    ("ix_connect_sessions_in_progress", "connect_sessions", ["expires_at"], "sealed_progress IS NOT NULL"),
    ("ix_connect_sessions_unredeemed", "connect_sessions", ["expires_at"], "sealed_outcome IS NOT NULL"),
    ("ix_accounts_app_name_external_id", "accounts", ["app_name", "external_id"], "external_id IS NOT NULL"),
)


def upgrade() -> None:
    """Apply; on PostgreSQL without blocking writers, since a long log takes a while."""
    if op.get_bind().dialect.name != "postgresql":
        _create_indexes(concurrently=False)
        return
    wait_seconds = context.config.attributes["wait_seconds"]
    with op.get_context().autocommit_block():
        # This waits for transactions that have begun before, and nobody queues behind it.
        op.execute(f"SET lock_timeout = '{wait_seconds * 1000:.0f}ms'")
        _create_indexes(concurrently=True)
        op.execute("RESET lock_timeout")


def _create_indexes(*, concurrently: bool) -> None:
    for name, table, columns, condition in INDEXES:
        if concurrently:  # an earlier attempt that was cut off leaves an invalid index
            op.drop_index(name, table_name=table, if_exists=True, postgresql_concurrently=True)
        where = None if condition is None else sa.text(condition)
        op.create_index(
            name,
            table,
            columns,
            sqlite_where=where,
            postgresql_where=where,
            postgresql_concurrently=concurrently,
        )


def downgrade() -> None:
    """Undo."""
    for name, table, _, _ in INDEXES:
        op.drop_index(name, table_name=table)
