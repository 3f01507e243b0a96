"""A board on one line: size; colours; a letter per cell; then, where known, =edition and >order of cells.

    2x3;red.blue;a../abb

With more than 52 colours (taught editions only) every cell takes two letters.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, unquote

from scoring.core import Board, Malformed

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_COLOURS = 400

_FORM = re.compile(
    r"([0-9]{1,2})x([0-9]{1,2});([^;]*);([a-zA-Z./]*)(?:;=([^;]*))?(?:;>([0-9]{1,3}(?:\.[0-9]{1,3})*))?"
)


def write(board: Board[str], size: tuple[int, int]) -> str:
    """The line `read` understands; colours in the order they first appear."""
    rows, columns = size
    colours = list(dict.fromkeys(board.cells[cell] for cell in sorted(board.cells)))
    symbol = dict(zip(colours, _symbols(len(colours)), strict=True))
    empty = "." * _width(len(colours))
    lines = (
        "".join(
            symbol[board.cells[row, column]] if (row, column) in board.cells else empty
            for column in range(columns)
        )
        for row in range(rows)
    )
    line = f"{rows}x{columns};{'.'.join(colours)};{'/'.join(lines)}"
    if board.edition is not None:
        line += f";={quote(board.edition, safe='')}"
    if board.order:
        line += ";>" + ".".join(str(row * columns + column) for row, column in board.order)
    return line


def read(text: object) -> dict[str, Any]:
    """The board object the line stands for; `parse_board` then judges its size and colours."""
    form = _FORM.fullmatch(text) if isinstance(text, str) and text.isprintable() else None
    if form is None:
        raise _bad('must look like "2x3;red.blue;a../abb"')
    rows, columns = int(form[1]), int(form[2])
    colours = form[3].split(".") if form[3] else []
    if len(colours) > MOST_COLOURS or len(set(colours)) != len(colours):
        raise _bad("must name every colour once")
    width = _width(len(colours))
    lines = form[4].split("/")
    if len(lines) != rows or any(len(line) != width * columns for line in lines):
        raise _bad(f"does not draw {rows} rows of {columns} cells")
    colour = dict(zip(_symbols(len(colours)), colours, strict=True))
    cells = []
    for row, line in enumerate(lines):
        for column in range(columns):
            symbol = line[column * width : (column + 1) * width]
            if symbol in colour:
                cells.append({"at": [row, column], "tile": colour[symbol]})
            elif symbol != "." * width:
                raise _bad(f"{symbol!r} stands for no colour")
    data: dict[str, Any] = {"size": [rows, columns], "cells": cells}
    if form[5] is not None:
        data["edition"] = unquote(form[5])
    if form[6] is not None:
        data["order"] = [list(divmod(int(number), max(columns, 1))) for number in form[6].split(".")]
    return data


def _width(colours: int) -> int:
    return 1 if colours <= len(LETTERS) else 2


def _symbols(colours: int) -> list[str]:
    if _width(colours) == 1:
        return list(LETTERS[:colours])
    return [one + other for one in LETTERS for other in LETTERS][:colours]


def _bad(problem: str) -> Malformed:
    return Malformed("notation", problem, "notation")
