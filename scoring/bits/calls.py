"""Following a round as it was played: the calls in order, or a log of the cells as they were filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from scoring.bits.drop import Cells, UnfinishedError
from scoring.bits.options import Domino, domino
from scoring.core import Cell

Heights: TypeAlias = tuple[int, ...]
"""Per column, how many rows from the floor up are closed to further tiles."""


BUDGET = 20_000
"""Ways to have played that are looked at before giving up: some 0.2 s on the largest boards."""


class Followed(NamedTuple):
    """How far some way of playing gets: after so many tiles, these cells are still to be explained."""

    tiles: int
    left: tuple[Cell, ...]


def can_place(heights: Heights, rows: int) -> bool:
    """Whether any domino still fits: two rows free in a column, or one in two columns side by side."""
    return any(height + 2 <= rows for height in heights) or any(
        max(pair) < rows for pair in pairwise(heights)
    )


def heights_of(cells: Cells, size: tuple[int, int]) -> Heights:
    """The heights of a board as it lies."""
    rows, columns = size
    return tuple(
        max((rows - row for row in range(rows) if (row, column) in cells), default=0)
        for column in range(columns)
    )


def follow(
    cells: Cells, size: tuple[int, int], played: Sequence[frozenset[Domino]], budget: int = BUDGET
) -> Followed:
    """Drop one tile of each of these sets, in order, so that the board comes about: how far one can get.

    Which cells are covered follows from the heights alone: every filled cell below them, for none can be
    filled later. Raises `UnfinishedError` when too many ways are open.
    """
    rows, columns = size
    reached: set[Heights] = {(0,) * columns}
    for count, kinds in enumerate(played):
        after: set[Heights] = set()
        for heights in reached:
            after.update(_landings(cells, size, heights, kinds))
            if len(after) > budget:
                raise UnfinishedError
        budget -= len(after)
        if not after:
            heights = max(reached)
            return Followed(count, tuple(cell for cell in sorted(cells) if rows - cell[0] > heights[cell[1]]))
        reached = after
    return Followed(len(played), ())


def _landings(
    cells: Cells, size: tuple[int, int], heights: Heights, kinds: frozenset[Domino]
) -> Iterator[Heights]:
    rows, columns = size
    for column, height in enumerate(heights):
        upper, lower = (rows - 2 - height, column), (rows - 1 - height, column)
        if upper in cells and lower in cells and domino(cells[upper], cells[lower]) in kinds:
            yield (*heights[:column], height + 2, *heights[column + 1 :])
        if column + 1 == columns:
            continue
        top = max(height, heights[column + 1])
        left, right = (rows - 1 - top, column), (rows - 1 - top, column + 1)
        if left not in cells or right not in cells or domino(cells[left], cells[right]) not in kinds:
            continue
        skipped = [(rows - 1 - level, column) for level in range(height, top)]
        skipped += [(rows - 1 - level, column + 1) for level in range(heights[column + 1], top)]
        if not any(cell in cells for cell in skipped):
            yield (*heights[:column], top + 1, top + 1, *heights[column + 2 :])


def first_impossible(order: Sequence[Cell], size: tuple[int, int]) -> tuple[Cell, ...]:
    """The first tile of a log (its cells two by two) that cannot have slid to its place; empty if all can."""
    rows, columns = size
    heights = [0] * columns
    for one, other in zip(order[::2], order[1::2], strict=False):
        upper, lower = sorted((one, other))
        upright = upper[1] == lower[1] and lower[0] - upper[0] == 1
        lying = upper[0] == lower[0] and lower[1] - upper[1] == 1
        level = max(heights[upper[1]], heights[lower[1]])
        if not (upright or lying) or rows - 1 - lower[0] != level:
            return (one, other)
        heights[upper[1]] = heights[lower[1]] = rows - upper[0]
    return ()
