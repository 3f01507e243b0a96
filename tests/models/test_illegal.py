"""Deliberately impossible scenes: the referee objects, the truth says so, and the picture shows it."""

from __future__ import annotations

import numpy as np
import pytest

from models.studio.bits import dominoes_of
from models.studio.illegal import illegal_board, photograph
from models.studio.painters import GAMES
from scoring.formats import parse_board_file

SMALL = (480, 360)


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_scene_says_so_and_the_referee_agrees(game: str) -> None:
    for seed in range(6):
        scene = photograph(game, seed, size=SMALL)
        rules, board, options = parse_board_file(scene.truth)
        assert scene.truth["illegal"] is True
        assert rules.score(board, options).findings
        shown = {cell.at: cell.tile for cell in scene.cells if cell.tile}
        assert shown == {tuple(cell["at"]): cell["tile"] for cell in scene.truth["cells"]}
    assert photograph(game, 0, size=SMALL).jpeg == photograph(game, 0, size=SMALL).jpeg


def test_only_a_board_that_says_so_may_take_more_than_the_set() -> None:
    board = illegal_board(np.random.default_rng(1), "bits")
    colours = sorted({cell["tile"] for cell in board["cells"]})
    assert len(dominoes_of(board, colours)) == len(board["cells"]) // 2
    del board["illegal"]
    with pytest.raises(ValueError, match="cannot have made"):
        dominoes_of(board, colours)
