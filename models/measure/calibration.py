"""Confidence against correctness, drawn: a reader that says 99 % should be right 99 times in 100.

Both axes count nines (90 %, 99 %, 99.9 %), because that is where a promise is kept or broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log10, sqrt
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.measure.figures import Measured

EDGES = (0.0, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9999, 1.0)
NINES = 4.0
SIDE, MARGIN = 640, 90
INK, PALE, BAND, DOT = (40, 40, 40), (215, 215, 215), (150, 120, 60), (160, 80, 20)
FONT = cv2.FONT_HERSHEY_SIMPLEX


class Bin(NamedTuple):
    """Tiles the reader was about equally sure of."""

    confidence: float
    """Their mean probability."""
    right: int
    tiles: int

    @property
    def share(self) -> float:
        return self.right / self.tiles

    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % confidence (Wilson)."""
        z, n, p = 1.96, self.tiles, self.share
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, centre - half), min(1.0, centre + half)


def judged_tiles(measured: Iterable[Measured]) -> list[tuple[float, bool]]:
    """(probability, was it right) of every tile that was named."""
    return [
        (cell.p, cell.right)
        for photo in measured
        if photo.comparison is not None
        for cell in photo.comparison.cells
        if cell.p is not None
    ]


def bins(judged: Sequence[tuple[float, bool]]) -> list[Bin]:
    """The tiles by confidence, finer towards certainty; empty bins are left out."""
    found = []
    for low, high in pairwise(EDGES):
        inside = [(p, right) for p, right in judged if low <= p < high or (high == 1.0 and p >= 1.0)]
        if inside:
            mean = sum(p for p, _ in inside) / len(inside)
            found.append(Bin(mean, sum(right for _, right in inside), len(inside)))
    return found


def calibration_error(found: Sequence[Bin]) -> float:
    """Mean distance between confidence and correctness, weighted by tiles."""
    count = sum(part.tiles for part in found)
    return sum(part.tiles * abs(part.confidence - part.share) for part in found) / count if count else 0.0


def draw_calibration(judged: Sequence[tuple[float, bool]]) -> npt.NDArray[np.uint8]:
    """The plot, BGR; a dot's bar is its 95 % interval, the number its tiles."""
    found = bins(judged)
    picture = np.full((SIDE + 2 * MARGIN, SIDE + 2 * MARGIN, 3), 255, np.uint8)
    for share, name in (
        (0.0, "0"),
        (0.5, "50"),
        (0.9, "90"),
        (0.99, "99"),
        (0.999, "99.9"),
        (0.9999, "99.99 %"),
    ):
        x, y = _place(share, share)
        cv2.line(picture, (x, MARGIN), (x, MARGIN + SIDE), PALE, 1)
        cv2.line(picture, (MARGIN, y), (MARGIN + SIDE, y), PALE, 1)
        cv2.putText(picture, name, (x - 14, MARGIN + SIDE + 24), FONT, 0.5, INK, 1, cv2.LINE_AA)
        cv2.putText(picture, name, (MARGIN - 70, y + 5), FONT, 0.5, INK, 1, cv2.LINE_AA)
    cv2.line(picture, _place(0, 0), _place(1, 1), BAND, 1, cv2.LINE_AA)
    for part in found:
        low, high = part.interval()
        cv2.line(picture, _place(part.confidence, low), _place(part.confidence, high), DOT, 2, cv2.LINE_AA)
        x, y = _place(part.confidence, part.share)
        cv2.circle(picture, (x, y), 6, DOT, -1, cv2.LINE_AA)
        cv2.putText(picture, str(part.tiles), (x + 9, y - 6), FONT, 0.45, INK, 1, cv2.LINE_AA)
    title = f"{len(judged)} tiles, calibration error {100 * calibration_error(found):.2f} %"
    cv2.putText(picture, title, (MARGIN, MARGIN - 40), FONT, 0.7, INK, 1, cv2.LINE_AA)
    cv2.putText(picture, "right, of tiles this sure", (8, MARGIN - 14), FONT, 0.5, INK, 1, cv2.LINE_AA)
    below = (MARGIN + SIDE // 2 - 60, MARGIN + SIDE + 54)
    cv2.putText(picture, "how sure the reader was", below, FONT, 0.5, INK, 1, cv2.LINE_AA)
    return picture


def _place(confidence: float, share: float) -> tuple[int, int]:
    return MARGIN + round(SIDE * _nines(confidence)), MARGIN + round(SIDE * (1 - _nines(share)))


def _nines(share: float) -> float:
    """0 … 1 along an axis: 0 % at its start, four nines and more at its end."""
    return min(NINES, -log10(max(1e-12, 1 - share))) / NINES
