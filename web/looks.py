"""How a game looks on a page: which cells a board has, where they stand, what the picker offers.

Rules stay in `scoring`; this is what a new game adds so that people can see and touch it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any, NamedTuple, TypeAlias

from flask_babel import lazy_gettext as _l

from scoring.bits.options import COLOURS
from scoring.core import Cell
from scoring.lattice import OpenTable
from scoring.mipasuje.layouts import LAYOUTS
from scoring.mipasuje.tiles import BASIC, JOKERS
from scoring.registry import GAMES

Point: TypeAlias = tuple[float, float]
ROOT3 = sqrt(3.0)
RAMP = (6, 4)
"""Rows and columns of a Bits ramp unless the table says otherwise."""


class Choice(NamedTuple):
    """One value of an option, as people read it."""

    value: str
    label: Any


@dataclass(frozen=True, slots=True)
class Look:
    """One game to the eye."""

    game: str
    hexagonal: bool = False
    open: bool = False
    """No board: tiles grow in every direction."""
    layouts: tuple[Choice, ...] = ()
    options: Mapping[str, tuple[Choice, ...]] | None = None

    def centre(self, cell: Cell) -> Point:
        """Middle of a cell; hexagons have side 1, squares side 1."""
        a, b = cell
        return (1.5 * a, ROOT3 * (b + a / 2)) if self.hexagonal else (b + 0.5, a + 0.5)

    def polygon(self, cell: Cell, scale: float = 0.97) -> tuple[Point, ...]:
        x, y = self.centre(cell)
        if self.hexagonal:
            return tuple((x + scale * cos(k * pi / 3), y + scale * sin(k * pi / 3)) for k in range(6))
        half = scale / 2
        return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))

    def cells(self, layout: str, size: tuple[int, int] | None, filled: Iterable[Cell]) -> tuple[Cell, ...]:
        """Every cell that can be touched: the whole board, or an open table and a margin around it."""
        if self.hexagonal:
            return LAYOUTS[layout or "standard"].cells
        if not self.open:
            rows, columns = size or RAMP
            return tuple((row, column) for row in range(rows) for column in range(columns))
        there = set(filled) or {(0, 0)}
        top, bottom = min(row for row, _ in there) - 1, max(row for row, _ in there) + 1
        left, right = min(column for _, column in there) - 1, max(column for _, column in there) + 1
        return tuple((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1))

    def tiles(self, layout: str) -> tuple[str, ...]:
        """What the full picker offers, in an order people can search by eye."""
        if self.hexagonal:
            jokers = () if layout in ("", "standard") else JOKERS
            return tuple(tile.name for tile in (*reversed(BASIC), *jokers))
        game = GAMES[self.game]
        if isinstance(game, OpenTable):
            return tuple(game.tile_name(tile) for tile in game.kinds())
        return COLOURS

    def box(self, cells: Iterable[Cell]) -> tuple[float, float, float, float]:
        """x, y, width, height of a drawing of these cells."""
        points = [point for cell in cells for point in self.polygon(cell, 1.04)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


LOOKS: dict[str, Look] = {
    "mipasuje": Look(
        "mipasuje",
        hexagonal=True,
        layouts=(
            Choice("standard", _l("standard (19 cells)")),
            Choice("valve", _l("valve board (21 cells)")),
        ),
        options={
            "scoring": (
                Choice("base", _l("rows only")),
                Choice("rays", _l("rows and rays")),
                Choice("brightest", _l("brightest ray and moonbeam")),
            ),
            "placement": (
                Choice("free", _l("anywhere")),
                Choice("adjacent", _l("always next to a tile")),
                Choice("sun-moon", _l("same symbol: next to a tile")),
            ),
        },
    ),
    "qwirkle": Look("qwirkle", open=True),
    "trio": Look("trio", open=True),
    "bits": Look("bits"),
}

SEAT_COLOURS: dict[str, Any] = {
    "red": _l("red"),
    "blue": _l("blue"),
    "green": _l("green"),
    "yellow": _l("yellow"),
    "purple": _l("purple"),
    "orange": _l("orange"),
}

CARD2_SHAPES = ("I", "O", "T", "L", "S")
CARD3_SHAPES = ("X", "XX", "XXX", "XX/X.", *CARD2_SHAPES)
SHAPE_DRAWINGS = {"I": "XXXX", "O": "XX/XX", "T": "XXX/.X.", "L": "XXX/X..", "S": "XX./.XX"}


def cell_name(look: Look, cell: Cell, cells: Iterable[Cell]) -> str:
    """A cell as people at a table say it: column letter from the left, number from the top, like C2."""
    a, b = cell
    if look.hexagonal:
        column, place = a - min(q for q, _ in cells), b - min((r for q, r in cells if q == a), default=b)
    else:
        column, place = b - min((c for _, c in cells), default=b), a - min((r for r, _ in cells), default=a)
    return f"{letters(column)}{place + 1}"


def letters(number: int) -> str:
    """0 → A, 25 → Z, 26 → AA."""
    text = ""
    number += 1
    while number > 0:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text or "A"
