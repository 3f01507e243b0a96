"""The best board of given tiles: exact, and checked against a solver that knows nothing of the search."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from scoring.core import Board, Malformed
from scoring.mipasuje import LAYOUTS, TILES, HexTile, MiPasuje, MiPasujeOptions
from scoring.mipasuje.best import best, best_boards, best_of_board
from scoring.mipasuje.tiles import BASIC, VALUES

GAME = MiPasuje()
BASE = MiPasujeOptions()
STANDARD = LAYOUTS["standard"]


def some_tiles(seed: int) -> list[HexTile]:
    return random.Random(seed).sample(BASIC, 19)


def total(board: Board[HexTile]) -> int:
    result = GAME.score(board, BASE)
    assert result.total is not None
    return result.total


def test_307_is_the_maximum_and_exactly_16_boards_reach_it() -> None:
    # Boards are counted as they lie: another tile anywhere, and so also a half turn, makes another board.
    top, boards = best_boards(BASIC)
    found = {GAME.notation(board): total(board) for board in boards}
    assert top == 307
    assert len(found) == 16
    assert set(found.values()) == {307}
    assert all(GAME.score(GAME.from_notation(text), BASE).findings == () for text in found)
    half_turned = {
        GAME.notation(Board("mipasuje", {(-q, -r): tile for (q, r), tile in board.cells.items()}, "standard"))
        for board in map(GAME.from_notation, found)
    }
    assert half_turned == set(found)


@pytest.mark.parametrize("seed", range(12))
def test_the_board_uses_exactly_the_tiles_and_makes_the_total(seed: int) -> None:
    tiles = some_tiles(seed)
    points, board = best(tiles)
    assert sorted(board.cells.values()) == sorted(tiles)
    assert set(board.cells) == set(STANDARD.cells)
    assert total(board) == points


def test_the_order_of_the_tiles_does_not_matter() -> None:
    tiles = some_tiles(3)
    assert best(tiles)[0] == best(tiles[::-1])[0] == best(sorted(tiles))[0]


@pytest.mark.parametrize("seed", range(4))
def test_climbing_by_exchanges_never_gets_higher(seed: int) -> None:
    tiles, dice = some_tiles(seed), random.Random(seed)
    points, _ = best(tiles)
    for _ in range(3):
        dice.shuffle(tiles)
        here = total(Board("mipasuje", dict(zip(STANDARD.cells, tiles, strict=True)), "standard"))
        for _ in range(600):
            i, j = dice.sample(range(19), 2)
            tiles[i], tiles[j] = tiles[j], tiles[i]
            there = total(Board("mipasuje", dict(zip(STANDARD.cells, tiles, strict=True)), "standard"))
            if there >= here:
                here = there
            else:
                tiles[i], tiles[j] = tiles[j], tiles[i]
        assert here <= points


def test_the_tiles_of_a_307_board_make_307_again() -> None:
    text = "standard:573.578.524,974.973.928.964,178.174.123.168.164,978.924.963.968,528.564.563"
    tiles = sorted(GAME.from_notation(text).cells.values())
    assert best(tiles)[0] == 307


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_an_integer_program_finds_the_same_maximum(seed: int) -> None:
    tiles = some_tiles(seed)
    assert best(tiles)[0] == by_integer_program(tiles)


def by_integer_program(tiles: list[HexTile]) -> int:
    """Maximise over x[tile, cell] (who lies where) and y[row, value] (which rows score): HiGHS proves it."""
    count = len(tiles)
    scoring = [(row, value) for row in STANDARD.rows for value in VALUES[row.line]]
    size = count * count + len(scoring)

    def equation(entries: dict[int, int]) -> np.ndarray:
        line = np.zeros(size)
        line[list(entries)] = list(entries.values())
        return line

    once = [equation({t * count + c: 1 for c in range(count)}) for t in range(count)]
    once += [equation({t * count + c: 1 for t in range(count)}) for c in range(count)]
    # A row scores with a value only if each of its cells shows that value.
    shown = [
        equation(
            {count * count + y: 1}
            | {
                t * count + STANDARD.cells.index(c): -1
                for t, tile in enumerate(tiles)
                if tile[row.line] == value
            }
        )
        for y, (row, value) in enumerate(scoring)
        for c in row.cells
    ]
    points = [0] * count**2 + [-value * len(row.cells) for row, value in scoring]
    solved = milp(
        points,
        integrality=np.ones(size),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(np.array(once), 1, 1),
            LinearConstraint(np.array(shown), -np.inf, 0),
        ],
    )
    assert solved.status == 0, solved.message
    return round(-solved.fun)


def test_symbols_stay_on_their_tiles() -> None:
    tiles = [tile.marked("sun") for tile in some_tiles(0)]
    assert set(best(tiles)[1].cells.values()) == set(tiles)


def test_only_19_different_basic_tiles_on_the_standard_board() -> None:
    tiles = some_tiles(0)
    with pytest.raises(Malformed, match="exactly 19 tiles, not 18"):
        best(tiles[:18])
    with pytest.raises(Malformed, match=r"\*-\*-3 is a joker"):
        best([*tiles[:18], TILES["*-*-3"]])
    with pytest.raises(Malformed, match="comes twice"):
        best([*tiles[:18], tiles[0].marked("moon")])
    with pytest.raises(Malformed, match="not for valve"):
        best_of_board(Board("mipasuje", {}, "valve"))


def test_the_best_of_a_finished_board_is_never_below_its_score() -> None:
    text = "standard:978.178.128,174.973.928.523,528.564.168.124.568,123.963.574.924,173.163.164"
    board = GAME.from_notation(text)
    points, better = best_of_board(board)
    assert total(board) == 3 < points == total(better)
