"""A square tile taken apart: the ground it is painted on, the ink of its symbol, and the symbol's shape.

A copy of a game prints the same few drawings on every tile, so one photo of each is a stencil for all others.
Only within one copy: two publishers' stars have different stencils.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Crops = npt.NDArray[np.uint8]

STENCIL_PX = 16
REACH = 0.38
"""How far from the tile's middle a symbol may reach, in pitches."""
CORNER = (0.40, 0.33)
"""Ground is looked for beyond the first (Euclidean) and within the second (along the sides), in pitches."""
INKED = 0.75
"""Share of the strongest contrast from which on a pixel is plainly ink."""
TURNS_DEGREES = (-3.5, 3.5)
ZOOMS = (0.94, 1.04)
SHIFTS_PX = (-0.7, 0.0, 0.7)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What (n, px, px, 3) BGR crops consist of."""

    ground: Floats
    """(n, 3) BGR."""
    ink: Floats
    """(n, 3) BGR."""
    stencil: npt.NDArray[np.float32]
    """(n, STENCIL_PX, STENCIL_PX) coverage of the symbol, about 0 … 1."""
    contrast: Floats
    """(n,) levels between ground and ink."""


def taken_apart(crops: Crops, span: float) -> Parts:
    """`span`: side of a crop in pitches."""
    px = crops.shape[1]
    line = ((np.arange(px) + 0.5) / px - 0.5) * span
    x, y = np.meshgrid(line, line)
    radius, side = np.hypot(x, y), np.maximum(np.abs(x), np.abs(y))
    corner, inside = (radius > CORNER[0]) & (side < CORNER[1]), radius < REACH
    pixels = crops.astype(np.float32)
    ground = np.median(pixels[:, corner], axis=1)
    away = np.linalg.norm(pixels - ground[:, None, None], axis=3)
    within = away[:, inside]
    strong = INKED * np.quantile(within, 0.9, axis=1)
    ink = np.stack(
        [
            np.median(crop[inside][far >= least], axis=0)
            for crop, far, least in zip(pixels, within, strong, strict=True)
        ]
    )
    axis = ink - ground
    contrast = np.linalg.norm(axis, axis=1)
    cover = ((pixels - ground[:, None, None]) * axis[:, None, None]).sum(axis=3)
    cover = np.clip(cover / np.maximum(contrast, 1.0)[:, None, None] ** 2, -0.2, 1.2)
    cover *= radius < 1.1 * REACH
    low = round(px * (0.5 - 1.1 * REACH / span))
    stencil = np.stack(
        [
            cv2.resize(
                one[low : px - low, low : px - low], (STENCIL_PX, STENCIL_PX), interpolation=cv2.INTER_AREA
            )
            for one in cover.astype(np.float32)
        ]
    )
    return Parts(ground.astype(np.float64), ink.astype(np.float64), stencil, contrast.astype(np.float64))


def _window(cover: npt.NDArray[np.float32], side: float) -> npt.NDArray[np.float32]:
    """The middle `side` pixels, reduced to a stencil."""
    low = round((cover.shape[0] - side) / 2)
    part = cover[low : cover.shape[0] - low, low : cover.shape[1] - low]
    found: npt.NDArray[np.float32] = cv2.resize(part, (STENCIL_PX, STENCIL_PX), interpolation=cv2.INTER_AREA)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Stencils:
    """Every known drawing, turned, zoomed and shifted as tiles on a table are."""

    rows: npt.NDArray[np.float32]
    """(m, STENCIL_PX²) of unit length and without mean."""
    kind: npt.NDArray[np.intp]
    """(m,) which kind each row shows, in ascending order."""
    kinds: int

    def likeness(self, stencil: npt.NDArray[np.float32]) -> Floats:
        """(n, kinds) −1 … 1: how well each cell's symbol fits each kind at its best."""
        found = even(stencil) @ self.rows.T
        return np.maximum.reduceat(found, np.searchsorted(self.kind, np.arange(self.kinds)), axis=1).astype(
            np.float64
        )


def even(stencil: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(n, STENCIL_PX²) rows without mean, of unit length."""
    rows = stencil.reshape(len(stencil), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    found: npt.NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return found


def stencils(examples: list[npt.NDArray[np.float32]]) -> Stencils:
    """From each kind's (k, STENCIL_PX, STENCIL_PX) examples."""
    rows, kind = [], []
    for index, shown in enumerate(examples):
        varied = np.stack([one for example in shown for one in _varied(example)])
        rows.append(even(varied))
        kind.append(np.full(len(varied), index))
    return Stencils(np.concatenate(rows), np.concatenate(kind), len(examples))


def _varied(stencil: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
    middle = (STENCIL_PX - 1) / 2
    found = []
    for quarter in range(4):
        turned = np.ascontiguousarray(np.rot90(stencil, quarter))
        for degrees in TURNS_DEGREES:
            for zoom in ZOOMS:
                matrix = cv2.getRotationMatrix2D((middle, middle), degrees, zoom)
                for shift in product(SHIFTS_PX, SHIFTS_PX):
                    moved = matrix + np.array([[0, 0, shift[0]], [0, 0, shift[1]]])
                    found.append(cv2.warpAffine(turned, moved, (STENCIL_PX, STENCIL_PX)).astype(np.float32))
    return found


def typical(stencil: npt.NDArray[np.float32], most: int = 2) -> npt.NDArray[np.float32]:
    """The few of (k, …) examples of one kind that look most like the others, whatever their quarter turn."""
    rows = even(stencil)
    turned = [
        even(np.stack([np.rot90(one, quarter) for one in stencil]).astype(np.float32)) for quarter in range(4)
    ]
    alike = np.max([rows @ one.T for one in turned], axis=0)
    return stencil[np.argsort(-alike.sum(axis=1), kind="stable")[:most]]
