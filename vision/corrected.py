"""A corrected tile becomes evidence for the edition of its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import Picture, decode
from vision.editions import Edition
from vision.families import QWIRKLE, TRIO, Family
from vision.reading import Cell, Polygon
from vision.recall import with_corrections
from vision.settings import SETTINGS

LEARNING: Mapping[str, Family] = {"trio": TRIO, "qwirkle": QWIRKLE}
"""Games whose taught inks corrections may move."""


def learnt_from(
    data: bytes, edition: Edition, tiles: Mapping[Cell, tuple[str, Polygon]], corrected: Sequence[Cell]
) -> Edition:
    """`edition` after people said what lies in the `corrected` cells of this photo.

    `tiles`: every tile as it stands now and its outline in the full photo.
    """
    family = LEARNING.get(edition.game)
    if family is None:
        return edition
    photo = decode(data, longest=SETTINGS.decode_px)
    cells = list(tiles)
    crops = np.stack([_crop(photo.image, tiles[cell][1], photo.scale, family) for cell in cells])
    colours = [tiles[cell][0].split(" ")[0] for cell in cells]
    chosen = {index: colours[index] for index, cell in enumerate(cells) if cell in corrected}
    return with_corrections(edition, crops, family, colours, chosen)


def _crop(image: Picture, polygon: Polygon, scale: float, family: Family) -> npt.NDArray[np.uint8]:
    """The tile within its outline and a little around it, as the reader cuts it."""
    corners = (np.array(polygon, np.float64) + 0.5) / scale - 0.5
    middle = corners.mean(axis=0)
    around = (middle + (corners - middle) * family.crop_span).astype(np.float32)
    px = family.crop_px
    target = np.array([[-0.5, -0.5], [px - 0.5, -0.5], [px - 0.5, px - 0.5], [-0.5, px - 0.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(around, target)
    return np.asarray(cv2.warpPerspective(image, matrix, (px, px), borderMode=cv2.BORDER_REPLICATE), np.uint8)
