"""What the detector should say about a scene."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from models.studio.scene import Scene
from vision.heads import DETECTOR_CHANNELS, HEAT, LENGTH_UNIT, STRIDE, TURNS

Floats = npt.NDArray[np.float64]

PLANE_TO_AXIAL = np.array([[1 / 1.5, 0.0], [-1 / 3, 1 / np.sqrt(3)]])
"""Hexagonal lattices are told in plane units (sides), not axial ones: x = 1.5·q, y = √3·(r + q/2)."""
LEAST_VISIBLE = 0.45
"""A cell less visible than this is neither demanded nor forbidden."""


class Targets(NamedTuple):
    """The cells of one picture that a detector could find."""

    centre: Floats
    """(n, 2) pixels."""
    steps: Floats
    """(n, 2, 2): columns are the lattice steps at the cell, in pixels."""
    kind: npt.NDArray[np.int64]
    """(n,) index into `HEAT`."""
    visible: Floats
    """(n,) 0 … 1."""


def scene_targets(scene: Scene) -> Targets:
    """Tiles, and the empty cells of games that have a board."""
    found = []
    for cell in scene.cells:
        name = scene.game if cell.tile is not None else f"{scene.game}-empty"
        if name in HEAT:
            found.append((cell, HEAT.index(name)))
    centre = np.array([cell.polygon.mean(axis=0) for cell, _ in found]).reshape(-1, 2)
    at = np.array([cell.at for cell, _ in found], float).reshape(-1, 2)
    hexagonal = TURNS[scene.game] == 6
    steps = jacobians(scene.lattice, at if hexagonal else at[:, ::-1])
    if hexagonal:
        steps = steps @ PLANE_TO_AXIAL
    return Targets(
        centre,
        steps,
        np.array([kind for _, kind in found], np.int64),
        np.array([cell.visibility for cell, _ in found], float),
    )


def jacobians(homography: Floats, points: Floats) -> Floats:
    """(n, 2, 2) derivatives of a homography at (n, 2) points."""
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ homography.T
    w = homogeneous[:, 2:]
    image = homogeneous[:, :2] / w
    return (homography[None, :2, :2] - image[:, :, None] * homography[None, 2:, :2]) / w[:, :, None]


def moved(targets: Targets, affine: Floats) -> Targets:
    """The targets after the picture went through a (2, 3) affine map without mirroring."""
    linear = affine[:, :2]
    return targets._replace(centre=targets.centre @ linear.T + affine[:, 2], steps=linear @ targets.steps)


def target_maps(
    targets: Targets, high: int, wide: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Maps (channels, high/4, wide/4) to learn, and weights: per heat map, then for the rest."""
    channels = DETECTOR_CHANNELS
    rows, columns = high // STRIDE, wide // STRIDE
    maps = np.zeros((channels.total, rows, columns), np.float32)
    weights = np.ones((channels.heat + 1, rows, columns), np.float32)
    weights[-1] = 0
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    nearest = np.full((rows, columns), np.inf, np.float32)
    for centre, steps, kind, visible in zip(*targets, strict=True):
        cx, cy = (centre + 0.5) / STRIDE - 0.5
        size = np.sqrt(abs(np.linalg.det(steps))) / STRIDE
        reach = int(3 * size) + 2
        r0, r1 = max(0, int(cy) - reach), min(rows, int(cy) + reach + 1)
        c0, c1 = max(0, int(cx) - reach), min(columns, int(cx) + reach + 1)
        if r0 >= r1 or c0 >= c1:
            continue
        window = np.s_[r0:r1, c0:c1]
        dx, dy = cx - x[window], cy - y[window]
        distance = dx**2 + dy**2
        if visible < LEAST_VISIBLE:
            weights[kind][window][distance < (0.6 * size) ** 2] = 0
            continue
        sigma = float(np.clip(0.14 * size, 0.6, 3.0))
        np.maximum(maps[kind][window], np.exp(-distance / (2 * sigma**2)), out=maps[kind][window])
        near = (distance < max(1.0, (0.22 * size) ** 2)) & (distance < nearest[window])
        if not near.any():
            continue
        nearest[window][near] = distance[near]
        angle, root = polar(steps)
        turns = TURNS[HEAT[kind].removesuffix("-empty")]
        regress = maps[channels.heat :]
        regress[0][window][near] = dx[near] * STRIDE / LENGTH_UNIT
        regress[1][window][near] = dy[near] * STRIDE / LENGTH_UNIT
        values = (root[0, 0], root[0, 1], root[1, 1])
        for index, value in enumerate(values):
            regress[2 + index][window][near] = value / LENGTH_UNIT
        directions = (np.cos(turns * angle), np.sin(turns * angle), np.cos(angle), np.sin(angle))
        for index, value in enumerate(directions):
            regress[5 + index][window][near] = value
        weights[-1][window][near] = 1
    # The peak itself must be exactly one for the loss to call it a positive.
    for kind in range(channels.heat):
        peaks = maps[kind] > 0.9
        maps[kind][peaks] = 1
    return maps, weights


def polar(steps: Floats) -> tuple[float, Floats]:
    """A = S · rotation(φ): φ in radians and the symmetric S."""
    values, vectors = np.linalg.eigh(steps @ steps.T)
    root = (vectors * np.sqrt(np.maximum(values, 1e-12))) @ vectors.T
    rotation = np.linalg.solve(root, steps)
    return float(np.arctan2(rotation[1, 0], rotation[0, 0])), root
