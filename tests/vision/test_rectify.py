"""Every cell becomes a small upright picture of exactly that cell."""

from __future__ import annotations

import numpy as np
import pytest
from laid import camera, lattice, placed

from vision.families import HEX, QWIRKLE, Family
from vision.geometry import HEXAGONAL, SQUARE, Floats, Grid, through
from vision.rectify import rectify

CELLS = np.array([(x, y) for x in range(-2, 3) for y in range(-2, 3)])
SIZE = (560, 440)


def colour_of(cells: np.ndarray, side: np.ndarray) -> np.ndarray:
    """(n, 3) BGR that names the cell, and in red which quarter of it."""
    blue, green = 100 + 30 * cells[:, 0], 100 + 30 * cells[:, 1]
    red = 40 + 50 * (side[:, 0] > 0) + 100 * (side[:, 1] > 0)
    return np.stack([blue, green, red], axis=1)


def painted(grid: Grid, view: Floats) -> np.ndarray:
    """A picture of the lattice in which every cell's quarters can be told apart."""
    xs, ys = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    pixels = np.stack([xs.ravel(), ys.ravel()], axis=1)
    place = through(np.linalg.inv(view), pixels)
    near = np.floor(place)[:, None] + np.array([(0, 0), (1, 0), (0, 1), (1, 1)])
    away = np.linalg.norm((place[:, None] - near) @ grid.to_plane.T, axis=2)
    cell = near[np.arange(len(near)), away.argmin(axis=1)]
    colours = colour_of(cell, (place - cell) @ grid.to_plane.T)
    return np.clip(colours, 0, 255).astype(np.uint8).reshape(SIZE[1], SIZE[0], 3)


def assert_quarters(crops: np.ndarray, cells: np.ndarray) -> None:
    px = crops.shape[1]
    near, far = round(px * 0.36), round(px * 0.64)
    for side, at in {
        (-1, -1): (near, near), (1, -1): (near, far), (-1, 1): (far, near), (1, 1): (far, far)
    }.items():  # fmt: skip
        expected = colour_of(cells, np.tile(np.array(side), (len(cells), 1)))
        np.testing.assert_allclose(crops[:, at[0], at[1]], expected, atol=8)


@pytest.mark.parametrize(
    ("grid", "family", "pitch"),
    [(SQUARE, QWIRKLE, 34), (SQUARE, QWIRKLE, 90), (HEXAGONAL, HEX, 40), (HEXAGONAL, HEX, 110)],
    ids=["square", "square, large", "hexagonal", "hexagonal, large"],
)
@pytest.mark.parametrize("azimuth", [0.0, 0.5, 3.1])
@pytest.mark.parametrize("tilt", [0.0, 0.7])
def test_cells_come_out_upright_and_in_order(
    grid: Grid, family: Family, pitch: float, azimuth: float, tilt: float
) -> None:
    view = camera(grid, tilt, azimuth, pitch_px=pitch, aim=(SIZE[0] / 2, SIZE[1] / 2))
    cells = CELLS if pitch < 80 else CELLS[np.abs(CELLS).max(axis=1) <= 1]
    crops = rectify(painted(grid, view), placed(lattice(grid, view, cells)), family)
    assert crops.shape == (len(cells), family.crop_px, family.crop_px, 3)
    assert crops.dtype == np.uint8
    assert_quarters(crops, cells)


def test_the_crop_follows_a_tile_that_lies_beside_its_cell() -> None:
    view = camera(SQUARE, pitch_px=40, aim=(SIZE[0] / 2, SIZE[1] / 2))
    on = lattice(SQUARE, view, CELLS)
    # Everything was seen a whole cell further right than the lattice says.
    on.found.centre[:] += (40, 0)
    crops = rectify(painted(SQUARE, view), placed(on), QWIRKLE)
    assert_quarters(crops, CELLS + np.array([1, 0]))


def test_an_empty_cell_is_cut_where_the_board_says_it_is() -> None:
    view = camera(SQUARE, pitch_px=40, aim=(SIZE[0] / 2, SIZE[1] / 2))
    on = lattice(SQUARE, view, CELLS, empty={(int(x), int(y)) for x, y in CELLS})
    on.found.centre[:] += (12, 0)
    assert_quarters(rectify(painted(SQUARE, view), placed(on), QWIRKLE), CELLS)


def test_cells_over_the_edge_are_continued_not_black() -> None:
    view = camera(SQUARE, pitch_px=60, aim=(0, 0))
    image = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    crops = rectify(image, placed(lattice(SQUARE, view, [(0, 0), (-3, -3)])), QWIRKLE)
    assert (crops == 200).all()


def test_more_cells_than_remap_counts_rows() -> None:
    view = camera(SQUARE, pitch_px=20, aim=(280, 220))
    cells = np.tile(CELLS, (40, 1))
    crops = rectify(painted(SQUARE, view), placed(lattice(SQUARE, view, cells)), QWIRKLE)
    assert len(crops) * QWIRKLE.crop_px > 32767
    np.testing.assert_array_equal(crops[:25], crops[-25:])
