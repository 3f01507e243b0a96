"""A reading drawn on its photo: what lies where, what is doubted, and which cells score together.

Runs on its own: `python -m vision.overlay PHOTO GAME OUT.jpg`.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from vision.decode import Picture, decode
from vision.reading import Alternative, Cell, Polygon, Reading

Points = npt.NDArray[np.float64]
"""(n, 2) pixels of the picture that is drawn on."""


@dataclass(frozen=True, slots=True)
class OverlayLook:
    """How the drawing looks; lengths are shares of a cell's size. Colours are RGB."""

    longest_px: int = 1600
    outline: float = 0.02
    doubt_outline: float = 0.07
    row_line: float = 0.1
    letter: float = 0.24
    doubt_letter: float = 0.19
    smallest_letter_px: int = 9
    caption_px: int = 26
    cell: tuple[int, int, int] = (255, 255, 255)
    doubt: tuple[int, int, int] = (255, 196, 0)
    text: tuple[int, int, int] = (255, 255, 255)
    shade: tuple[int, int, int] = (0, 0, 0)
    rows: tuple[tuple[int, int, int], ...] = (
        (0, 200, 255),
        (255, 90, 160),
        (120, 230, 60),
        (255, 140, 0),
        (170, 120, 255),
        (250, 230, 60),
    )
    row_opacity: float = 0.75


LOOK = OverlayLook()


def draw_reading(
    image: Picture,
    reading: Reading,
    rows: Iterable[Sequence[Cell]] = (),
    caption: str = "",
    look: OverlayLook = LOOK,
) -> Picture:
    """A copy of `image` (BGR, the upright photo at any scale) with `reading` drawn on it.

    `rows` are groups of cells that score together: each becomes a coloured line through its cells.
    """
    scale = image.shape[1] / reading.photo_size[0] if reading.photo_size[0] else 1.0
    places = {doubt.at: _points(doubt.polygon, scale) for doubt in reading.doubts}
    places.update((seen.at, _points(seen.polygon, scale)) for seen in reading.cells)
    unit = float(np.median([_extent(points) for points in places.values()])) if places else 0.0
    canvas = Image.fromarray(cv2.cvtColor(_with_rows(image, rows, places, unit, look), cv2.COLOR_BGR2RGB))
    pen = ImageDraw.Draw(canvas)
    doubts = {doubt.at: doubt.alternatives for doubt in reading.doubts}
    for seen in reading.cells:
        _outline(pen, places[seen.at], look.cell, max(1, look.outline * unit), look.shade)
    for at in doubts:
        _outline(pen, places[at], look.doubt, max(3, look.doubt_outline * unit), look.shade)
    tiles = {seen.at: label(seen.tile, seen.mark) for seen in reading.cells}
    for at, points in places.items():
        if at in doubts:
            _text(
                pen, points, _question(tiles.get(at), doubts[at]), look.doubt_letter * unit, look.doubt, look
            )
        else:
            _text(pen, points, tiles[at], look.letter * unit, look.text, look)
    if caption:
        _caption(pen, canvas.size, caption, look)
    return cv2.cvtColor(np.asarray(canvas), cv2.COLOR_RGB2BGR)  # type: ignore[no-any-return]


def fitted(image: Picture, longest: int) -> Picture:
    """The picture, made smaller if its longest side exceeds `longest` pixels."""
    factor = longest / max(image.shape[:2])
    if factor >= 1:
        return image
    size = tuple(max(1, round(side * factor)) for side in (image.shape[1], image.shape[0]))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)  # type: ignore[no-any-return]


def label(tile: str | None, mark: str | None = None) -> str:
    """A tile's name over several short lines, in letters the font has.

    >>> label("red circle"), label("9-7-3", "sun"), label(None)
    ('red\\ncircle', '9-7-3\\nsun', 'empty')
    """
    name = "empty" if tile is None else tile.replace(" ", "\n")
    return plain_letters(f"{name}\n{mark}" if mark else name)


