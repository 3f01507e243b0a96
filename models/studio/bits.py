"""Paints Bits ramps: a printed back board with rims, and dominoes that could have been dropped there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from models.studio.inks import Colour, byte, jitter
from models.studio.plan import Cell, CellPlan, Plan, Points, Sprite
from models.studio.ramps import (
    SHADES,
    DominoLook,
    RampLook,
    paint_back,
    paint_domino,
    paint_half,
    random_domino,
    random_ramp,
)
from scoring.bits import drop as gravity
from scoring.bits.options import BitsOptions
from scoring.bits.options import box as tile_set

GAME = "bits"
EDITIONS: tuple[str, ...] = ("travel", "big-box")
"""4 columns and 4 colours (2021), 6 columns and 5 colours (2011); the print is free in both."""
RANDOM = "random"
ROWS = 6


class Drop(NamedTuple):
    """A domino where it came to rest: its two cells, top or left first, and their colours."""

    cells: tuple[Cell, Cell]
    colours: tuple[int, int]

    @property
    def standing(self) -> bool:
        return self.cells[0][1] == self.cells[1][1]


def domino_set(colours: int) -> Counter[tuple[int, int]]:
    """One player's dominoes: every double twice, every mixed pair once."""
    return Counter({(a, b): 2 if a == b else 1 for a in range(colours) for b in range(a, colours)})


def drop_dominoes(rng: np.random.Generator, columns: int, colours: int, count: int) -> list[Drop]:
    """Up to `count` dominoes dropped one by one, the mixed start tile first; fewer when nothing fits."""
    hand = list(domino_set(colours).elements())
    mixed = [pair for pair in hand if pair[0] != pair[1]]
    queue = [mixed[int(rng.integers(len(mixed)))]] + [hand[i] for i in rng.permutation(len(hand))]
    heights = [0] * columns
    tidy = float(rng.choice([0.4, 1.5, 4.0]))
    drops: list[Drop] = []
    for pair in queue[:count]:
        options: list[tuple[int, int, bool]] = []
        for column in range(columns):
            if heights[column] + 2 <= ROWS:
                options.append((heights[column], column, True))
            if column + 1 < columns and (level := max(heights[column : column + 2])) < ROWS:
                options.append((level, column, False))
        if not options:
            break
        levels = np.array([level for level, _, _ in options], float)
        chances = np.exp(-tidy * (levels - levels.min()))
        level, column, standing = options[int(rng.choice(len(options), p=chances / chances.sum()))]
        first, second = pair if rng.random() < 0.5 else pair[::-1]
        bottom = ROWS - 1 - level
        if standing:
            heights[column] = level + 2
            drops.append(Drop(((bottom - 1, column), (bottom, column)), (first, second)))
        else:
            heights[column] = heights[column + 1] = level + 1
            drops.append(Drop(((bottom, column), (bottom, column + 1)), (first, second)))
    return drops


def dominoes_of(board: Mapping[str, Any], colours: list[str]) -> list[Drop]:
    """One way in which dominoes of the set can have made this board, the lowest first.

    A board that says it is illegal may take more of them than the set has.
    """
    cells = {(cell["at"][0], cell["at"][1]): str(cell["tile"]) for cell in board["cells"]}
    rows, columns = board.get("size", (ROWS, 4))
    tiles = tile_set(frozenset(colours), rows * columns, BitsOptions())
    if tiles is None:
        raise ValueError(f"no set of dominoes shows {', '.join(colours)}")
    best = next(gravity.divisions(cells, gravity.possible_drops(cells, rows), tiles), None)
    if best is None or (best.misfit and not board.get("illegal")):
        raise ValueError("dominoes of the set cannot have made this board")
    return [
        Drop(drop.cells, (colours.index(cells[drop.cells[0]]), colours.index(cells[drop.cells[1]])))
        for drop in best.drops
    ]


def random_colours(
    rng: np.random.Generator, count: int, behind: Colour, named: Sequence[str] | None = None
) -> list[tuple[str, Colour]]:
    """Names (or these names) and shades that can be told apart, and from the print behind them."""
    names = list(SHADES)
    while True:
        chosen = list(named or [names[i] for i in rng.permutation(len(names))[:count]])
        shades = [jitter(rng, SHADES[name][int(rng.integers(len(SHADES[name])))], 0.03) for name in chosen]
        points = np.array([*shades, behind])
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + 9 * np.eye(len(points))
        if gaps.min() > 0.28:
            return list(zip(chosen, shades, strict=True))


