"""Dominoes and gravity: which pairs of cells can be one domino, and how a whole board divides into them.

A domino slides straight down until a half of it meets the floor or a tile. So the dominoes of a column came
from the bottom up, and one can rest where it lies if the floor or a filled cell is under it: under the lower
cell of an upright domino, under at least one cell of a lying one. The order of dropping needs no search:
lowest first always works, because whatever lies over a domino has its lowest cell strictly higher.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from scoring.bits.options import Domino, TileSet, domino
from scoring.core import Cell

Cells: TypeAlias = Mapping[Cell, str]

BUDGET = 60_000
"""Partial divisions looked at before giving up: some 0.2 s; an ordinary 6 × 4 board needs a few hundred."""


class UnfinishedError(Exception):
    """The budget is spent. Divisions with a smaller `misfit` were all seen; of others nothing is known."""

    def __init__(self, misfit: int = 0) -> None:
        super().__init__()
        self.misfit = misfit


class Drop(NamedTuple):
    """A place where a domino can have come to rest."""

    cells: tuple[Cell, Cell]
    kind: Domino
    on_floor: bool


@dataclass(frozen=True, slots=True)
class Division:
    """The whole board as dominoes: each with the cells it covers."""

    drops: tuple[Drop, ...]
    start: Domino | None
    """The kind of the start tile, one of the dominoes on the floor; None if there is none."""
    misfit: int
    """0 fits the set; every tile it takes too many counts 2, a missing start tile 1."""

    def own(self) -> dict[Domino, int]:
        """The player's own tiles it takes: all but the start tile."""
        counts: dict[Domino, int] = defaultdict(int)
        for drop in self.drops:
            counts[drop.kind] += 1
        if self.start is not None:
            counts[self.start] -= 1
        return {kind: count for kind, count in counts.items() if count}


def possible_drops(cells: Cells, rows: int) -> list[Drop]:
    """Every domino that could rest on these cells."""

    def rests(cell: Cell) -> bool:
        return cell[0] == rows - 1 or (cell[0] + 1, cell[1]) in cells

    found = []
    for cell in sorted(cells):
        row, column = cell
        under, beside = (row + 1, column), (row, column + 1)
        if under in cells and rests(under):
            found.append(Drop((cell, under), domino(cells[cell], cells[under]), under[0] == rows - 1))
        if beside in cells and (rests(cell) or rests(beside)):
            found.append(Drop((cell, beside), domino(cells[cell], cells[beside]), row == rows - 1))
    return found


def partners(cells: Cells, drops: Sequence[Drop]) -> dict[Cell, list[Cell]]:
    """For each cell, those it can share a domino with."""
    found: dict[Cell, list[Cell]] = {cell: [] for cell in cells}
    for drop in drops:
        one, other = drop.cells
        found[one].append(other)
        found[other].append(one)
    return found


def short_of_partners(near: Mapping[Cell, Sequence[Cell]]) -> list[tuple[frozenset[Cell], frozenset[Cell]]]:
    """Sets of cells with too few possible partners, each with these; none if the board divides into dominoes.

    White cells (as on a chessboard) only ever pair with black ones: a largest matching covers them all, or
    the cells it can be shifted to leave out are the witnesses (Hall, Dulmage and Mendelsohn).
    """
    match: dict[Cell, Cell] = {}
    for cell in near:
        if _is_white(cell):
            _augment(cell, near, match)
    found = []
    for white in (True, False):
        left_out = {cell for cell in near if _is_white(cell) == white and cell not in match}
        todo, taken = list(left_out), set()
        while todo:
            for partner in near[todo.pop()]:
                if partner not in taken:
                    taken.add(partner)
                    if match[partner] not in left_out:
                        left_out.add(match[partner])
                        todo.append(match[partner])
        if left_out:
            found.append((frozenset(left_out), frozenset(taken)))
    return found


def _is_white(cell: Cell) -> bool:
    return (cell[0] + cell[1]) % 2 == 0


def _augment(start: Cell, near: Mapping[Cell, Sequence[Cell]], match: dict[Cell, Cell]) -> None:
    """Grow the matching by one pair, shifting others along, if that brings in `start`."""
    came_from: dict[Cell, Cell] = {}
    todo = [start]
    while todo:
        white = todo.pop()
        for black in near[white]:
            if black in came_from:
                continue
            came_from[black] = white
            if black in match:
                todo.append(match[black])
                continue
            while True:
                white = came_from[black]
                follow = match.get(white)
                match[white], match[black] = black, white
                if follow is None:
                    return
                black = follow


_FIELD = 8
"""Bits per kind in a packed count: a board has at most 200 dominoes."""


def divisions(
    cells: Cells, drops: Sequence[Drop], tiles: TileSet, budget: int = BUDGET
) -> Iterator[Division]:
    """Divisions of the whole board, best fit first: one for each choice of start tile and own tiles.

    Cells are settled from the floor up, left to right. What covers the same cells with the same tiles has the
    same future, so each such state is looked at once; states wait in one stack per misfit.
    Raises `UnfinishedError` when the budget is spent.
    """
    order = {cell: bit for bit, cell in enumerate(sorted(cells, key=lambda cell: (-cell[0], cell[1])))}
    kinds = {kind: index for index, kind in enumerate(sorted({drop.kind for drop in drops}))}
    copies = [tiles.tiles.get(kind, 0) for kind in kinds]
    starters = {kinds[kind] for kind in tiles.start or () if kind in kinds}
    choices: list[list[tuple[int, int, bool, Drop]]] = [[] for _ in order]
    for drop in drops:
        low, high = sorted(order[cell] for cell in drop.cells)
        choices[low].append((1 << low | 1 << high, kinds[drop.kind], drop.on_floor, drop))

    names = list(kinds)
    nobody = -1  # no start tile yet
    whole = (1 << len(order)) - 1
    stacks: list[list[tuple[int, int, int, _Chain]]] = [[(0, 0, nobody, None)]]
    seen = set()
    misfit = 0
    while misfit < len(stacks):
        if not stacks[misfit]:
            misfit += 1
            continue
        covered, counts, start, chain = stacks[misfit].pop()
        if covered == whole:
            yield Division(_unchain(chain), None if start < 0 else names[start], misfit)
            continue
        budget -= 1
        if budget < 0:
            raise UnfinishedError(misfit)
        lowest = ~covered & (covered + 1)
        for mask, kind, on_floor, drop in choices[lowest.bit_length() - 1]:
            if covered & mask:
                continue
            after = covered | mask
            used = counts >> _FIELD * kind & (1 << _FIELD) - 1
            steps = [(counts + (1 << _FIELD * kind), start, 2 * (used >= copies[kind]))]
            if start == nobody and on_floor and kind in starters:
                steps.append((counts, kind, 0))
            for step_counts, step_start, over in steps:
                if after == whole and step_start == nobody and tiles.start is not None:
                    over += 1
                state = (after, step_counts, step_start)
                if state in seen:
                    continue
                seen.add(state)
                while len(stacks) <= misfit + over:
                    stacks.append([])
                stacks[misfit + over].append((after, step_counts, step_start, (drop, chain)))


_Chain: TypeAlias = "tuple[Drop, _Chain] | None"


def _unchain(chain: _Chain) -> tuple[Drop, ...]:
    found = []
    while chain is not None:
        drop, chain = chain
        found.append(drop)
    return tuple(reversed(found))
