"""What the caller's log says about the boards: the order of placement, and tiles nobody called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.core import Cell, Finding, Text

if TYPE_CHECKING:
    from web.play import Entry, Sheet
    from web.storage.models import Call, Round

NEVER_CALLED = Text("never-called", "{player} has {tiles}, which nobody called")
NOT_PLACED = Text("called-not-placed", "{player} lacks {tiles}, which the caller called")


def called_options(game: str, round_: Round) -> dict[str, Any]:
    """The calls as the rules of Bits take them."""
    return {"called": [call.tile for call in round_.calls]} if game == "bits" and round_.calls else {}


def order_of(game: str, calls: Sequence[Call], cells: Mapping[Cell, Entry]) -> list[list[int]]:
    """Mi pasuje!: each tile lies once on a board, so the calls tell in which order the cells were filled."""
    if game != "mipasuje" or not calls:
        return []
    where: dict[str, Cell] = {}
    for at, entry in cells.items():
        where.setdefault(entry.tile, at)
    return [list(where[call.tile]) for call in calls if call.tile in where]


def call_findings(game: str, round_: Round, sheets: Sequence[Sheet]) -> Iterator[Finding]:
    """Mi pasuje!: everybody places exactly what was called (Bits has its own rule for this)."""
    if game != "mipasuje" or not round_.calls:
        return
    called = {call.tile for call in round_.calls}
    for sheet in sheets:
        if not sheet.cells:
            continue
        game_tiles = {entry.tile for entry in sheet.cells.values()} | {
            tile.name for tile in sheet.board.aside
        }
        name = sheet.seat.name
        strange = sorted(game_tiles - called)
        if strange:
            at = tuple(cell for cell, entry in sheet.cells.items() if entry.tile in strange)
            yield Finding(NEVER_CALLED(player=name, tiles=strange), at, (name,))
        missing = sorted(called - game_tiles)
        if missing and sheet.done:
            yield Finding(NOT_PLACED(player=name, tiles=missing), (), (name,))
