"""What pages look at: boards, rounds and tables as they stand, and the doubts that are still open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.core import Board, Breakdown, Cell, Finding
from scoring.game import Game
from web.looks import Look
from web.storage.models import BoardRow, Round, Seat, Table
from web.turn_matching import TurnView


class Entry(NamedTuple):
    """What lies in a cell."""

    tile: str
    mark: str | None = None


class Seen(NamedTuple):
    """What a cell may be; no tile: nothing lies there."""

    tile: str | None
    mark: str | None


class Alternative(NamedTuple):
    """Something a doubted cell may be, and the board's total if it is."""

    tile: str | None
    mark: str | None
    p: float
    total: int | None


class OpenDoubt(NamedTuple):
    """A doubted cell nobody has settled yet."""

    at: Cell
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's board of a round (or the table after a turn) as it stands now."""

    seat: Seat
    row: BoardRow | None
    layout: str
    size: tuple[int, int] | None
    cells: Mapping[Cell, Entry]
    polygons: Mapping[Cell, tuple[tuple[float, float], ...]]
    board: Board[Any]
    breakdown: Breakdown
    doubts: tuple[OpenDoubt, ...]
    state: str
    """none, reading, problem, doubts, open or done."""
    fresh: tuple[Cell, ...] = ()
    """The tiles this turn placed."""
    turn: TurnView | None = None
    """Games scored by turns: how the photo lies on the table as it stood."""
    reading: Mapping[str, Any] | None = None
    """What was read, in the table's coordinates."""

    @property
    def done(self) -> bool:
        return self.state == "done"

    @property
    def cell_span(self) -> float:
        """Width of the widest cell in the photograph, in pixels."""
        return max(
            (max(x for x, _ in one) - min(x for x, _ in one) for one in self.polygons.values()), default=1.0
        )

    @property
    def photo_box(self) -> tuple[float, float, float, float]:
        """x, y, width, height of the part of the photograph that shows the board, with a little around it."""
        photo = self.row.photo if self.row is not None else None
        if photo is None or not self.polygons:
            return (0.0, 0.0, photo.width if photo else 1.0, photo.height if photo else 1.0)
        around = 0.7 * self.cell_span
        xs = [x for polygon in self.polygons.values() for x, _ in polygon]
        ys = [y for polygon in self.polygons.values() for _, y in polygon]
        left, top = max(0.0, min(xs) - around), max(0.0, min(ys) - around)
        right, bottom = min(photo.width, max(xs) + around), min(photo.height, max(ys) + around)
        return (left, top, max(1.0, right - left), max(1.0, bottom - top))


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round: everybody's sheet and what they make together."""

    row: Round
    sheets: tuple[Sheet, ...]
    """One per seat; in games scored by turns one per turn."""
    points: Mapping[int, int]
    """Seat id → points in this round so far."""
    findings: tuple[Finding, ...]
    breakdowns: Mapping[int, Breakdown]
    """Seat id → breakdown within the round, shared bonuses included."""
    complete: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the ranking: a player, or a team."""

    place: int
    name: str
    total: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole match as everybody sees it."""

    table: Table
    game: Game[Any, Any]
    look: Look
    rounds: tuple[RoundView, ...]
    totals: Mapping[int, int]
    standings: tuple[Standing, ...]
    complete: bool
    """Every planned round is played and agreed."""

    @property
    def current(self) -> RoundView:
        return self.rounds[-1]
