"""Laying a photo on the table as it stood and judging the turn: under 50 ms, whatever the table's size."""

from __future__ import annotations

from typing import Any

import pytest

from models.measure.playing import whole_game
from scoring.core import Board
from scoring.registry import GAMES
from vision.match import Placement, known_from, match
from vision.reading import Alternative, Cell, CellReading, Reading

LATTICE = ((20.0, 0.0, 800.0), (0.0, 20.0, 600.0), (0.0, 0.0, 1.0))
LIMIT_MS = 50.0


def reading_of(tiles: dict[Cell, Any], where: Placement) -> Reading:
    cells = []
    for at, tile in tiles.items():
        row, column = where.seen(at)
        x, y = 800.0 + 20 * column, 600.0 + 20 * row
        outline = ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10))
        others = (Alternative("red circle", 0.006), Alternative(None, 0.004))
        cells.append(CellReading((row, column), tile.name, 0.99, others, outline))
    return Reading("qwirkle", tuple(cells), homography=LATTICE, photo_size=(1600, 1200))


@pytest.mark.parametrize("turn", [5, 20, 45])
def test_matching_and_scoring_a_turn(benchmark: Any, turn: int) -> None:
    game = GAMES["qwirkle"]
    turns = list(whole_game("qwirkle", 1, 2, "purple"))
    before, after = turns[turn - 1].table, turns[turn].table
    known = known_from(reading_of(before, Placement(0, (0, 0))))
    photo = reading_of(after, Placement(3, (4, -7)))

    def judge() -> int:
        matched = match(known, photo)
        cells = {cell.at: game.parse_tile(cell.tile, "tile") for cell in matched.reading.cells}
        return game.move(Board("qwirkle", before), Board("qwirkle", cells), game.parse_options({})).points

    assert benchmark(judge) == turns[turn].points
    assert benchmark.stats.stats.median * 1000 <= LIMIT_MS
