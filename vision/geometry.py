"""Lattices and homographies: the arithmetic that the stages share.

Lattice coordinates are (x, y) = (column, row) on a square lattice and (q, r) on a hexagonal one. The *plane*
of a lattice is the same thing in equal lengths: pitches of a square, sides of a hexagon.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """One of the two kinds of lattice."""

    turns: int
    """Turns that bring the lattice onto itself."""
    to_plane: Floats
    """(2, 2) lattice → plane."""
    neighbours: Ints
    """(k, 2) lattice offsets of the cells that share an edge."""
    pitch: float
    """Plane distance of neighbouring centres."""
    outline: Floats
    """(corners, 2) of a cell around its centre, in the plane."""

    def turned(self, steps: int) -> Ints:
        """(2, 2) whole numbers: where `steps` of the lattice's turns (clockwise in the photo) take a cell."""
        angle = 2 * np.pi * steps / self.turns
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.rint(np.linalg.inv(self.to_plane) @ turn @ self.to_plane).astype(np.int64)


_AROUND_HEXAGON = np.arange(6) * np.pi / 3
SQUARE = Grid(
    turns=4,
    to_plane=np.eye(2),
    neighbours=np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]),
    pitch=1.0,
    outline=np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]),
)
HEXAGONAL = Grid(
    turns=6,
    to_plane=np.array([[1.5, 0.0], [np.sqrt(3) / 2, np.sqrt(3)]]),
    neighbours=np.array([[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]]),
    pitch=float(np.sqrt(3)),
    outline=np.stack([np.cos(_AROUND_HEXAGON), np.sin(_AROUND_HEXAGON)], axis=1),
)


def through(homography: Floats, points: npt.ArrayLike) -> Floats:
    """(…, 2) points through a homography."""
    given = np.asarray(points, float)
    mapped = given @ homography[:, :2].T + homography[:, 2]
    return mapped[..., :2] / mapped[..., 2:]


def steps_at(homography: Floats, points: npt.ArrayLike) -> Floats:
    """(…, 2, 2) derivatives of a homography; columns are the steps along its two axes."""
    given = np.asarray(points, float)
    w = (given @ homography[2, :2] + homography[2, 2])[..., None, None]
    image = through(homography, given)
    return (homography[:2, :2] - image[..., :, None] * homography[None, 2, :2]) / w


def rotations(angles: npt.ArrayLike) -> Floats:
    """(…, 2, 2) rotation matrices."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def direction(steps: Floats) -> Floats:
    """(…,) φ of A = S · rotation(φ), the polar decomposition with the symmetric part first."""
    return np.arctan2(steps[..., 1, 0] - steps[..., 0, 1], steps[..., 0, 0] + steps[..., 1, 1])


def fit_homography(source: Floats, target: Floats, weights: Floats, rounds: int = 4) -> Floats:
    """Weighted least squares in target units: the linear solution, re-weighted until it is geometric."""
    before, after = _normaliser(source), _normaliser(target)
    x, y = through(before, source).T
    u, v = through(after, target).T
    one, zero = np.ones_like(x), np.zeros_like(x)
    upper = np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], axis=1)
    lower = np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], axis=1)
    depth = one
    for _ in range(rounds):
        row = (np.sqrt(weights) / depth)[:, None]
        matrix = np.concatenate([upper * row, lower * row])
        _, vectors = np.linalg.eigh(matrix.T @ matrix)
        found = vectors[:, 0].reshape(3, 3)
        depth = np.abs(x * found[2, 0] + y * found[2, 1] + found[2, 2])
        depth = np.maximum(depth / max(float(depth.max()), 1e-12), 1e-3)
    homography = np.linalg.inv(after) @ found @ before
    return homography / homography[2, 2]


def _normaliser(points: Floats) -> Floats:
    middle = points.mean(axis=0)
    spread = max(float(np.abs(points - middle).mean()), 1e-9)
    return np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])
