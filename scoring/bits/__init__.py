"""Bits by Reiner Knizia: dominoes slide down a ramp, areas of exactly four cells score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.bits.notation import read, write
from scoring.bits.options import COLOURS, SIZE, BitsOptions, is_word, parse_options
from scoring.bits.referee import audit
from scoring.bits.score import items
from scoring.bits.table import audit_round
from scoring.core import Board, Breakdown, Cell, Malformed, Player, RoundResult, Text
from scoring.game import Game, Json, checked_cells, checked_order

LONGEST_SIDE = 20
LONGEST_NAME = 100
MOST_OF_A_COLOUR = 9
"""Cells of one colour in the bigger box: its double twice, four mixed pairs, the start tile."""

MISTRZ = Text("solo-mistrz", "Mistrz Bits")
IMPERATOR = Text("solo-imperator", "Imperator Obszaru")
GWIAZDA = Text("solo-gwiazda", "Gwiazda Kolorów")
ZDOBYWCA = Text("solo-zdobywca", "Zdobywca Barw")
KAFELEK = Text("solo-kafelek", "Kafelek")


def solo_title(total: int) -> Text:
    """A lone player's title after three rounds. (The rulebook skips 17 itself; decided: the best title.)"""
    for least, title in ((17, MISTRZ), (13, IMPERATOR), (9, GWIAZDA), (5, ZDOBYWCA)):
        if total >= least:
            return title
    return KAFELEK


class Bits(Game[str, BitsOptions]):
    """A tile here is what one cell shows, a colour; which cells make one domino, the audit finds out."""

    id = "bits"
    title = "Bits"
    players = range(1, 5)

    def kinds(self) -> Mapping[str, int]:
        return dict.fromkeys(COLOURS, MOST_OF_A_COLOUR)

    def parse_tile(self, text: object, place: str) -> str:
        if isinstance(text, str) and text in COLOURS:
            return text
        raise Malformed("unknown-tile", f"{text!r:.40} is not one of {', '.join(COLOURS)}", place)

    def tile_name(self, tile: str) -> str:
        return tile

    def parse_board(self, data: Json, place: str = "") -> Board[str]:
        prefix = f"{place}." if place else ""
        rows, columns = size = _size(data.get("size"), f"{prefix}size")
        edition = data.get("edition")
        if edition is not None and not (
            isinstance(edition, str) and 0 < len(edition) <= LONGEST_NAME and edition.isprintable()
        ):
            problem = f"must be the name of a taught edition, 1 to {LONGEST_NAME} printable characters"
            raise Malformed("edition-wrong-type", problem, f"{prefix}edition")
        cells: dict[Cell, str] = {}
        for cell, entry, here in checked_cells(data, place):
            if not (0 <= cell[0] < rows and 0 <= cell[1] < columns):
                problem = f"[{cell[0]}, {cell[1]}] is off the board of {rows} rows and {columns} columns"
                raise Malformed("cell-off-board", problem, f"{here}.at")
            cells[cell] = self._colour(entry["tile"], edition, f"{here}.tile")
        return Board(self.id, cells, size=size, order=checked_order(data, place, cells), edition=edition)

    def _colour(self, text: object, edition: str | None, place: str) -> str:
        if edition is None:
            return self.parse_tile(text, place)
        if isinstance(text, str) and is_word(text):
            return text
        raise Malformed("unknown-tile", f"{text!r:.40} is not one word that names a colour", place)

    def board_json(self, board: Board[str]) -> dict[str, Any]:
        data: dict[str, Any] = {
            "game": self.id,
            "size": list(board.size or SIZE),
            "cells": [{"at": list(cell), "tile": board.cells[cell]} for cell in sorted(board.cells)],
        }
        if board.edition is not None:
            data["edition"] = board.edition
        if board.order:
            data["order"] = [list(cell) for cell in board.order]
        return data

    def parse_options(self, data: Json, place: str = "options", edition: str | None = None) -> BitsOptions:
        return parse_options(data, place)

    def notation(self, board: Board[str]) -> str:
        return write(board, board.size or SIZE)

    def from_notation(self, text: str) -> Board[str]:
        return self.parse_board(read(text), "notation")

    def score(self, board: Board[str], options: BitsOptions) -> Breakdown:
        found = tuple(items(board.cells, options))
        return Breakdown(self.id, sum(item.points for item in found), found, audit(board, options))

    def score_round(self, players: Sequence[Player[str]], options: BitsOptions) -> RoundResult:
        result = super().score_round(players, options)
        return RoundResult(result.game, result.players, audit_round(players, options), result.ranking)

    def same_board(self, one: Board[str], other: Board[str]) -> bool:
        if (one.size or SIZE) != (other.size or SIZE) or one.cells.keys() != other.cells.keys():
            return False
        pairs = {(colour, other.cells[cell]) for cell, colour in one.cells.items()}
        return len(pairs) == len({left for left, _ in pairs}) == len({right for _, right in pairs})


def _size(value: object, place: str) -> tuple[int, int]:
    if value is None:
        return SIZE
    if (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(side, int) and not isinstance(side, bool) for side in value)
        and all(1 <= side <= LONGEST_SIDE for side in value)
    ):
        return (value[0], value[1])
    raise Malformed("size", f"must be [rows, columns], whole numbers from 1 to {LONGEST_SIDE}", place)
