"""Difficulties are as difficult as they say, and the curves show what was measured."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.robustness import DIFFICULTIES, Step, blurred, draw, glaring, lit, posed, small, table, tile_px
from models.studio.scene import Scene

SEED = 990_000_000


def squeeze(scene: Scene) -> float:
    """How flat the tiles are in the picture, in the middle of the board."""
    found = []
    for cell in scene.cells:
        (_, (wide, high), _) = cv2.minAreaRect(cell.polygon.astype(np.float32))
        found.append(min(wide, high) / max(wide, high))
    return float(np.median(found))


def test_a_tilted_camera_sees_flatter_tiles() -> None:
    above, low = posed("trio", SEED, 0), posed("trio", SEED, 55)
    assert squeeze(above) > 0.95
    assert squeeze(low) < 0.8
    assert above.truth == low.truth


@pytest.mark.parametrize("pixels", [36, 17])
def test_tiles_are_scaled_to_the_size_that_is_asked_for(pixels: float) -> None:
    before, after = posed("qwirkle", SEED, size=(2400, 1800)), small("qwirkle", SEED, pixels)
    scale = after.image.shape[1] / before.image.shape[1]
    assert tile_px(before) * scale == pytest.approx(pixels, rel=0.02)


def test_blur_takes_detail_away() -> None:
    detail = [
        float(
            cv2.Laplacian(
                cv2.cvtColor(blurred("trio", SEED, level).image, cv2.COLOR_BGR2GRAY), cv2.CV_64F
            ).std()
        )
        for level in (0, 4, 15)
    ]
    assert detail == sorted(detail, reverse=True)
    assert detail[2] < detail[0] / 2


def test_daylight_changes_no_colour_and_lamps_are_warmer() -> None:
    plain, day, lamp, shade = (
        posed("trio", SEED).image.mean(axis=(0, 1)),
        *(lit("trio", SEED, kelvin).image.mean(axis=(0, 1)) for kelvin in (5500, 2700, 12000)),
    )
    np.testing.assert_allclose(day, plain, atol=1.5)
    blue, _, red = lamp - plain
    assert blue < 0 < red
    blue, _, red = shade - plain
    assert red < 0 < blue


def test_glare_washes_out_the_share_it_says() -> None:
    scene, plain = glaring("trio", SEED, 18), posed("trio", SEED)
    board = sum(abs(cv2.contourArea(cell.polygon.astype(np.float32))) for cell in plain.cells)
    gone = ((scene.image >= 247).all(axis=2) & ~(plain.image >= 247).all(axis=2)).sum()
    assert 0.5 < gone / (0.18 * board) < 1.5


def test_the_drawing_and_the_table_show_every_level() -> None:
    difficulty = DIFFICULTIES[0]
    easy = Step(0, photos=4, refused=0, silent=0, cells=100, right=100, doubted=2)
    hard = Step(60, photos=4, refused=4, silent=0, cells=0, right=0, doubted=0)
    silent = Step(45, photos=4, refused=1, silent=1, cells=80, right=79, doubted=0)
    rows = table([(difficulty, [easy, silent, hard])]).splitlines()
    assert rows[2].split(" | ")[1:] == ["0°", "4", "0", "100.0 %", "0.5", "0 |"]
    assert rows[3].split(" | ")[4] == "98.7 %"
    assert rows[4].split(" | ")[3:6] == ["4", "–", "–"]
    calm = draw([(difficulty, [easy, easy])], "")
    assert not np.array_equal(calm, draw([(difficulty, [easy, silent])], ""))
