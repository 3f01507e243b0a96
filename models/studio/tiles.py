"""Square tiles with one painted symbol: how a copy of the game looks, and a picture of each of its tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from models.studio.boards import Kind, Table
from models.studio.paint import Mask, Rgb, circle, filled, hsv, noise, rounded_square, turned, with_alpha
from models.studio.plan import Cell, CellPlan, Picture, Points, Sprite
from models.studio.shapes import Drawing

WORN_EDGE = 2.0
"""How much lighter than the lacquer the rubbed edge of a tile is."""


@dataclass(frozen=True, slots=True)
class Look:
    """One edition, or one table's own copy of it."""

    name: str
    ground: Rgb
    """Colour of the tile itself."""
    colours: Mapping[str, Rgb]
    shapes: Mapping[str, Drawing]
    symbol: float
    """Half the symbol's reach, as a share of half the tile."""
    corner: float
    """Corner radius, as a share of half the tile."""
    thickness: float
    """Of the tile, in tile sides."""
    side: Rgb
    gloss: float
    bevel: float
    """Width of the slanted rim, as a share of half the tile; 0 for cut cardboard."""
    grain: float
    """Levels of unevenness of the ground (wood, card)."""
    wear: float
    """0 new … 1 rubbed off in places."""
    brush: float
    """0 printed … 1 painted by hand: streaks in the colour."""
    frame: Rgb | None = None
    """A printed line around the tile, inside its edge."""
    outline: Rgb | None = None
    """A contour around the symbol."""
    centre: Rgb | None = None
    """A dot in the symbol (flowers, suns)."""
    shade: float = 0.0
    """Printed gradient within the symbol, in levels."""


def picture(rng: np.random.Generator, look: Look, kind: Kind, px: int) -> Picture:
    """(px, px, 4) BGRA of one tile seen straight from above, upright."""
    tile = filled([rounded_square(0.995, look.corner)], px, px)
    ground = np.empty((px, px, 3), np.float32)
    ground[:] = look.ground
    ground += noise(rng, "streak" if look.bevel else "soft", px, px)[..., None] * look.grain
    if look.bevel:
        _rim(rng, ground, look, px)
    if look.frame is not None:
        outer = filled([rounded_square(0.93, look.corner)], px, px)
        inner = filled([rounded_square(0.86, look.corner)], px, px)
        _lay(ground, cv2.subtract(outer, inner), look.frame)
    colour, shape = kind
    reach = look.symbol
    drawing = [outline * reach for outline in look.shapes[shape]]
    mask = filled(drawing, px, px)
    if look.outline is not None:
        wide = max(1, round(px * 0.02))
        _lay(
            ground,
            np.asarray(cv2.dilate(mask, np.ones((2 * wide + 1, 2 * wide + 1), np.uint8))),
            look.outline,
        )
    paint = np.empty((px, px, 3), np.float32)
    paint[:] = look.colours[colour]
    if look.brush:
        strokes = noise(rng, "streak", px, px)
        paint += (strokes if rng.random() < 0.5 else strokes.T)[..., None] * (7 * look.brush)
    if look.shade:
        ramp = np.linspace(-look.shade, look.shade, px, dtype=np.float32)
        paint += ramp[:, None, None] if rng.random() < 0.5 else ramp[None, :, None]
    if look.wear:
        # Paint comes off in specks and a few scratches, never so much that the shape is gone.
        rubbed = (
            noise(rng, "soft", px, px) + noise(rng, "fine", px, px) * 0.3 + noise(rng, "streak", px, px) * 0.4
        )
        keep = np.clip((3.5 - 0.9 * look.wear - rubbed) * 300, 0, 255).astype(np.uint8)
        mask = cv2.min(mask, keep)
    _blend(ground, mask, paint)
    if look.centre is not None and shape in ("flower", "sun"):
        _lay(ground, filled([circle(0.22 * reach)], px, px), look.centre)
    return with_alpha(ground, tile)


def _rim(rng: np.random.Generator, ground: np.ndarray, look: Look, px: int) -> None:
    """The slanted edge catches light from one side and is rubbed pale in places."""
    inner = filled([rounded_square(1 - look.bevel, look.corner)], px, px)
    rim = (255 - inner).astype(np.float32)[..., None] / 255
    across = np.linspace(-1, 1, px, dtype=np.float32)
    facing = (across[:, None] if rng.random() < 0.5 else across[None, :]) * (1 if rng.random() < 0.5 else -1)
    rubbed = np.clip(noise(rng, "soft", px, px) - 1.2 + look.wear, 0, 2)
    ground += rim * (facing * 14 + 8 + rubbed * 40 * WORN_EDGE * look.wear)[..., None]


def _lay(ground: np.ndarray, mask: Mask, colour: Rgb) -> None:
    share = mask.astype(np.float32)[..., None] / 255
    ground += share * (np.asarray(colour, np.float32) - ground)


def _blend(ground: np.ndarray, mask: Mask, paint: np.ndarray) -> None:
    ground += (mask.astype(np.float32)[..., None] / 255) * (paint - ground)


@dataclass(frozen=True, slots=True)
class Spread:
    """How neatly the tiles lie, in tile pitches and radians."""

    side: float
    jitter: float
    turn: float
    drift: float
    """Step of the slow wandering of rows and columns that pushed tiles get."""


def random_spread(rng: np.random.Generator) -> Spread:
    side = float(rng.uniform(0.9, 1.0)) if rng.random() < 0.8 else float(rng.uniform(0.8, 0.92))
    loose = float(rng.choice((0.2, 0.5, 1.0)))
    return Spread(
        side, (1 - side) * 0.25 + 0.008 * loose, 0.022 * loose, float(rng.choice((0.0, 0.012, 0.03)))
    )


