"""Single cells, cut out as a reader would cut them: for learning what lies in a cell.

The crops come out of the same camera as whole photographs, only smaller, and through a lattice that is
a little off, as a fitted one is.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.studio.camera import through
from models.studio.plan import Points
from models.studio.scene import HEX_GAMES, Scene, render
from vision.families import FAMILIES

CROP_UNITS = {name: family.crop_span for name, family in FAMILIES.items()}
"""Side of a crop, in tile pitches (hexagons: in hexagon sides)."""
SMALL = (400, 300)
ZOOMS = (0.7, 1.6)
LEAST_VISIBLE = 0.5
PER_CELL = 2
"""Cuts of each cell, each with its own error."""


class Label(NamedTuple):
    """What a crop shows; `tile` None: no tile there (bare table, a mat's square, a neighbour's edge)."""

    tile: str | None
    mark: str | None
    turn: int
    """Steps of 60° (hexagons) or 90° by which the crop is turned clockwise against the upright board."""


class Crops(NamedTuple):
    """`images` (n, px, px, 3) uint8 BGR, and as many labels."""

    images: npt.NDArray[np.uint8]
    labels: list[Label]


def crops(
    game: str,
    seed: int,
    count: int,
    px: int,
    *,
    style: str | None = None,
    turns: bool = True,
    zooms: tuple[float, float] = ZOOMS,
) -> Crops:
    """`count` crops, always the same for a seed. `turns`: each turned by a random step; else all upright.

    `zooms`: how large the photos are that they are cut from, as multiples of `SMALL`.
    """
    rng = np.random.default_rng([seed, px, count, *game.encode()])
    images = np.empty((count, px, px, 3), np.uint8)
    labels: list[Label] = []
    while len(labels) < count:
        zoom = float(rng.uniform(*zooms))
        size = (round(SMALL[0] * zoom), round(SMALL[1] * zoom))
        scene = render(game, int(rng.integers(2**31)), style=style or "crops", size=size, simple=True)
        cut, found = cells_of(rng, scene, px, turns)
        room = min(count - len(labels), len(found))
        images[len(labels) : len(labels) + room] = cut[:room]
        labels += found[:room]
    return Crops(images, labels)


def cells_of(
    rng: np.random.Generator, scene: Scene, px: int, turns: bool = True, per_cell: int = PER_CELL
) -> tuple[npt.NDArray[np.uint8], list[Label]]:
    """Every visible cell of a scene, in random order; at most about half of them empty."""
    tiles = [
        cell for cell in scene.cells if cell.tile is not None and cell.visibility >= LEAST_VISIBLE
    ] * per_cell
    empties = [cell for cell in scene.cells if cell.tile is None and cell.visibility >= LEAST_VISIBLE]
    order = rng.permutation(len(empties))[: max(1, len(tiles))]
    chosen = tiles + [empties[int(index)] for index in order]
    chosen = [chosen[int(index)] for index in rng.permutation(len(chosen))]
    hexes = scene.game in HEX_GAMES
    steps = 6 if hexes else 4
    turn = rng.integers(0, steps, len(chosen)) if turns else np.zeros(len(chosen), int)
    corners = _square(
        scene,
        hexes,
        np.array([cell.at for cell in chosen], float),
        rng,
        np.asarray(turn * (2 * np.pi / steps), np.float64),
    )
    image = scene.image
    cut = np.empty((len(chosen), px, px, 3), np.uint8)
    target = np.array([[-0.5, -0.5], [px - 0.5, -0.5], [px - 0.5, px - 0.5], [-0.5, px - 0.5]], np.float32)
    for index, quad in enumerate(corners.astype(np.float32)):
        matrix = cv2.getPerspectiveTransform(target, quad)
        side = np.hypot(*(quad[1] - quad[0]))
        how = cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
        if side > 1.6 * px:
            # Much larger in the photo than in the crop: average down, as a reader should.
            big = cv2.warpPerspective(
                image,
                matrix @ np.diag([0.5, 0.5, 1.0]),
                (2 * px, 2 * px),
                flags=how,
                borderMode=cv2.BORDER_REPLICATE,
            )
            cut[index] = cv2.resize(big, (px, px), interpolation=cv2.INTER_AREA)
        else:
            cut[index] = cv2.warpPerspective(
                image, matrix, (px, px), flags=how, borderMode=cv2.BORDER_REPLICATE
            )
    labels = [Label(cell.tile, cell.mark, int(step)) for cell, step in zip(chosen, turn, strict=True)]
    return cut, labels


def _square(scene: Scene, hexes: bool, at: Points, rng: np.random.Generator, turn: Points) -> Points:
    """(n, 4, 2) pixel corners of the crops: the lattice's squares with the errors of a fit."""
    half = CROP_UNITS[scene.game] / 2
    angle = rng.normal(0, 0.035, len(at)) - turn
    scale = half * np.exp(rng.normal(0, 0.05, len(at)))
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    base = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    base = base + rng.normal(0, 0.025, (len(at), 4, 2))
    x = base[..., 0] * c[:, None] - base[..., 1] * s[:, None]
    y = base[..., 0] * s[:, None] + base[..., 1] * c[:, None]
    shift = rng.normal(0, 0.04, (len(at), 2))
    x, y = x + shift[:, :1], y + shift[:, 1:]
    if hexes:
        # Plane offsets to axial ones: x = 1.5·q, y = √3·(r + q/2).
        q = x / 1.5
        points = np.stack([at[:, :1] + q, at[:, 1:] + y / np.sqrt(3) - q / 2], -1)
    else:
        points = np.stack([at[:, 1:] + x, at[:, :1] + y], -1)
    return through(scene.lattice, points.reshape(-1, 2)).reshape(-1, 4, 2)
