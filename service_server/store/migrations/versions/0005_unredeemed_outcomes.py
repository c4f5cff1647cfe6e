"""What connect sessions have gained outlives them until it is revoked."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("connect_sessions", sa.Column("sealed_outcome", sa.Text(), nullable=True))
    op.add_column("connect_sessions", sa.Column("revoking_until", sa.Float(), nullable=True))


def downgrade() -> None:
    """Undo."""
    op.drop_column("connect_sessions", "revoking_until")
    op.drop_column("connect_sessions", "sealed_outcome")
