"""A turn's photograph laid on the table as it stood: the reading in the table's own coordinates.

What is kept is the reading as the camera saw it; how it lies on the table is worked out anew from the turns
before, so that a correction of an earlier turn carries through everything after it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from scoring.core import Board, Cell
from scoring.game import Game
from scoring.registry import GAMES
from vision.match import Contradiction, Known, KnownCell, Matched, match
from vision.reading import Alternative, CellReading, Doubt, Reading, Unreadable
from web.turn_choice import board_of, legal_first, open_cells

REMEMBERED = 1024
"""Matched turns kept in memory: a page shows every turn of a game."""


class Said(Protocol):
    """A person's correction."""

    tile: str | None
    mark: str | None


@dataclass(frozen=True, slots=True)
class TurnView:
    """What matching says about one turn."""

    known: Known
    """The table after the turn, with what is believed of every cell: the next photo is laid on it."""
    contradictions: tuple[Contradiction, ...] = ()
    unseen: tuple[Cell, ...] = ()
    ambiguous: bool = False
    """Which tiles are new cannot be told from the photo, and it makes a difference."""
    problem: tuple[str, str] | None = None
    """(code, message) where the photo does not show this table."""


def on_table(
    game: Game[Any, Any], before: TurnView | None, reading: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, TurnView]:
    """The reading as the pages take it, in the table's coordinates; and the turn, before any correction."""
    known = before.known if before is not None else Known(game.id)
    if reading is None:
        return None, TurnView(known)
    try:
        matched, ambiguous = _matched(known, json.dumps(reading))
    except Unreadable as error:
        return None, TurnView(known, problem=(error.code, str(error)))
    seen = matched.reading
    shown = {
        **reading,
        "cells": [_cell_json(cell) for cell in seen.cells if cell.at not in matched.unseen],
        "doubts": [_doubt_json(doubt) for doubt in seen.doubts],
        "unseen": [
            {"at": list(cell.at), "tile": cell.tile} for cell in seen.cells if cell.at in matched.unseen
        ],
        "findings": [
            {"code": one.code, "message": one.message, "cells": [list(cell) for cell in one.cells]}
            for one in seen.findings
        ],
    }
    doubted = {doubt.at for doubt in seen.doubts}
    was = dict(known.cells)
    cells = tuple((cell.at, _known_cell(cell, was.get(cell.at), cell.at in doubted)) for cell in seen.cells)
    after = Known(game.id, cells, known.empties)
    return shown, TurnView(after, matched.contradictions, matched.unseen, ambiguous)


def _known_cell(cell: CellReading, before: KnownCell | None, doubted: bool) -> KnownCell:
    """What a person once said stays said, as long as nothing contradicts it."""
    if before is not None and not doubted and before.told and before.alternatives[0].tile == cell.tile:
        return before
    return KnownCell((Alternative(cell.tile, cell.p, cell.mark), *cell.alternatives), doubted=doubted)


def corrected(view: TurnView, reading: Mapping[str, Any] | None, said: Mapping[Cell, Said]) -> TurnView:
    """The turn's view once people have had their say."""
    if not said:
        return view
    cells = dict(view.known.cells)
    empties = dict(view.known.empties)
    doubts = {tuple(one["at"]): one for one in (reading or {}).get("doubts", ())}
    for at, one in said.items():
        was = cells.pop(at, None)
        if one.tile is None:
            hints = [
                other["p"] for other in doubts.get(at, {"alternatives": ()})["alternatives"] if other["tile"]
            ]
            empties[at] = min(1.0, sum(hints)) if hints else (1.0 if was else 0.0)
            continue
        read = was.alternatives[0].tile if was is not None else None
        misread = (read,) if read != one.tile and was is not None and not was.told else ()
        before = was.misread if was is not None else ()
        cells[at] = KnownCell(
            (Alternative(one.tile, 1.0, one.mark),),
            told=True,
            misread=tuple(dict.fromkeys((*before, *misread))),
        )
    return replace(
        view, known=Known(view.known.game, tuple(sorted(cells.items())), tuple(sorted(empties.items())))
    )


