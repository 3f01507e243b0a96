"""Paints Mi pasuje! tables: a board, its tiles, and what else lies about."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from models.studio import hexes
from models.studio.hexboards import board_box, paint_board, random_board
from models.studio.hexes import APOTHEM, ROOT3, centre_of, hexagon
from models.studio.hexlooks import LOOKS, TileLook
from models.studio.hexprints import BoardLook
from models.studio.hextiles import TilePainter
from models.studio.inks import Colour, jitter, rgb
from models.studio.plan import Cell, CellPlan, Plan, Points, Sprite

GAME = "mipasuje"
EDITIONS: tuple[str, ...] = ("rebel", "ravensburger-2005", "older")
RANDOM = "random"
NEIGHBOURS = 0.12
"""Share of scenes with a neighbour's board."""
LARGEST_TILE = 3.0
"""Wider sprites are boards."""

BASIC: tuple[str, ...] = tuple(f"{v}-{r}-{f}" for v, r, f in product((1, 5, 9), (2, 6, 7), (3, 4, 8)))
JOKERS: tuple[str, ...] = ("*-*-*", "1-*-*", "*-2-*", "*-*-3")
VALVE_BOARDS: tuple[str, ...] = ("valve", "valve-turned", "valve-mirrored", "valve-mirrored-turned")


def plan(
    rng: np.random.Generator,
    edition: str | None = None,
    pixels_per_unit: int = 64,
    simple: bool = False,
    exam: bool = False,
    lay: Mapping[str, Any] | None = None,
    crowded: bool = False,
) -> Plan:
    """One table. `edition` is one of `EDITIONS` or "random"; None picks one. `lay`: this board, not any.

    `simple` leaves out board decoration, neighbours and spare tiles; `exam` uses only drawings, typefaces,
    palettes and prints that are never used otherwise; `crowded` always has a neighbour's board beside it.
    """
    if edition is None:
        edition = RANDOM if exam or rng.random() < 0.55 else EDITIONS[int(rng.integers(len(EDITIONS)))]
    look = LOOKS[edition](rng, exam)
    back = look.backs[0]
    board_look = random_board(rng, edition, back, exam)
    board = _which_board(rng, edition) if lay is None else str(lay.get("board", "standard"))
    marks = {tile: ("sun", "moon")[int(rng.integers(2))] for tile in BASIC + JOKERS} if look.marks else {}
    if look.marks and not look.marks.on_jokers:
        marks = {tile: mark for tile, mark in marks.items() if tile not in JOKERS}
    side = float(rng.uniform(0.9, 0.99))
    loose = float(rng.choice([0.2, 0.5, 0.8]))
    painter = TilePainter(look, pixels_per_unit * side)
    bare = not simple and rng.random() < 0.03
    sprites: list[Sprite] = []
    if not bare:
        sprites.append(_board_sprite(board_look, board, pixels_per_unit, rng, simple))
    base = 0.0 if bare else board_look.thickness
    if lay is None:
        filled = _filled(rng, board)
        tiles = _deal(rng, board, len(filled))
        placed = {cell: tiles.pop() for cell in hexes.board_cells(board) if cell in filled}
    else:
        placed = {(cell["at"][0], cell["at"][1]): str(cell["tile"]) for cell in lay["cells"]}
        tiles = [tile for tile in BASIC if tile not in placed.values()]
        if look.marks:
            marks = {cell["tile"]: cell["mark"] for cell in lay["cells"] if "mark" in cell}
    cells: list[CellPlan] = []
    listed: list[dict[str, Any]] = []
    for cell in hexes.board_cells(board):
        if cell not in placed:
            cells.append(CellPlan(cell, None, hexagon(centre_of(cell), side), base))
            continue
        tile = placed[cell]
        mark = marks.get(tile)
        slack = (1 - side) * loose
        x, y = np.array(centre_of(cell)) + rng.normal(0, 0.7 * slack, 2).clip(-slack, slack)
        angle = float(rng.normal(0, 0.35 * slack + 0.004))
        sprite = _tile_sprite(
            painter, painter.paint(tile, mark, back, rng), (float(x), float(y)), side, angle, base
        )
        sprites.append(sprite)
        cells.append(CellPlan(cell, tile, sprite.outline, base + look.thickness, mark))
        entry: dict[str, Any] = {"at": list(cell), "tile": tile}
        if mark:
            entry["mark"] = mark
        listed.append(entry)
    box = board_box(hexes.board_cells(board), board_look)
    neighbours: tuple[Points, ...] = ()
    if not simple:
        chance = 1.0 if crowded else NEIGHBOURS
        around = _surroundings(rng, painter, look, board_look, side, box, tiles, pixels_per_unit, chance)
        neighbours = tuple(sprite.outline for sprite in around if sprite.width > LARGEST_TILE)
        sprites = around + sprites
    name = edition if edition in EDITIONS else f"{RANDOM}-{'exam' if exam else 'train'}"
    basis = np.array([[1.5, APOTHEM], [0.0, ROOT3]])
    truth: dict[str, Any] = {"game": GAME, "board": board, "cells": listed}
    if lay and lay.get("illegal"):
        truth["illegal"] = True
    lattice = (np.zeros(2), basis)
    return Plan(
        GAME,
        name,
        truth,
        tuple(sprites),
        tuple(cells),
        box,
        lattice,
        neighbours=neighbours,
        print_size=look.digits.height * side,
    )


