"""A turn read as illegal that a doubted tile, read otherwise, makes legal: the legal reading comes first.

People mostly play by the rules, so it is the likelier one. It is still asked about: this only decides what is
shown while nobody has answered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import log
from typing import Any

from scoring.core import Board, Cell
from scoring.game import Game
from scoring.lattice import OpenTable
from vision.match import Known
from vision.reading import Alternative, CellReading, Doubt, Reading

MOST_DOUBTS = 6
MOST_ALTERNATIVES = 3
MOST_TRIED = 42
GONE = 0.02
"""How likely a doubted new tile is none, where the reader itself does not say."""


def board_of(game: Game[Any, Any], tiles: Mapping[Cell, str]) -> Board[Any]:
    """Tiles that were let in before: also those that only a taught edition has."""
    parse = game.tile_parser("taught") if isinstance(game, OpenTable) else game.parse_tile
    return Board(game.id, {at: parse(tile, "tile") for at, tile in tiles.items()})


def seen_since(before: Board[Any], open_: Collection[Cell], after: Board[Any]) -> Board[Any]:
    """The table before the turn, where it was still doubted as the newer photo shows it.

    A doubt nobody has answered is no knowledge: what a later photo makes of it is not a tile that changed.
    """
    if not open_:
        return before
    cells = {at: tile for at, tile in before.cells.items() if at not in open_}
    cells.update({at: after.cells[at] for at in open_ if at in before.cells and at in after.cells})
    return replace(before, cells=cells)


def open_cells(known: Known) -> frozenset[Cell]:
    """Cells of a known table that were asked about and not answered."""
    return frozenset(at for at, one in known.cells if one.doubted)


def legal_first(
    game: Game[Any, Any], before: Board[Any], open_: Collection[Cell], reading: Reading
) -> Reading:
    """The reading, or the likeliest other one within its doubts that is a legal turn.

    `open_`: cells that were doubted before and still are nobody's word.
    """
    read = board_of(game, {cell.at: cell.tile for cell in reading.cells})
    doubts = reading.doubts[:MOST_DOUBTS]
    if not doubts or _legal(game, before, open_, read):
        return reading
    sure = {at: tile for at, tile in read.cells.items() if at not in {doubt.at for doubt in doubts}}
    for way in _ways(doubts, before):
        chosen = {doubt.at: one for doubt, one in zip(doubts, way, strict=True)}
        placed = board_of(game, {at: one.tile for at, one in chosen.items() if one.tile})
        if _legal(game, before, open_, replace(read, cells={**sure, **placed.cells})):
            return _chosen(reading, chosen)
    return reading


def _ways(doubts: Sequence[Doubt], before: Board[Any]) -> Iterator[tuple[Alternative, ...]]:
    """Readings of the doubted cells worth trying: other tiles, likeliest first, then fewer new ones."""
    fresh = [index for index, doubt in enumerate(doubts) if doubt.at not in before.cells]
    first = [doubt.alternatives[0] for doubt in doubts]
    without = [
        tuple(Alternative(None, GONE) if index in left else one for index, one in enumerate(first))
        for count in range(1, len(fresh) + 1)
        for left in combinations(fresh, count)
    ]
    others = product(*(doubt.alternatives[:MOST_ALTERNATIVES] for doubt in doubts))
    ranked = sorted(others, key=lambda way: -sum(log(max(one.p, 1e-6)) for one in way))
    yield from ranked[: MOST_TRIED // 3]
    yield from without[:MOST_TRIED]


def _legal(game: Game[Any, Any], before: Board[Any], open_: Collection[Cell], after: Board[Any]) -> bool:
    """Only a turn that places something can be told from a misreading."""
    before = seen_since(before, open_, after)
    placed = bool(after.cells.keys() - before.cells.keys())
    return placed and game.move(before, after, game.parse_options({})).legal


def _chosen(reading: Reading, chosen: dict[Cell, Alternative]) -> Reading:
    cells = {cell.at: cell for cell in reading.cells}
    doubts = []
    for doubt in reading.doubts:
        first = chosen.get(doubt.at)
        if first is None:
            doubts.append(doubt)
            continue
        others = tuple(one for one in doubt.alternatives if one.tile != first.tile or one.mark != first.mark)
        doubts.append(Doubt(doubt.at, (first, *others), doubt.polygon))
        cells.pop(doubt.at, None)
        if first.tile is not None:
            cells[doubt.at] = CellReading(doubt.at, first.tile, first.p, others, doubt.polygon, first.mark)
    return replace(reading, cells=tuple(cells[at] for at in sorted(cells)), doubts=tuple(doubts))
