"""The camera to the pixel: what is drawn lies where the truth says, also through a bending lens."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.studio.camera import Camera, Canvas, lens, placed, random_stance
from models.studio.painters import painter

SIZE = (640, 480)


def view(seed: int, bounds: tuple[float, float, float, float], k1: float | None = None) -> Camera:
    camera = placed(random_stance(np.random.default_rng(seed)), bounds, 0.4, SIZE)
    return camera if k1 is None else Camera(camera.matrix, camera.size, k1)


@pytest.mark.parametrize("game", ["qwirkle", "trio"])
@pytest.mark.parametrize("seed", range(6))
def test_tile_is_drawn_exactly_on_its_polygon(game: str, seed: int) -> None:
    plan = painter(game).plan(np.random.default_rng(seed), edition=None, pixels_per_unit=64)
    camera = view(seed, plan.bounds, k1=0.0)
    cell = next(cell for cell in plan.cells if cell.tile is not None)
    sprite = next(sprite for sprite in plan.sprites if np.array_equal(sprite.outline, cell.polygon))
    drawn = np.zeros(SIZE[::-1], np.uint8)
    Canvas(np.zeros((*SIZE[::-1], 3), np.uint8), camera).top(sprite, drawn)
    outline = camera.project(cell.polygon, cell.height)
    moments = cv2.moments(outline.astype(np.float32))
    centre = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    ys, xs = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    weight = drawn / drawn.sum()
    assert np.allclose([(weight * xs).sum(), (weight * ys).sum()], centre, atol=0.3)
    # Rounded corners take away a little; nothing may stick out.
    assert 0.9 < drawn.sum() / 255 / abs(moments["m00"]) < 1.03


@pytest.mark.parametrize("k1", [-0.06, -0.02, 0.03, 0.06])
def test_lens_moves_a_dot_to_where_the_camera_says(k1: float) -> None:
    camera = view(1, (0, 0, 6, 5), k1)
    for x, y in ((60, 50), (320, 90), (590, 420)):
        dot = np.zeros((*SIZE[::-1], 3), np.uint8)
        cv2.circle(dot, (x, y), 3, (255, 255, 255), -1)
        seen = lens(dot, camera)[..., 0].astype(float)
        ys, xs = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
        centre = np.array([(seen * xs).sum(), (seen * ys).sum()]) / seen.sum()
        assert np.allclose(centre, camera.bent(np.array([[x, y]], float))[0], atol=0.25)


@pytest.mark.parametrize("k1", [-0.06, 0.06])
def test_bending_and_straightening_cancel(k1: float) -> None:
    camera = view(2, (0, 0, 6, 5), k1)
    points = np.random.default_rng(0).uniform(0, 480, (50, 2))
    assert np.allclose(camera.bent(camera.unbent(points)), points, atol=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_board_stays_in_the_picture(seed: int) -> None:
    bounds = (-2.0, -1.0, 7.0, 4.0)
    camera = view(seed, bounds)
    corners = np.array([[-2, -1], [7, -1], [7, 4], [-2, 4]], float)
    for height in (0.0, 0.4):
        seen = camera.flat(corners, height)
        assert (seen > -1).all()
        assert (seen < np.array(SIZE) + 1).all()


def test_taller_things_show_their_near_side() -> None:
    """In a tilted view the top of a thing lies higher in the picture than its foot; near means large."""
    stance = random_stance(np.random.default_rng(3))
    tilted = type(stance)(0.7, 0.0, 0.0, 1.0, 0.7, (0.0, 0.0), 0.0)
    camera = placed(tilted, (0, 0, 6, 6), 0.5, SIZE)
    foot, top = camera.flat(np.array([[3.0, 3.0]]))[0], camera.flat(np.array([[3.0, 3.0]]), 0.5)[0]
    assert top[1] < foot[1] - 5
    far, near = camera.flat(np.array([[2.0, 0.0], [4.0, 0.0], [2.0, 6.0], [4.0, 6.0]])).reshape(2, 2, 2)
    assert near[1, 0] - near[0, 0] > 1.2 * (far[1, 0] - far[0, 0])
