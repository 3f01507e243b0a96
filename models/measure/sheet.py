"""A contact sheet of the photos the reader did worst on, each with its reading drawn on it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from models.measure.figures import Measured
from vision.decode import decode
from vision.overlay import draw_reading, fitted
from vision.reading import Reading, Unreadable

COLUMNS = 3
TILE_PX = 640
WORST = 12
GREY = 60


def worst(measured: Iterable[Measured], count: int = WORST) -> list[Measured]:
    """Silent errors and made-up boards, then refusals, doubted errors, doubts; faultless photos never."""
    faulty = [photo for photo in measured if any(_badness(photo))]
    return sorted(faulty, key=lambda photo: (_badness(photo), str(photo.case.photo)), reverse=True)[:count]


def _badness(photo: Measured) -> tuple[int, int, int, int]:
    if photo.case.truth.no_board:
        return (len(photo.reading.cells) if photo.reading and photo.made_up else 0, 0, 0, 0)
    if photo.comparison is None or photo.reading is None:
        return (0, 1, 0, 0)
    wrong = len(photo.comparison.wrong) + (not photo.comparison.board_right)
    return (wrong if photo.comparison.silent_error else 0, 0, wrong, len(photo.reading.doubts))


def draw_sheet(photos: list[Measured]) -> npt.NDArray[np.uint8]:
    """The given photos in a grid, BGR; one that is no picture at all stays a grey field with its name."""
    rows = max(1, -(-len(photos) // COLUMNS))
    sheet = np.full((rows * TILE_PX, COLUMNS * TILE_PX, 3), GREY, np.uint8)
    for index, photo in enumerate(photos):
        picture = _picture(photo)
        top, left = (index // COLUMNS) * TILE_PX, (index % COLUMNS) * TILE_PX
        sheet[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return sheet


def _picture(photo: Measured) -> npt.NDArray[np.uint8]:
    nothing = Reading(photo.case.truth.game, ())
    try:
        image = fitted(decode(photo.case.photo.read_bytes(), longest=TILE_PX).image, TILE_PX)
    except (Unreadable, OSError):
        image = np.full((TILE_PX * 3 // 4, TILE_PX, 3), GREY // 2, np.uint8)
    return draw_reading(image, photo.reading or nothing, caption=_caption(photo))


def _caption(photo: Measured) -> str:
    name = f"{photo.case.photo.parent.name}/{photo.case.photo.name}"
    if photo.reading is not None and photo.case.truth.no_board:
        return f"{name}: {len(photo.reading.cells)} tiles made up"
    if photo.comparison is None or photo.reading is None:
        return f"{name}: refused ({photo.error[0] if photo.error else '?'})"
    lines = [f"{name}: {len(photo.comparison.wrong)} wrong, {len(photo.reading.doubts)} doubts"]
    lines += photo.errors[:3]
    return "\n".join(lines)
