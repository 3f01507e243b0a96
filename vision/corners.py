"""A person shows where the board lies: the photo is straightened to their corners, then read as usual."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import decode
from vision.reading import Polygon, Reading, Unreadable

MARGIN = 0.12
"""What is kept around the corners, as a share of the board: tiles may stick out, fingers are not exact."""
LONGEST = 2000
"""Pixels of the straightened picture's longest side, at most."""
SHORTEST_SIDE = 24.0
"""Corners nearer to each other than this, in pixels, show no board."""

Floats = npt.NDArray[np.float64]
Read = Callable[[bytes, str, Mapping[str, Any]], Reading]


def read_within(
    read: Read, data: bytes, game: str, options: Mapping[str, Any], corners: Sequence[Sequence[float]]
) -> Reading:
    """The reading of what lies between `corners`: four of a rectangle, or six of a hexagon standing on a tip.

    Corners are in pixels of the upright full-size photo, clockwise; a rectangle's start at its top left, a
    hexagon's at its top. Which way is up on the board itself is still found by reading it.
    """
    photo = decode(data, longest=2 * LONGEST)
    shown = (np.asarray(corners, float) + 0.5) / photo.scale - 0.5
    straight = _frontal(shown)
    forward, _ = cv2.findHomography(shown, straight)
    if forward is None or not np.isfinite(forward).all():
        raise Unreadable("corners-wrong", "these corners make no board: put them at the board's corners")
    wide, high = (int(side) for side in np.ceil(straight.max(axis=0) + straight.min(axis=0)))
    picture = cv2.warpPerspective(photo.image, forward, (wide, high), flags=cv2.INTER_AREA)
    done, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    if not done:
        raise Unreadable("damaged-file", "the picture file is damaged or incomplete: send it again")
    back = np.linalg.inv(forward)

    def home(polygon: Polygon) -> Polygon:
        spots = cv2.perspectiveTransform(np.asarray([polygon], float), back)[0]
        full = (spots + 0.5) * photo.scale - 0.5
        return tuple((float(x), float(y)) for x, y in full)

    reading = read(encoded.tobytes(), game, options)
    return replace(
        reading,
        cells=tuple(replace(cell, polygon=home(cell.polygon)) for cell in reading.cells),
        doubts=tuple(replace(doubt, polygon=home(doubt.polygon)) for doubt in reading.doubts),
        homography=_composed(photo.scale, back, reading.homography),
        photo_size=photo.full_size,
    )


def _frontal(corners: Floats) -> Floats:
    """Where the corners go when the board is seen from straight above, margin included."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    if len(corners) not in (4, 6) or not np.isfinite(corners).all() or sides.min() < SHORTEST_SIDE:
        raise Unreadable("corners-wrong", "these corners make no board: put them at the board's corners")
    if len(corners) == 4:
        wide, high = max(sides[0], sides[2]), max(sides[1], sides[3])
        shape = np.array([[0, 0], [wide, 0], [wide, high], [0, high]])
    else:
        side = float(sides.max())
        angles = np.arange(6) * np.pi / 3 - np.pi / 2
        shape = side * (1 + np.stack([np.cos(angles), np.sin(angles)], axis=1))
        shape -= shape.min(axis=0)
    room = shape.max(axis=0).max() * MARGIN
    scale = min(1.0, LONGEST / (shape.max() + 2 * room))
    return np.asarray((shape + room) * scale, float)


def _composed(
    scale: float, back: Floats, homography: tuple[tuple[float, ...], ...]
) -> tuple[tuple[float, ...], ...]:
    if not homography:
        return ()
    full = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
    whole = full @ back @ np.asarray(homography)
    return tuple(tuple(float(value) for value in row) for row in whole / whole[2, 2])
