"""Following a table through its photographs without any page: what `kibic watch` knows between two photos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import vision
from scoring.core import Board, Cell
from scoring.registry import find_game
from vision.match import Known, known_from, match
from vision.reading import Unreadable
from web.turn_choice import board_of, legal_first, open_cells, seen_since


@dataclass(frozen=True, slots=True)
class Watched:
    """One photo's turn."""

    photo: str
    player: str = ""
    placed: tuple[tuple[Cell, str], ...] = ()
    legal: bool = True
    points: int = 0
    items: tuple[Mapping[str, Any], ...] = ()
    findings: tuple[str, ...] = ()
    asked: tuple[Cell, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    error: tuple[str, str] | None = None

    def as_json(self) -> dict[str, Any]:
        if self.error is not None:
            return {"photo": self.photo, "error": {"code": self.error[0], "message": self.error[1]}}
        return {
            "photo": self.photo,
            "player": self.player,
            "placed": [{"at": list(at), "tile": tile} for at, tile in self.placed],
            "legal": self.legal,
            "points": self.points,
            "items": list(self.items),
            "findings": list(self.findings),
            "doubts": [list(at) for at in self.asked],
            "totals": dict(self.totals),
        }


class Watcher:
    """A game of Qwirkle or Trio, photo by photo; one that cannot be read leaves everything as it was."""

    def __init__(self, game: str, players: Sequence[str]) -> None:
        self._game = find_game(game)
        self._players = list(players)
        self._known = Known(game)
        self._board: Board[Any] = Board(game, {})
        self._turns = 0
        self._totals = dict.fromkeys(players, 0)

    def photo(self, name: str, data: bytes) -> Watched:
        """The turn this photo shows."""
        from scoring.formats import items_json

        try:
            matched = match(self._known, vision.read(data, self._game.id))
        except Unreadable as error:
            return Watched(name, error=(error.code, str(error)))
        open_ = open_cells(self._known)
        reading = legal_first(self._game, self._board, open_, matched.reading)
        after = board_of(self._game, {cell.at: cell.tile for cell in reading.cells})
        before = seen_since(self._before(after), open_, after)
        move = self._game.move(before, after, self._game.parse_options({}))
        player = self._players[self._turns % len(self._players)]
        if not self._lone_start(after):
            self._turns += 1
        self._totals[player] += move.points
        self._known, self._board = known_from(reading), after
        return Watched(
            name,
            player,
            tuple((cell, self._game.tile_name(after.cells[cell])) for cell in move.placed),
            move.legal,
            move.points,
            tuple(items_json(move.items)),
            tuple(finding.message.text for finding in move.findings),
            tuple(doubt.at for doubt in reading.doubts),
            dict(self._totals),
        )

    def _before(self, after: Board[Any]) -> Board[Any]:
        """Trio: the first photo may show the start tile and the first turn's."""
        if self._game.id == "trio" and not self._board.cells and len(after.cells) == 2:
            return Board("trio", dict(list(after.cells.items())[:1]))
        return self._board

    def _lone_start(self, after: Board[Any]) -> bool:
        """Trio's start tile alone is nobody's turn."""
        return self._game.id == "trio" and not self._board.cells and len(after.cells) == 1
