"""A board on one line: `standard:528s.973.-,…` with `+` set-aside tiles, `@` the order, `!` the edition.

Columns from the left, separated by commas; cells from the top, separated by dots; `-` is an empty cell; `s`
or `m` is the symbol. The order counts cells in that reading order, from 0.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final
from urllib.parse import quote, unquote

from scoring.core import Board, Cell, Malformed
from scoring.mipasuje.layouts import find_layout
from scoring.mipasuje.tiles import TILES, HexTile, Mark

_LETTERS: Final[dict[Mark | None, str]] = {"sun": "s", "moon": "m", None: ""}
_BOARD: Final = re.compile(r"([a-z-]+):([^+@!]*)(?:\+([^@!]*))?(?:@([^!]*))?(?:!(.*))?", re.ASCII)
EMPTY: Final = "-"


def to_notation(board: Board[HexTile]) -> str:
    """The whole board as text; `from_notation` gives it back exactly."""
    layout = find_layout(board.layout)
    columns = groupby(layout.cells, key=lambda cell: cell[0])
    text = f"{layout.name}:" + ",".join(
        ".".join(_short(board.cells[cell]) if cell in board.cells else EMPTY for cell in column)
        for _, column in columns
    )
    if board.aside:
        text += "+" + ".".join(map(_short, board.aside))
    if board.order:
        text += "@" + ".".join(str(layout.cells.index(cell)) for cell in board.order)
    if board.edition is not None:
        text += "!" + quote(board.edition, safe="", errors="surrogatepass")
    return text


def from_notation(text: str, game: str) -> Board[HexTile]:
    """The board that `to_notation` wrote."""
    match = _BOARD.fullmatch(text)
    if match is None:
        raise Malformed("bad-notation", f"{text!r:.60} is not BOARD:TILES", "notation")
    name, columns, aside, order, edition = match.groups()
    layout = find_layout(name, "notation")
    entries = re.split("[.,]", columns)
    if len(entries) != len(layout.cells):
        wrong = f"has {len(entries)} cells, not {len(layout.cells)}"
        raise Malformed("bad-notation", wrong, "notation")
    board = Board(
        game,
        {cell: _tile(entry) for cell, entry in zip(layout.cells, entries, strict=True) if entry != EMPTY},
        layout.name,
        aside=tuple(map(_tile, aside.split("."))) if aside is not None else (),
        order=tuple(_cell(entry, layout.cells) for entry in order.split(".")) if order is not None else (),
        edition=unquote(edition, errors="surrogatepass") if edition is not None else None,
    )
    if len(set(board.order)) < len(board.order) or not board.cells.keys() >= set(board.order):
        raise Malformed("bad-notation", "the order names a cell twice or an empty one", "notation")
    if to_notation(board) != text:
        raise Malformed("bad-notation", "is not written the way boards are", "notation")
    return board


def _short(tile: HexTile) -> str:
    return tile.name.replace("-", "") + _LETTERS[tile.mark]


def _tile(text: str) -> HexTile:
    tile = TILES.get("-".join(text[:3]))
    mark = {letter: mark for mark, letter in _LETTERS.items()}
    if tile is None or text[3:] not in mark:
        raise Malformed("unknown-tile", f"{text!r:.60} is not a tile such as 973 or 528s", "notation")
    return tile.marked(mark[text[3:]])


def _cell(text: str, cells: tuple[Cell, ...]) -> Cell:
    if text.isascii() and text.isdecimal() and len(text) < 3 and int(text) < len(cells):
        return cells[int(text)]
    raise Malformed("bad-notation", f"{text!r:.60} is not the number of a cell", "notation")
