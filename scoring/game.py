"""What a game is to the rest of the program: its tiles, its boards, its options, its rules.

A fifth game is one subclass in one module of its own, entered in `scoring.registry`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from scoring.core import (
    Board,
    Breakdown,
    Cell,
    Malformed,
    MoveResult,
    Player,
    RoundResult,
    ranking,
)

TileT = TypeVar("TileT")
OptionsT = TypeVar("OptionsT")

Json = Mapping[str, Any]


class Game(ABC, Generic[TileT, OptionsT]):
    """One game. Every method is pure; anything malformed raises `Malformed` with its place."""

    id: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[range]
    """How many may play."""
    by_turns: ClassVar[bool] = False
    """Scored turn by turn (Qwirkle, Trio) rather than by the finished board."""

    @abstractmethod
    def kinds(self) -> Mapping[TileT, int]:
        """Every kind of tile one player (or the table) can own, with its number of copies."""

    @abstractmethod
    def parse_tile(self, text: object, place: str) -> TileT:
        """A tile from its name in a file."""

    @abstractmethod
    def tile_name(self, tile: TileT) -> str:
        """The name `parse_tile` understands."""

    @abstractmethod
    def parse_board(self, data: Json, place: str = "") -> Board[TileT]:
        """A board from its JSON object (`cells`, and `board`, `size`, `aside`, `order` where it has them)."""

    @abstractmethod
    def board_json(self, board: Board[TileT]) -> dict[str, Any]:
        """The JSON object `parse_board` reads back as an equal board."""

    @abstractmethod
    def parse_options(self, data: Json, place: str = "options", edition: str | None = None) -> OptionsT:
        """The variant being played, from the file's `options`; unknown keys and values are malformed.

        With a taught `edition`, tiles in them may bear names of its own.
        """

    @abstractmethod
    def notation(self, board: Board[TileT]) -> str:
        """The board on one line, safe in a URL path segment after percent-encoding; exact round trip."""

    @abstractmethod
    def from_notation(self, text: str) -> Board[TileT]:
        """The board `notation` wrote."""

    @abstractmethod
    def score(self, board: Board[TileT], options: OptionsT) -> Breakdown:
        """The whole breakdown of one board, with everything a referee would object to."""

    def score_round(self, players: Sequence[Player[TileT]], options: OptionsT) -> RoundResult:
        """Everybody's boards of one round. Games whose players compete on the board override this."""
        scored = tuple((player.name, self.score(player.board, options)) for player in players)
        totals = [(name, result.total) for name, result in scored if result.total is not None]
        return RoundResult(self.id, scored, (), ranking(totals))

    def move(self, before: Board[TileT], after: Board[TileT], options: OptionsT) -> MoveResult:
        """One turn of a game scored by turns."""
        raise Malformed("no-turns", f"{self.title} is scored by finished boards, not by turns", "game")

    def same_board(self, one: Board[TileT], other: Board[TileT]) -> bool:
        """Whether two boards are the same as far as the rules can tell (shift, turns, renamed colours)."""
        return one.cells == other.cells and one.layout == other.layout and one.size == other.size


def checked_cells(data: Json, place: str) -> list[tuple[Cell, Any, str]]:
    """`cells` of a board object as (cell, entry, place of entry); refuses wrong types and a cell twice."""
    entries = data.get("cells")
    where = f"{place}.cells" if place else "cells"
    if not isinstance(entries, list):
        raise Malformed("cells-missing", 'must be a list of {"at": [a, b], "tile": NAME}', where)
    found: list[tuple[Cell, Any, str]] = []
    seen: dict[Cell, str] = {}
    for index, entry in enumerate(entries):
        here = f"{where}[{index}]"
        if not isinstance(entry, dict):
            raise Malformed("cell-wrong-type", 'must be an object with "at" and "tile"', here)
        if "tile" not in entry:
            raise Malformed("tile-missing", 'has no "tile" (leave an empty cell out)', here)
        cell = checked_cell(entry.get("at"), f"{here}.at")
        if cell in seen:
            problem = f"[{cell[0]}, {cell[1]}] already has a tile ({seen[cell]})"
            raise Malformed("cell-twice", problem, f"{here}.at")
        seen[cell] = here
        found.append((cell, entry, here))
    return found


def checked_cell(at: object, place: str) -> Cell:
    """A cell from its JSON pair of whole numbers, each within ±1,000,000."""
    # `type` and not `isinstance`: true and false are no numbers here.
    if isinstance(at, list) and [type(part) for part in at] == [int, int] and max(map(abs, at)) <= 1_000_000:
        return (at[0], at[1])
    raise Malformed("cell-wrong-type", "must be two whole numbers [a, b]", place)


def checked_order(data: Json, place: str, cells: Mapping[Cell, object]) -> tuple[Cell, ...]:
    """The order of placement, where given: every cell at most once, each one filled."""
    order = data.get("order")
    if order is None:
        return ()
    where = f"{place}.order" if place else "order"
    if not isinstance(order, list):
        raise Malformed("order-wrong-type", "must be a list of cells [[a, b], …]", where)
    found: dict[Cell, None] = {}
    for index, at in enumerate(order):
        cell = checked_cell(at, f"{where}[{index}]")
        if cell in found:
            raise Malformed("order-twice", f"[{cell[0]}, {cell[1]}] comes twice", f"{where}[{index}]")
        if cell not in cells:
            raise Malformed("order-empty-cell", f"[{cell[0]}, {cell[1]}] holds no tile", f"{where}[{index}]")
        found[cell] = None
    return tuple(found)
