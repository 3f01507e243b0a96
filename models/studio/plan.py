"""What a painter hands to the camera: a flat, top-down plan of one table, in units of one tile pitch.

Plane coordinates: x right, y down, unit = distance between neighbouring square cells, or a hexagon's side.
Pictures are BGRA uint8 with straight (not premultiplied) alpha.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sprite:
    """One flat thing lying on the table: a tile, a domino, a board, a ramp."""

    picture: Picture
    """(h, w, 4) BGRA, covering `width` × (width · h / w) plane units around `centre`."""
    centre: tuple[float, float]
    width: float
    angle: float
    """Radians, clockwise as seen from above."""
    thickness: float
    """Height of its top face above what it lies on, in plane units."""
    outline: Points
    """(n, 2) plane coordinates of the top face's own outline, already turned and moved, clockwise."""
    side_colour: tuple[int, int, int] = (40, 40, 40)
    """BGR of the visible sides."""
    gloss: float = 0.2
    """0 matt cardboard … 1 lacquer: how strongly lamps mirror in it."""
    base: float = 0.0
    """Height of what it lies on (a tile on a thick board)."""


@dataclass(frozen=True, slots=True)
class CellPlan:
    """A cell of the truth: where it is, and what a reader should find there (None: empty)."""

    at: Cell
    tile: str | None
    polygon: Points
    """(n, 2) plane coordinates of the tile's top face as it really lies (empty: the cell itself)."""
    height: float = 0.0
    """Height of that face above the table, in plane units."""
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole table, flat: sprites from bottom to top, the truth, and the nominal lattice."""

    game: str
    edition: str
    truth: dict[str, Any]
    """The board file (design: Formats), plus `"illegal": true` where the scene is deliberately impossible."""
    sprites: tuple[Sprite, ...]
    cells: tuple[CellPlan, ...]
    bounds: tuple[float, float, float, float]
    """x0, y0, x1, y1 of what must be in the picture (the board, or all tiles), in plane units."""
    lattice: tuple[Points, Points] = field(default_factory=lambda: (np.zeros(2), np.eye(2)))
    """Origin (2,) and basis (2, 2) rows: plane point of a cell (a, b) = origin + a·basis[0] + b·basis[1]."""
    spares: tuple[Points, ...] = ()
    """Plane outlines of real tiles that lie about beside the board: seen, but no part of the truth."""
    neighbours: tuple[Points, ...] = ()
    """Plane outlines of other players' boards."""
    inks: tuple[tuple[int, int, int], ...] = ()
    """BGR of the colours on this board that mean different things and must be told apart by colour alone."""
    print_size: float = 1.0
    """Height of the smallest print that must be read, in plane units."""
