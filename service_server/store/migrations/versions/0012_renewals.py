"""Accounts that nobody uses are renewed; of those from before nobody has worked out when, which is what 0 says."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply."""
    column = sa.Column("renewal_due_at", sa.Float(), server_default=sa.text("0"), nullable=False)
    op.add_column("accounts", column)
    active = sa.text("state = 'active'")
    op.create_index(
        "ix_accounts_renewal_due_at", "accounts", ["renewal_due_at"], sqlite_where=active, postgresql_where=active
    )


def downgrade() -> None:
    """Undo."""
    op.drop_index("ix_accounts_renewal_due_at", table_name="accounts")
    op.drop_column("accounts", "renewal_due_at")
