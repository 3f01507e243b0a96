"""Taught tiles told by their own ground and drawings: what a shadow, a shift and a pattern may not change."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.families import TRIO
from vision.presence import ground_gaps, ground_nats, shape_nats
from vision.recall import shape_fit
from vision.symbols import in_even_light, stencils, taken_apart
from vision.tint import Palette, tinted

GROUND, INK = (205, 225, 230), (60, 90, 150)
Crop = npt.NDArray[np.uint8]


def tile(shape: str, px: int = 40, shift: tuple[float, float] = (0.0, 0.0), shadow: float = 1.0) -> Crop:
    """A symbol on a pale tile; `shadow` darkens the half above a slanted edge."""
    big = np.full((400, 400, 3), GROUND, np.uint8)
    x, y = (round(200 + 400 * one / TRIO.crop_span) for one in shift)
    if shape == "bar":
        cv2.rectangle(big, (x - 75, y - 28), (x + 75, y + 28), INK, -1)
    elif shape == "drop":
        cv2.circle(big, (x + 25, y), 40, INK, -1)
        cv2.fillConvexPoly(big, np.array([(x - 75, y), (x + 15, y - 38), (x + 15, y + 38)]), INK)
    else:
        cv2.circle(big, (x, y), 55, INK, -1)
    down, right = np.mgrid[:400, :400]
    light = np.where(down + 0.6 * right < 310, shadow, 1.0)
    return np.asarray(
        cv2.resize((big * light[..., None]).astype(np.uint8), (px, px), interpolation=cv2.INTER_AREA)
    )


SHAPES = ("bar", "drop", "disc")


def known(px: int = 40) -> list[npt.NDArray[np.float32]]:
    return [in_even_light(tile(shape, px)[None], TRIO.crop_span).stencil for shape in SHAPES]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shadow", [1.0, 0.6])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.05, -0.03)])
def test_a_shape_is_told_in_shadow_and_beside_its_place(
    shape: str, shadow: float, shift: tuple[float, float]
) -> None:
    parts = in_even_light(tile(shape, 40, shift, shadow)[None], TRIO.crop_span)
    nats = shape_fit(stencils(known()).likeness(parts.stencil))[0]
    others = np.delete(nats, SHAPES.index(shape))
    assert nats[SHAPES.index(shape)] > others.max() + 5


def test_a_shadow_would_mislead_who_takes_it_for_print() -> None:
    crop = tile("drop", shadow=0.6)[None]
    fits = [
        stencils(known()).likeness(how(crop, TRIO.crop_span).stencil)[0]
        for how in (taken_apart, in_even_light)
    ]
    assert fits[1][1] > 0.97
    assert fits[1][1] > fits[0][1] + 0.03


@pytest.mark.parametrize("px", [40, 56])
def test_stencils_outlive_the_size_of_crops(px: int) -> None:
    parts = in_even_light(np.stack([tile(shape, px) for shape in SHAPES]), TRIO.crop_span)
    likeness = stencils(known(40)).likeness(parts.stencil)
    assert likeness.argmax(axis=1).tolist() == [0, 1, 2]
    assert likeness.max(axis=1).min() > 0.97


def test_a_sharp_photo_decides_and_a_blurred_one_does_not() -> None:
    sharp, blurred = shape_fit(np.array([[0.99, 0.95], [0.80, 0.76]]))
    assert sharp[0] - sharp[1] > 4
    assert sharp[0] - sharp[1] > 4 * (blurred[0] - blurred[1])


def test_the_table_is_not_the_tiles_ground() -> None:
    """In a lamp's slope tiles differ in brightness; the table differs in colour."""
    cells = np.array([(x, y) for y in range(3) for x in range(4)])
    slope = 1 - 0.1 * cells[:, 0]
    ground = slope[:, None] * np.array(GROUND, float)
    ground[7] = (90, 130, 170)
    core = np.arange(12) != 7
    nats = ground_nats(ground_gaps(ground, cells, core), core)
    assert nats[7] < -2
    assert nats[core].min() > 0


def test_a_pattern_that_fits_no_drawing_is_no_tile() -> None:
    core = np.array([True, True, True, False, False])
    nats = shape_nats(np.array([0.97, 0.98, 0.96, 0.97, 0.6]), core)
    assert nats[3] > 3
    assert nats[4] < -3


def test_pale_inks_are_told_apart_where_the_camera_squeezes_them() -> None:
    """Pink and silver of an overexposed photo: all their channels are bright, and still not alike."""
    inks = np.array([[198.0, 126, 248], [148, 134, 130], [20, 177, 134], [20, 53, 118]])
    shown = 200 + 55 * np.tanh(np.maximum(1.7 * inks - 200, 0) / 55)
    photo = np.where(1.7 * inks < 200, 1.7 * inks, shown)
    seen = np.repeat(photo, 3, axis=0)
    found = tinted(seen, np.full((12, 3), 20.0), Palette(inks, np.full(3, 12.0)))
    assert found.log_p.argmax(axis=1).tolist() == [k for k in range(4) for _ in range(3)]
    assert np.exp(found.log_p.max(axis=1)).min() > 0.99


def test_a_cell_burnt_out_is_asked_about_not_guessed() -> None:
    inks = np.array([[198.0, 126, 248], [148, 134, 130], [20, 53, 118]])
    seen = np.concatenate([np.repeat(inks[1:], 4, axis=0), [[255.0, 255, 255]]])
    ground = np.concatenate([np.full((8, 3), 12.0), [[190.0, 190, 190]]])
    found = tinted(seen, ground, Palette(inks, np.full(3, 12.0)))
    assert np.exp(found.log_p[-1].max()) < 0.97
    assert found.log_p[:8].argmax(axis=1).tolist() == [1] * 4 + [2] * 4
