"""A table to try things out on: three players, the same nineteen tiles, one board still to be filled in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scoring.core import Board
from scoring.registry import GAMES
from web.storage.models import BoardRow, Correction, Round, Seat, Table

NAMES = (("Ola", "red"), ("Jan", "blue"), ("Ela", "green"))
BOARDS = (
    "standard:574m.573s.528s,578s.174s.123m.568m,173m.178m.124s.163s.168s,974s.928m.964m.963s,923m.968s.924s",
    "standard:574m.573s.568m,178m.124s.173m.168s,974s.578s.964m.163s.528s,924s.928m.963s.923m,174s.968s.123m",
    "standard:578s.568m.574m,173m.168s.573s.528s,174s.163s.178m.123m.124s,964m.923m.968s.924s,974s.963s.928m",
)
LEFT_OUT = 2
"""Tiles the third player has not placed yet."""


PHOTOS = Path(__file__).parent.parent / "samples"
"""Beside the packages in a checkout; an installed copy has none and offers boards entered by hand."""


def photo(game: str, position: int) -> bytes | None:
    """The sample photograph for the player at this position."""
    path = PHOTOS / f"{game}-{position + 1}.jpg"
    return path.read_bytes() if path.is_file() else None


def players() -> list[tuple[str, str]]:
    return list(NAMES)


def fill(table: Table) -> None:
    """Enter the boards as if somebody had tapped them in; the last one is not finished."""
    fill_round(table.rounds[0], table.seats, LEFT_OUT)


def fill_round(round_: Round, seats: Sequence[Seat], left_out: int = 0) -> None:
    game = GAMES["mipasuje"]
    for seat, notation in zip(seats, BOARDS, strict=True):
        board: Board[Any] = game.from_notation(notation)
        cells = list(board.cells.items())
        if seat is seats[-1] and left_out:
            cells = cells[:-left_out]
        row = BoardRow(seat_id=seat.id, turn=0)
        row.corrections = [
            Correction(a=a, b=b, tile=tile.name, mark=tile.mark, who=seat.name) for (a, b), tile in cells
        ]
        round_.boards.append(row)
