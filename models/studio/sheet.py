"""Contact sheets: many small pictures on one, to look at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from models.studio.camera import Image
from models.studio.crops import crops
from models.studio.scene import Scene, render
from vision.decode import decode

PAPER = 24


def contact_sheet(images: Iterable[Image], columns: int = 4, side: int = 480) -> Image:
    """Each picture fitted into a square of `side` pixels, row by row on dark paper."""
    squares = []
    for image in images:
        scale = side / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        square = np.full((side, side, 3), PAPER, np.uint8)
        square[: small.shape[0], : small.shape[1]] = small[:side, :side]
        squares.append(square)
    squares += [np.full((side, side, 3), PAPER, np.uint8)] * (-len(squares) % columns)
    rows = [np.hstack(squares[start : start + columns]) for start in range(0, len(squares), columns)]
    return np.vstack(rows)


def outlined(scene: Scene) -> Image:
    """The photograph with every tile's outline green and every empty cell's violet."""
    image = scene.image.copy()
    for cell in scene.cells:
        colour = (0, 255, 0) if cell.tile is not None else (255, 0, 255)
        cv2.polylines(image, [np.round(cell.polygon * 16).astype(np.int32)], True, colour, 2, cv2.LINE_AA, 4)
    return image


def scenes_sheet(
    game: str, first_seed: int, count: int, style: str | None, outlines: bool, beside: Path | None = None
) -> Image:
    """`count` whole scenes with successive seeds, after the photographs in the folder `beside`."""
    images = (
        []
        if beside is None
        else [decode(path.read_bytes(), longest=1600).image for path in photos_in(beside)]
    )
    for index in range(count):
        scene = render(game, first_seed + index, style=style)
        images.append(outlined(scene) if outlines else scene.image)
    return contact_sheet(images)


def photos_in(folder: Path) -> list[Path]:
    """Every JPEG, PNG or WebP under the folder, in the order of names."""
    return sorted(
        path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp")
    )


def crops_sheet(game: str, seed: int, count: int, px: int) -> Image:
    """`count` single cells as a reader would cut them."""
    return contact_sheet(crops(game, seed, count, px).images, columns=24, side=px)