def plain_letters(text: str) -> str:
    """Without accents: the built-in font knows no Polish letters.

    >>> plain_letters("żółty −2")
    'zolty -2'
    """
    bare = unicodedata.normalize("NFKD", text.translate({ord("ł"): "l", ord("Ł"): "L", ord("−"): "-"}))
    return "".join(letter for letter in bare if ord(letter) < 256)


def _question(read: str | None, alternatives: Sequence[Alternative]) -> str:
    names = [read or "empty", *(label(other.tile, other.mark) for other in alternatives)]
    return "?\n".join(name.replace("\n", " ") for name in dict.fromkeys(names)) + "?"


def _points(polygon: Polygon, scale: float) -> Points:
    # Corners are given in the centres of full-size pixels.
    return (np.asarray(polygon, np.float64).reshape(-1, 2) + 0.5) * scale - 0.5


def _extent(points: Points) -> float:
    return float(np.sqrt(cv2.contourArea(points.astype(np.float32)))) if len(points) else 0.0


def _with_rows(
    image: Picture, rows: Iterable[Sequence[Cell]], places: dict[Cell, Points], unit: float, look: OverlayLook
) -> Picture:
    """Lines between the cells of a group that touch each other, a colour of its own for each group."""
    drawn = image.copy()
    width = max(2, round(look.row_line * unit))
    for index, row in enumerate(rows):
        red, green, blue = look.rows[index % len(look.rows)]
        centres = [places[cell].mean(axis=0) for cell in row if cell in places]
        pairs = list(combinations(centres, 2))
        near = 1.25 * min((float(np.linalg.norm(one - two)) for one, two in pairs), default=0.0)
        for one, two in pairs:
            if np.linalg.norm(one - two) <= near:
                start, end = (tuple(point.round().astype(int).tolist()) for point in (one, two))
                cv2.line(drawn, start, end, (blue, green, red), width, cv2.LINE_AA)
    return cv2.addWeighted(drawn, look.row_opacity, image, 1 - look.row_opacity, 0)  # type: ignore[no-any-return]


def _outline(
    pen: ImageDraw.ImageDraw,
    points: Points,
    colour: tuple[int, int, int],
    width: float,
    shade: tuple[int, int, int],
) -> None:
    corners = [tuple(point) for point in points]
    if len(corners) < 2:
        return
    ring = [*corners, *corners[:2]]
    # A dark edge keeps a light line visible on a light table.
    pen.line(ring, shade, round(width) + 2, joint="curve")
    pen.line(ring, colour, round(width), joint="curve")


def _text(
    pen: ImageDraw.ImageDraw,
    points: Points,
    text: str,
    size: float,
    colour: tuple[int, int, int],
    look: OverlayLook,
) -> None:
    if not len(points):
        return
    size = max(look.smallest_letter_px, size)
    x, y = points.mean(axis=0)
    pen.multiline_text(
        (float(x), float(y)),
        text,
        fill=colour,
        font=ImageFont.load_default(size),
        anchor="mm",
        align="center",
        spacing=round(size * 0.1),
        stroke_width=max(1, round(size * 0.12)),
        stroke_fill=look.shade,
    )


def _caption(pen: ImageDraw.ImageDraw, size: tuple[int, int], caption: str, look: OverlayLook) -> None:
    height = min(look.caption_px, max(look.smallest_letter_px, size[0] // 24))
    lines = plain_letters(caption)
    font = ImageFont.load_default(height)
    box = pen.multiline_textbbox((0, 0), lines, font=font)
    pen.rectangle((0, 0, size[0], box[3] + height // 2), fill=look.shade)
    pen.multiline_text((height // 3, height // 5), lines, fill=look.text, font=font)


def main(photo: str, game: str, out: str) -> None:
    """Read one photo and write the picture of what was read."""
    import vision

    data = Path(photo).read_bytes()
    reading = vision.read(data, game)  # type: ignore[attr-defined]
    image = fitted(decode(data, longest=LOOK.longest_px).image, LOOK.longest_px)
    cv2.imwrite(out, draw_reading(image, reading))


if __name__ == "__main__":
    main(*sys.argv[1:4])
