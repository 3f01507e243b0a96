"""What is kept. A board is never stored as such: it is a reading plus every correction that stands."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, MetaData, UniqueConstraint, false
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


def now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Table(Base):
    """A group of people playing one game, from the first board to the final ranking."""

    __tablename__ = "tables"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    """Names the table in addresses; opens nothing by itself."""
    code: Mapped[str] = mapped_column(unique=True)
    """Six characters people can say aloud."""
    token: Mapped[str] = mapped_column(unique=True)
    """The long secret in the QR code."""
    game: Mapped[str]
    layout: Mapped[str] = mapped_column(default="")
    size: Mapped[list[int] | None] = mapped_column(JSON, default=None)
    options: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    rounds_planned: Mapped[int] = mapped_column(default=1)
    finished: Mapped[bool] = mapped_column(default=False)
    sample: Mapped[bool] = mapped_column(default=False, server_default=false())
    """A table to try things out on: it offers sample photographs."""
    edition: Mapped[str | None] = mapped_column(default=None)
    """The taught edition the tiles are of; None: a built-in one."""
    learns: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether corrections at this table are evidence for its edition."""
    version: Mapped[int] = mapped_column(default=1)
    """Grows with every change; phones ask only "newer than this?"."""
    created: Mapped[datetime] = mapped_column(default=now)
    changed: Mapped[datetime] = mapped_column(default=now)

    seats: Mapped[list[Seat]] = relationship(
        back_populates="table", order_by="Seat.position", cascade="all, delete-orphan", passive_deletes=True
    )
    rounds: Mapped[list[Round]] = relationship(
        back_populates="table", order_by="Round.number", cascade="all, delete-orphan", passive_deletes=True
    )
    members: Mapped[list[Member]] = relationship(
        back_populates="table", cascade="all, delete-orphan", passive_deletes=True
    )

    def touch(self) -> None:
        """Something people can see has changed."""
        self.version += 1
        self.changed = now()


class Seat(Base):
    """A player at a table."""

    __tablename__ = "seats"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    position: Mapped[int]
    name: Mapped[str]
    colour: Mapped[str]
    team: Mapped[int] = mapped_column(default=0)
    """Trio with four: 1 or 2 (opposite seats); 0: plays alone."""

    table: Mapped[Table] = relationship(back_populates="seats")


class Member(Base):
    """A phone that was let in, and what it may do."""

    __tablename__ = "members"
    __table_args__ = (UniqueConstraint("device", "table_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    device: Mapped[str] = mapped_column(index=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    host: Mapped[bool] = mapped_column(default=False)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id", ondelete="SET NULL"), default=None)
    joined: Mapped[datetime] = mapped_column(default=now)

    table: Mapped[Table] = relationship(back_populates="members")
    seat: Mapped[Seat | None] = relationship()


class Round(Base):
    """One round; games scored by turns have a single one that holds every turn."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    caller_id: Mapped[int | None] = mapped_column(ForeignKey("seats.id", ondelete="SET NULL"), default=None)
    created: Mapped[datetime] = mapped_column(default=now)

    table: Mapped[Table] = relationship(back_populates="rounds")
    caller: Mapped[Seat | None] = relationship()
    boards: Mapped[list[BoardRow]] = relationship(
        back_populates="round", order_by="BoardRow.turn", cascade="all, delete-orphan", passive_deletes=True
    )
    calls: Mapped[list[Call]] = relationship(
        order_by="Call.number", cascade="all, delete-orphan", passive_deletes=True, lazy="selectin"
    )


class Call(Base):
    """A tile the caller has called in a round."""

    __tablename__ = "calls"
    __table_args__ = (UniqueConstraint("round_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    tile: Mapped[str]
    """A tile's name; in Bits the two colours, "blue-red"."""
    mark: Mapped[str | None] = mapped_column(default=None)
    who: Mapped[str]
    made: Mapped[datetime] = mapped_column(default=now)


class BoardRow(Base):
    """One player's board of a round, or the table after one turn."""

    __tablename__ = "boards"
    __table_args__ = (UniqueConstraint("round_id", "seat_id", "turn"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"), index=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id", ondelete="CASCADE"))
    turn: Mapped[int] = mapped_column(default=0)
    """0 where the game is scored by finished boards; 1, 2, … where it is scored by turns."""
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("photos.id", ondelete="SET NULL"), default=None)
    awaiting: Mapped[bool] = mapped_column(default=False)
    """The photograph is kept and still has to be read."""
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON, default=None)
    problem: Mapped[dict[str, str] | None] = mapped_column(JSON, default=None)
    """Why the photograph could not be read: {"code", "message"}."""
    corners: Mapped[list[list[float]] | None] = mapped_column(JSON(none_as_null=True), default=None)
    """Where a person put the board's corners in the photograph, in its pixels; None: found by itself."""
    aside: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True), default=None)
    """Set-aside tiles as a person entered them; None: as read."""
    complete: Mapped[bool] = mapped_column(default=False)
    """Somebody said "that's all" (a board may end with holes)."""
    last_tile: Mapped[bool] = mapped_column(default=False)
    """Qwirkle: this turn played the last tile of the game."""
    agreed: Mapped[int] = mapped_column(default=0, server_default="0")
    """Points the table added or took away by a ruling."""
    order: Mapped[list[list[int]] | None] = mapped_column(JSON(none_as_null=True), default=None)
    """The cells in the order somebody says they were filled."""
    changed: Mapped[datetime] = mapped_column(default=now)

    round: Mapped[Round] = relationship(back_populates="boards")
    seat: Mapped[Seat] = relationship()
    photo: Mapped[Photo | None] = relationship()
    corrections: Mapped[list[Correction]] = relationship(
        back_populates="board", order_by="Correction.id", cascade="all, delete-orphan", passive_deletes=True
    )


class Photo(Base):
    """A photograph as kept: re-encoded, without place, device or file name."""

    __tablename__ = "photos"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    file: Mapped[str] = mapped_column(unique=True)
    sha256: Mapped[str]
    width: Mapped[int]
    height: Mapped[int]
    created: Mapped[datetime] = mapped_column(default=now)


class Cards(Base):
    """Task cards 2 and 3 of Bits as somebody entered them, kept by name for the next table."""

    __tablename__ = "cards"
    __table_args__ = (UniqueConstraint("device", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    device: Mapped[str] = mapped_column(index=True)
    name: Mapped[str]
    card2: Mapped[list[str]] = mapped_column(JSON)
    card3: Mapped[dict[str, int]] = mapped_column(JSON)
    changed: Mapped[datetime] = mapped_column(default=now)


class Correction(Base):
    """A person said what lies in a cell. Never changed afterwards, only taken back."""

    __tablename__ = "corrections"

    id: Mapped[int] = mapped_column(primary_key=True)
    board_id: Mapped[int] = mapped_column(ForeignKey("boards.id", ondelete="CASCADE"), index=True)
    photo_id: Mapped[int | None] = mapped_column(ForeignKey("photos.id", ondelete="SET NULL"), default=None)
    """The photograph it corrects; a newer photograph starts afresh."""
    a: Mapped[int]
    b: Mapped[int]
    tile: Mapped[str | None]
    """None: nothing lies there."""
    mark: Mapped[str | None] = mapped_column(default=None)
    who: Mapped[str]
    made: Mapped[datetime] = mapped_column(default=now)
    undone: Mapped[datetime | None] = mapped_column(default=None)
    undone_by: Mapped[str | None] = mapped_column(default=None)

    board: Mapped[BoardRow] = relationship(back_populates="corrections")
