"""The highest score that tiles can make on the standard board: exact, by best-first search.

A *plan* of one direction gives each of its five rows a value to score with, or leaves it free. Three plans,
one per direction, promise a total and ask every cell for certain lines. They are tried in falling order of
that total. The first three whose cells can all be served by different tiles reach the maximum: a better
board would keep a better promise, that of the plans naming exactly its scoring rows, and all those are
refuted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from scoring.core import Board, Malformed
from scoring.mipasuje.layouts import STANDARD
from scoring.mipasuje.tiles import BASIC, SHOWS, VALUES, HexTile

FREE: Final = 0
Bits: TypeAlias = int
"""A set of small numbers (tiles, or plans) as the bits of an integer."""

_ROWS: Final = tuple(tuple(row for row in STANDARD.rows if row.line == line) for line in range(3))
_ROW_OF: Final = [
    [next(i for i, row in enumerate(rows) if cell in row.cells) for cell in STANDARD.cells] for rows in _ROWS
]


class Plan(NamedTuple):
    """What the rows of one direction shall show: a value each, or `FREE`."""

    points: int
    values: tuple[int, ...]


def best(tiles: Sequence[HexTile]) -> tuple[int, Board[HexTile]]:
    """The highest base score of 19 different basic tiles on the standard board, and a board that makes it."""
    if len(tiles) != len(STANDARD.cells):
        wrong = f"the best board is known for exactly {len(STANDARD.cells)} tiles, not {len(tiles)}"
        raise Malformed("best-tile-count", wrong, "cells")
    plain = [tile.marked(None) for tile in tiles]
    for index, tile in enumerate(plain):
        if tile not in BASIC:
            raise Malformed("best-joker", f"{tile.name} is a joker; the best board is known without", "cells")
        if tile in plain[:index]:
            raise Malformed("best-tile-twice", f"{tile.name} comes twice; no set holds it twice", "cells")
    total, plans = next(_feasible(tiles))
    return total, next(_boards(plans, tiles))


def best_of_board(board: Board[HexTile]) -> tuple[int, Board[HexTile]]:
    """`best` of the tiles on a finished standard board."""
    if board.layout != STANDARD.name:
        wrong = f"the best board is known for the standard board, not for {board.layout}"
        raise Malformed("best-standard-only", wrong, "board")
    return best(tuple(board.cells.values()))


def best_boards(pool: Sequence[HexTile]) -> tuple[int, Iterator[Board[HexTile]]]:
    """The highest base score of any 19 of these different basic tiles, and every board that makes it.

    Two boards are different if any cell holds another tile; a half turn therefore counts as another board.
    """
    feasible = _feasible(pool)
    top, first = next(feasible)

    def boards() -> Iterator[Board[HexTile]]:
        yield from _boards(first, pool)
        for total, plans in feasible:
            if total < top:
                return
            yield from _boards(plans, pool)

    return top, boards()


def _feasible(pool: Sequence[HexTile]) -> Iterator[tuple[int, tuple[Plan, ...]]]:
    """Plans that the pool can carry out, best total first."""
    showing = _showing(pool)
    for total, plans in _promises(pool):
        if _matching(_candidates(plans, showing)) is not None:
            yield total, plans


def _promises(pool: Sequence[HexTile]) -> Iterator[tuple[int, tuple[Plan, ...]]]:
    """Three plans of which no two contradict the pool, by falling total."""
    vertical, rising, falling = plans = [_plans(line, pool) for line in range(3)]
    with_rising = _agreeing(plans, 0, 1, pool)
    with_falling = _agreeing(plans, 0, 2, pool)
    falling_with_rising = _agreeing(plans, 1, 2, pool)
    # Plans are sorted, so the lowest bit left of a pair's third plans is the best one.
    queue: list[tuple[int, int, int, Bits]] = []

    def promise(i: int, j: int, third: Bits) -> tuple[int, int, int, Bits]:
        return -(vertical[i].points + rising[j].points + falling[_lowest(third)].points), i, j, third

    for i, partners in enumerate(with_rising):
        for j in _each(partners):
            if third := with_falling[i] & falling_with_rising[j]:
                queue.append(promise(i, j, third))
    heapify(queue)
    while queue:
        negative, i, j, third = heappop(queue)
        yield -negative, (vertical[i], rising[j], falling[_lowest(third)])
        if third := third & (third - 1):
            heappush(queue, promise(i, j, third))


def _plans(line: int, pool: Sequence[HexTile]) -> list[Plan]:
    """The plans of one direction for which the pool has enough tiles of each value, best first."""
    lengths = [len(row.cells) for row in _ROWS[line]]
    stock = {value: sum(SHOWS[line](tile) == value for tile in pool) for value in VALUES[line]}
    plans = []
    for values in product((FREE, *VALUES[line]), repeat=len(lengths)):
        asked = dict.fromkeys((FREE, *VALUES[line]), 0)
        for value, length in zip(values, lengths, strict=True):
            asked[value] += length
        if all(asked[value] <= count for value, count in stock.items()):
            plans.append(Plan(sum(value * count for value, count in asked.items()), values))
    return sorted(plans, reverse=True)


def _agreeing(plans: Sequence[Sequence[Plan]], one: int, other: int, pool: Sequence[HexTile]) -> list[Bits]:
    """For each plan of direction `one` the plans of `other` that it may be combined with.

    Where their rows cross, a cell asks for a pair of values: that may not happen more often than the pool has
    tiles with this pair.
    """
    crossing = np.zeros((len(_ROWS[one]), len(_ROWS[other])), np.float32)
    crossing[_ROW_OF[one], _ROW_OF[other]] = 1
    ours, theirs = (np.array([plan.values for plan in plans[line]]) for line in (one, other))
    agree: npt.NDArray[Any] = np.ones((len(ours), len(theirs)), bool)
    for value, their_value in product(VALUES[one], VALUES[other]):
        stock = sum(SHOWS[one](tile) == value and SHOWS[other](tile) == their_value for tile in pool)
        agree &= (ours == value) @ crossing @ (theirs == their_value).T <= stock
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(agree, axis=1, bitorder="little")]


def _showing(pool: Sequence[HexTile]) -> list[Mapping[int, Bits]]:
    """For each direction and value the tiles that show it; `FREE` is content with any."""
    return [
        {FREE: (1 << len(pool)) - 1}
        | {
            value: sum(1 << i for i, tile in enumerate(pool) if SHOWS[line](tile) == value)
            for value in VALUES[line]
        }
        for line in range(3)
    ]


def _candidates(plans: Sequence[Plan], showing: Sequence[Mapping[int, Bits]]) -> list[Bits]:
    """For each cell the tiles that show what the three rows through it ask for."""
    vertical, rising, falling = showing
    asked = [[plan.values[row] for row in _ROW_OF[line]] for line, plan in enumerate(plans)]
    return [vertical[v] & rising[r] & falling[f] for v, r, f in zip(*asked, strict=True)]


def _matching(candidates: Sequence[Bits]) -> list[int] | None:
    """A different tile for each cell (augmenting paths), or None if there is no such choice."""
    if not all(candidates):
        return None
    owner: dict[int, int] = {}

    def serve(cell: int, tried: Bits) -> tuple[bool, Bits]:
        while left := candidates[cell] & ~tried:
            tile = _lowest(left)
            tried |= 1 << tile
            served = tile not in owner
            if not served:
                served, tried = serve(owner[tile], tried)
            if served:
                owner[tile] = cell
                return True, tried
        return False, tried

    for cell in range(len(candidates)):
        if not serve(cell, 0)[0]:
            return None
    return sorted(owner, key=owner.__getitem__)


def _boards(plans: Sequence[Plan], pool: Sequence[HexTile]) -> Iterator[Board[HexTile]]:
    """Every way to carry out these plans."""
    for chosen in _matchings(_candidates(plans, _showing(pool)), 0):
        yield Board(
            "mipasuje",
            {cell: pool[tile] for cell, tile in zip(STANDARD.cells, chosen, strict=True)},
            STANDARD.name,
        )


def _matchings(candidates: Sequence[Bits], cell: int) -> Iterator[list[int]]:
    """All choices of a different tile for each cell, given that those before `cell` are fixed."""
    found = _matching(candidates)
    if found is None:
        return
    if cell == len(candidates):
        yield found
        return
    for tile in _each(candidates[cell]):
        fixed = [options & ~(1 << tile) for options in candidates]
        fixed[cell] = 1 << tile
        yield from _matchings(fixed, cell + 1)


def _lowest(bits: Bits) -> int:
    return (bits & -bits).bit_length() - 1


def _each(bits: Bits) -> Iterator[int]:
    while bits:
        yield _lowest(bits)
        bits &= bits - 1
