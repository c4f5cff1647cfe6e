"""Files that users keep here for a while, in sealed pieces."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None
oldest_working = "0006"


def upgrade() -> None:
    """Apply."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "files",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("application_id", number, nullable=False),
        sa.Column("user_id", sa.String(length=256), nullable=False),
        sa.Column("sealed_head", sa.Text(), nullable=False),
        sa.Column("size", number, nullable=False),
        sa.Column("is_whole", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_files")),
    )
    op.create_index("ix_files_application_id_user_id", "files", ["application_id", "user_id"])
    op.create_index("ix_files_expires_at", "files", ["expires_at"])
    op.create_table(
        "file_pieces",
        sa.Column("file_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("sealed_content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("file_id", "position", name=op.f("pk_file_pieces")),
    )
    if op.get_bind().dialect.name == "postgresql":  # sealed content can't be compressed, and trying takes time
        op.execute("ALTER TABLE file_pieces ALTER COLUMN sealed_content SET STORAGE EXTERNAL")


def downgrade() -> None:
    """Undo."""
    op.drop_table("file_pieces")
    op.drop_table("files")
