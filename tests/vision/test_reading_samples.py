"""The sample photographs, read: honest about every cell, whatever file, size or side they come from.

The networks are trained anew from time to time, so what is held here is honesty (no wrong cell that is not
among the doubts), not a figure; figures are measured with `kibic measure`.
"""

from __future__ import annotations

import io
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from heic_writer import heic
from PIL import Image
from sampled import (
    CASES,
    GAMES,
    NAMES,
    as_jpeg,
    as_png,
    compared,
    differences,
    outcome,
    photo,
    picture,
    readable,
    reading,
)

from models.studio.samples import SAMPLES, photograph
from vision import Reading, read
from vision.decode import turn_upright
from vision.sketches import sketches_to

UNDO = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6}
"""Storing a picture for an orientation is what another orientation does."""


def plainly(name: str) -> Reading:
    """The reading of the sample as it is."""
    found = reading(name)
    assert isinstance(found, Reading)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_is_wrong_without_being_doubted(name: str) -> None:
    found = reading(name)
    if isinstance(found, Reading):
        wrong = [cell.text for cell in compared(name, found).wrong if not cell.doubted]
        assert not wrong
        assert compared(name, found).same_frame


@pytest.mark.parametrize("game", GAMES)
def test_most_samples_are_read(game: str) -> None:
    own = [reading(name) for name in NAMES if CASES[name].truth.game == game]
    assert sum(isinstance(found, Reading) for found in own) >= 2


@pytest.mark.parametrize("name", NAMES)
def test_a_reading_keeps_its_promises(name: str) -> None:
    found = reading(name)
    if not isinstance(found, Reading):
        pytest.skip(f"refused at present: {found}")
    image = picture(name)
    assert found.photo_size == (image.shape[1], image.shape[0])
    ats = [cell.at for cell in found.cells]
    assert ats == sorted(set(ats))
    doubted = [doubt.at for doubt in found.doubts]
    assert doubted == sorted(set(doubted))
    for cell in found.cells:
        assert 0 < cell.p <= 1 + 1e-9
        chances = [cell.p, *(one.p for one in cell.alternatives)]
        assert chances == sorted(chances, reverse=True)
        assert all((one.tile, one.mark) != (cell.tile, cell.mark) for one in cell.alternatives)
        centre = np.mean(cell.polygon, axis=0)
        assert (centre > 0).all()
        assert (centre < found.photo_size).all()
    matrix = np.array(found.homography)
    for cell in found.cells:
        # Square cells are (row, column), lattice coordinates (column, row).
        at = cell.at if found.game == "mipasuje" else cell.at[::-1]
        x, y, w = matrix @ (*at, 1)
        size = np.linalg.norm(np.subtract(cell.polygon[0], cell.polygon[2]))
        assert np.linalg.norm(np.mean(cell.polygon, axis=0) - (x / w, y / w)) < 0.35 * size


@pytest.mark.parametrize("name", NAMES)
def test_polygons_lie_on_the_tiles(name: str) -> None:
    found = reading(name)
    if not isinstance(found, Reading):
        pytest.skip(f"refused at present: {found}")
    sample = next(sample for sample in SAMPLES if sample.name == name)
    scene = photograph(sample)
    truth = np.array([cell.polygon.mean(axis=0) for cell in scene.cells if cell.tile is not None])
    wrong = {cell.at for cell in compared(name, found).wrong}
    for cell in found.cells:
        if cell.at in wrong:
            continue
        sides = np.linalg.norm(np.roll(cell.polygon, -1, axis=0) - np.array(cell.polygon), axis=1)
        gap = np.linalg.norm(truth - np.mean(cell.polygon, axis=0), axis=1).min()
        assert gap < 0.2 * sides.mean()


@pytest.mark.parametrize("game", GAMES)
def test_the_same_bytes_give_the_same_reading(game: str) -> None:
    name = readable(game)
    again = outcome(photo(name), game)
    assert again == reading(name)


def stored(name: str, orientation: int) -> bytes:
    """The sample as a file that its EXIF orientation turns upright; no pixel is lost."""
    image = turn_upright(picture(name), UNDO[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    Image.fromarray(image[:, :, ::-1]).save(out, "PNG", exif=exif, compress_level=1)
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_exif_orientation_gives_the_same_reading(game: str) -> None:
    name = readable(game)
    upright = outcome(stored(name, 1), game)
    assert isinstance(upright, Reading)
    for orientation in range(2, 9):
        assert outcome(stored(name, orientation), game) == upright


def held(name: str, orientation: int) -> bytes:
    """The JPEG as it is, with an EXIF block that has it shown on its side or head."""
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    block = b"Exif\0\0" + tiff
    data = photo(name)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + data[2:]


@pytest.mark.parametrize("orientation", [3, 6, 8])
@pytest.mark.parametrize("game", GAMES)
def test_the_phone_may_be_held_any_way(game: str, orientation: int) -> None:
    """The board lies on its side in the picture: which way is up is found from the board itself."""
    name = readable(game)
    found = outcome(held(name, orientation), game)
    if isinstance(found, Reading):
        assert not differences(found, plainly(name))
        width, height = picture(name).shape[1::-1]
        assert found.photo_size == ((width, height) if orientation == 3 else (height, width))


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIC", "progressive JPEG", "poor JPEG", "PNG, transparent"])
@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_file_is_read(game: str, kind: str) -> None:
    name = readable(game)
    image = picture(name)
    data = {
        "PNG": lambda: as_png(image),
        "WEBP": lambda: cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, 90])[1].tobytes(),
        "HEIC": lambda: heic(image),
        "progressive JPEG": lambda: as_jpeg(image, progressive=True),
        "poor JPEG": lambda: as_jpeg(image, 60),
        "PNG, transparent": lambda: as_png(cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)),
    }[kind]()
    found = outcome(data, game)
    assert isinstance(found, Reading)
    assert not differences(found, plainly(name))


@pytest.mark.parametrize("share", [0.6, 1.3, 2.5], ids=["960", "2080", "4000"])
@pytest.mark.parametrize("game", GAMES)
def test_the_size_of_a_photo_does_not_matter(game: str, share: float) -> None:
    name = readable(game)
    image = picture(name)
    size = (round(image.shape[1] * share), round(image.shape[0] * share))
    scaled = cv2.resize(image, size, interpolation=cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC)
    found = outcome(as_jpeg(scaled), game)
    if isinstance(found, Reading):
        assert not differences(found, plainly(name))
        assert found.photo_size == size
    if share > 1:
        assert isinstance(found, Reading)


@pytest.mark.parametrize("game", GAMES)
def test_pointing_at_the_board_changes_nothing_about_it(game: str) -> None:
    name = readable(game)
    plain = plainly(name)
    points = np.array([point for cell in plain.cells for point in cell.polygon])
    (x0, y0), (x1, y1) = points.min(axis=0) - 20, points.max(axis=0) + 20
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    found = read(photo(name), game, {"corners": corners})
    assert not differences(found, plain)


def test_a_named_board_or_size_is_kept_to() -> None:
    found = read(photo(readable("mipasuje")), "mipasuje", {"board": "standard"})
    assert found.layout == "standard"
    found = read(photo(readable("bits")), "bits", {"size": [6, 4]})
    assert found.size == (6, 4)


def test_every_stage_can_be_watched(tmp_path: Path) -> None:
    with sketches_to(tmp_path):
        read(photo(readable("qwirkle")), "qwirkle")
    names = sorted(path.stem.split("-")[1] for path in tmp_path.glob("*.png"))
    assert {"decode", "detections", "lattice"} <= set(names)
