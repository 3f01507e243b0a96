"""What is no photo of this game's board is refused, in one line and in no time."""

from __future__ import annotations

import io
import struct
import time
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
import skimage
from PIL import Image
from sampled import CASES, GAMES, NAMES, as_jpeg, as_png, outcome, photo, picture, readable, reading

from vision import Reading, Unreadable

NATURAL = (
    "astronaut.png",
    "chelsea.png",
    "coffee.png",
    "rocket.jpg",
    "brick.png",
    "grass.png",
    "gravel.png",
    "coins.png",
    "camera.png",
    "page.png",
    "text.png",
    "chessboard_RGB.png",
    "motorcycle_left.png",
    "hubble_deep_field.jpg",
    "retina.jpg",
)
"""Pictures that scikit-image brings along: a cat, a cup, walls, coins, print, a chessboard, stars …"""


def refused(data: bytes, game: str) -> str:
    found = outcome(data, game)
    assert isinstance(found, Unreadable), f"read as {found}"
    message = str(found)
    assert "\n" not in message
    assert 10 < len(message) < 120
    return found.code


@pytest.mark.parametrize("name", NATURAL)
def test_pictures_of_other_things_are_refused(name: str) -> None:
    data = (Path(skimage.__file__).parent / "data" / name).read_bytes()
    for game in GAMES:
        refused(data, game)


def blank(kind: str) -> np.ndarray:
    rng = np.random.default_rng(0)
    ramp = np.linspace(90, 180, 1600)[None, :, None] * np.linspace(0.7, 1.1, 1200)[:, None, None]
    wood = np.repeat(np.sin(np.arange(1200) / 9)[:, None], 1600, axis=1) * 12
    made = {
        "white": np.full((1200, 1600, 3), 255),
        "black": np.zeros((1200, 1600, 3)),
        "shaded": np.repeat(ramp, 3, axis=2),
        "grainy": np.repeat(ramp, 3, axis=2) + rng.normal(0, 8, (1200, 1600, 3)),
        "wood": np.array([90, 130, 170]) + wood[..., None] + rng.normal(0, 4, (1200, 1600, 1)),
        "noise": rng.uniform(0, 255, (1200, 1600, 3)),
    }[kind]
    return np.clip(made, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("kind", ["white", "black", "shaded", "grainy", "wood", "noise"])
def test_an_empty_table_is_refused(kind: str) -> None:
    data = as_jpeg(blank(kind))
    for game in GAMES:
        refused(data, game)


@pytest.mark.parametrize("angle", [0, 20])
def test_a_chessboard_is_refused(angle: float) -> None:
    board = np.full((1200, 1600, 3), (70, 100, 120), np.uint8)
    squares = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((110, 110)))
    board[160:1040, 360:1240] = np.where(squares[..., None] > 0, (200, 225, 235), (50, 70, 95))
    turn = cv2.getRotationMatrix2D((800, 600), angle, 0.9)
    board = cv2.warpAffine(board, turn, (1600, 1200), borderMode=cv2.BORDER_REPLICATE)
    for game in GAMES:
        refused(as_jpeg(board), game)


@pytest.mark.parametrize("name", NAMES)
def test_another_game_is_refused(name: str) -> None:
    for game in GAMES:
        if game != CASES[name].truth.game:
            refused(photo(name), game)


@pytest.mark.parametrize("game", ["mipasuje", "bits"])
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_half_a_board_is_refused(game: str, side: str) -> None:
    name = readable(game)
    whole = reading(name)
    assert isinstance(whole, Reading)
    image = picture(name)
    x, y = np.mean([np.mean(cell.polygon, axis=0) for cell in whole.cells], axis=0).astype(int)
    half = {"left": image[:, x:], "right": image[:, :x], "top": image[y:], "bottom": image[:y]}[side]
    refused(as_png(half), game)


@pytest.mark.parametrize("pixels", [1, 2, 15, 40])
def test_tiny_pictures_are_refused(pixels: int) -> None:
    image = np.random.default_rng(0).integers(0, 255, (pixels, pixels + 3, 3), np.uint8)
    for game in GAMES:
        refused(as_png(image), game)


@pytest.mark.parametrize("shape", [(4, 3000), (3000, 4)])
def test_slivers_are_refused(shape: tuple[int, int]) -> None:
    for game in GAMES:
        refused(as_png(np.full((*shape, 3), 120, np.uint8)), game)


def test_a_photo_from_the_other_end_of_the_room_is_refused() -> None:
    name = readable("mipasuje")
    small = cv2.resize(picture(name), (120, 90), interpolation=cv2.INTER_AREA)
    far = cv2.copyMakeBorder(small, 500, 500, 700, 700, cv2.BORDER_REFLECT_101)
    far[:] = np.median(small, axis=(0, 1))
    far[555:645, 740:860] = small
    refused(as_jpeg(far), "mipasuje")


def saved(kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    frames = [Image.new("RGB", (64, 48), (index * 60, 90, 120)) for index in range(3)]
    frames[0].save(out, kind, **options, **({"append_images": frames[1:]} if "save_all" in options else {}))
    return out.getvalue()


def bomb(side: int = 20000) -> bytes:
    """A small PNG that claims, and has, a great many pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = zlib.compress(bytes(64) * 1000, 9)
    size = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


BAD_FILES = {
    "empty": (b"", "empty-file"),
    "text": (b"cells,tiles\n1,2\n" * 50, "not-a-picture"),
    "html": (b"<!doctype html><title>photo.jpg</title>", "not-a-picture"),
    "pdf": (b"%PDF-1.7\n" + bytes(500), "not-a-picture"),
    "zip": (b"PK\x03\x04" + bytes(500), "not-a-picture"),
    "video": (b"\0\0\0\x18ftypmp42" + bytes(500), "not-a-picture"),
    "gif": (saved("GIF"), "not-a-picture"),
    "bmp": (saved("BMP"), "not-a-picture"),
    "tiff": (saved("TIFF"), "not-a-picture"),
    "animated webp": (saved("WEBP", save_all=True), "animated"),
    "animated png": (saved("PNG", save_all=True), "animated"),
    "jpeg header alone": (saved("JPEG")[:20], "damaged-file"),
    "half a png": (saved("PNG")[: len(saved("PNG")) // 2], "damaged-file"),
    "jpeg full of zeros": (saved("JPEG")[:200] + bytes(4000), "damaged-file"),
    "bomb": (bomb(), "too-many-pixels"),
    "zeros": (bytes(100_000), "not-a-picture"),
    "noise": (np.random.default_rng(0).bytes(100_000), "not-a-picture"),
    "broken heic": (b"\0\0\0\x18ftypheic" + bytes(300), "damaged-file"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_files_are_refused_at_once(kind: str) -> None:
    data, code = BAD_FILES[kind]
    for game in GAMES:
        start = time.process_time()
        assert refused(data, game) == code
        assert time.process_time() - start < 1


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_half_a_photo_file_is_refused_at_once(share: float) -> None:
    data = photo(NAMES[0])
    start = time.process_time()
    assert refused(data[: int(len(data) * share)], CASES[NAMES[0]].truth.game) == "damaged-file"
    assert time.process_time() - start < 1
