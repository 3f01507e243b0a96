"""Boards that break a rule, as tables do show them: a tile twice, a tile of another set, one laid wrong.

Their truth says `"illegal": true`. The reader must show what lies there; the referee objects.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models.studio import bits, hexes, mipasuje, qwirkle, trio
from models.studio.boards import Table, qwirkle_table, trio_table
from models.studio.scene import Scene, render
from scoring.registry import find_game

Board = dict[str, Any]


def photograph(game: str, seed: int, style: str | None = None, size: tuple[int, int] = (1600, 1200)) -> Scene:
    """A photograph of an illegal board; the same bytes every time."""
    rng = np.random.default_rng([seed, *b"illegal", *game.encode()])
    board = illegal_board(rng, game)
    edition = {"mipasuje": None, "qwirkle": "purple", "trio": None, "bits": "travel"}[game]
    return render(game, seed, edition=edition, style=style, size=size, lay=board)


def illegal_board(rng: np.random.Generator, game: str) -> Board:
    """A board file that a referee objects to, and says so."""
    rules = find_game(game)
    makers = {"mipasuje": _mipasuje, "qwirkle": _qwirkle, "trio": _trio, "bits": _bits}
    while True:
        board = makers[game](rng)
        if rules.score(rules.parse_board(board), rules.parse_options({})).findings:
            return {**board, "illegal": True}


def _mipasuje(rng: np.random.Generator) -> Board:
    """One tile twice, or a joker that has no business on the standard side."""
    cells = hexes.board_cells("standard")
    tiles = [mipasuje.BASIC[i] for i in rng.permutation(27)[: len(cells)]]
    odd = int(rng.integers(1, len(tiles)))
    tiles[odd] = tiles[0] if rng.random() < 0.7 else mipasuje.JOKERS[int(rng.integers(4))]
    listed = [{"at": list(cell), "tile": tile} for cell, tile in zip(cells, tiles, strict=True)]
    return {"game": "mipasuje", "board": "standard", "cells": listed}


def _qwirkle(rng: np.random.Generator) -> Board:
    """One tile of a legal table exchanged for any other."""
    table = qwirkle_table(rng, qwirkle.PURPLE, qwirkle.SHAPES, int(rng.integers(6, 40)), 0.4)
    at = list(table)[int(rng.integers(len(table)))]
    table[at] = (qwirkle.PURPLE[int(rng.integers(6))], qwirkle.SHAPES[int(rng.integers(6))])
    return _open("qwirkle", table)


def _trio(rng: np.random.Generator) -> Board:
    """One tile twice."""
    table = trio_table(rng, trio.COLOURS, trio.SHAPES, int(rng.integers(4, 30)))
    one, other = (list(table)[int(i)] for i in rng.permutation(len(table))[:2])
    table[one] = table[other]
    return _open("trio", table)


def _open(game: str, table: Table) -> Board:
    return {"game": game, "cells": [{"at": list(at), "tile": " ".join(table[at])} for at in sorted(table)]}


def _bits(rng: np.random.Generator) -> Board:
    """Dominoes that were dropped by the rules, one of them more often than a player has it."""
    drops = bits.drop_dominoes(rng, 4, 4, int(rng.integers(6, 13)))
    names = [name for name, _ in bits.random_colours(rng, 4, (0.5, 0.5, 0.5))]
    odd = {int(i) for i in rng.permutation(len(drops))[: int(rng.integers(2, 5))]}
    colours = (int(rng.integers(4)), int(rng.integers(4)))
    cells = {
        cell: names[kind]
        for index, drop in enumerate(drops)
        for cell, kind in zip(drop.cells, colours if index in odd else drop.colours, strict=True)
    }
    listed = [{"at": list(cell), "tile": cells[cell]} for cell in sorted(cells)]
    return {"game": "bits", "size": [6, 4], "cells": listed}
