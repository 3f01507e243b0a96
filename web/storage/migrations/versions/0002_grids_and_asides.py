"""grids placed by hand, tiles set aside by hand"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("boards") as boards:
        boards.add_column(sa.Column("corners", sa.JSON(), nullable=True))
        boards.add_column(sa.Column("aside", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("boards") as boards:
        boards.drop_column("aside")
        boards.drop_column("corners")
