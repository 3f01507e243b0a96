"""Stage 4: every cell as a small upright picture, all of them with one `remap`."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import Picture
from vision.families import Family
from vision.geometry import Floats, through
from vision.layout import Placed

OVERSAMPLE = 1.6
"""Photo pixels per crop pixel from which on the photo is averaged down first."""


def rectify(image: Picture, placed: Placed, family: Family) -> npt.NDArray[np.uint8]:
    """(m, px, px, 3) crops of the board's cells, centred where each tile was seen to lie."""
    lattice = placed.lattice
    px = family.crop_px
    half = family.crop_span / 2
    ticks = ((np.arange(px) + 0.5) / px * 2 - 1) * half
    plane = np.stack(np.meshgrid(ticks, ticks), axis=-1)
    offsets = plane @ np.linalg.inv(lattice.grid.to_plane).T
    places = through(lattice.homography, placed.cells[:, None, None] + offsets)
    places += centre_shift(placed)[:, None, None]
    side = np.sqrt(np.abs(np.linalg.det(lattice.steps(placed.cells)))) * family.crop_span
    zoom = float(np.median(side)) / px
    if zoom > OVERSAMPLE:
        image, places = _shrunk(image, places, 1.2 / zoom)
    flat = places.reshape(-1, px, 2).astype(np.float32)
    crops = []
    # remap counts rows in 16 bits, so a large table is cut in a few pieces.
    for start in range(0, len(flat), 32000):
        part = flat[start : start + 32000]
        crops.append(
            cv2.remap(image, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )
    return np.concatenate(crops).reshape(-1, px, px, 3)


def centre_shift(placed: Placed) -> Floats:
    """(m, 2) px from the middle of each cell to where its tile was seen; zero where none was."""
    lattice = placed.lattice
    shift = np.zeros((len(placed.cells), 2))
    seen = placed.detected >= 0
    seen[seen] &= ~lattice.found.empty[placed.detected[seen]]
    shift[seen] = lattice.found.centre[placed.detected[seen]] - through(
        lattice.homography, placed.cells[seen]
    )
    return shift


def _shrunk(image: Picture, places: Floats, zoom: float) -> tuple[Picture, Floats]:
    """The part of the picture that is looked at, averaged down, and the places in it."""
    high, wide = image.shape[:2]
    x, y = places[..., 0], places[..., 1]
    low = np.clip(np.floor([x.min(), y.min()]) - 2, 0, (wide - 1, high - 1)).astype(int)
    top = np.clip(np.ceil([x.max(), y.max()]) + 3, low + 1, (wide, high)).astype(int)
    part = image[low[1] : top[1], low[0] : top[0]]
    size = (max(1, round(part.shape[1] * zoom)), max(1, round(part.shape[0] * zoom)))
    small: Picture = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    scale = np.array([size[0] / part.shape[1], size[1] / part.shape[0]])
    return small, (places - low + 0.5) * scale - 0.5
