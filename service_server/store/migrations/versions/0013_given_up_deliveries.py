"""Webhook deliveries that were given up are found, however many there are of the others."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply."""
    given_up = sa.text("state = 'failed'")
    op.create_index(
        "ix_webhook_deliveries_given_up",
        "webhook_deliveries",
        ["endpoint_id", "id"],
        sqlite_where=given_up,
        postgresql_where=given_up,
    )


def downgrade() -> None:
    """Undo."""
    op.drop_index("ix_webhook_deliveries_given_up", table_name="webhook_deliveries")
