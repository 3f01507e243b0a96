"""Tables of the two open games as they could have come about: random legal play, tile by tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from models.studio.plan import Cell

Kind = tuple[str, str]
"""(colour, shape)."""
Table = dict[Cell, Kind]

STEPS = ((0, 1), (1, 0))
TRIO_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
LONGEST_LINE = 6


def as_table(board: Mapping[str, Any]) -> Table:
    """The tiles of a board file."""
    table: Table = {}
    for cell in board["cells"]:
        colour, shape = cell["tile"].split(" ")
        table[cell["at"][0], cell["at"][1]] = (colour, shape)
    return table


def along(table: Table, cell: Cell, step: tuple[int, int]) -> list[Kind]:
    """The unbroken line of tiles on both sides of an (empty) cell in one direction."""
    line = []
    for sign in (1, -1):
        row, column = cell[0] + sign * step[0], cell[1] + sign * step[1]
        while (row, column) in table:
            line.append(table[row, column])
            row, column = row + sign * step[0], column + sign * step[1]
    return line


def fits_line(line: list[Kind], kind: Kind) -> bool:
    """Whether the tile may join this Qwirkle line: one colour or one shape, nothing twice, at most six."""
    if not line:
        return True
    if len(line) >= LONGEST_LINE:
        return False
    together = [*line, kind]
    colours, shapes = {colour for colour, _ in together}, {shape for _, shape in together}
    size = len(together)
    return (len(colours) == 1 and len(shapes) == size) or (len(shapes) == 1 and len(colours) == size)


def qwirkle_table(
    rng: np.random.Generator, colours: tuple[str, ...], shapes: tuple[str, ...], tiles: int, sprawl: float
) -> Table:
    """A legal Qwirkle table of up to `tiles` tiles; `sprawl` 0 … 1 says how often play grows outwards."""
    bag = Counter({(colour, shape): 3 for colour in colours for shape in shapes})
    first = (colours[int(rng.integers(6))], shapes[int(rng.integers(6))])
    table: Table = {(0, 0): first}
    bag[first] -= 1
    frontier: dict[Cell, None] = {(0, 1): None, (1, 0): None, (0, -1): None, (-1, 0): None}
    last = (0, 0)
    while len(table) < tiles and frontier:
        cells = list(frontier)
        if rng.random() < sprawl:
            near = [cell for cell in cells if abs(cell[0] - last[0]) + abs(cell[1] - last[1]) == 1]
            cells = near or cells
        cell = cells[int(rng.integers(len(cells)))]
        across, down = along(table, cell, (0, 1)), along(table, cell, (1, 0))
        fitting = [
            kind for kind, left in bag.items() if left and fits_line(across, kind) and fits_line(down, kind)
        ]
        if not fitting:
            del frontier[cell]
            continue
        kind = fitting[int(rng.integers(len(fitting)))]
        _put(table, frontier, cell, kind)
        bag[kind] -= 1
        last = cell
    return table


def trio_table(
    rng: np.random.Generator, colours: tuple[str, ...], shapes: tuple[str, ...], tiles: int
) -> Table:
    """A legal Trio table: every tile at most once, joined by sides, no run of four alike in any direction."""
    stack = [(colour, shape) for colour in colours for shape in shapes]
    stack = [stack[int(index)] for index in rng.permutation(len(stack))]
    table: Table = {(0, 0): stack.pop()}
    frontier: dict[Cell, None] = {(0, 1): None, (1, 0): None, (0, -1): None, (-1, 0): None}
    tries = 0
    while len(table) < tiles and stack and tries < 400:
        tries += 1
        cells = list(frontier)
        cell = cells[int(rng.integers(len(cells)))]
        if _too_long(table, cell, stack[-1]):
            stack.insert(0, stack.pop())
            continue
        _put(table, frontier, cell, stack.pop())
    return table


def _too_long(table: Table, cell: Cell, kind: Kind) -> bool:
    for step in TRIO_STEPS:
        for aspect in (0, 1):
            run = 1
            for sign in (1, -1):
                row, column = cell[0] + sign * step[0], cell[1] + sign * step[1]
                while table.get((row, column), ("", ""))[aspect] == kind[aspect]:
                    run += 1
                    row, column = row + sign * step[0], column + sign * step[1]
            if run > 3:
                return True
    return False


def _put(table: Table, frontier: dict[Cell, None], cell: Cell, kind: Kind) -> None:
    table[cell] = kind
    del frontier[cell]
    for row, column in STEPS:
        for near in ((cell[0] + row, cell[1] + column), (cell[0] - row, cell[1] - column)):
            if near not in table:
                frontier[near] = None


def scattered(
    rng: np.random.Generator,
    colours: tuple[str, ...],
    shapes: tuple[str, ...],
    rows: int,
    columns: int,
    share: float,
) -> Table:
    """Any tiles anywhere: quick to make, wrong by every rule, right for learning what tiles look like."""
    filled = rng.random((rows, columns)) < share
    filled[rows // 2, columns // 2] = True
    picks = rng.integers(0, 6, (rows, columns, 2))
    return {
        (int(row), int(column)): (colours[picks[row, column, 0]], shapes[picks[row, column, 1]])
        for row, column in zip(*np.nonzero(filled), strict=True)
    }


def diagonal_groups(
    rng: np.random.Generator,
    colours: tuple[str, ...],
    shapes: tuple[str, ...],
    boards: tuple[int, int],
    side: int,
) -> Table:
    """Tables as on "Connect" mats: each board of `side` × `side` cells starts with a diagonal; lines grow.

    The diagonals of neighbouring boards need not touch: such a table breaks the ordinary rule of one group.
    """
    table: Table = {}
    for top in range(boards[0]):
        for left in range(boards[1]):
            mirrored = rng.random() < 0.5
            for slip in range(6):
                column = slip if not mirrored else 5 - slip
                at = (top * side + 1 + slip, left * side + 1 + column)
                table[at] = (colours[int(rng.integers(6))], shapes[int(rng.integers(6))])
    height, width = boards[0] * side, boards[1] * side
    for _ in range(int(rng.integers(0, 14 * boards[0] * boards[1]))):
        cells = list(table)
        row, column = cells[int(rng.integers(len(cells)))]
        step = STEPS[int(rng.integers(2))]
        sign = int(rng.choice((-1, 1)))
        for reach in range(1, int(rng.integers(2, 6))):
            cell = (row + sign * reach * step[0], column + sign * reach * step[1])
            inside = -1 <= cell[0] <= height and -1 <= cell[1] <= width
            if cell in table or not inside:
                break
            across, down = along(table, cell, (0, 1)), along(table, cell, (1, 0))
            fitting = [
                (colour, shape)
                for colour in colours
                for shape in shapes
                if fits_line(across, (colour, shape)) and fits_line(down, (colour, shape))
            ]
            if not fitting:
                break
            table[cell] = fitting[int(rng.integers(len(fitting)))]
    return table
