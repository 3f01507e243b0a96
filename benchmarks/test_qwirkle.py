"""A Qwirkle turn must cost next to nothing, even on the fullest table there is."""

from pathlib import Path

import pytest

from scoring.core import Board
from scoring.lattice import COLUMN, ROW, all_lines
from scoring.qwirkle import Qwirkle, QwirkleOptions

GAME = Qwirkle()
PLAIN = QwirkleOptions()
FULL = Path(__file__).parents[1] / "tests" / "scoring" / "golden" / "qwirkle" / "all-tiles.txt"
MOVE_LIMIT_S = 200e-6


@pytest.fixture(scope="module")
def table():
    line = next(line for line in FULL.read_text(encoding="utf-8").splitlines() if line.startswith("table "))
    board = GAME.from_notation(line.removeprefix("table "))
    assert len(board.cells) == 108
    return board


def without(board, cells):
    return Board(board.game, {cell: tile for cell, tile in board.cells.items() if cell not in cells})


def last_turns(board):
    """Turns of three tiles at the end of a line that may have been the last ones on this table."""
    for line in all_lines(board.cells, ROW) + all_lines(board.cells, COLUMN):
        before = without(board, line[-3:])
        if GAME.move(before, board, PLAIN).legal and len(line) > 3:
            yield before


def test_move_on_108_tiles(benchmark, table):
    before = max(last_turns(table), key=lambda before: GAME.move(before, table, PLAIN).points)
    result = benchmark(GAME.move, before, table, PLAIN)
    assert result.legal
    assert len(result.placed) == 3
    assert benchmark.stats.stats.median <= MOVE_LIMIT_S


def test_refused_move_on_108_tiles(benchmark, table):
    """Every object counts: a turn that breaks rules has more to say."""
    scattered = sorted(table.cells)[::20]
    result = benchmark(GAME.move, without(table, scattered), table, PLAIN)
    assert not result.legal
    assert benchmark.stats.stats.median <= MOVE_LIMIT_S


def test_audit_of_108_tiles(benchmark, table):
    assert benchmark(GAME.score, table, PLAIN).findings == ()
