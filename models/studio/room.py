"""The room: the table under the boards, what stands beyond its edge, and what lies about."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.studio import clutter, tables
from models.studio.camera import Camera, Image, through
from models.studio.paint import Rgb, hsv
from models.studio.plan import Points, Sprite


@dataclass(frozen=True, slots=True)
class Table:
    """One table top: a coloured texture and how it lies on the plane."""

    kind: str
    variant: int
    palette: tuple[Rgb, Rgb, Rgb]
    texels: float
    """Texture pixels per plane unit."""
    angle: float
    offset: tuple[float, float]
    gloss: float


def random_table(
    rng: np.random.Generator, pixels_per_unit: float, exam: bool = False, kind: str | None = None
) -> Table:
    """Any table, or any of this kind; the exam's are of kinds that never occur otherwise."""
    if kind is not None:
        pass
    elif exam:
        kind = str(rng.choice(list(tables.EXAM_KINDS)))
    else:
        kind = str(rng.choice(list(tables.KINDS), p=tables.LIKELY))
    return Table(
        kind=kind,
        variant=int(rng.integers(tables.VARIANTS)),
        palette=tables.tones(rng, kind),
        texels=float(pixels_per_unit * rng.uniform(0.6, 1.8)),
        angle=float(
            rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.choice((0, 0.5, 1, 1.5)) * np.pi
        ),
        offset=(float(rng.uniform(0, tables.SIDE)), float(rng.uniform(0, tables.SIDE))),
        gloss=float(rng.choice((0.05, rng.uniform(0.1, 0.7)))),
    )


def background(table: Table, camera: Camera) -> Image:
    """The empty table top, filling the whole picture."""
    top = tables.coloured(tables.texture(table.kind, table.variant), table.palette)
    c, s = np.cos(table.angle) * table.texels, np.sin(table.angle) * table.texels
    onto = np.array([[c, -s, table.offset[0]], [s, c, table.offset[1]], [0, 0, 1]])
    matrix = camera.homography() @ np.linalg.inv(onto)
    return np.asarray(
        cv2.warpPerspective(
            top, matrix, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
    )


def beyond(
    rng: np.random.Generator, image: Image, camera: Camera, bounds: tuple[float, float, float, float]
) -> None:
    """The table's edge with a wall or floor behind it, in place; never under the boards."""
    x0, y0, x1, y1 = bounds
    angle = float(rng.uniform(0, 2 * np.pi))
    normal = np.array([np.cos(angle), np.sin(angle)])
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    reach = float((corners @ normal).max()) + float(rng.uniform(0.5, 5))
    along = np.array([-normal[1], normal[0]])
    middle = normal * reach
    span = max(x1 - x0, y1 - y0) * 4
    lip = float(rng.uniform(0.1, 0.6))
    edge = [middle - along * span, middle + along * span]
    far = span
    while far > 0.3 and not _before(
        camera, np.array([edge[0] + normal * far, edge[1] + normal * far, *edge])
    ):
        far, span = far / 2, span / 2
        edge = [middle - along * span, middle + along * span]
    if far <= 0.3:
        return
    tone = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.35)), float(rng.uniform(0.08, 0.95)))
    for start, colour in (
        (0.0, hsv(float(rng.uniform(15, 40)), 0.3, float(rng.uniform(0.1, 0.6)))),
        (lip, tone),
    ):
        shape = np.array(
            [
                edge[0] + normal * start,
                edge[1] + normal * start,
                edge[1] + normal * far,
                edge[0] + normal * far,
            ]
        )
        pixels = np.clip(camera.flat(shape), -30000, 30000)
        cv2.fillPoly(image, [np.round(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def _before(camera: Camera, points: Points) -> bool:
    """Whether all points are well in front of the camera (a homography wraps what is behind it)."""
    depth = np.column_stack([points, np.ones(len(points))]) @ camera.homography()[2]
    return bool((depth > 0.15 * np.median(np.abs(depth))).all())


def scatter(
    rng: np.random.Generator, camera: Camera, bounds: tuple[float, float, float, float], things: int, px: int
) -> tuple[list[Sprite], list[Sprite]]:
    """Clutter around the boards that the picture shows: (what lies flat, what stands taller than tiles)."""
    back = np.asarray(np.linalg.inv(camera.homography()), np.float64)
    wide, high = camera.size
    makers = [maker for maker, _ in clutter.THINGS]
    chances = np.array([chance for _, chance in clutter.THINGS])
    low: list[Sprite] = []
    tall: list[Sprite] = []
    x0, y0, x1, y1 = bounds
    corners = camera.flat(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
    board = cv2.convexHull(corners.astype(np.float32))
    for _ in range(things):
        maker = makers[int(rng.choice(len(makers), p=chances / chances.sum()))]
        for _ in range(6):
            spot = rng.uniform(-0.08, 1.08, 2) * (wide, high)
            at = through(back, np.asarray(spot[None], np.float64))[0]
            centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
            if maker is clutter.hand:
                sprite = maker(rng, (float(at[0] - centre[0]), float(at[1] - centre[1])), px)
                sprite = _moved(sprite, centre)
            else:
                sprite = maker(rng, (float(at[0]), float(at[1])), px)
            if _clear(camera, sprite, board):
                (tall if sprite.thickness + sprite.base > 0.3 else low).append(sprite)
                break
    return low, tall


def _moved(sprite: Sprite, by: Points) -> Sprite:
    at = (sprite.centre[0] + float(by[0]), sprite.centre[1] + float(by[1]))
    return Sprite(
        sprite.picture, at, sprite.width, sprite.angle, sprite.thickness, sprite.outline + by,
        sprite.side_colour, sprite.gloss, sprite.base,
    )  # fmt: skip


def _clear(camera: Camera, sprite: Sprite, board: Points) -> bool:
    """Whether the thing's foot and top stay off the boards in the picture."""
    top = sprite.base + sprite.thickness
    seen = np.concatenate([camera.flat(sprite.outline, sprite.base), camera.flat(sprite.outline, top)])
    hull = cv2.convexHull(np.clip(seen, -8000, 8000).astype(np.float32))
    touching, _ = cv2.intersectConvexConvex(hull, np.asarray(board, np.float32))
    return bool(touching <= 0)
