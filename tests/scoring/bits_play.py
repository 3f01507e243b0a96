"""Bits played at random, and written down again by slower, simpler means than the rules use."""

import random
from functools import cache

from scoring.bits.options import COLOURS, domino
from scoring.core import Board


def deck(colours):
    """A player's tiles and the start tiles, as the rules say the box holds them."""
    mixed = [(one, other) for i, one in enumerate(sorted(colours)) for other in sorted(colours)[i + 1 :]]
    return [(colour, colour) for colour in colours] * 2 + mixed, mixed


def play(seed, rows=6, columns=4, colours=4, most=99, calls=None):
    """A round played at random: the board with its order of placement, and the calls (unless given)."""
    rng = random.Random(seed)
    tiles, mixed = deck(COLOURS[:colours])
    rng.shuffle(tiles)
    tiles = calls or tiles
    cells, order, heights = {}, [], [0] * columns
    for tile in [rng.choice(mixed), *tiles][:most]:
        upright = [(c,) for c in range(columns) if heights[c] + 2 <= rows]
        lying = [(c, c + 1) for c in range(columns - 1) if max(heights[c : c + 2]) < rows]
        if not upright + lying:
            break
        where = rng.choice(upright + lying)
        level = rows - 1 - max(heights[column] for column in where)
        lies_on = (
            [(level, column) for column in where]
            if len(where) == 2
            else [
                (level, where[0]),
                (level - 1, where[0]),
            ]
        )
        order += lies_on
        cells |= dict(zip(lies_on, rng.sample(tile, 2), strict=True))
        for row, column in lies_on:
            heights[column] = rows - row
    return Board("bits", cells, size=(rows, columns), order=tuple(order)), [domino(*tile) for tile in tiles]


def mirrored(board):
    columns = board.size[1]
    turned = {(row, columns - 1 - column): tile for (row, column), tile in board.cells.items()}
    return Board("bits", turned, size=board.size)


def reachable_shapes(rows, columns):
    """Every set of filled cells that dropping dominoes can make, played forward in every order."""
    found = {frozenset()}
    todo = [frozenset()]
    while todo:
        filled = todo.pop()
        for after in _drops(filled, rows, columns):
            whole = filled | after
            if whole not in found:
                found.add(whole)
                todo.append(whole)
    return found


def can_be_played(cells, rows, columns, own, start):
    """Whether some order of drops makes this coloured board: the start tile first, then own tiles."""

    @cache
    def rest(filled, left):
        if len(filled) == len(cells):
            return True
        for pair in _drops(filled, rows, columns):
            if all(cell in cells for cell in pair):
                kind = domino(*(cells[cell] for cell in pair))
                used = [tile for tile, copies in left if tile == kind and copies]
                if used and rest(
                    filled | pair, tuple((tile, copies - (tile == kind)) for tile, copies in left)
                ):
                    return True
        return False

    counts = tuple((tile, own.count(tile)) for tile in sorted(set(own)))
    return not cells or any(
        rest(pair, counts)
        for pair in _drops(frozenset(), rows, columns)
        if all(cell in cells for cell in pair) and domino(*(cells[cell] for cell in pair)) in start
    )


def _drops(filled, rows, columns):
    """Where one more domino can come to rest, found by letting it slide row by row."""
    for column in range(columns):
        for shape in ([(0, 0), (1, 0)], [(0, 0), (0, 1)]):
            cells = [(row, column + right) for row, right in shape]
            if any(right >= columns for _, right in cells) or any(
                cell in filled or cell[0] >= rows for cell in cells
            ):
                continue
            while True:
                lower = [(row + 1, right) for row, right in cells]
                if any(row == rows or (row, right) in filled for row, right in lower):
                    break
                cells = lower
            yield frozenset(cells)