def _which_board(rng: np.random.Generator, edition: str) -> str:
    if edition in ("ravensburger-2005", "older"):
        return "standard"
    return "standard" if rng.random() < 0.6 else VALVE_BOARDS[int(rng.choice(4, p=[0.4, 0.2, 0.2, 0.2]))]


def _filled(rng: np.random.Generator, board: str) -> frozenset[Cell]:
    """Mostly full boards; some lack a few tiles, some hold just a few."""
    cells = hexes.board_cells(board)
    roll = rng.random()
    if roll < 0.55:
        missing = 0
    elif roll < 0.85:
        missing = int(rng.integers(1, 6))
    else:
        missing = int(rng.integers(6, len(cells) - 2))
    order = rng.permutation(len(cells))
    return frozenset(cells[i] for i in order[missing:])


def _deal(rng: np.random.Generator, board: str, count: int) -> list[str]:
    """`count` tiles for the board and the rest of the set, the board's last; jokers only for valve boards."""
    pool = BASIC + JOKERS if board != "standard" and rng.random() < 0.8 else BASIC
    return [pool[i] for i in rng.permutation(len(pool))]


def _board_sprite(look: BoardLook, board: str, px: int, rng: np.random.Generator, simple: bool) -> Sprite:
    x0, y0, x1, y1 = board_box(hexes.board_cells(board), look)
    picture = paint_board(look, board, px, rng, simple)
    width = picture.shape[1] / px
    return Sprite(
        picture,
        ((x0 + x1) / 2, (y0 + y1) / 2),
        width,
        0.0,
        look.thickness,
        rounded_box(x0, y0, x1, y1, look.corner),
        side_colour=(170, 180, 185),
        gloss=look.gloss,
    )


def rounded_box(x0: float, y0: float, x1: float, y1: float, radius: float) -> np.ndarray:
    """(n, 2) outline of a box with round corners, clockwise from the upper left."""
    if radius <= 0:
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    turns = np.linspace(0, np.pi / 2, 5)
    corners = [
        (x0, y0, 1, 1, np.pi),
        (x1, y0, -1, 1, -np.pi / 2),
        (x1, y1, -1, -1, 0.0),
        (x0, y1, 1, -1, np.pi / 2),
    ]
    parts = [
        np.stack(
            [x + sx * radius + radius * np.cos(a + turns), y + sy * radius + radius * np.sin(a + turns)], 1
        )
        for x, y, sx, sy, a in corners
    ]
    return np.vstack(parts)


def _tile_sprite(
    painter: TilePainter, picture: np.ndarray, at: tuple[float, float], side: float, angle: float, base: float
) -> Sprite:
    look = painter.look
    outline = hexagon(at, side, angle)
    return Sprite(
        picture, at, painter.width * side, angle, look.thickness, outline, look.side, look.gloss, base
    )


