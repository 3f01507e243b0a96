"""Bits with its whole audit: at most 20 ms a board."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scoring.bits import Bits
from scoring.bits.options import COLOURS, BitsOptions, mixed_pairs
from scoring.core import Board

GAME = Bits()
MILLISECONDS = 20
CARDS = {"round": 3, "card2": ["L", "O"], "card3": {"XX/.X": -2, "XX": -1}}


def played(seed: int, rows: int, columns: int, colours: int) -> tuple[Board[str], BitsOptions]:
    """A board played at random until nothing fits, and its calls."""
    rng = random.Random(seed)
    pairs = mixed_pairs(frozenset(COLOURS[:colours]))
    calls = [(colour, colour) for colour in COLOURS[:colours]] * 2 + list(pairs)
    rng.shuffle(calls)
    cells: dict[tuple[int, int], str] = {}
    heights = [0] * columns
    for tile in [rng.choice(pairs), *calls]:
        upright = [(column,) for column in range(columns) if heights[column] + 2 <= rows]
        lying = [(left, left + 1) for left in range(columns - 1) if max(heights[left : left + 2]) < rows]
        if not (places := [*upright, *lying]):
            break
        where = rng.choice(places)
        row = rows - 1 - max(heights[column] for column in where)
        lies_on = [(row, where[0]), (row, where[1]) if len(where) == 2 else (row - 1, where[0])]
        cells.update(zip(lies_on, tile, strict=True))
        for cell in lies_on:
            heights[cell[1]] = rows - cell[0]
    return Board("bits", cells, size=(rows, columns)), BitsOptions(called=tuple(calls))


def recoloured(board: Board[str], seed: int) -> Board[str]:
    """The same cells with their colours dealt anew: mostly impossible, so every division is looked at."""
    colours = list(board.cells.values())
    random.Random(seed).shuffle(colours)
    return Board("bits", dict(zip(board.cells, colours, strict=True)), size=board.size)


@pytest.mark.parametrize("size", [(6, 4, 4), (6, 6, 5)], ids=["6x4", "6x6"])
@pytest.mark.parametrize("kind", ["played", "recoloured", "called"])
def test_score_with_audit(benchmark: Any, size: tuple[int, int, int], kind: str) -> None:
    rounds = [played(seed, *size) for seed in range(50)]
    plain = GAME.parse_options(CARDS)
    jobs = {
        "played": [(board, plain) for board, _ in rounds],
        "recoloured": [(recoloured(board, seed), plain) for seed, (board, _) in enumerate(rounds)],
        "called": rounds,
    }[kind]

    def score_all() -> int:
        return sum(len(GAME.score(board, options).findings) for board, options in jobs)

    findings = benchmark(score_all)
    assert (findings == 0) == (kind != "recoloured")
    assert benchmark.stats.stats.median / len(jobs) * 1000 <= MILLISECONDS
