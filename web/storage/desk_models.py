"""What is kept about who said what: the record's entries, claims and rulings, turns taken back."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from web.storage.models import Base, BoardRow, now


class RecordEntry(Base):
    """One line of a table's record, chained to the one before; written once, never changed."""

    __tablename__ = "record_entries"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    line: Mapped[str] = mapped_column(Text)
    """The entry exactly as it was sealed, hash included."""


class Claim(Base):
    """Somebody disagrees, and what came of it."""

    __tablename__ = "claims"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    board_id: Mapped[int] = mapped_column(ForeignKey("boards.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str]
    """tile, total, illegal or row."""
    a: Mapped[int | None] = mapped_column(default=None)
    b: Mapped[int | None] = mapped_column(default=None)
    tile: Mapped[str | None] = mapped_column(default=None)
    """tile claims: what lies there according to the claim; None: nothing."""
    mark: Mapped[str | None] = mapped_column(default=None)
    points: Mapped[int | None] = mapped_column(default=None)
    """total claims: the right total; row claims: what the row is worth."""
    cells: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True), default=None)
    words: Mapped[str] = mapped_column(default="")
    who: Mapped[str]
    made: Mapped[datetime] = mapped_column(default=now)
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("photos.id", ondelete="SET NULL"), default=None)
    """The photograph the claim was made on."""
    ruling: Mapped[str | None] = mapped_column(default=None)
    """accepted, rejected or photo (take another one); None: not settled."""
    ruled_by: Mapped[str | None] = mapped_column(default=None)
    ruled: Mapped[datetime | None] = mapped_column(default=None)
    reason: Mapped[str] = mapped_column(default="", server_default="")

    board: Mapped[BoardRow] = relationship()


class UndoneTurn(Base):
    """A turn that was taken back and can be brought back, the latest first."""

    __tablename__ = "undone_turns"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    turn: Mapped[dict[str, Any]] = mapped_column(JSON)
    who: Mapped[str]
    made: Mapped[datetime] = mapped_column(default=now)