def _surroundings(
    rng: np.random.Generator,
    painter: TilePainter,
    look: TileLook,
    board_look: BoardLook,
    side: float,
    box: tuple[float, float, float, float],
    spare: list[str],
    px: int,
    neighbours: float,
) -> list[Sprite]:
    """A neighbour's board, spare tiles and turned-over ones beside the board, never on it."""
    found: list[Sprite] = []
    x0, y0, x1, y1 = box
    wide, high = x1 - x0, y1 - y0
    taken: list[tuple[float, float]] = []
    if rng.random() < neighbours:
        found += _neighbour(rng, painter, look, board_look, side, box, px)
    if rng.random() < 0.4:
        reverse = jitter(rng, rgb(("c9ddf0", "2b3a55", "8c1d3a", "e8e4da")[int(rng.integers(4))]), 0.05)
        for _ in range(int(rng.integers(1, 9))):
            at = _beside(rng, (x0, y0, wide, high))
            if any(np.hypot(at[0] - x, at[1] - y) < 2.05 for x, y in taken):
                continue
            taken.append(at)
            if rng.random() < 0.35:
                picture = painter.reverse(reverse, int(rng.integers(3)))
            else:
                back = look.backs[int(rng.integers(len(look.backs)))]
                tile = spare[int(rng.integers(len(spare)))] if spare else BASIC[int(rng.integers(27))]
                mark = ("sun", "moon")[int(rng.integers(2))] if look.marks else None
                picture = painter.paint(tile, mark, back, rng)
            angle = float(rng.uniform(-np.pi, np.pi))
            found.append(_tile_sprite(painter, picture, at, side, angle, 0.0))
    return found


def _beside(rng: np.random.Generator, box: tuple[float, float, float, float]) -> tuple[float, float]:
    """A point at least a tile's radius outside the board."""
    x0, y0, wide, high = box
    away = float(rng.uniform(1.15, 4))
    edge = int(rng.integers(4))
    x, y = x0 + float(rng.uniform(-0.2, 1.2)) * wide, y0 + float(rng.uniform(-0.2, 1.2)) * high
    return ((x, y0 - away), (x0 + wide + away, y), (x, y0 + high + away), (x0 - away, y))[edge]


def _neighbour(
    rng: np.random.Generator,
    painter: TilePainter,
    look: TileLook,
    board_look: BoardLook,
    side: float,
    box: tuple[float, float, float, float],
    px: int,
) -> list[Sprite]:
    """Another player's board, turned towards them, with the tiles near its edge."""
    x0, y0, x1, y1 = box
    own = _board_sprite(board_look, "standard", px, rng, True)
    reach = float(np.hypot(*(own.outline.max(axis=0) - own.outline.min(axis=0)))) / 2
    edge = int(rng.integers(4))
    gap = float(rng.uniform(0.3, 2))
    along = float(rng.uniform(-3, 3))
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    centre = (
        (cx + along, y0 - gap - reach),
        (x1 + gap + reach, cy + along),
        (cx + along, y1 + gap + reach),
        (x0 - gap - reach, cy + along),
    )[edge]
    angle = float(rng.choice([0, np.pi / 2, np.pi, -np.pi / 2])) + float(rng.normal(0, 0.15))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = (own.outline - np.array(own.centre)) @ turn.T + np.array(centre)
    sprites = [
        Sprite(own.picture, centre, own.width, angle, own.thickness, moved, own.side_colour, own.gloss)
    ]
    back: Colour = look.backs[-1]
    order = rng.permutation(len(BASIC))
    shown = [painter.paint(BASIC[i], None, back, rng, plain=True) for i in order[:6]]
    for k, cell in enumerate(hexes.STANDARD):
        if rng.random() < 0.25:
            continue
        x, y = turn @ (np.array(centre_of(cell)) - np.array(own.centre)) + np.array(centre)
        sprites.append(
            _tile_sprite(
                painter,
                shown[k % 6],
                (float(x), float(y)),
                side,
                angle + float(rng.normal(0, 0.02)),
                own.thickness,
            )
        )
    return sprites
