"""Another player's board beside the one that is meant: in the picture, never in the truth."""

from __future__ import annotations

from itertools import islice

import cv2
import numpy as np
import pytest

from models.studio.painters import painter
from models.studio.scene import render
from models.studio.sets import CROWDED, CROWDED_GAMES, photographs

SMALL = (480, 360)


@pytest.mark.parametrize("game", CROWDED_GAMES)
def test_the_neighbours_board_stands_clear_of_the_own_one(game: str) -> None:
    for seed in range(12):
        plan = painter(game).plan(np.random.default_rng(seed), pixels_per_unit=16, crowded=True)
        (other,) = plan.neighbours
        x0, y0, x1, y1 = plan.bounds
        own = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
        overlap, _ = cv2.intersectConvexConvex(own, cv2.convexHull(other.astype(np.float32)))
        assert overlap <= 0.01
        assert len(plan.truth["cells"]) == sum(cell.tile is not None for cell in plan.cells)


def test_a_crowded_ramp_is_the_lonely_one_with_a_neighbour() -> None:
    lonely, crowded = render("bits", 3, size=SMALL), render("bits", 3, size=SMALL, crowded=True)
    assert lonely.truth == crowded.truth
    assert (len(lonely.neighbours), len(crowded.neighbours)) == (0, 1)
    assert lonely.jpeg != crowded.jpeg


@pytest.mark.parametrize("game", CROWDED_GAMES)
def test_the_set_cuts_the_neighbour_off(game: str) -> None:
    for _, scene in islice(photographs(CROWDED, game), 3):
        (share,) = scene.neighbours
        assert 0.1 < share < 0.75
        assert min(cell.visibility for cell in scene.cells if cell.tile) >= 0.6
