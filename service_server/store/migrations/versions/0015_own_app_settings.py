"""An application may have its own settings of an app, and accounts know which they were connected with."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "application_app_configurations",
        sa.Column("application_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("app_name", sa.String(length=64), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=True),
        sa.Column("sealed_client_secret", sa.Text(), nullable=True),
        sa.Column("variables", sa.JSON(), nullable=False),
        sa.Column("modified_at", sa.String(length=27), nullable=False),
        sa.PrimaryKeyConstraint("application_id", "app_name", name=op.f("pk_application_app_configurations")),
    )
    op.add_column("accounts", sa.Column("own_settings", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Undo."""
    op.drop_column("accounts", "own_settings")
    op.drop_table("application_app_configurations")
