"""The points of every row, and why a row earns nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from scoring.core import Cell, Item, Message, Text
from scoring.mipasuje.layouts import Layout, Row
from scoring.mipasuje.tiles import JOKER, VALUES, HexTile

UNFINISHED: Final = Text("row-unfinished", "unfinished: cell {cell} is empty")
UNFINISHED_CELLS: Final = Text("row-unfinished-cells", "unfinished: cells {cells} are empty")
ODD_ONE: Final = Text("row-odd-one", "complete, but cell {cell} shows {value} and the others {others}")
ODD_CELLS: Final = Text("row-odd-cells", "complete, but cells {cells} show {values} and the others {others}")
MIXED: Final = Text("row-mixed", "complete, but shows {values}")


def row_items(layout: Layout, cells: Mapping[Cell, HexTile]) -> tuple[Item, ...]:
    """One item for each of the layout's rows, in its order."""
    return tuple(_row_item(row, [cells.get(cell) for cell in row.cells]) for row in layout.rows)


def _row_item(row: Row, tiles: Sequence[HexTile | None]) -> Item:
    kind = _KINDS[row.line]
    if None in tiles:
        empty = [cell for cell, tile in zip(row.cells, tiles, strict=True) if tile is None]
        reason = UNFINISHED(cell=empty[0]) if len(empty) == 1 else UNFINISHED_CELLS(cells=empty)
        return Item(kind, row.cells, "", None, 0, reason)
    line = row.line
    shown = [tile[line] for tile in tiles if tile is not None]
    plain = set(shown)
    plain.discard(JOKER)
    if len(plain) > 1:
        return Item(kind, row.cells, "", None, 0, _why_broken(row, shown))
    # A row of jokers only takes the highest value of its direction.
    value = plain.pop() if plain else max(VALUES[line])
    count = len(shown)
    return Item(kind, row.cells, f"{count} × {value}", value, count * value)


def _why_broken(row: Row, shown: Sequence[int]) -> Message:
    """Names the cells that disagree where most of the row agrees, otherwise all that the row shows."""
    counts = Counter(shown)
    del counts[JOKER]
    (value, agreeing), *_ = counts.most_common(1)
    if 2 * agreeing <= counts.total():
        return MIXED(values=[str(line) if line else "a joker" for line in shown])
    odd = [(cell, line) for cell, line in zip(row.cells, shown, strict=True) if line not in (value, JOKER)]
    if len(odd) == 1:
        return ODD_ONE(cell=odd[0][0], value=odd[0][1], others=value)
    return ODD_CELLS(cells=[cell for cell, _ in odd], values=[str(line) for _, line in odd], others=value)


_KINDS: Final = ("vertical-row", "rising-row", "falling-row")
