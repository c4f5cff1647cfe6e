"""Accounts remember a refresh that was cut off."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("accounts", sa.Column("refresh_interrupted", sa.Boolean(), nullable=False, server_default=sa.false()))
