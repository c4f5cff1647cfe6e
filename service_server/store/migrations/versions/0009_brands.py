"""Applications have a brand, and connect sessions the look and language of the page that they were begun on."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None
oldest_working = "0006"

LOOK = (("locale", 16), ("theme", 8), ("accent", 7))


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "application_brands",
        sa.Column("application_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("accent", sa.String(length=7), nullable=True),
        sa.Column("logo", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("application_id", name=op.f("pk_application_brands")),
    )
    for name, length in LOOK:
        op.add_column("connect_sessions", sa.Column(name, sa.String(length=length), nullable=True))
    op.add_column("connect_sessions", sa.Column("return_url", sa.Text(), nullable=True))


def downgrade() -> None:
    """Undo."""
    op.drop_column("connect_sessions", "return_url")
    for name, _length in reversed(LOOK):
        op.drop_column("connect_sessions", name)
    op.drop_table("application_brands")
