"""The points of every row, and why a row earns nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scoring.core import Cell, Item, Message, Text
from scoring.mipasuje.layouts import Layout, Row
from scoring.mipasuje.tiles import JOKER, SHOWS, VALUES, HexTile

UNFINISHED: Final = Text("row-unfinished", "unfinished: cell {cell} is empty")
UNFINISHED_CELLS: Final = Text("row-unfinished-cells", "unfinished: cells {cells} are empty")
ODD_ONE: Final = Text("row-odd-one", "complete, but cell {cell} shows {value} and the others {others}")
ODD_CELLS: Final = Text("row-odd-cells", "complete, but cells {cells} show {values} and the others {others}")
MIXED: Final = Text("row-mixed", "complete, but shows {values}")


def row_items(layout: Layout, cells: Mapping[Cell, HexTile]) -> tuple[Item, ...]:
    """One item for each of the layout's rows, in its order."""
    return tuple(
        _row_item(row, [cells[cell] for cell in row.cells])
        if all(map(cells.__contains__, row.cells))
        else _unfinished(row, cells)
        for row in layout.rows
    )


def _unfinished(row: Row, cells: Mapping[Cell, HexTile]) -> Item:
    empty = [cell for cell in row.cells if cell not in cells]
    reason = UNFINISHED(cell=empty[0]) if len(empty) == 1 else UNFINISHED_CELLS(cells=empty)
    return Item(_KINDS[row.line], row.cells, "", None, 0, reason)


def _row_item(row: Row, tiles: Sequence[HexTile]) -> Item:
    kind = _KINDS[row.line]
    shown = list(map(SHOWS[row.line], tiles))
    plain = set(shown)
    plain.discard(JOKER)
    if len(plain) > 1:
        return Item(kind, row.cells, "", None, 0, _why_broken(row, shown, plain))
    # A row of jokers only takes the highest value of its direction.
    value = plain.pop() if plain else max(VALUES[row.line])
    count = len(shown)
    return Item(kind, row.cells, f"{count} × {value}", value, count * value)


def _why_broken(row: Row, shown: Sequence[int], plain: set[int]) -> Message:
    """Names the cells that disagree where most of the row agrees, otherwise all that the row shows."""
    value = max(plain, key=shown.count)
    if 2 * shown.count(value) <= len(shown) - shown.count(JOKER):
        return MIXED(values=[str(line) if line else "*" for line in shown])
    odd = [(cell, line) for cell, line in zip(row.cells, shown, strict=True) if line not in (value, JOKER)]
    if len(odd) == 1:
        return ODD_ONE(cell=odd[0][0], value=odd[0][1], others=value)
    return ODD_CELLS(cells=[cell for cell, _ in odd], values=[str(line) for _, line in odd], others=value)


_KINDS: Final = ("vertical-row", "rising-row", "falling-row")
