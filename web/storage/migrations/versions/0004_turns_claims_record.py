"""the record, claims and rulings, calls, turns taken back"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("boards") as boards:
        boards.add_column(sa.Column("agreed", sa.Integer(), nullable=False, server_default="0"))
        boards.add_column(sa.Column("order", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "record_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_record_entries_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_record_entries")),
        sa.UniqueConstraint("table_id", "number", name=op.f("uq_record_entries_table_id")),
    )
    op.create_table(
        "claims",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("a", sa.Integer(), nullable=True),
        sa.Column("b", sa.Integer(), nullable=True),
        sa.Column("tile", sa.String(), nullable=True),
        sa.Column("mark", sa.String(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("cells", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.Column("photo_id", sa.Integer(), nullable=True),
        sa.Column("ruling", sa.String(), nullable=True),
        sa.Column("ruled_by", sa.String(), nullable=True),
        sa.Column("ruled", sa.DateTime(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False, server_default=""),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_claims_table_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_claims_board_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["photo_id"], ["photos.id"], name=op.f("fk_claims_photo_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claims")),
    )
    op.create_table(
        "calls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("tile", sa.String(), nullable=False),
        sa.Column("mark", sa.String(), nullable=True),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_calls_round_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calls")),
        sa.UniqueConstraint("round_id", "number", name=op.f("uq_calls_round_id")),
    )
    op.create_table(
        "undone_turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.JSON(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("made", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_undone_turns_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_undone_turns")),
    )
    for table, column in (
        ("record_entries", "table_id"),
        ("claims", "table_id"),
        ("claims", "board_id"),
        ("calls", "round_id"),
        ("undone_turns", "table_id"),
    ):
        with op.batch_alter_table(table) as changed:
            changed.create_index(changed.f(f"ix_{table}_{column}"), [column])


def downgrade() -> None:
    for table in ("undone_turns", "calls", "claims", "record_entries"):
        op.drop_table(table)
    with op.batch_alter_table("boards") as boards:
        boards.drop_column("order")
        boards.drop_column("agreed")
