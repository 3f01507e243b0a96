"""The colours of the three lines that cross a hexagonal tile."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from vision.families import HEX

Floats = npt.NDArray[np.float64]
Crops = npt.NDArray[np.uint8]

TOWARDS = ((0.0, -1.0), (-np.sqrt(3) / 2, 0.5), (np.sqrt(3) / 2, 0.5))
"""Where the vertical, the rising and the falling line have their digits, from the tile's middle."""
VALUES = ("1", "5", "9", "2", "6", "7", "3", "4", "8")
"""Three per direction, in the order of `TOWARDS`."""
ALONG = (0.34, 0.8)
"""Sides from the middle between which a line crosses no other and has not ended yet."""
ACROSS = 0.05
"""Sides on both sides of a line's middle that surely are of its colour."""


@cache
def _strips() -> tuple[npt.NDArray[np.intp], ...]:
    """Per direction the pixels of the crop that lie on its line, both ends."""
    px = HEX.crop_px
    ticks = ((np.arange(px) + 0.5) / px * 2 - 1) * HEX.crop_span / 2
    x, y = np.meshgrid(ticks, ticks)
    found = []
    for ux, uy in TOWARDS:
        along, across = np.abs(x * ux + y * uy), np.abs(x * uy - y * ux)
        found.append(np.flatnonzero((along > ALONG[0]) & (along < ALONG[1]) & (across < ACROSS)))
    return tuple(found)


@cache
def _corners() -> npt.NDArray[np.intp]:
    """Pixels between the lines, towards the tile's corners."""
    px = HEX.crop_px
    ticks = ((np.arange(px) + 0.5) / px * 2 - 1) * HEX.crop_span / 2
    x, y = np.meshgrid(ticks, ticks)
    chosen = np.zeros((px, px), bool)
    for corner in range(6):
        angle = corner * np.pi / 3
        chosen |= np.hypot(x - 0.66 * np.cos(angle), y - 0.66 * np.sin(angle)) < 0.1
    return np.flatnonzero(chosen)


def grounds(crops: Crops) -> Floats:
    """(n, 3) BGR of what the lines are printed on."""
    flat = crops.reshape(len(crops), -1, 3)
    return np.median(flat[:, _corners()], axis=1).astype(np.float64)


def line_inks(crops: Crops) -> Floats:
    """(n, 3 directions, 3 BGR) of upright crops; a digit at one end does not matter."""
    flat = crops.reshape(len(crops), -1, 3)
    return np.stack([np.median(flat[:, strip], axis=1) for strip in _strips()], axis=1).astype(np.float64)
