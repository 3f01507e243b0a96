"""How long Mi pasuje! takes: a finished board, a round, the best board of given tiles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle

from pytest_benchmark.fixture import BenchmarkFixture

from scoring.core import Board, Player
from scoring.mipasuje import LAYOUTS, HexTile, MiPasuje, MiPasujeOptions
from scoring.mipasuje.best import best
from scoring.mipasuje.tiles import BASIC

GAME = MiPasuje()
CELLS = LAYOUTS["standard"].cells


def boards(count: int) -> Iterator[Board[HexTile]]:
    """Finished boards, for ever the same few."""
    dice = random.Random(1)
    return cycle(
        [
            Board("mipasuje", dict(zip(CELLS, dice.sample(BASIC, 19), strict=True)), "standard")
            for _ in range(count)
        ]
    )


def test_score_a_finished_board(benchmark: BenchmarkFixture) -> None:
    some = boards(50)
    benchmark(lambda: GAME.score(next(some), MiPasujeOptions()))
    assert benchmark.stats.stats.median <= 100e-6


def test_score_a_board_from_its_file(benchmark: BenchmarkFixture) -> None:
    some = boards(50)
    files = cycle([GAME.board_json(next(some)) for _ in range(50)])
    benchmark(lambda: GAME.score(GAME.parse_board(next(files)), MiPasujeOptions()))
    assert benchmark.stats.stats.median <= 150e-6


def test_score_a_round_of_six_with_the_brightest_rays(benchmark: BenchmarkFixture) -> None:
    some = boards(6)
    players = [Player(f"P{index}", next(some)) for index in range(6)]
    benchmark(lambda: GAME.score_round(players, MiPasujeOptions("brightest")))
    assert benchmark.stats.stats.median <= 1.5e-3


def test_best_of_19_random_tiles(benchmark: BenchmarkFixture) -> None:
    dice = random.Random(2)
    benchmark.pedantic(best, setup=lambda: ((dice.sample(BASIC, 19),), {}), rounds=40)
    assert benchmark.stats.stats.max <= 1.0


def test_best_of_the_hardest_tiles_known(benchmark: BenchmarkFixture) -> None:
    # Many tiles with the same few low values: of 600 lopsided samples the one that took longest.
    names = "128 528 168 124 123 178 928 174 923 164 524 978 968 578 568 523 173 163 924"
    tiles = [HexTile(*map(int, name)) for name in names.split()]
    benchmark.pedantic(best, (tiles,), rounds=5)
    assert benchmark.stats.stats.max <= 1.0
