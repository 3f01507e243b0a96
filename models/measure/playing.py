"""Games played by themselves, turn by turn and by the rules, to photograph in the studio."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.core import Board, Cell, neighbours4
from scoring.registry import find_game

Table = dict[Cell, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """One turn: the table after it, what it is worth, and whether it ended the game."""

    player: int
    table: Table
    points: int
    last: bool = False


def whole_game(name: str, seed: int, players: int, edition: str = "") -> Iterator[Played]:
    """A game of Qwirkle or Trio from the first tile to the last; the same for the same seed."""
    rng = np.random.default_rng([seed, *name.encode()])
    yield from _qwirkle(rng, players, edition) if name == "qwirkle" else _trio(rng, players)


def _qwirkle(rng: np.random.Generator, players: int, edition: str) -> Iterator[Played]:
    game = find_game("qwirkle")
    unused = "purple" if "white" in edition else "white"
    bag = [tile for tile, copies in game.kinds().items() for _ in range(copies) if tile.colour != unused]
    bag = [bag[index] for index in rng.permutation(len(bag))]
    hands = [[bag.pop() for _ in range(6)] for _ in range(players)]
    table: Table = {}
    player = passes = 0
    while passes < players:
        hand = hands[player]
        best = max(_lines(table, hand), key=lambda one: one[0], default=None)
        last = False
        points = 0
        if best is None:
            # Nothing fits: the whole hand goes back for as many others.
            swapped = min(len(hand), len(bag))
            passes = 0 if swapped else passes + 1
            bag = hand[:swapped] + bag
            hand[:swapped] = [bag.pop() for _ in range(swapped)]
        else:
            passes = 0
            points, placed = best
            for tile in placed.values():
                hand.remove(tile)
            table = {**table, **placed}
            hand += [bag.pop() for _ in range(min(6 - len(hand), len(bag)))]
            last = not hand
            points += 6 * last
        yield Played(player, dict(table), points, last)
        if last:
            return
        player = (player + 1) % players


def _lines(table: Table, hand: list[Any]) -> Iterator[tuple[int, Table]]:
    """Legal placements: a tile somewhere, and others after it in line as long as they fit."""
    game = find_game("qwirkle")
    options = game.parse_options({})
    before = Board("qwirkle", table)
    free = {near for cell in table for near in neighbours4(cell)} - table.keys() or {(0, 0)}
    for start in sorted(free):
        for index, tile in enumerate(hand):
            placed = {start: tile}
            found = game.move(before, Board("qwirkle", table | placed), options)
            if not found.legal:
                continue
            yield found.points, dict(placed)
            for step in ((0, 1), (1, 0)):
                yield from _longer(table, before, dict(placed), hand[:index] + hand[index + 1 :], start, step)


def _longer(
    table: Table, before: Board[Any], placed: Table, rest: list[Any], start: Cell, step: Cell
) -> Iterator[tuple[int, Table]]:
    game = find_game("qwirkle")
    options = game.parse_options({})
    at = start
    grown = True
    while grown and rest:
        grown = False
        while at in table or at in placed:
            at = (at[0] + step[0], at[1] + step[1])
        for index, tile in enumerate(rest):
            found = game.move(before, Board("qwirkle", table | placed | {at: tile}), options)
            if found.legal:
                placed = placed | {at: tile}
                rest = rest[:index] + rest[index + 1 :]
                yield found.points, placed
                grown = True
                break


def _trio(rng: np.random.Generator, players: int) -> Iterator[Played]:
    game = find_game("trio")
    options = game.parse_options({})
    stack = list(game.kinds())
    stack = [stack[index] for index in rng.permutation(len(stack))]
    table: Table = {(0, 0): stack.pop()}
    hands = [[stack.pop() for _ in range(3)] for _ in range(players)]
    player = 0
    while any(hands):
        hand = hands[player]
        before = Board("trio", table)
        free = sorted({near for cell in table for near in neighbours4(cell)} - table.keys())
        tried = []
        for cell in free:
            for tile in hand:
                move = game.move(before, Board("trio", table | {cell: tile}), options)
                if move.legal:
                    near = sum(beside in table for beside in neighbours4(cell))
                    tried.append((move.points, near, float(rng.random()), cell, tile))
        points, _near, _any, cell, tile = max(tried, key=lambda one: one[:3])
        hand.remove(tile)
        if stack:
            hand.append(stack.pop())
        table = {**table, cell: tile}
        yield Played(player, dict(table), points, not any(hands))
        player = (player + 1) % players