@lru_cache(maxsize=REMEMBERED)
def _matched(known: Known, reading: str) -> tuple[Matched, bool]:
    seen = as_reading(known.game, json.loads(reading))
    found, ambiguous = match(known, seen), False
    if found.rivals:
        found, ambiguous = _by_the_rules(known, seen, found)
    game = GAMES[known.game]
    return replace(
        found, reading=legal_first(game, _board(game, known), open_cells(known), found.reading)
    ), ambiguous


def _by_the_rules(known: Known, seen: Reading, found: Matched) -> tuple[Matched, bool]:
    """Of several ways to lay the photo on the table, the one that is a legal turn; unsure if several are."""
    game = GAMES[known.game]
    legal: list[tuple[int, Matched]] = []
    for where in (found.placement, *found.rivals):
        one = found if where == found.placement else match(known, seen, only=where)
        move = game.move(_board(game, known), _board_of(game, one), game.parse_options({}))
        if move.legal:
            legal.append((move.points, one))
    if not legal:
        return found, True
    return legal[0][1], len({points for points, _ in legal}) > 1


def _board(game: Game[Any, Any], known: Known) -> Board[Any]:
    tiles = {at: one.alternatives[0].tile for at, one in known.cells}
    return board_of(game, {at: tile for at, tile in tiles.items() if tile})


def _board_of(game: Game[Any, Any], matched: Matched) -> Board[Any]:
    return board_of(game, {cell.at: cell.tile for cell in matched.reading.cells})


def as_reading(game: str, kept: Mapping[str, Any]) -> Reading:
    """The reading that was kept, as vision made it."""
    return Reading(
        game,
        tuple(
            CellReading(
                _at(cell["at"]),
                cell["tile"],
                cell["p"],
                _alternatives(cell["alternatives"]),
                _polygon(cell["polygon"]),
                cell.get("mark"),
            )
            for cell in kept["cells"]
        ),
        tuple(
            Doubt(_at(one["at"]), _alternatives(one["alternatives"]), _polygon(one["polygon"]))
            for one in kept["doubts"]
        ),
        layout=kept.get("board") or "",
        size=tuple(kept["size"]) if kept.get("size") else None,
        aside=tuple(kept.get("aside") or ()),
        homography=tuple(tuple(row) for row in kept.get("homography") or ()),
        photo_size=tuple(kept.get("photo_size") or (0, 0)),
    )


def _at(at: Sequence[int]) -> Cell:
    return (at[0], at[1])


def _alternatives(kept: Sequence[Mapping[str, Any]]) -> tuple[Alternative, ...]:
    return tuple(Alternative(one["tile"], one["p"], one.get("mark")) for one in kept)


def _polygon(kept: Sequence[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in kept)


def _cell_json(cell: CellReading) -> dict[str, Any]:
    return {
        "at": list(cell.at),
        "tile": cell.tile,
        "mark": cell.mark,
        "p": round(cell.p, 4),
        "alternatives": _alternatives_json(cell.alternatives),
        "polygon": [list(corner) for corner in cell.polygon],
    }


def _doubt_json(doubt: Doubt) -> dict[str, Any]:
    return {
        "at": list(doubt.at),
        "alternatives": _alternatives_json(doubt.alternatives),
        "polygon": [list(corner) for corner in doubt.polygon],
    }


def cells_json(cells: Sequence[CellReading]) -> list[dict[str, Any]]:
    """As readings are kept."""
    return [_cell_json(cell) for cell in cells]


def doubts_json(doubts: Sequence[Doubt]) -> list[dict[str, Any]]:
    return [_doubt_json(doubt) for doubt in doubts]


def _alternatives_json(alternatives: Sequence[Alternative]) -> list[dict[str, Any]]:
    return [{"tile": one.tile, "mark": one.mark, "p": round(one.p, 4)} for one in alternatives]
