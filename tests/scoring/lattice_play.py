"""Qwirkle and Trio played at random by code that shares nothing with `scoring`: tables are dictionaries
(row, column) → (colour, shape), lines are cut out of whole rows and columns, runs are windows."""

from itertools import groupby
from typing import NamedTuple

from scoring.core import Board
from scoring.lattice import Tile

QWIRKLE_SHAPES = ("circle", "square", "diamond", "star", "clover", "cross")
CLASSIC = ("red", "orange", "yellow", "green", "blue", "purple")
WHITE = ("red", "orange", "yellow", "green", "blue", "white")
TRIO_COLOURS = ("yellow", "orange", "violet", "red", "green", "blue")
TRIO_SHAPES = ("star", "heart", "flower", "sun", "moon", "drop")


class Turn(NamedTuple):
    before: dict
    after: dict
    hand: list
    """What the player held before the turn."""
    last: bool
    """Whether the turn emptied the hand and there was nothing left to draw."""


def as_board(game, table):
    return Board(game, {cell: Tile(*tile) for cell, tile in table.items()})


def segments(table):
    """The stretches of touching cells of every row and every column, single cells too."""
    for axis in (0, 1):
        cells = sorted(table, key=lambda cell: (cell[axis], cell[1 - axis]))
        numbered = enumerate(cells)
        for _, stretch in groupby(numbered, key=lambda pair: (pair[1][axis], pair[1][1 - axis] - pair[0])):
            yield [cell for _, cell in stretch]


def line_is_fine(tiles):
    colours, shapes = {colour for colour, _ in tiles}, {shape for _, shape in tiles}
    return (len(colours), len(shapes)) in ((1, len(tiles)), (len(tiles), 1))


def table_is_fine(table):
    return all(line_is_fine([table[cell] for cell in stretch]) for stretch in segments(table))


def turn_points(before, after):
    """Qwirkle points of a legal turn, counted over the whole table; the bonus for the last tile left out."""
    touched = [s for s in segments(after) if len(s) > 1 and any(cell not in before for cell in s)]
    points = sum(len(s) for s in touched) + 6 * sum(len(s) == 6 for s in touched)
    return 1 if len(after) == 1 else points


def fits(table, cell, tile):
    """Whether the row and the column through an empty cell stay legal with this tile in it."""
    for down, right in ((0, 1), (1, 0)):
        line = [tile]
        for sign in (-1, 1):
            row, column = cell[0] + sign * down, cell[1] + sign * right
            while (row, column) in table:
                line.append(table[row, column])
                row, column = row + sign * down, column + sign * right
        if not line_is_fine(line):
            return False
    return True


def edges(table):
    """The empty cells that share a side with a tile; (0, 0) on an empty table."""
    around = {(r + dr, c + dc) for r, c in table for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return sorted(around - table.keys()) or [(0, 0)]


def random_placement(rng, table, hand):
    """One to six tiles of a hand laid legally in one line, or None if no tile fits anywhere."""
    spots = [(cell, tile) for cell in edges(table) for tile in set(hand) if fits(table, cell, tile)]
    if not spots:
        return None
    start, tile = rng.choice(sorted(spots))
    after, left = {**table, start: tile}, list(hand)
    left.remove(tile)
    down, right = rng.choice(((0, 1), (1, 0)))
    for sign in (-1, 1):
        row, column = start
        while left and rng.random() < 0.8:
            while (row, column) in after:
                row, column = row + sign * down, column + sign * right
            fitting = sorted(tile for tile in set(left) if fits(after, (row, column), tile))
            if not fitting:
                break
            after[row, column] = rng.choice(fitting)
            left.remove(after[row, column])
    return after


def qwirkle_game(rng, colours, players=3):
    """The turns of a whole game with one set of 108 tiles; exchanges are left out."""
    bag = [(colour, shape) for colour in colours for shape in QWIRKLE_SHAPES for _ in range(3)]
    rng.shuffle(bag)
    hands = [[bag.pop() for _ in range(6)] for _ in range(players)]
    table, passed = {}, 0
    while passed < (10 if bag else 1) * players:
        hand = hands.pop(0)
        hands.append(hand)
        after = random_placement(rng, table, hand)
        if after is None:
            passed += 1
            swapped, hand[:] = hand[: len(bag)], hand[len(bag) :]
            hand += [bag.pop() for _ in swapped]
            bag += swapped
            rng.shuffle(bag)
            continue
        passed = 0
        held = list(hand)
        for cell in after.keys() - table.keys():
            hand.remove(after[cell])
        while bag and len(hand) < 6:
            hand.append(bag.pop())
        yield Turn(table, after, held, not hand)
        table = after
        if not hand:
            return


def windows(table, length):
    """Every straight stretch of so many touching tiles with one colour or one shape in common."""
    for row, column in table:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            cells = [(row + i * down, column + i * right) for i in range(length)]
            if all(cell in table for cell in cells):
                for aspect in (0, 1):
                    if len({table[cell][aspect] for cell in cells}) == 1:
                        yield cells


def trio_game(rng):
    """The turns of a whole game of Trio, the start tile first; no turn makes four in a line."""
    stack = [(colour, shape) for colour in TRIO_COLOURS for shape in TRIO_SHAPES]
    rng.shuffle(stack)
    table = {}
    for tile in stack:
        spots = edges(table)
        rng.shuffle(spots)
        # Half of the turns go where they score, so that games have points to disagree about.
        if rng.random() < 0.5:
            spots.sort(key=lambda cell: -sum(1 for _ in windows({**table, cell: tile}, 3)))
        after = next(a for a in ({**table, cell: tile} for cell in spots) if not any(windows(a, 4)))
        yield Turn(table, after, [tile], False)
        table = after
