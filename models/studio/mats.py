"""Printed boards that tiles of open games lie on: grid lines, corner tints, bonus squares with numbers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.studio import shapes
from models.studio.boards import Table
from models.studio.paint import Rgb, darker, filled, hsv, jittered, noise, printed
from models.studio.plan import Points, Sprite

MAT_PIXELS_PER_CELL = 72
"""Upper limit: a mat is large, and print needs no more."""


@dataclass(frozen=True, slots=True)
class Mat:
    """The printed boards of one table and where each tile of it lies on them."""

    sprites: tuple[Sprite, ...]
    positions: Points
    """(n, 2) plane points, one per tile in the table's order."""
    thickness: float
    bounds: tuple[float, float, float, float]


def connect_mat(
    rng: np.random.Generator, table: Table, boards: tuple[int, int], pixels_per_unit: int, side: int = 8
) -> Mat:
    """Square boards of 8 × 8 cells laid edge to edge, each with a printed diagonal of bonus squares."""
    rows, columns = boards
    px = min(MAT_PIXELS_PER_CELL, pixels_per_unit)
    margin = float(rng.uniform(0.04, 0.12))
    seam = float(rng.uniform(0.0, 0.08))
    step = side + 2 * margin + seam
    thickness = float(rng.uniform(0.02, 0.08))
    ink = _ink(rng)
    sprites = []
    for top in range(rows):
        for left in range(columns):
            mirrored = _falls_left(table, top * side, left * side)
            picture = _connect_board(rng, ink, mirrored, side, margin, px)
            size = side + 2 * margin
            centre = (left * step + side / 2 - 0.5, top * step + side / 2 - 0.5)
            half = size / 2
            outline = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + np.array(
                centre
            )
            sprites.append(Sprite(picture, centre, size, 0.0, thickness, outline, (90, 120, 90), 0.15))
    positions = np.array([_on_board(cell, boards, side, step) for cell in table])
    last_x, last_y = (columns - 1) * step + side - 0.5, (rows - 1) * step + side - 0.5
    return Mat(
        tuple(sprites), positions, thickness, (-0.5 - margin, -0.5 - margin, last_x + margin, last_y + margin)
    )


