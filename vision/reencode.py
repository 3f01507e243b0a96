"""A photograph as it may be kept: upright pixels in a fresh JPEG, and nothing else that was in the file."""

from __future__ import annotations

from typing import NamedTuple

import cv2

from vision.decode import decode
from vision.reading import Unreadable

LONGEST = 2600
"""Pixels of the longest side that are always kept; what has twice as many is halved."""
QUALITY = 92


class Fresh(NamedTuple):
    jpeg: bytes
    width: int
    height: int


def reencode(data: bytes) -> Fresh:
    """The picture in `data` without place, time, device, thumbnails or anything appended to the file."""
    image = decode(data, longest=LONGEST).image
    done, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise Unreadable("damaged-file", "the picture file is damaged or incomplete: send it again")
    height, width = image.shape[:2]
    return Fresh(encoded.tobytes(), width, height)
