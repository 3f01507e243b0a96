"""The sample photographs with their truth, read once per test run."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from models.measure.cases import Case, find_cases
from models.measure.compare import Comparison, compare, score
from vision import Reading, Unreadable, read
from vision.decode import Picture

SAMPLES = Path(__file__).parents[2] / "samples"
CASES: dict[str, Case] = {case.photo.stem: case for case in find_cases([SAMPLES])[0]}
NAMES = tuple(CASES)
GAMES = tuple(dict.fromkeys(case.truth.game for case in CASES.values()))


def photo(name: str) -> bytes:
    return CASES[name].photo.read_bytes()


def picture(name: str) -> Picture:
    found: Picture = cv2.imdecode(np.frombuffer(photo(name), np.uint8), cv2.IMREAD_COLOR)
    return found


@cache
def reading(name: str) -> Reading | Unreadable:
    """What the reader makes of the sample, or why it refuses."""
    return outcome(photo(name), CASES[name].truth.game)


def outcome(data: bytes, game: str) -> Reading | Unreadable:
    try:
        return untimed(read(data, game))
    except Unreadable as refused:
        return refused


def untimed(found: Reading) -> Reading:
    """How long it took is no part of what was read."""
    return replace(found, ms={})


def compared(name: str, found: Reading) -> Comparison:
    case = CASES[name]
    return compare(found, case.truth, score(found, case.options))


def differences(found: Reading, plain: Reading) -> list[str]:
    """Where two readings of one board name different tiles, and neither has doubts."""
    case = CASES[readable(plain.game)]
    marks = {cell.at: cell.mark for cell in plain.cells if cell.mark}
    tiles = {cell.at: cell.tile for cell in plain.cells}
    truth = replace(case.truth, tiles=tiles, marks=marks, layout=plain.layout, size=plain.size)
    asked = len(plain.doubts)
    wrong = [cell.text for cell in compare(found, truth, None).wrong if not cell.doubted]
    # What the plain reading itself asks about may come out either way.
    return wrong if len(wrong) > asked else []


def readable(game: str) -> str:
    """A sample of this game that is read at present."""
    return next(
        name for name in NAMES if CASES[name].truth.game == game and isinstance(reading(name), Reading)
    )


def as_jpeg(image: Picture, quality: int = 95, progressive: bool = False) -> bytes:
    how = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)]
    return bytes(cv2.imencode(".jpg", image, how)[1].tobytes())


def as_png(image: Picture) -> bytes:
    return bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes())
