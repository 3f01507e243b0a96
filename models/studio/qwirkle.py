"""Qwirkle: black wooden tiles with painted symbols, on bare tables and on printed mats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from models.studio import shapes
from models.studio.boards import Table, as_table, diagonal_groups, qwirkle_table, scattered
from models.studio.mats import Mat, connect_mat, grid_mat
from models.studio.paint import Rgb, darker, hsv, jittered, rounded_square, turned
from models.studio.plan import CellPlan, Plan, Points, Sprite
from models.studio.shapes import Drawing
from models.studio.tiles import Look, empty_cells, laid, lying_about, random_ground, random_spread

SPARES = 0.22
"""Share of scenes with spare tiles lying about."""
SHAPES = ("circle", "square", "diamond", "star", "clover", "cross")
PURPLE = ("red", "orange", "yellow", "green", "blue", "purple")
WHITE = ("red", "orange", "yellow", "green", "blue", "white")
EDITIONS = ("purple", "white", "white-mat", "bold-purple", "pale-purple", "sparkle-white")

HUES: dict[str, tuple[float, float]] = {
    "red": (346, 366),
    "orange": (15, 33),
    "yellow": (47, 62),
    "green": (95, 155),
    "blue": (196, 228),
    "purple": (262, 305),
}
"""Degrees in which people still say the name; red and orange are kept at least 14° apart."""


def palette(rng: np.random.Generator, exam: bool = False) -> dict[str, Rgb]:
    """One copy's six colours (and white instead of purple): a print run is consistent, each differs a little.

    The exam's are paler than any other.
    """
    strength, light = rng.uniform(0.72, 1.0), rng.uniform(0.75, 1.0)
    if exam:
        strength = rng.uniform(0.55, 0.62)
    chosen: dict[str, Rgb] = {}
    for name, (low, high) in HUES.items():
        hue = rng.uniform(low, high)
        value = light * rng.uniform(0.88, 1.0)
        if name in ("green", "blue", "purple"):
            value *= rng.uniform(0.5, 1.0)
        saturation = strength * rng.uniform(0.88, 1.0) * (0.75 if name == "purple" else 1.0)
        chosen[name] = hsv(float(hue), float(saturation), float(value))
    chosen["white"] = jittered(rng, hsv(float(rng.uniform(0, 360)), 0.04, float(rng.uniform(0.85, 1.0))), 3)
    return chosen


def real_palette(rng: np.random.Generator) -> dict[str, Rgb]:
    """Close to lacquer on wood: crimson, vermilion, chrome yellow, deep green and blue."""
    base: dict[str, Rgb] = {
        "red": (45, 30, 222),
        "orange": (30, 88, 228),
        "yellow": (15, 205, 220),
        "green": (42, 118, 18),
        "blue": (205, 95, 20),
        "purple": (150, 55, 120),
        "white": (238, 240, 240),
    }
    return {name: jittered(rng, colour, 10) for name, colour in base.items()}


def look(rng: np.random.Generator, edition: str, exam: bool = False) -> Look:
    """A copy of the named edition, or an invented one."""
    drawings: dict[str, Drawing] = {name: draw(rng, exam) for name, draw in shapes.QWIRKLE.items()}
    tone = random_ground(rng, dark=True, exam=exam)
    common: dict[str, Any] = {
        "name": edition,
        "ground": tone,
        "side": darker(tone, 0.8),
        "shapes": drawings,
        "colours": palette(rng, exam),
        "symbol": float(rng.uniform(0.56, 0.8)),
        "corner": float(rng.choice((0.0, 0.03, 0.06, 0.12))),
        "thickness": float(rng.uniform(0.28, 0.55)),
        "gloss": float(rng.uniform(0.1, 0.9)),
        "bevel": float(rng.uniform(0.02, 0.09)),
        "grain": float(rng.uniform(0.5, 3.5)),
        "wear": float(rng.choice((0.0, 0.3, 0.6, 1.0))),
        "brush": float(rng.choice((0.0, 0.4, 1.0))),
    }
    if edition in ("white", "white-mat", "purple"):
        common["colours"] = real_palette(rng)
        common["symbol"] = float(rng.uniform(0.6, 0.72))
        drawings["star"] = [shapes.pointed(8, float(rng.uniform(0.4, 0.5)))]
        cross = shapes.pointed(4, float(rng.uniform(0.26, 0.34)))
        drawings["cross"] = [turned(cross, np.pi / 4) * 1.2]
        drawings["square"] = [rounded_square(0.8, 0.02)]
    elif edition == "bold-purple":
        common["symbol"] = float(rng.uniform(0.74, 0.82))
    elif edition == "pale-purple":
        common["ground"] = hsv(float(rng.uniform(0, 360)), 0.1, float(rng.uniform(0.2, 0.3)))
    elif edition == "sparkle-white":
        common["outline"] = (235, 235, 235)
    elif rng.random() < 0.08:
        common["outline"] = jittered(rng, (200, 200, 200), 40)
    elif rng.random() < 0.08:
        common["frame"] = hsv(float(rng.uniform(0, 360)), 0.3, float(rng.uniform(0.3, 0.6)))
    return Look(**common)


def plan(
    rng: np.random.Generator,
    edition: str | None = None,
    pixels_per_unit: int = 64,
    simple: bool = False,
    exam: bool = False,
    lay: Mapping[str, Any] | None = None,
) -> Plan:
    """One table. `simple`: any tiles anywhere (marked illegal), quick to make, to learn tiles from.

    `lay`: this table on a bare ground, not any.
    """
    if edition is None:
        edition = "random" if exam or rng.random() < 0.5 else str(rng.choice(EDITIONS))
    whole = look(rng, edition, exam)
    whites = edition.startswith("white") or edition.endswith("white")
    colours = WHITE if whites or ("purple" not in edition and rng.random() < 0.5) else PURPLE
    if lay is None:
        table, mat, boards, illegal = _table(rng, edition, colours, simple)
    else:
        table, mat, boards, illegal = as_table(lay), "", (0, 0), bool(lay.get("illegal"))
    spread = random_spread(rng)
    sprites: list[Sprite] = []
    positions: Points | None = None
    base = 0.0
    bounds_points: list[tuple[float, float]] = []
    if mat == "connect":
        printed = connect_mat(rng, table, boards, pixels_per_unit)
        positions, base = printed.positions, printed.thickness
        sprites += printed.sprites
        bounds_points += _corners(printed)
    elif mat == "grid":
        printed = grid_mat(rng, table, pixels_per_unit, exam)
        positions, base = printed.positions, printed.thickness
        sprites += printed.sprites
    tiles, cells = laid(rng, whole, table, spread, pixels_per_unit, base, positions)
    sprites += tiles
    for cell in cells:
        bounds_points += [(float(x), float(y)) for x, y in cell.polygon]
    truth: dict[str, Any] = {
        "game": "qwirkle",
        "cells": [{"at": list(at), "tile": " ".join(table[at])} for at in sorted(table)],
    }
    if illegal:
        truth["illegal"] = True
    every = np.array(bounds_points)
    bounds = (*every.min(0), *every.max(0))
    origin, basis = _lattice(cells)
    spare: list[Sprite] = []
    about: tuple[Points, ...] = ()
    if rng.random() < SPARES:
        kinds = [(str(rng.choice(colours)), str(rng.choice(SHAPES))) for _ in range(int(rng.integers(1, 7)))]
        spare, about = lying_about(rng, whole, kinds, bounds, pixels_per_unit)
    return Plan(
        game="qwirkle",
        edition=edition if edition != "random" else f"random-{'white' if colours is WHITE else 'purple'}",
        truth=truth,
        sprites=(*sprites, *spare),
        cells=(*cells, *_empties(table, cells, origin, basis)),
        bounds=bounds,
        lattice=(origin, basis),
        spares=about,
        inks=tuple(whole.colours[colour] for colour in sorted({colour for colour, _ in table.values()})),
    )


def _table(
    rng: np.random.Generator, edition: str, colours: tuple[str, ...], simple: bool
) -> tuple[Table, str, tuple[int, int], bool]:
    if edition == "white-mat" or (rng.random() < 0.12 and not simple):
        boards = (2, 2) if not simple and rng.random() < 0.7 else (1, int(rng.choice((1, 2))))
        return diagonal_groups(rng, colours, SHAPES, boards, 8), "connect", boards, True
    none = (0, 0)
    mat = "grid" if rng.random() < 0.15 else ""
    if simple:
        rows, columns = (int(side) for side in rng.integers(5, 9, 2))
        return scattered(rng, colours, SHAPES, rows, columns, float(rng.uniform(0.4, 0.95))), mat, none, True
    many = rng.random()
    if many < 0.1:
        tiles = int(rng.integers(1, 6))
    elif many < 0.8:
        tiles = int(rng.integers(6, 60))
    else:
        tiles = int(rng.integers(60, 109))
    table = qwirkle_table(rng, colours, SHAPES, tiles, float(rng.choice((0.0, 0.4, 0.8))))
    if rng.random() < 0.06:
        at = list(table)[int(rng.integers(len(table)))]
        odd = dict(table)
        odd[at] = (colours[int(rng.integers(6))], SHAPES[int(rng.integers(6))])
        return odd, mat, none, odd[at] != table[at]
    return table, mat, none, False


def _lattice(cells: list[CellPlan]) -> tuple[Points, Points]:
    """Origin and basis (per row, per column) that best explain where the tiles lie."""
    if len(cells) < 3:
        centre = cells[0].polygon.mean(0)
        return centre - np.array([cells[0].at[1], cells[0].at[0]], float), np.array([[0.0, 1.0], [1.0, 0.0]])
    at = np.array([[1.0, *cell.at] for cell in cells])
    centres = np.array([cell.polygon.mean(0) for cell in cells])
    # A single row or column says nothing about the other direction: lean on the nominal lattice there.
    nominal = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    lean = np.diag([1e-6, 1e-2, 1e-2])
    fitted = np.linalg.solve(at.T @ at + lean, at.T @ centres + lean @ nominal)
    return fitted[0], fitted[1:]


def _empties(table: Table, cells: list[CellPlan], origin: Points, basis: Points) -> list[CellPlan]:
    height = cells[0].height
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return [
        CellPlan(cell.at, None, square + origin + np.asarray(cell.at, float) @ basis, height)
        for cell in empty_cells(table)
    ]


def _corners(mat: Mat) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = mat.bounds
    return [(x0, y0), (x1, y1)]
