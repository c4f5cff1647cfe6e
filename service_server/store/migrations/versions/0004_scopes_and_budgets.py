"""Connect sessions name the functions they are for, and the requests of accounts with a budget are counted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply."""
    op.add_column("connect_sessions", sa.Column("functions", sa.JSON(), nullable=True))
    op.create_table(
        "budget_uses",
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
    )
    op.create_index(op.f("ix_budget_uses_account_id_at"), "budget_uses", ["account_id", "at"])


def downgrade() -> None:
    """Undo."""
    op.drop_table("budget_uses")
    op.drop_column("connect_sessions", "functions")
