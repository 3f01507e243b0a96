"""Detections get the lattice coordinates they have, whatever the camera does and however many are missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import SIZE, camera, picture, seen, together

from scoring.mipasuje.layouts import LAYOUTS
from vision.detect import Detections
from vision.geometry import HEXAGONAL, SQUARE, Grid, Ints, through
from vision.lattice import Lattice, fit_lattice
from vision.settings import SETTINGS

STANDARD = np.array(LAYOUTS["standard"].cells)
TABLE = np.array([(x, y) for x in range(-4, 5) for y in range(-3, 4)])
ANGLES = st.floats(-np.pi, np.pi)
SEEDS = st.integers(0, 2**32 - 1)


def fitted(found: Detections, grid: Grid) -> Lattice:
    lattice = fit_lattice(picture(), found, grid, SETTINGS)
    assert lattice is not None
    return lattice


def truth_of(lattice: Lattice, found: Detections, cells: Ints) -> Ints:
    """The cells that really are where the lattice's detections were seen."""
    gap = np.linalg.norm(lattice.found.centre[:, None] - found.centre[None], axis=2)
    assert (gap.min(axis=1) == 0).all()
    return cells[gap.argmin(axis=1)]


def same_up_to_symmetry(lattice: Lattice, truth: Ints) -> bool:
    """Whether its coordinates are the true ones after a turn and a shift."""
    for turn in range(lattice.grid.turns):
        off = lattice.at - truth @ lattice.grid.turned(turn).T
        if (off == off[0]).all():
            return True
    return False


def open_table(rng: np.random.Generator, tiles: int) -> Ints:
    """A connected table, grown as people lay tiles."""
    cells = [(0, 0)]
    while len(cells) < tiles:
        x, y = cells[rng.integers(len(cells))]
        dx, dy = SQUARE.neighbours[rng.integers(4)]
        cell = (x + int(dx), y + int(dy))
        if cell not in cells and max(abs(cell[0]), abs(cell[1])) <= 6:
            cells.append(cell)
    return np.array(cells)


