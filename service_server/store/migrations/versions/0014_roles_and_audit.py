"""Operators have roles, keys for the admin API are kept as hashes, and who did what is written down."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply; whoever was an operator before is an owner, and so is whoever a release before this one adds."""
    owner = sa.Column("role", sa.String(length=16), server_default=sa.text("'owner'"), nullable=False)
    op.add_column("operators", owner)
    op.add_column("operators", sa.Column("sees_contents", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "audit_events",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("via", sa.String(length=16), nullable=False),
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("request_id", sa.String(length=64), nullable=True),
        sa.Column("act", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=256), nullable=False),
        sa.Column("changes", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_events")),
    )
    op.create_index("ix_audit_events_at", "audit_events", ["at"])
    for column in ("actor", "act", "subject"):
        op.create_index(f"ix_audit_events_{column}_id", "audit_events", [column, "id"])
    op.create_table(
        "admin_keys",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("sees_contents", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.String(length=27), nullable=False),
        sa.Column("created_by", sa.String(length=200), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=True),
        sa.Column("last_used_at", sa.Float(), nullable=True),
        sa.Column("removed_at", sa.String(length=27), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admin_keys")),
    )


def downgrade() -> None:
    """Undo."""
    op.drop_table("admin_keys")
    op.drop_table("audit_events")
    op.drop_column("operators", "sees_contents")
    op.drop_column("operators", "role")
