"""Applications are told what happens: their endpoints, and what is delivered there."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("accounts", sa.Column("refresh_failing_since", sa.Float(), nullable=True))
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("application_id", number, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("event_types", sa.JSON(), nullable=False),
        sa.Column("sealed_secrets", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("state_reason", sa.Text(), nullable=True),
        sa.Column("failing_since", sa.Float(), nullable=True),
        sa.Column("paused_until", sa.Float(), nullable=True),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_endpoints")),
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", number, nullable=False),
        sa.Column("endpoint_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", number, nullable=False),
        sa.Column("event_id", sa.String(length=64), nullable=False),
        sa.Column("event_type", sa.String(length=64), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=False),
        sa.Column("lease_owner", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
        sqlite_autoincrement=True,
    )
    pending = sa.text("state = 'pending'")
    op.create_index(
        "ix_webhook_deliveries_pending",
        "webhook_deliveries",
        ["endpoint_id", "account_id", "id"],
        sqlite_where=pending,
        postgresql_where=pending,
    )
    op.create_index("ix_webhook_deliveries_endpoint_id_id", "webhook_deliveries", ["endpoint_id", "id"])
    op.create_index("ix_webhook_deliveries_event_id", "webhook_deliveries", ["event_id"])
    op.create_index("ix_webhook_deliveries_created_at", "webhook_deliveries", ["created_at"])


def downgrade() -> None:
    """Undo."""
    op.drop_table("webhook_deliveries")
    op.drop_table("webhook_endpoints")
    op.drop_column("accounts", "refresh_failing_since")