@given(st.floats(0, np.radians(45)), ANGLES, st.floats(-0.2, 0.2), st.floats(30, 80), SEEDS)
@settings(deadline=None, max_examples=60)
def test_a_board_of_hexagons_is_found_under_any_camera(
    tilt: float, azimuth: float, roll: float, pitch: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    view = camera(HEXAGONAL, tilt, azimuth, roll, pitch)
    found = seen(HEXAGONAL, view, STANDARD, jitter=0.03, turned=0.03, rng=rng)
    lattice = fitted(found, HEXAGONAL)
    assert len(lattice.at) == 19
    assert same_up_to_symmetry(lattice, truth_of(lattice, found, STANDARD))


@given(st.floats(0, np.radians(45)), ANGLES, st.integers(2, 60), SEEDS)
@settings(deadline=None, max_examples=60)
def test_open_tables_of_any_size_are_found(tilt: float, azimuth: float, tiles: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = open_table(rng, tiles)
    found = seen(SQUARE, camera(SQUARE, tilt, azimuth), cells, jitter=0.03, turned=0.03, rng=rng)
    lattice = fitted(found, SQUARE)
    assert len(lattice.at) == tiles
    assert same_up_to_symmetry(lattice, truth_of(lattice, found, cells))


@given(st.floats(0, np.radians(40)), ANGLES, SEEDS)
@settings(deadline=None, max_examples=40)
def test_missing_cells_leave_the_others_where_they_are(tilt: float, azimuth: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kept = TABLE[rng.random(len(TABLE)) < 0.8]
    found = seen(SQUARE, camera(SQUARE, tilt, azimuth), kept, jitter=0.02, turned=0.02, rng=rng)
    lattice = fitted(found, SQUARE)
    assert same_up_to_symmetry(lattice, truth_of(lattice, found, kept))
    assert len(lattice.at) == len(kept)


@given(st.floats(0, np.radians(40)), ANGLES, SEEDS)
@settings(deadline=None, max_examples=40)
def test_the_homography_is_better_than_any_single_detection(tilt: float, azimuth: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    view = camera(SQUARE, tilt, azimuth)
    found = seen(SQUARE, view, TABLE, jitter=0.04, turned=0.03, rng=rng)
    lattice = fitted(found, SQUARE)
    truth = through(view, truth_of(lattice, found, TABLE))
    fit = np.linalg.norm(through(lattice.homography, lattice.at) - truth, axis=1)
    raw = np.linalg.norm(lattice.found.centre - truth, axis=1)
    assert np.sqrt((fit**2).mean()) < 0.75 * np.sqrt((raw**2).mean())


def test_groups_with_gaps_between_them_share_one_lattice() -> None:
    cells = np.array([(0, 0), (1, 0), (2, 0), (1, 1), (5, 0), (6, 0), (6, 1), (1, 4), (2, 4)])
    found = seen(SQUARE, camera(SQUARE, 0.4, 0.7), cells, jitter=0.01)
    lattice = fitted(found, SQUARE)
    assert len(lattice.at) == len(cells)
    assert same_up_to_symmetry(lattice, truth_of(lattice, found, cells))


@pytest.mark.parametrize("turned", [0.4, 0.7])
def test_a_tile_that_lies_askew_beside_the_table_stays_out(turned: float) -> None:
    table = seen(SQUARE, camera(SQUARE, 0.3, 0.2), TABLE)
    spare = seen(SQUARE, camera(SQUARE, 0.3, 0.2 + turned), [(7, 0)])
    lattice = fitted(together(table, spare), SQUARE)
    assert len(lattice.at) == len(TABLE)
    np.testing.assert_array_equal(lattice.askew.centre, spare.centre)


def test_a_tile_between_two_cells_stays_out() -> None:
    view = camera(SQUARE)
    table = seen(SQUARE, view, TABLE)
    between = seen(SQUARE, view, [(7, 0)])
    between = replace(between, centre=through(view, [(6.5, 0.5)]))
    lattice = fitted(together(table, between), SQUARE)
    assert len(lattice.at) == len(TABLE)
    assert len(lattice.askew) == 1


def test_a_much_larger_tile_on_the_lattice_stays_out() -> None:
    view = camera(SQUARE)
    table = seen(SQUARE, view, TABLE)
    large = seen(SQUARE, view, [(6, 0)])
    large = replace(large, root=large.root * 1.6)
    lattice = fitted(together(table, large), SQUARE)
    assert len(lattice.at) == len(TABLE)


def test_of_two_tiles_on_one_cell_the_warmer_one_counts() -> None:
    view = camera(SQUARE)
    table = seen(SQUARE, view, TABLE)
    doubled = replace(seen(SQUARE, view, [(2, 1)], heat=0.5), centre=through(view, [(2.1, 1.1)]))
    found = together(table, doubled)
    lattice = fitted(found, SQUARE)
    assert len({tuple(cell) for cell in lattice.at.tolist()}) == len(lattice.at) == len(TABLE)
    assert lattice.found.heat.min() == 0.9


def test_the_board_in_the_middle_is_meant_and_not_one_at_the_edge() -> None:
    meant = seen(HEXAGONAL, camera(HEXAGONAL, 0.2, 0.3, pitch_px=70), STANDARD)
    away = camera(HEXAGONAL, 0.2, 0.8, pitch_px=70, aim=(1540, 600))
    other = seen(HEXAGONAL, away, STANDARD)
    other = other.only(other.centre[:, 0] < SIZE[0])
    assert 5 < len(other) < 19
    lattice = fitted(together(other, meant), HEXAGONAL)
    assert {tuple(point) for point in lattice.found.centre} == {tuple(point) for point in meant.centre}


def test_a_single_tile_has_a_lattice_of_its_own() -> None:
    view = camera(SQUARE, 0.5, 0.4)
    lattice = fitted(seen(SQUARE, view, [(0, 0)]), SQUARE)
    assert len(lattice.at) == 1
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    seen_corners = through(lattice.homography, lattice.at[0] + corners)
    expected = through(view, corners)
    gap = np.linalg.norm(seen_corners[:, None] - expected[None], axis=2)
    # The corners of a tile of 60 px, from the steps at its middle alone.
    assert gap.min(axis=1).max() < 2


def test_nothing_seen_is_no_lattice() -> None:
    nothing = seen(SQUARE, camera(SQUARE), np.zeros((0, 2), np.int64))
    assert fit_lattice(picture(), nothing, SQUARE, SETTINGS) is None


@pytest.mark.parametrize("grid", [SQUARE, HEXAGONAL], ids=["square", "hexagonal"])
@given(turn=st.integers(-7, 7), x=st.integers(-5, 5), y=st.integers(-5, 5))
@settings(deadline=None, max_examples=30)
def test_turning_and_counting_anew_move_no_tile(grid: Grid, turn: int, x: int, y: int) -> None:
    lattice = fitted(seen(grid, camera(grid, 0.4, 0.3), STANDARD), grid)
    moved = lattice.turned(turn).shifted(np.array([x, y]))
    np.testing.assert_allclose(
        through(moved.homography, moved.at), through(lattice.homography, lattice.at), atol=1e-6
    )
    np.testing.assert_allclose(
        np.abs(np.linalg.det(moved.steps(moved.at))), np.abs(np.linalg.det(lattice.steps(lattice.at)))
    )
    back = moved.shifted(-np.array([x, y])).turned(-turn)
    assert (back.at == lattice.at).all()


def test_steps_of_a_lattice_are_those_the_detector_saw() -> None:
    found = seen(HEXAGONAL, camera(HEXAGONAL, 0.6, 0.3), STANDARD)
    lattice = fitted(found, HEXAGONAL)
    own = np.abs(np.linalg.det(lattice.steps(lattice.at)))
    np.testing.assert_allclose(np.sqrt(own), lattice.found.size, rtol=0.01)