def _on_board(cell: tuple[int, int], boards: tuple[int, int], side: int, step: float) -> tuple[float, float]:
    """Plane point of a cell: boards are a little more than `side` apart; tiles may stick out at the rim."""
    row, column = cell
    down, across = (min(max(place // side, 0), count - 1) for place, count in zip(cell, boards, strict=True))
    return (column + across * (step - side), row + down * (step - side))


def _falls_left(table: Table, top: int, left: int) -> bool:
    return (top + 1, left + 1) not in table or (top + 2, left + 2) not in table


@dataclass(frozen=True, slots=True)
class _Ink:
    paper: Rgb
    line: Rgb
    tint: Rgb
    bonus: Rgb
    digit: Rgb
    line_width: float
    font: int


def _ink(rng: np.random.Generator) -> _Ink:
    if rng.random() < 0.6:
        return _Ink(
            jittered(rng, (226, 228, 228), 6),
            jittered(rng, (40, 150, 30), 18),
            jittered(rng, (140, 205, 170), 14),
            jittered(rng, (45, 130, 245), 12),
            jittered(rng, (50, 50, 225), 12),
            float(rng.uniform(0.012, 0.03)),
            int(rng.integers(50)),
        )
    hue = float(rng.uniform(0, 360))
    return _Ink(
        hsv(hue, float(rng.uniform(0, 0.15)), float(rng.uniform(0.75, 0.95))),
        hsv(hue + 30, 0.7, float(rng.uniform(0.3, 0.7))),
        hsv(hue + float(rng.uniform(-60, 60)), 0.3, 0.85),
        hsv(float(rng.uniform(0, 360)), 0.8, 0.9),
        hsv(float(rng.uniform(0, 360)), 0.8, 0.8),
        float(rng.uniform(0.012, 0.04)),
        int(rng.integers(50)),
    )


def _connect_board(
    rng: np.random.Generator, ink: _Ink, mirrored: bool, side: int, margin: float, px: int
) -> np.ndarray:
    size = round((side + 2 * margin) * px)
    edge = round(margin * px)
    board = np.empty((size, size, 3), np.float32)
    board[:] = ink.paper
    far = np.hypot(*np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size))).astype(np.float32)
    tint = np.clip((far - 0.75) * 2.0, 0, 0.75)[..., None]
    board += tint * (np.asarray(ink.tint, np.float32) - board)
    for name in rng.choice(list(shapes.QWIRKLE), 7):
        _ghost(rng, board, str(name), side, edge, px, ink)
    flat = np.clip(board, 0, 255).astype(np.uint8)
    thin = max(1, round(ink.line_width * px))
    for index in range(side + 1):
        at = edge + round(index * px)
        cv2.line(flat, (at, edge), (at, size - edge), ink.line, thin, cv2.LINE_AA)
        cv2.line(flat, (edge, at), (size - edge, at), ink.line, thin, cv2.LINE_AA)
    cv2.rectangle(flat, (0, 0), (size - 1, size - 1), ink.line, max(2, edge))
    for step in range(5):
        for row, column in ((step + 1, step + 2), (step + 2, step + 1)):
            _bonus(rng, flat, ink, "1", row, side - 1 - column if mirrored else column, edge, px)
    for row, column in ((1, side - 2), (side - 2, 1)):
        _bonus(rng, flat, ink, "2", row, side - 1 - column if mirrored else column, edge, px)
    return np.dstack([flat, np.full((size, size), 255, np.uint8)])


def _ghost(
    rng: np.random.Generator, board: np.ndarray, name: str, side: int, edge: int, px: int, ink: _Ink
) -> None:
    """A pale watermark of a symbol, larger than a tile's: print that must not be read as a tile."""
    size = round(px * rng.uniform(0.8, 1.6))
    y, x = (edge + int(part) for part in rng.integers(0, side * px - size, 2))
    mask = filled([outline * 0.95 for outline in shapes.QWIRKLE[name](rng, False)], size, size)
    share = mask.astype(np.float32)[..., None] / 255 * rng.uniform(0.1, 0.3)
    board[y : y + size, x : x + size] += share * (
        np.asarray(ink.tint, np.float32) * 0.75 - board[y : y + size, x : x + size]
    )


def _bonus(
    rng: np.random.Generator,
    flat: np.ndarray,
    ink: _Ink,
    digit: str,
    row: int,
    column: int,
    edge: int,
    px: int,
) -> None:
    """An orange-edged square with a red digit that stands on its corner."""
    x, y = edge + column * px, edge + row * px
    wide = max(1, round(px * 0.07))
    inset = wide // 2 + 1
    cv2.rectangle(flat, (x + inset, y + inset), (x + px - inset, y + px - inset), (238, 240, 240), -1)
    cv2.rectangle(flat, (x + inset, y + inset), (x + px - inset, y + px - inset), ink.bonus, wide)
    glyph = printed(digit, max(8, round(px * 0.62)), ink.font)
    turn = cv2.getRotationMatrix2D(
        (glyph.shape[1] / 2, glyph.shape[0] / 2), 45 + 90 * int(rng.integers(4)), 1.0
    )
    turn[:, 2] += (px - np.array(glyph.shape[::-1])) / 2
    mask = cv2.warpAffine(glyph, turn, (px, px)).astype(np.float32)[..., None] / 255
    cell = flat[y : y + px, x : x + px]
    cell[:] = (cell + mask * (np.asarray(ink.digit, np.float32) - cell)).astype(np.uint8)


def grid_mat(rng: np.random.Generator, table: Table, pixels_per_unit: int, exam: bool = False) -> Mat:
    """A plain mat under the tiles: ruled (with the tiles or not), squared, bordered, any colour."""
    rows, columns = [row for row, _ in table], [column for _, column in table]
    pad = float(rng.uniform(0.7, 3.0))
    x0, y0, x1, y1 = min(columns) - pad, min(rows) - pad, max(columns) + pad, max(rows) + pad
    px = min(MAT_PIXELS_PER_CELL, pixels_per_unit, max(8, round(1600 / max(x1 - x0, y1 - y0))))
    height, width = round((y1 - y0) * px), round((x1 - x0) * px)
    paper = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.7)), float(rng.uniform(0.3, 1.0)))
    sheet = np.empty((height, width, 3), np.float32)
    sheet[:] = paper
    sheet += noise(rng, "soft", height, width)[..., None] * float(rng.uniform(1, 5))
    flat = np.clip(sheet, 0, 255).astype(np.uint8)
    ruled = rng.random() < 0.75
    if ruled:
        ink = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.8)), float(rng.uniform(0, 1.0)))
        aligned = rng.random() < 0.7
        pitch = 1.0 if aligned else float(rng.choice((0.5, 0.8, 1.25, 2.0)))
        start = (-0.5, -0.5) if aligned else tuple(float(part) for part in rng.uniform(0, 1, 2))
        thin = max(1, round(px * float(rng.uniform(0.01, 0.05))))
        for index in range(-60, 60):
            x, y = round((start[0] + index * pitch - x0) * px), round((start[1] + index * pitch - y0) * px)
            if 0 <= x < width:
                cv2.line(flat, (x, 0), (x, height), ink, thin, cv2.LINE_AA)
            if 0 <= y < height:
                cv2.line(flat, (0, y), (width, y), ink, thin, cv2.LINE_AA)
    if rng.random() < 0.4:
        border = hsv(float(rng.uniform(0, 360)), 0.5, float(rng.uniform(0.2, 0.9)))
        cv2.rectangle(flat, (0, 0), (width - 1, height - 1), border, max(2, round(px * 0.2)))
    centre = ((x0 + x1) / 2, (y0 + y1) / 2)
    half = np.array([(x1 - x0) / 2, (y1 - y0) / 2])
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + np.array(centre)
    thickness = float(rng.choice((0.005, 0.03, 0.06)))
    picture = np.dstack([flat, np.full((height, width), 255, np.uint8)])
    side = darker(paper, 0.7)
    sprite = Sprite(picture, centre, x1 - x0, 0.0, thickness, outline, side, float(rng.uniform(0, 0.5)))
    positions = np.array([[float(column), float(row)] for row, column in table])
    return Mat((sprite,), positions, thickness, (x0, y0, x1, y1))
