"""Both sides of the board: their cells, their rows in three directions, the valve cells.

Axial (q, r), flat-top hexagons: a column has one q, a rising row one q + r, a falling row one r.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from scoring.core import Cell, Malformed
from scoring.mipasuje.tiles import DIRECTIONS, Direction

STEPS: Final[tuple[Cell, ...]] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""From a cell to its six neighbours, clockwise from the top."""


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row, edge to edge: columns from the top, diagonals from the left."""

    direction: Direction
    line: int
    """Which line of a tile runs along the row: 0 vertical, 1 rising, 2 falling."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """One printed board."""

    name: str
    cells: tuple[Cell, ...]
    """Column by column from the left, each from the top."""
    rows: tuple[Row, ...]
    """All vertical rows from the left, then the rising, then the falling ones from the top."""
    valves: tuple[Cell, ...]
    neighbours: Mapping[Cell, frozenset[Cell]]


def _layout(name: str, cells: Iterable[Cell], valves: Iterable[Cell] = ()) -> Layout:
    ordered = tuple(sorted(cells))
    along: tuple[Callable[[Cell], int], ...] = (lambda c: c[0], lambda c: c[0] + c[1], lambda c: c[1])
    rows = tuple(
        Row(direction, line, tuple(cell for cell in ordered if along[line](cell) == constant))
        for line, direction in enumerate(DIRECTIONS)
        for constant in sorted({along[line](cell) for cell in ordered})
    )
    near = {(q, r): frozenset((q + dq, r + dr) for dq, dr in STEPS) & set(ordered) for q, r in ordered}
    return Layout(name, ordered, rows, tuple(sorted(valves)), near)


def _disc(radius: int, centre: Cell = (0, 0)) -> list[Cell]:
    span = range(-radius, radius + 1)
    return [(centre[0] + q, centre[1] + r) for q in span for r in span if abs(q + r) <= radius]


_VALVES: Final[tuple[Cell, ...]] = ((0, 0), (2, 1), (-1, 3))
_TURNS: Final[Mapping[str, Callable[[Cell], Cell]]] = {
    "valve": lambda cell: cell,
    "valve-turned": lambda cell: (-cell[0], -cell[1]),
    "valve-mirrored": lambda cell: (-cell[0], cell[0] + cell[1]),
    "valve-mirrored-turned": lambda cell: (cell[0], -cell[0] - cell[1]),
}

STANDARD: Final = _layout("standard", _disc(2))
LAYOUTS: Final[Mapping[str, Layout]] = {
    "standard": STANDARD,
    # Three flowers of seven cells; the rulebook's words fit these four boards and no other.
    **{
        name: _layout(name, {turn(cell) for valve in _VALVES for cell in _disc(1, valve)}, map(turn, _VALVES))
        for name, turn in _TURNS.items()
    },
}


def find_layout(name: object, place: str = "board") -> Layout:
    """The board with this name."""
    if isinstance(name, str) and name in LAYOUTS:
        return LAYOUTS[name]
    raise Malformed("unknown-board", f"{name!r:.60} is not one of {', '.join(LAYOUTS)}", place)
