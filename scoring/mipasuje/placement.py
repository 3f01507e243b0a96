"""The placement variants, checked against the order in which the cells were filled.

An order that does not name every tile is a log that stopped early: the tiles it leaves out came later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scoring.core import Board, Cell, Finding, Text
from scoring.mipasuje.layouts import Layout
from scoring.mipasuje.options import MiPasujeOptions
from scoring.mipasuje.tiles import HexTile

INCOMPLETE: Final = Text(
    "order-incomplete",
    "the order of placement names {known} of {tiles} tiles; the others are taken as placed later, unchecked",
)
APART: Final = Text("placed-apart", "{tile} on {cell} was tile {turn} and touched no placed tile")
APART_SAME_MARK: Final = Text(
    "placed-apart-same-symbol",
    "{tile} on {cell} was tile {turn}, shows the symbol of the tile before it, and touched no placed tile",
)
APART_UNEXCUSED: Final = Text(
    "placed-apart-too-often",
    "the tiles on {cells} each show the symbol of the tile placed before them and touched no placed tile; "
    "tiles set aside in between can excuse only {excuses} of them",
)
VALVES_FIRST: Final = Text(
    "valves-first", "the valve cells come first, but {cell} was filled before {valves}"
)
VALVES_FIRST_EMPTY: Final = Text(
    "valves-first-empty", "the valve cells come first, but {valves} got none while other cells did"
)
VALVES_LAST: Final = Text(
    "valves-last", "the valve cells come last, but {valve} was filled before {count} other cells"
)


def placement_findings(board: Board[HexTile], layout: Layout, options: MiPasujeOptions) -> Iterator[Finding]:
    """Every tile that was placed where the variant did not allow it, as far as the order is known."""
    if options.valve == 2:
        yield from _valves_first(board, layout)
    elif options.valve in (3, 4):
        yield from _valves_last(board, layout)
    if options.placement == "adjacent":
        for cell, turn in _apart(board, layout, options):
            yield Finding(APART(tile=board.cells[cell].name, cell=cell, turn=turn), (cell,))
    elif options.placement == "sun-moon":
        yield from _sun_moon(board, layout, options)
    if board.order and len(board.order) < len(board.cells):
        yield Finding(INCOMPLETE(known=len(board.order), tiles=len(board.cells)))


def _apart(board: Board[HexTile], layout: Layout, options: MiPasujeOptions) -> Iterator[tuple[Cell, int]]:
    """Later tiles that touched none before them, with their turn.

    Valve cells do not touch each other, so the tiles that variant 2 sends there are exempt.
    """
    placed: set[Cell] = set()
    for turn, cell in enumerate(board.order, start=1):
        exempt = options.valve == 2 and turn <= len(layout.valves)
        if placed and not exempt and placed.isdisjoint(layout.neighbours[cell]):
            yield cell, turn
        placed.add(cell)


def _sun_moon(board: Board[HexTile], layout: Layout, options: MiPasujeOptions) -> Iterator[Finding]:
    mark = [board.cells[cell].mark for cell in board.order]
    apart = [
        (cell, turn)
        for cell, turn in _apart(board, layout, options)
        if mark[turn - 1] is not None and mark[turn - 1] == mark[turn - 2]
    ]
    if options.valve != 4:
        for cell, turn in apart:
            yield Finding(APART_SAME_MARK(tile=board.cells[cell].name, cell=cell, turn=turn), (cell,))
        return
    # A tile set aside counts as different and frees the next one; the order does not show when that was.
    excuses = len(board.aside) + sum(valve in board.cells for valve in layout.valves)
    if len(apart) > excuses:
        cells = [cell for cell, _ in apart]
        yield Finding(APART_UNEXCUSED(cells=cells, excuses=excuses), tuple(cells))


def _valves_first(board: Board[HexTile], layout: Layout) -> Iterator[Finding]:
    valves = len(layout.valves)
    early = [(turn, cell) for turn, cell in enumerate(board.order[:valves]) if cell not in layout.valves]
    for turn, cell in early:
        left = [valve for valve in layout.valves if valve not in board.order[:turn]]
        yield Finding(VALVES_FIRST(cell=cell, valves=left), (cell, *left))
    others = [cell for cell in board.cells if cell not in layout.valves]
    empty = [valve for valve in layout.valves if valve not in board.cells]
    if not early and others and empty:
        yield Finding(VALVES_FIRST_EMPTY(valves=empty), tuple(empty))


def _valves_last(board: Board[HexTile], layout: Layout) -> Iterator[Finding]:
    others = [cell for cell in layout.cells if cell not in layout.valves]
    for valve in layout.valves:
        if valve not in board.cells:
            continue
        before = set(board.order[: board.order.index(valve)]) if valve in board.order else set(board.cells)
        late = sum(cell not in before for cell in others)
        if late:
            yield Finding(VALVES_LAST(valve=valve, count=late), (valve,))
