"""What was seen, scored: the layer that knows both the camera's reading and the rules.

A doubt becomes a question people can weigh: what would the total be if it were the other tile?
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scoring.core import Board, Breakdown
from scoring.formats import findings_json, items_json
from scoring.registry import find_game
from vision.board_file import board_file
from vision.reading import Alternative, CellReading, Doubt, Reading

EMPTY = "empty"
"""What a cell without a tile is called where a name is needed."""

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ScoredDoubt:
    """A doubt, and the total under each thing the cell may be (None in games scored by turns)."""

    doubt: Doubt
    score_if: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class ScoredReading:
    """A reading with everything the rules say about it."""

    reading: Reading
    options: Mapping[str, Any]
    board: Board[Any]
    breakdown: Breakdown
    doubts: tuple[ScoredDoubt, ...]


def board_of(reading: Reading) -> Board[Any]:
    """The board that was read."""
    return find_game(reading.game).parse_board(board_file(reading))


def score_reading(reading: Reading, options: Mapping[str, Any] = NO_OPTIONS) -> ScoredReading:
    """Scores what was read under `options` (as in a board file), and again under every alternative."""
    game = find_game(reading.game)
    parsed = game.parse_options(options)

    def total(changed: Reading) -> int | None:
        # A game whose total is never known from the board alone need not be scored again for each doubt.
        return None if game.by_turns else game.score(board_of(changed), parsed).total

    board = board_of(reading)
    return ScoredReading(
        reading,
        options,
        board,
        game.score(board, parsed),
        tuple(
            ScoredDoubt(
                doubt,
                MappingProxyType(
                    {
                        name: total(changed_cell(reading, doubt, alternative))
                        for name, alternative in named_alternatives(doubt).items()
                    }
                ),
            )
            for doubt in reading.doubts
        ),
    )


def named_alternatives(doubt: Doubt) -> dict[str, Alternative]:
    """The alternatives by tile name or `EMPTY`; where only the symbol differs, with it: "9-7-3 sun"."""
    tiles = [alternative.tile for alternative in doubt.alternatives]
    named: dict[str, Alternative] = {}
    for alternative in doubt.alternatives:
        name = EMPTY if alternative.tile is None else alternative.tile
        if alternative.mark and tiles.count(alternative.tile) > 1:
            name = f"{name} {alternative.mark}"
        named.setdefault(name, alternative)
    return named


def changed_cell(reading: Reading, doubt: Doubt, alternative: Alternative) -> Reading:
    """The reading as if the doubted cell were this alternative."""
    cells = {cell.at: cell for cell in reading.cells}
    before = cells.pop(doubt.at, None)
    if alternative.tile is not None:
        # An alternative that says nothing about the symbol leaves the one that was read.
        mark = alternative.mark or (before.mark if before else None)
        cells[doubt.at] = CellReading(doubt.at, alternative.tile, alternative.p, (), doubt.polygon, mark)
    return replace(reading, cells=tuple(cells[at] for at in sorted(cells)))


def reading_json(photo: str, scored: ScoredReading) -> dict[str, Any]:
    """What `kibic read --json` prints for one photo; itself a board file."""
    reading, breakdown = scored.reading, scored.breakdown
    board = board_file(reading)
    seen = [{"code": f.code, "cells": _cells(f.cells), "message": f.message} for f in reading.findings]
    found: dict[str, Any] = {
        "photo": photo,
        "game": reading.game,
        "board": reading.layout or None,
        **{key: board[key] for key in ("size", "aside", "edition") if key in board},
        "cells": [_cell_json(cell) for cell in reading.cells],
        "doubts": [_doubt_json(doubt) for doubt in scored.doubts],
        "findings": [*seen, *findings_json(breakdown.findings)],
        "breakdown": {"total": breakdown.total, "items": items_json(breakdown.items)},
        "ms": {stage: round(ms, 3) for stage, ms in reading.ms.items()},
    }
    if scored.options:
        found["options"] = dict(scored.options)
    return found


def error_json(photo: str, code: str, message: str) -> dict[str, Any]:
    """What stands in the place of a photo that cannot be read."""
    return {"photo": photo, "error": {"code": code, "message": message}}


def _cell_json(cell: CellReading) -> dict[str, Any]:
    return {
        "at": list(cell.at),
        "tile": cell.tile,
        "mark": cell.mark,
        "p": round(cell.p, 6),
        "alternatives": [_alternative_json(alternative) for alternative in cell.alternatives],
        "polygon": [[round(x, 1), round(y, 1)] for x, y in cell.polygon],
    }


def _doubt_json(scored: ScoredDoubt) -> dict[str, Any]:
    doubt = scored.doubt
    return {
        "at": list(doubt.at),
        "alternatives": [_alternative_json(alternative) for alternative in doubt.alternatives],
        "score_if": dict(scored.score_if),
        "polygon": [[round(x, 1), round(y, 1)] for x, y in doubt.polygon],
    }


def _alternative_json(alternative: Alternative) -> dict[str, Any]:
    found: dict[str, Any] = {"tile": alternative.tile, "p": round(alternative.p, 6)}
    if alternative.mark is not None:
        found["mark"] = alternative.mark
    return found


def _cells(cells: tuple[tuple[int, int], ...]) -> list[list[int]]:
    return [list(cell) for cell in cells]
