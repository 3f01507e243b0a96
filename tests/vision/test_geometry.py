"""Homographies and lattice turns: exact where they promise to be, steady where points are noisy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import camera

from vision.geometry import (
    HEXAGONAL,
    SQUARE,
    Grid,
    direction,
    fit_homography,
    rotations,
    steps_at,
    through,
)

GRIDS = st.sampled_from((SQUARE, HEXAGONAL))
ANGLES = st.floats(-np.pi, np.pi)
TILTS = st.floats(0, np.radians(50))
CELLS = np.array([(x, y) for x in range(-3, 4) for y in range(-2, 3)], float)


def views(draw: st.DrawFn) -> tuple[Grid, np.ndarray]:
    grid = draw(GRIDS)
    return grid, camera(grid, draw(TILTS), draw(ANGLES), draw(ANGLES), pitch_px=draw(st.floats(12, 120)))


VIEWS = st.composite(views)()


@given(VIEWS)
@settings(deadline=None)
def test_a_homography_is_found_back_from_where_it_takes_points(view: tuple[Grid, np.ndarray]) -> None:
    _, homography = view
    found = fit_homography(CELLS, through(homography, CELLS), np.ones(len(CELLS)))
    np.testing.assert_allclose(through(found, CELLS * 1.5), through(homography, CELLS * 1.5), atol=1e-4)


@given(VIEWS, st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_noise_in_the_points_is_averaged_away(view: tuple[Grid, np.ndarray], seed: int) -> None:
    _, homography = view
    noise = np.random.default_rng(seed).normal(0, 1.0, CELLS.shape)
    found = fit_homography(CELLS, through(homography, CELLS) + noise, np.ones(len(CELLS)))
    error = np.linalg.norm(through(found, CELLS) - through(homography, CELLS), axis=1)
    # 8 unknowns against 70 measurements: √(8 / 70) of the noise is left, here with room for bad luck.
    assert np.sqrt((error**2).mean() / 2) < 0.8


def test_points_without_weight_say_nothing() -> None:
    homography = camera(SQUARE, tilt=0.5, azimuth=0.3)
    target = through(homography, CELLS)
    weights = np.ones(len(CELLS))
    target[3] += 200
    weights[3] = 0
    found = fit_homography(CELLS, target, weights)
    np.testing.assert_allclose(through(found, CELLS[3]), through(homography, CELLS[3]), atol=1e-4)


@given(VIEWS)
@settings(deadline=None)
def test_there_and_back_through_a_homography(view: tuple[Grid, np.ndarray]) -> None:
    _, homography = view
    np.testing.assert_allclose(
        through(np.linalg.inv(homography), through(homography, CELLS)), CELLS, atol=1e-6
    )


@given(VIEWS)
@settings(deadline=None)
def test_steps_are_the_derivative(view: tuple[Grid, np.ndarray]) -> None:
    _, homography = view
    tiny = 1e-5
    for axis in range(2):
        arm = tiny * np.eye(2)[axis]
        slope = (through(homography, CELLS + arm) - through(homography, CELLS - arm)) / (2 * tiny)
        np.testing.assert_allclose(steps_at(homography, CELLS)[..., axis], slope, rtol=1e-4, atol=1e-3)


@given(ANGLES, st.floats(0.2, 5), st.floats(0.2, 5), ANGLES)
def test_the_direction_of_steps_survives_any_squeeze(
    phi: float, wide: float, high: float, lean: float
) -> None:
    squeeze = rotations(lean) @ np.diag([wide, high]) @ rotations(-lean)
    found = direction(squeeze @ rotations(phi))
    assert abs(np.angle(np.exp(1j * (found - phi)))) < 1e-9


@pytest.mark.parametrize("grid", [SQUARE, HEXAGONAL], ids=["square", "hexagonal"])
@given(st.integers(-12, 12), st.integers(-12, 12), st.integers(-20, 20), st.integers(-20, 20))
def test_turns_add_up_and_go_round(grid: Grid, first: int, second: int, x: int, y: int) -> None:
    cell = np.array([x, y])
    both = grid.turned(second) @ grid.turned(first) @ cell
    assert (both == grid.turned(first + second) @ cell).all()
    assert (grid.turned(first) @ grid.turned(-first) @ cell == cell).all()
    assert (grid.turned(grid.turns) @ cell == cell).all()


@pytest.mark.parametrize("grid", [SQUARE, HEXAGONAL], ids=["square", "hexagonal"])
def test_a_turn_takes_each_neighbour_to_the_next_clockwise(grid: Grid) -> None:
    turned = grid.neighbours @ grid.turned(1).T
    assert {tuple(cell) for cell in turned} == {tuple(cell) for cell in grid.neighbours}
    before, after = grid.neighbours @ grid.to_plane.T, turned @ grid.to_plane.T
    angle = np.arctan2(after[:, 1], after[:, 0]) - np.arctan2(before[:, 1], before[:, 0])
    # y points down, so a growing angle is clockwise.
    np.testing.assert_allclose(np.mod(angle, 2 * np.pi), 2 * np.pi / grid.turns)
    np.testing.assert_allclose(np.linalg.norm(before, axis=1), grid.pitch)


@pytest.mark.parametrize("grid", [SQUARE, HEXAGONAL], ids=["square", "hexagonal"])
def test_the_outlines_of_neighbours_share_an_edge(grid: Grid) -> None:
    for offset in grid.neighbours @ grid.to_plane.T:
        theirs = grid.outline + offset
        gap = np.linalg.norm(grid.outline[:, None] - theirs[None], axis=2)
        assert (gap < 1e-9).sum() == 2
