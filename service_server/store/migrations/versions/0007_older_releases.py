"""The schema says which older releases still work on it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "schema_compatibility",
        sa.Column("oldest_revision", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("oldest_revision", name=op.f("pk_schema_compatibility")),
    )


def downgrade() -> None:
    """Undo."""
    op.drop_table("schema_compatibility")
