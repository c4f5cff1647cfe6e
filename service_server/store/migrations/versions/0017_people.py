"""Sessions of operators are rows, operators may come from an OpenID provider, and accounts have a history."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "operator_sessions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("operator", sa.String(length=200), nullable=False),
        sa.Column("password_mark", sa.String(length=64), nullable=False),
        sa.Column("browser", sa.String(length=200), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_sessions")),
    )
    op.add_column("operators", sa.Column("oidc_subject", sa.String(length=255), nullable=True))
    op.add_column("accounts", sa.Column("refreshed_at", sa.String(length=27), nullable=True))
    op.create_table(
        "account_events",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.String(length=27), nullable=False),
        sa.Column("application_id", number, nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("app_name", sa.String(length=64), nullable=False),
        sa.Column("account_id", number, nullable=False),
        sa.Column("event", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_events")),
    )
    op.create_index("ix_account_events_at", "account_events", ["at"])
    op.create_index("ix_account_events_owner", "account_events", ["application_id", "user_id", "id"])


def downgrade() -> None:
    """Undo."""
    op.drop_table("account_events")
    op.drop_column("accounts", "refreshed_at")
    op.drop_column("operators", "oidc_subject")
    op.drop_table("operator_sessions")
