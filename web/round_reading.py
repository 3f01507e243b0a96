"""All players' Mi pasuje! boards of a round, read together: they hold the same tiles.

What is kept is each photograph's own reading; what the others' boards add is worked out when somebody looks,
so that a correction on one board helps the doubts on all of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scoring.core import Cell
from vision.joining import join_round
from vision.reading import CellReading, Reading
from web.turn_matching import Said, as_reading, cells_json, doubts_json

LEAST = 2
"""Boards that are needed to learn anything from each other."""
REMEMBERED = 256


def read_together(
    game: str, readings: Mapping[int, Mapping[str, Any]], said: Mapping[int, Mapping[Cell, Said]]
) -> dict[int, dict[str, Any]]:
    """Each seat's reading in the light of the others'; nothing where there is nothing to learn."""
    if game != "mipasuje" or len(readings) < LEAST:
        return {}
    seats = sorted(readings)
    told = tuple(
        (
            json.dumps(readings[seat]),
            tuple(sorted((at, one.tile or "", one.mark or "") for at, one in said.get(seat, {}).items())),
        )
        for seat in seats
    )
    found = _together(told)
    return {
        seat: {**readings[seat], "cells": cells_json(one.cells), "doubts": doubts_json(one.doubts)}
        for seat, one in zip(seats, found, strict=True)
    }


@lru_cache(maxsize=REMEMBERED)
def _together(told: tuple[tuple[str, tuple[tuple[Cell, str, str], ...]], ...]) -> tuple[Reading, ...]:
    return join_round([_as_said(as_reading("mipasuje", json.loads(kept)), said) for kept, said in told])


def _as_said(reading: Reading, said: Sequence[tuple[Cell, str, str]]) -> Reading:
    """The reading with people's corrections as certainties: they are the best evidence for the others."""
    cells = {cell.at: cell for cell in reading.cells}
    doubts = {doubt.at: doubt for doubt in reading.doubts}
    for at, tile, mark in said:
        seen = cells.pop(at, None) or doubts.get(at)
        doubts.pop(at, None)
        if tile:
            cells[at] = CellReading(at, tile, 0.9999, (), seen.polygon if seen else (), mark or None)
    return replace(reading, cells=tuple(cells.values()), doubts=tuple(doubts.values()))
