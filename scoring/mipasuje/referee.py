"""What a referee would object to on one board, whatever its score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from scoring.core import Board, Cell, Finding, Text
from scoring.mipasuje.layouts import Layout
from scoring.mipasuje.options import MiPasujeOptions
from scoring.mipasuje.placement import placement_findings
from scoring.mipasuje.tiles import NAMES, HexTile

SET_ASIDE: Final = 3
"""Valve variant 4: how many of the 21 called tiles go onto the valve symbol first."""

TWICE: Final = Text("tile-twice", "{tile} lies on {cells}, but the set holds it once")
TWICE_ASIDE: Final = Text(
    "tile-twice-aside", "{tile} is set aside and lies on {cells}, but the set holds it once"
)
ASIDE_TWICE: Final = Text(
    "tile-set-aside-twice", "{tile} is set aside {count} times, but the set holds it once"
)
JOKER_ON_STANDARD: Final = Text(
    "joker-on-standard", "{tile} on {cell} is a joker, which belongs to the valve board"
)
JOKER_ON_VALVE: Final = Text(
    "joker-on-valve", "{tile} on valve cell {cell} is a joker, which must stay set aside"
)
ASIDE_UNEXPECTED: Final = Text("aside-unexpected", "{tiles} set aside, which only valve variant 4 allows")
TOO_MANY_ASIDE: Final = Text(
    "aside-too-many",
    "{count} tiles set aside ({valves} of them on valve cells by now), but only {allowed} may be",
)
TOO_FEW_ASIDE: Final = Text(
    "aside-too-few",
    "{count} tiles set aside ({valves} of them on valve cells by now), but {allowed} must be in the end",
)


def findings(board: Board[HexTile], layout: Layout, options: MiPasujeOptions) -> Iterator[Finding]:
    """Every objection to this board on its own: the set, the valve variant, the order of placement."""
    yield from _twice(board)
    if not layout.valves:
        for cell, tile in board.cells.items():
            if tile.is_joker:
                yield Finding(JOKER_ON_STANDARD(tile=tile.name, cell=cell), (cell,))
    if options.valve == 4:
        yield from _set_aside(board, layout)
    elif board.aside:
        yield Finding(ASIDE_UNEXPECTED(tiles=[tile.name for tile in board.aside]))
    if options.valve in (2, 3, 4) or options.placement != "free":
        yield from placement_findings(board, layout, options)


def _twice(board: Board[HexTile]) -> Iterator[Finding]:
    placed = [tile[:3] for tile in board.cells.values()]
    aside = Counter(tile[:3] for tile in board.aside)
    if len(set(placed).union(aside)) == len(placed) + aside.total():
        return
    for lines, count in (Counter(placed) + aside).items():
        if count == 1:
            continue
        cells = tuple(cell for cell, tile in board.cells.items() if tile[:3] == lines)
        name = NAMES[lines]
        if not cells:
            yield Finding(ASIDE_TWICE(tile=name, count=count))
        elif lines in aside:
            yield Finding(TWICE_ASIDE(tile=name, cells=list(cells)), cells)
        else:
            yield Finding(TWICE(tile=name, cells=list(cells)), cells)


def _set_aside(board: Board[HexTile], layout: Layout) -> Iterator[Finding]:
    moved: list[Cell] = [cell for cell in layout.valves if cell in board.cells]
    for cell in moved:
        if (tile := board.cells[cell]).is_joker:
            yield Finding(JOKER_ON_VALVE(tile=tile.name, cell=cell), (cell,))
    count = len(board.aside) + len(moved)
    over = len(board.cells) - len(moved) == len(layout.cells) - len(layout.valves)
    if count > SET_ASIDE or (over and count < SET_ASIDE):
        text = TOO_MANY_ASIDE if count > SET_ASIDE else TOO_FEW_ASIDE
        yield Finding(text(count=count, valves=len(moved), allowed=SET_ASIDE), tuple(moved))
