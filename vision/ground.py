"""Bits: what the bare ramp looks like, seen on the strip above its cells, and which cells look the same."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import Picture
from vision.families import BITS
from vision.geometry import Floats, through
from vision.layout import Placed
from vision.rectify import rectify
from vision.settings import ReaderSettings


def bare_odds(
    image: Picture, placed: Placed, crops: npt.NDArray[np.uint8], settings: ReaderSettings
) -> Floats:
    """(m,) log-odds that something lies in each cell, by how far its colour is from the bare ramp's."""
    columns = int(placed.cells[:, 0].max()) + 1
    strip = np.array([(column, -1) for column in range(columns)])
    high, wide = image.shape[:2]
    centres = through(placed.lattice.homography, strip)
    strip = strip[np.all((centres >= 0) & (centres < (wide, high)), axis=1)]
    if not len(strip):
        return np.zeros(len(placed.cells))
    above = replace(placed, cells=strip, detected=np.full(len(strip), -1))
    bare = _middle_colours(rectify(image, above, BITS))
    # A title is printed on part of the strip, so the nearest of its colours counts.
    distance = np.linalg.norm(_middle_colours(crops)[:, None] - bare[None], axis=2).min(axis=1)
    return np.interp(distance, settings.bare_distance, settings.bare_odds)


def _middle_colours(crops: npt.NDArray[np.uint8]) -> Floats:
    """(n, 3) CIE Lab of each crop's middle."""
    px = crops.shape[1]
    low, top = round(0.3 * px), round(0.7 * px)
    middle = np.median(crops[:, low:top, low:top].reshape(len(crops), -1, 3), axis=1)
    lab = cv2.cvtColor((middle[None] / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0]
    return lab.astype(np.float64)