def plan(
    rng: np.random.Generator,
    edition: str | None = None,
    pixels_per_unit: int = 64,
    simple: bool = False,
    exam: bool = False,
    lay: Mapping[str, Any] | None = None,
    crowded: bool = False,
) -> Plan:
    """One ramp. Its print and its dominoes' make are invented every time; `edition` settles size and set.

    `lay`: this board, not any; it must be one that dominoes of the set can have made. `crowded`: another
    player's ramp stands beside it.
    """
    if edition is None or edition == RANDOM:
        edition = EDITIONS[int(rng.integers(len(EDITIONS)))]
    columns, kinds = (4, 4) if edition == "travel" else (6, 5)
    px = pixels_per_unit
    ramp = whole_pixels(random_ramp(rng, exam, simple), px)
    domino = random_domino(rng, exam)
    named = sorted({cell["tile"] for cell in lay["cells"]}) if lay else []
    colours = random_colours(rng, kinds, ramp.print_colour, named)
    most = ROWS * columns // 2
    count = most + 3 if rng.random() < 0.35 else int(rng.integers(1, most + 1))
    drops = (
        drop_dominoes(rng, columns, kinds, count) if lay is None else dominoes_of(lay, named) if named else []
    )
    sprites = [_back_sprite(ramp, columns, px, rng), *_rim_sprites(ramp, columns, px, 0)]
    faces = [paint_half(shade, domino, px, rng) for _, shade in colours]
    tiles: dict[Cell, tuple[str, Points]] = {}
    for drop in drops:
        sprite, halves = _domino_sprite(drop, faces, domino, ramp, px, rng)
        sprites.append(sprite)
        for cell, kind, half in zip(drop.cells, drop.colours, halves, strict=True):
            tiles[cell] = (colours[kind][0], half)
    sprites += _rim_sprites(ramp, columns, px, 1)
    cells: list[CellPlan] = []
    for cell in ((row, column) for row in range(ROWS) for column in range(columns)):
        if cell in tiles:
            name, polygon = tiles[cell]
            cells.append(CellPlan(cell, name, polygon, ramp.thickness + domino.thickness))
        else:
            cells.append(CellPlan(cell, None, box(cell[1], cell[0], 1.0, 1.0), ramp.thickness))
    listed: list[dict[str, Any]] = [{"at": list(cell), "tile": tiles[cell][0]} for cell in sorted(tiles)]
    truth: dict[str, Any] = {"game": GAME, "size": [ROWS, columns], "cells": listed}
    if lay and lay.get("illegal"):
        truth["illegal"] = True
    reach = 0.5 + ramp.margin + ramp.rim
    bounds = (
        -reach,
        -0.5 - ramp.header - (ramp.rim if ramp.top_rim else 0.0),
        columns - 1 + reach,
        ROWS - 1 + reach,
    )
    beside: list[Sprite] = []
    if crowded:
        own = [_back_sprite(ramp, columns, px, rng), *_rim_sprites(ramp, columns, px, 0)]
        for drop in drop_dominoes(rng, columns, kinds, int(rng.integers(1, most + 1))):
            own.append(_domino_sprite(drop, faces, domino, ramp, px, rng)[0])
        own += _rim_sprites(ramp, columns, px, 1)
        beside = _beside(rng, own, bounds)
        sprites = beside + sprites
    name = f"{edition}-{'exam' if exam else 'train'}"
    lattice = (np.zeros(2), np.array([[0.0, 1.0], [1.0, 0.0]]))
    neighbours = tuple(sprite.outline for sprite in beside[:1])
    shown = {kind for drop in drops for kind in drop.colours}
    inks = tuple(byte(colours[kind][1]) for kind in sorted(shown))
    return Plan(
        GAME, name, truth, tuple(sprites), tuple(cells), bounds, lattice, neighbours=neighbours, inks=inks
    )


def _beside(
    rng: np.random.Generator, sprites: list[Sprite], bounds: tuple[float, float, float, float]
) -> list[Sprite]:
    """A ramp that stood within the bounds, now beside them and turned towards its own player."""
    x0, y0, x1, y1 = bounds
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    angle = float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2])) + float(rng.normal(0, 0.15))
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, sin], [-sin, cos]])
    wide, high = np.abs(turn) @ np.array([x1 - x0, y1 - y0])
    gap, along = float(rng.uniform(0.3, 1.5)), float(rng.uniform(-2, 2))
    side = (x1 - x0 + wide) / 2 + gap, (y1 - y0 + high) / 2 + gap
    to = ((along, -side[1]), (side[0], along), (along, side[1]), (-side[0], along))[int(rng.integers(4))]

    def moved(points: Points) -> Points:
        return np.asarray((points - middle) @ turn + middle + np.array(to))

    return [
        replace(
            sprite,
            centre=tuple(moved(np.array([sprite.centre]))[0].tolist()),
            angle=sprite.angle + angle,
            outline=moved(sprite.outline),
        )
        for sprite in sprites
    ]


