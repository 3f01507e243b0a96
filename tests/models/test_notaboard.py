"""Pictures without a board: many, of many kinds, always the same, never a readable board of their game."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.measure.cases import find_cases
from models.studio import notaboard
from models.studio.camera import Image
from models.studio.notaboard import FIRST_SEED, shots
from models.studio.painters import GAMES
from models.studio.scene import Scene, SceneCell
from models.studio.sets import write


def test_there_are_enough_of_every_kind() -> None:
    kinds = {game: Counter(name for name, _ in shots(game)) for game in GAMES}
    assert sum(counts.total() for counts in kinds.values()) >= 200
    for game, counts in kinds.items():
        assert {name for name in counts if name.startswith("a board of")} == {
            f"a board of {other}" for other in GAMES if other != game
        }
        assert sum(name.startswith("an empty table") for name in counts) >= 13
        for name in ("a part of a board", "an empty board", "a chessboard", "playing cards", "noise"):
            assert counts[name] >= 2


@pytest.mark.parametrize("game", GAMES)
def test_the_same_picture_every_time_and_no_cell_of_truth(game: str) -> None:
    for name, shot in list(dict(shots(game)).items())[::5]:
        one, again = shot(FIRST_SEED + 7), shot(FIRST_SEED + 7)
        assert one.jpeg == again.jpeg, name
        assert one.image.std() > 1
        assert one.cells == ()
        assert one.truth == {"game": game, "cells": None, "shows": name.partition(":")[0]}


def square(row: int, column: int, tile: str | None = "red") -> SceneCell:
    corners = np.array([[0, 0], [90, 0], [90, 90], [0, 90]], float)
    corners += (100 * column + 305, 100 * row + 205)
    return SceneCell((row, column), tile, None, corners, 1.0)


@pytest.mark.parametrize("seed", range(12))
def test_a_cut_leaves_half_a_board_at_most_and_no_whole_tile(seed: int) -> None:
    cells = tuple(square(r, c) for r in range(6) for c in range(4))
    positions: Image = np.zeros((1000, 1000, 3), np.uint8)
    for cell in cells:
        x, y = cell.polygon[0].astype(int)
        positions[y : y + 90, x : x + 90] = 100 + 10 * cell.at[0] + cell.at[1]
    ramp = Scene("bits", 0, "", {}, cells, np.eye(3), cv2.imencode(".png", positions)[1].tobytes())
    sizes = Counter(positions[..., 0].ravel().tolist())
    for fixed in (True, False):
        left = notaboard._cut(np.random.default_rng(seed), ramp, fixed)
        seen = Counter(left[..., 0].ravel().tolist())
        whole = [value for value in seen if value and seen[value] == sizes[value]]
        assert seen.keys() - {0}, "something of the board is still there"
        assert len(whole) <= (12 if fixed else 0)


def test_the_set_can_be_measured(tmp_path: Path) -> None:
    for name, scene in islice(notaboard.photographs("bits"), 3):
        write(scene, tmp_path, name)
    cases, problems = find_cases([tmp_path])
    assert not problems
    assert [case.truth.no_board for case in cases] == [True] * 3
