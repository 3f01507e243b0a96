"""sample tables, task cards kept by name"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.add_column(sa.Column("sample", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "cards",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("card2", sa.JSON(), nullable=False),
        sa.Column("card3", sa.JSON(), nullable=False),
        sa.Column("changed", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cards")),
        sa.UniqueConstraint("device", "name", name=op.f("uq_cards_device")),
    )
    with op.batch_alter_table("cards") as cards:
        cards.create_index(cards.f("ix_cards_device"), ["device"])


def downgrade() -> None:
    op.drop_table("cards")
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("sample")