def box(x: float, y: float, width: float, height: float, angle: float = 0.0) -> Points:
    """(4, 2) corners around a centre, clockwise from the upper left."""
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + np.array([x, y]))


def whole_pixels(look: RampLook, px: int) -> RampLook:
    """The same ramp with widths that a picture of `px` pixels per cell can show exactly."""
    header, margin, rim = (round(size * px) / px for size in (look.header, look.margin, look.rim))
    return replace(look, header=header, margin=margin, rim=max(rim, 2 / px))


def _back_sprite(look: RampLook, columns: int, px: int, rng: np.random.Generator) -> Sprite:
    """The printed board, lying on the table."""
    left, top, right, bottom = _back_box(look, columns)
    picture = paint_back(look, ROWS, columns, px, rng)
    centre = ((left + right) / 2, (top + bottom) / 2)
    outline = box(*centre, right - left, bottom - top)
    side = byte(look.rim_colour, 0.7)
    return Sprite(picture, centre, right - left, 0.0, look.thickness, outline, side, look.gloss)


def _back_box(look: RampLook, columns: int) -> tuple[float, float, float, float]:
    side = 0.5 + look.margin
    return -side, -0.5 - look.header, columns - 1 + side, ROWS - 1 + side


def _rim_sprites(look: RampLook, columns: int, px: int, storey: int) -> list[Sprite]:
    """The rims beside the board: storey 0 as high as the board, storey 1 what stands above it.

    Two storeys, because what stands above the board belongs over the tiles, and what is below under them.
    """
    left, top, right, bottom = _back_box(look, columns)
    rim = look.rim
    bars = [
        (left - rim / 2, (top + bottom + rim) / 2, rim, bottom - top + rim),
        (right + rim / 2, (top + bottom + rim) / 2, rim, bottom - top + rim),
        ((left + right) / 2, bottom + rim / 2, right - left, rim),
    ]
    if look.top_rim:
        bars.append(((left + right) / 2, top - rim / 2, right - left + 2 * rim, rim))
    base, height = ((0.0, look.thickness), (look.thickness, look.rim_height))[storey]
    side = byte(look.rim_colour, 0.7)
    return [
        Sprite(_rim_picture(look, w, h, px), (x, y), w, 0.0, height, box(x, y, w, h), side, look.gloss, base)
        for x, y, w, h in bars
    ]


def _rim_picture(look: RampLook, width: float, height: float, px: int) -> np.ndarray:
    """A moulded bar, a little lighter along its middle."""
    w, h = max(2, round(width * px)), max(2, round(height * px))
    across = np.linspace(-1, 1, w if w < h else h, dtype=np.float32)
    tone = 0.9 + 0.2 * (1 - across**2)
    bar = tone[None, :, None] if w < h else tone[:, None, None]
    picture = np.empty((h, w, 4), np.uint8)
    picture[..., :3] = np.clip(np.array(byte(look.rim_colour), np.float32) * bar, 0, 255)
    picture[..., 3] = 255
    return picture


def _domino_sprite(
    drop: Drop,
    faces: list[Any],
    look: DominoLook,
    ramp: RampLook,
    px: int,
    rng: np.random.Generator,
) -> tuple[Sprite, tuple[Points, Points]]:
    one, other = (faces[kind] for kind in drop.colours)
    picture = paint_domino(one, other, drop.standing, look, rng)
    slack = (1 - look.size) / 2
    (row, column), (row2, column2) = drop.cells
    x = (column + column2) / 2 + float(rng.uniform(-slack, slack))
    # Gravity: a domino on a slope rests at the bottom of its play.
    y = (row + row2) / 2 + float(rng.uniform(0, slack))
    angle = float(rng.normal(0, slack * 0.25))
    wide, high = (1.0, 2.0) if drop.standing else (2.0, 1.0)
    gap = 1 - look.size
    outline = box(x, y, wide - gap, high - gap, angle)
    step = (
        np.array([-np.sin(angle), np.cos(angle)])
        if drop.standing
        else np.array([np.cos(angle), np.sin(angle)])
    )
    inner = (1 - gap / 2) if drop.standing else (1 - gap)
    halves = []
    for sign in (-1, 1):
        hx, hy = np.array([x, y]) + sign * step * (0.5 - gap / 4)
        size = (1 - gap, inner) if drop.standing else (1 - gap / 2, 1 - gap)
        halves.append(box(hx, hy, *size, angle))
    sprite = Sprite(
        picture,
        (x, y),
        wide,
        angle,
        look.thickness,
        outline,
        byte(look.carrier, 0.8),
        look.gloss,
        ramp.thickness,
    )
    return sprite, (halves[0], halves[1])
