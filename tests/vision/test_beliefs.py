"""What is read and what is asked: nothing unlikely is claimed, nothing plausible is left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid import camera, lattice, photo, placed

from vision.beliefs import MOST_NAMED, WORTH_NAMING, Belief, polygons, ranked, told
from vision.geometry import SQUARE, through
from vision.reading import Polygon
from vision.settings import SETTINGS

HERE: Polygon = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
STRICT = replace(SETTINGS, doubt_below=0.97, doubt_empty_above=0.04)


def belief(p_tile: float, *tiles: tuple[str, float], **more: object) -> Belief:
    return Belief((0, 0), p_tile, tiles, HERE, **more)  # type: ignore[arg-type]


def test_a_plain_tile_is_read_and_not_asked_about() -> None:
    (cell,), doubts = told([belief(0.999, ("red star", 0.99), ("red cross", 0.01))], STRICT)
    assert (cell.tile, cell.p) == ("red star", pytest.approx(0.98901))
    assert [one.tile for one in cell.alternatives] == ["red cross"]
    assert doubts == ()


def test_a_likely_tile_is_read_and_asked_about() -> None:
    (cell,), (doubt,) = told([belief(1.0, ("red star", 0.9), ("orange star", 0.1))], STRICT)
    assert cell.tile == "red star"
    assert [(one.tile, round(one.p, 3)) for one in doubt.alternatives] == [
        ("red star", 0.9),
        ("orange star", 0.1),
    ]


def test_whether_a_tile_lies_there_is_part_of_how_sure_it_is() -> None:
    (cell,), (doubt,) = told([belief(0.9, ("red star", 1.0))], STRICT)
    assert cell.p == pytest.approx(0.9)
    assert [one.tile for one in doubt.alternatives] == ["red star", None]


def test_an_empty_cell_is_asked_about_only_where_a_tile_is_plausible() -> None:
    assert told([belief(0.01, ("red star", 1.0))], STRICT) == ((), ())
    cells, (doubt,) = told([belief(0.1, ("red star", 1.0))], STRICT)
    assert cells == ()
    assert [one.tile for one in doubt.alternatives] == [None, "red star"]


def test_a_suspect_cell_is_asked_about_however_sure() -> None:
    _, doubts = told([belief(1.0, ("red star", 1.0), suspect=True)], STRICT)
    assert len(doubts) == 1
    _, doubts = told([belief(0.0, ("red star", 1.0), suspect=True)], STRICT)
    assert len(doubts) == 1


def test_an_unsure_symbol_makes_the_tile_unsure() -> None:
    (cell,), (doubt,) = told(
        [belief(1.0, ("9-7-3", 1.0), marks=(("sun", 0.6), ("moon", 0.4), (None, 0.0)))], STRICT
    )
    assert (cell.tile, cell.mark) == ("9-7-3", "sun")
    assert [(one.tile, one.mark) for one in doubt.alternatives] == [("9-7-3", "sun"), ("9-7-3", "moon")]


@given(
    st.floats(0, 1),
    st.lists(st.floats(0, 1), min_size=1, max_size=6),
    st.lists(st.floats(0.01, 1), min_size=1, max_size=3),
)
def test_alternatives_come_likeliest_first_and_never_exceed_one(
    p_tile: float, shares: list[float], marks: list[float]
) -> None:
    total, mark_total = sum(shares) or 1.0, sum(marks)
    names: list[str | None] = [None, "sun", "moon"]
    one = Belief(
        (0, 0),
        p_tile,
        tuple((f"tile {index}", share / total) for index, share in enumerate(shares)),
        HERE,
        marks=tuple((names[index], mark / mark_total) for index, mark in enumerate(marks)),
    )
    found = [alternative.p for alternative in one.alternatives]
    assert found == sorted(found, reverse=True)
    assert sum(found) <= 1 + 1e-9
    assert len(found) <= MOST_NAMED
    assert all(p >= WORTH_NAMING for p in found)


@given(st.floats(0, 1), st.integers(1, 40))
def test_something_is_always_named(p_tile: float, evenly: int) -> None:
    """However unsure: a cell is read or asked about, or plainly empty."""
    tiles = tuple((f"tile {index}", 1 / evenly) for index in range(evenly))
    cells, doubts = told([Belief((0, 0), p_tile, tiles, HERE)], STRICT)
    assert cells or doubts or p_tile <= STRICT.doubt_empty_above
    if cells and not doubts:
        assert cells[0].p >= STRICT.doubt_below


def test_cells_come_in_order() -> None:
    mixed = [replace(belief(1.0, ("red", 1.0)), at=at) for at in ((2, 0), (0, 1), (0, 0), (1, 3))]
    cells, _ = told(mixed, STRICT)
    assert [cell.at for cell in cells] == [(0, 0), (0, 1), (1, 3), (2, 0)]


def test_ranked_names_the_likeliest_first() -> None:
    names = [f"tile {index}" for index in range(9)]
    p = np.array([0.1, 0.3, 0.02, 0.2, 0.05, 0.25, 0.03, 0.04, 0.01])
    found = ranked(names, np.log(p))
    assert [name for name, _ in found[:3]] == ["tile 1", "tile 5", "tile 3"]
    assert [share for _, share in found] == pytest.approx(sorted(p, reverse=True)[: len(found)])


@pytest.mark.parametrize("scale", [1, 2, 4])
def test_polygons_are_in_pixels_of_the_full_photo(scale: int) -> None:
    view = camera(SQUARE, 0.4, 0.3)
    on = lattice(SQUARE, view, [(0, 0), (2, 1)])
    (first, second) = polygons(photo(scale=scale), placed(on))
    corners = np.array([(2, 1)]) + SQUARE.outline
    np.testing.assert_allclose(second, (through(view, corners) + 0.5) * scale - 0.5, atol=0.06)
    x, y = np.array(first).T
    assert 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0, "clockwise with y down"


def test_the_polygon_lies_where_the_tile_does() -> None:
    on = lattice(SQUARE, camera(SQUARE), [(0, 0), (1, 0)])
    on.found.centre[1] += (9, -4)
    first, second = polygons(photo(), placed(on))
    np.testing.assert_allclose(np.mean(second, axis=0) - np.mean(first, axis=0), (60 + 9, -4), atol=0.1)
