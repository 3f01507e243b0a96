"""Boards as a perfect detector would see them: cells under a known camera, ready to be spoilt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.decode import Photo
from vision.detect import Detections
from vision.geometry import Floats, Grid, Ints, direction, rotations, steps_at, through
from vision.header import Header
from vision.lattice import Lattice
from vision.layout import Placed

SIZE = (1600, 1200)


def camera(
    grid: Grid,
    tilt: float = 0.0,
    azimuth: float = 0.0,
    roll: float = 0.0,
    pitch_px: float = 60.0,
    focal_px: float = 1500.0,
    aim: tuple[float, float] = (SIZE[0] / 2, SIZE[1] / 2),
) -> Floats:
    """(3, 3) lattice coordinates → pixels: the cell (0, 0) at `aim`, angles in radians.

    `pitch_px`: how far apart neighbours are there, before tilt squeezes them.
    """
    distance = focal_px * grid.pitch / pitch_px
    lying = np.eye(3)
    lying[:2, :2] = rotations(azimuth) @ grid.to_plane
    c, s = np.cos(tilt), np.sin(tilt)
    # A plane point (x, y) leans back by the tilt: y is squeezed, and further away the further up it lies.
    lean = np.array([[1, 0, 0], [0, c, 0], [0, -s, distance]])
    inner = np.array([[focal_px, 0, 0], [0, focal_px, 0], [0, 0, 1]])
    turn = np.eye(3)
    turn[:2, :2] = rotations(roll)
    shift = np.array([[1, 0, aim[0]], [0, 1, aim[1]], [0, 0, 1]])
    matrix = shift @ turn @ inner @ lean @ lying
    return np.asarray(matrix / matrix[2, 2])


def seen(
    grid: Grid,
    homography: Floats,
    cells: Sequence[tuple[int, int]] | Ints,
    *,
    empty: Iterable[tuple[int, int]] = (),
    jitter: float = 0.0,
    turned: float = 0.0,
    heat: float = 0.9,
    rng: np.random.Generator | None = None,
) -> Detections:
    """What a detector says of these cells; centres off by `jitter` pitches, steps by `turned` radians."""
    rng = rng or np.random.default_rng(0)
    at = np.asarray(cells, np.int64).reshape(-1, 2)
    n = len(at)
    steps = steps_at(homography, at) @ np.linalg.inv(grid.to_plane)
    steps = steps @ rotations(rng.normal(0, turned, n) if turned else np.zeros(n))
    phi = direction(steps)
    size = np.sqrt(np.abs(np.linalg.det(steps)))
    off = rng.normal(0, jitter, (n, 2)) * grid.pitch * size[:, None]
    nothing = set(empty)
    return Detections(
        centre=through(homography, at) + off,
        root=steps @ rotations(-phi),
        # The network knows the direction only up to the lattice's symmetry.
        fold=np.arctan2(np.sin(phi * grid.turns), np.cos(phi * grid.turns)) / grid.turns,
        up=phi,
        heat=np.full(n, heat),
        empty=np.array([(int(x), int(y)) in nothing for x, y in at], bool),
        rivals=np.zeros(n),
    )


def together(*parts: Detections) -> Detections:
    """Several lots of detections in one photo."""
    return Detections(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in Detections.__slots__)
    )


def lattice(
    grid: Grid, homography: Floats, cells: Sequence[tuple[int, int]] | Ints, **how: object
) -> Lattice:
    """A lattice on which exactly these cells were seen."""
    found = seen(grid, homography, cells, **how)  # type: ignore[arg-type]
    at = np.asarray(cells, np.int64).reshape(-1, 2)
    return Lattice(grid, homography, found, at, found.only(np.zeros(len(at), bool)))


def placed(on: Lattice) -> Placed:
    """The lattice's own cells as a board."""
    return Placed(on, on.at, np.arange(len(on.at)), "", None, 1.0, np.inf)


def photo(width: int = SIZE[0], height: int = SIZE[1], scale: int = 1) -> Photo:
    """A grey picture of this size, which stands for one `scale` times as large."""
    full = (width * scale, height * scale)
    grey = np.full((height, width, 3), 128, np.uint8)
    return Photo(grey, scale, full, Header("JPEG", full), b"")


def picture() -> np.ndarray:
    """What `fit_lattice` needs a picture for: its size."""
    return photo().image