def laid(
    rng: np.random.Generator,
    look: Look,
    table: Table,
    spread: Spread,
    pixels_per_unit: int,
    base: float = 0.0,
    pitch: Points | None = None,
) -> tuple[list[Sprite], list[CellPlan]]:
    """Every tile of the table as a sprite, and the truth about it.

    `pitch` (n, 2): plane positions in the order of `table`, where a mat decides; else tiles are one apart.
    """
    px = max(12, round(pixels_per_unit * spread.side))
    pictures: dict[tuple[Kind, int], Picture] = {}
    rows = sorted({cell[0] for cell in table})
    columns = sorted({cell[1] for cell in table})
    push_x = dict(zip(rows, _walk(rng, len(rows), spread.drift), strict=True))
    push_y = dict(zip(columns, _walk(rng, len(columns), spread.drift), strict=True))
    corners = rounded_square(spread.side / 2, 0.0, 1)
    sprites, cells = [], []
    for index, (cell, kind) in enumerate(table.items()):
        x, y = (
            (float(cell[1]), float(cell[0]))
            if pitch is None
            else (float(pitch[index, 0]), float(pitch[index, 1]))
        )
        nudge = np.clip(rng.normal(0, 1, 3), -2.0, 2.0)
        x += push_x[cell[0]] + nudge[0] * spread.jitter
        y += push_y[cell[1]] + nudge[1] * spread.jitter
        quarter = int(rng.integers(4))
        angle = float(nudge[2]) * spread.turn
        variant = int(rng.integers(2)) if pixels_per_unit > 48 else 0
        if (kind, variant) not in pictures:
            pictures[kind, variant] = picture(rng, look, kind, px)
        outline = turned(corners, angle) + np.array([x, y])
        sprites.append(
            Sprite(
                picture=pictures[kind, variant],
                centre=(x, y),
                width=spread.side,
                angle=angle + quarter * np.pi / 2,
                thickness=look.thickness * spread.side,
                outline=outline,
                side_colour=look.side,
                gloss=look.gloss,
                base=base,
            )
        )
        cells.append(CellPlan(cell, " ".join(kind), outline, base + look.thickness * spread.side))
    return sprites, cells


def lying_about(
    rng: np.random.Generator,
    look: Look,
    kinds: list[Kind],
    bounds: tuple[float, float, float, float],
    pixels_per_unit: int,
) -> tuple[list[Sprite], tuple[Points, ...]]:
    """Somebody's spare tiles beside the table's, askew: a few loose ones or a short row."""
    x0, y0, x1, y1 = bounds
    away = float(rng.uniform(1.2, 3.5))
    side = int(rng.integers(4))
    along = float(rng.uniform(-0.1, 1.1))
    x, y = x0 + along * (x1 - x0), y0 + along * (y1 - y0)
    start = np.array([(x, y0 - away), (x1 + away, y), (x, y1 + away), (x0 - away, y)][side])
    outwards = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], float)[side]
    turn = float(rng.uniform(0.2, np.pi / 2 - 0.2))
    row = rng.random() < 0.5
    px = max(12, round(pixels_per_unit * 0.95))
    corners = rounded_square(0.475, 0.0, 1)
    sprites: list[Sprite] = []
    outlines: list[Points] = []
    for index, kind in enumerate(kinds):
        if row:
            # The row runs outwards or along the table, never back into it.
            step = np.array([np.cos(turn), np.sin(turn)])
            step = step if step @ outwards >= 0 else -step
            at, angle = start + step * index * 1.0, turn
        else:
            at = (
                start
                + outwards * abs(rng.normal(0, 1.2))
                + np.array([outwards[1], outwards[0]]) * index * 1.5
            )
            angle = float(rng.uniform(0, 2 * np.pi))
        outline = turned(corners, angle) + at
        outlines.append(outline)
        sprites.append(
            Sprite(
                picture=picture(rng, look, kind, px),
                centre=(float(at[0]), float(at[1])),
                width=0.95,
                angle=angle,
                thickness=look.thickness * 0.95,
                outline=outline,
                side_colour=look.side,
                gloss=look.gloss,
            )
        )
    return sprites, tuple(outlines)


def empty_cells(table: Table, origin_pitch: dict[Cell, tuple[float, float]] | None = None) -> list[CellPlan]:
    """The empty cells beside tiles: what a reader must *not* read a tile in."""
    near = {(row + dr, column + dc) for row, column in table for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    square = rounded_square(0.5, 0.0, 1)
    return [CellPlan(cell, None, square + np.array([cell[1], cell[0]])) for cell in sorted(near - set(table))]


def _walk(rng: np.random.Generator, steps: int, size: float) -> list[float]:
    path = np.cumsum(rng.normal(0, size, steps))
    return [float(step) for step in path - path.mean()]


def random_ground(rng: np.random.Generator, dark: bool, exam: bool = False) -> Rgb:
    """A tile's own colour: black lacquer in many tones, or pale card; the exam's are tinted beyond both."""
    if dark and exam:
        return hsv(float(rng.uniform(0, 360)), float(rng.uniform(0.32, 0.6)), float(rng.uniform(0.08, 0.24)))
    if exam:
        return hsv(float(rng.uniform(80, 320)), float(rng.uniform(0.04, 0.14)), float(rng.uniform(0.8, 0.96)))
    if dark:
        return hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.25)), float(rng.uniform(0.04, 0.26)))
    return hsv(
        float(rng.uniform(20, 70)), float(rng.choice((0.02, 0.06, 0.15))), float(rng.uniform(0.82, 0.98))
    )
