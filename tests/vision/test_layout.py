"""Which board lies on a lattice, and which way is up: also with cells missing, empty or too many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import camera, lattice

from scoring.mipasuje.layouts import LAYOUTS
from vision.geometry import HEXAGONAL, SQUARE, Ints, through
from vision.layout import Placed, place_hex, place_open, place_ramp
from vision.settings import SETTINGS

SEEDS = st.integers(0, 2**32 - 1)
NO_VOTES = np.zeros(4)
SIZES = [(6, 4), (6, 6)]


def in_the_photo(placed: Placed) -> Ints:
    return np.rint(through(placed.lattice.homography, placed.cells)).astype(np.int64)


def spots(homography: np.ndarray, cells: Ints) -> set[tuple[int, int]]:
    return {(int(x), int(y)) for x, y in np.rint(through(homography, cells))}


@pytest.mark.parametrize("name", LAYOUTS)
@given(seed=SEEDS, missing=st.integers(0, 2), empty=st.integers(0, 6))
@settings(deadline=None, max_examples=25)
def test_every_mi_pasuje_board_is_told_by_its_cells(name: str, seed: int, missing: int, empty: int) -> None:
    rng = np.random.default_rng(seed)
    cells = np.array(LAYOUTS[name].cells)
    kept = rng.permutation(cells)[missing:]
    view = camera(HEXAGONAL, 0.3, 0.1)
    # Counted from anywhere: the lattice does not know where the board's middle is.
    origin = rng.integers(-5, 6, 2)
    bare = {(int(q), int(r)) for q, r in kept[:empty] - origin}
    found = lattice(HEXAGONAL, view, kept - origin, empty=bare)
    placed = place_hex(found, list(LAYOUTS), SETTINGS)
    assert placed.layout == name
    assert spots(placed.lattice.homography, placed.cells) == spots(view, cells - origin)
    assert placed.seen == pytest.approx(1 - missing / len(cells))
    assert (placed.detected < 0).sum() == missing


def test_each_cell_knows_its_own_detection() -> None:
    cells = np.array(LAYOUTS["valve"].cells)
    found = lattice(HEXAGONAL, camera(HEXAGONAL), cells[::-1])
    placed = place_hex(found, list(LAYOUTS), SETTINGS)
    centres = placed.lattice.found.centre[placed.detected]
    np.testing.assert_allclose(centres, through(placed.lattice.homography, placed.cells), atol=1e-6)


def test_tiles_beside_the_board_do_not_move_it() -> None:
    cells = np.array(LAYOUTS["standard"].cells)
    spares = np.array([(4, -1), (-4, 2), (0, 4)])
    found = lattice(HEXAGONAL, camera(HEXAGONAL), np.concatenate([cells, spares]))
    placed = place_hex(found, list(LAYOUTS), SETTINGS)
    assert placed.layout == "standard"
    assert spots(placed.lattice.homography, placed.cells) == spots(camera(HEXAGONAL), cells)


def test_a_named_board_is_the_only_one_considered() -> None:
    cells = np.array(LAYOUTS["valve"].cells)
    found = lattice(HEXAGONAL, camera(HEXAGONAL), cells)
    assert place_hex(found, ["valve-turned"], SETTINGS).layout == "valve-turned"


def fallen(rng: np.random.Generator, rows: int, columns: int) -> tuple[Ints, set[tuple[int, int]]]:
    """A ramp's cells (x, y) and the empty ones: columns fill from below, two of them not to the top."""
    heights = rng.integers(1, rows + 1, columns)
    heights[rng.choice(columns, 2, replace=False)] = (rows - 1, rows - 3)
    cells = np.array([(x, y) for y in range(rows) for x in range(columns)])
    return cells, {(x, y) for x in range(columns) for y in range(rows - heights[x])}


@given(seed=SEEDS, turn=st.integers(0, 3), missing=st.integers(0, 2))
@settings(deadline=None, max_examples=40)
def test_fallen_tiles_say_which_way_a_small_ramp_lies(seed: int, turn: int, missing: int) -> None:
    rng = np.random.default_rng(seed)
    cells, empty = fallen(rng, 6, 4)
    kept = rng.permutation(cells)[missing:]
    view = camera(SQUARE, 0.3, 0.1)
    found = lattice(SQUARE, view, kept, empty=empty).turned(turn)
    placed = place_ramp(found, SIZES, NO_VOTES, SETTINGS)
    assert placed.size == (6, 4)
    # The same cells in the same order: upright, counted from the top left.
    np.testing.assert_array_equal(placed.cells, cells)
    np.testing.assert_allclose(in_the_photo(placed), np.rint(through(view, cells)), atol=1)
    assert placed.seen == pytest.approx(1 - missing / 24)


@given(seed=SEEDS, turn=st.integers(0, 3), said=st.integers(0, 3))
@settings(deadline=None, max_examples=40)
def test_the_print_decides_where_a_full_ramp_could_lie_any_way(seed: int, turn: int, said: int) -> None:
    cells = np.array([(x, y) for y in range(6) for x in range(6)])
    found = lattice(SQUARE, camera(SQUARE, 0.2, 0.1), cells).turned(turn)
    votes = np.full(4, -4.0)
    votes[said] = 0.0
    placed = place_ramp(found, SIZES, votes, SETTINGS)
    assert placed.size == (6, 6)
    expected = found.turned(said)
    low = expected.at.min(axis=0)
    np.testing.assert_allclose(
        through(placed.lattice.homography, placed.cells),
        through(expected.homography, placed.cells + low),
        atol=1e-6,
    )
    assert placed.turn_margin == pytest.approx(4.0)


def test_a_full_ramp_nobody_votes_on_has_no_margin() -> None:
    cells = np.array([(x, y) for y in range(6) for x in range(4)])
    placed = place_ramp(lattice(SQUARE, camera(SQUARE), cells), SIZES, NO_VOTES, SETTINGS)
    assert placed.turn_margin == pytest.approx(0.0)
    assert placed.margin > 1


def test_a_ramp_that_floats_upside_down_needs_more_than_a_hunch() -> None:
    cells, empty = fallen(np.random.default_rng(3), 6, 4)
    found = lattice(SQUARE, camera(SQUARE), cells, empty=empty)
    hunch = np.array([0.0, -9.0, 1.0, -9.0])
    upside_down = place_ramp(found, SIZES, hunch, SETTINGS)
    np.testing.assert_allclose(in_the_photo(upside_down), np.rint(through(camera(SQUARE), cells)), atol=1)


def test_a_wide_ramp_is_not_read_as_a_narrow_one() -> None:
    cells, empty = fallen(np.random.default_rng(5), 6, 6)
    found = lattice(SQUARE, camera(SQUARE), cells, empty=empty)
    assert place_ramp(found, SIZES, np.array([0.0, -5, -5, -5]), SETTINGS).size == (6, 6)


def test_an_open_table_is_its_tiles_and_the_hints() -> None:
    cells = np.array([(0, 0), (1, 0), (2, 0), (1, 1)])
    found = lattice(SQUARE, camera(SQUARE), cells, empty={(2, 0)})
    hints = np.array([(3, 3)])
    placed = place_open(found, hints)
    assert placed.cells.tolist() == [[0, 0], [1, 0], [1, 1], [3, 3]]
    assert placed.detected.tolist() == [0, 1, 3, -1]
