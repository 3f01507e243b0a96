"""A reading as the board file it amounts to, so that the rules can take it from there."""

from __future__ import annotations

from typing import Any

from vision.reading import Reading


def board_file(reading: Reading) -> dict[str, Any]:
    """What was read, without probabilities or places: an object every game's `parse_board` accepts."""
    cells: list[dict[str, Any]] = []
    for cell in reading.cells:
        entry: dict[str, Any] = {"at": list(cell.at), "tile": cell.tile}
        if cell.mark is not None:
            entry["mark"] = cell.mark
        cells.append(entry)
    found: dict[str, Any] = {"game": reading.game, "cells": cells}
    if reading.layout:
        found["board"] = reading.layout
    if reading.size is not None:
        found["size"] = list(reading.size)
    if reading.aside:
        found["aside"] = list(reading.aside)
    if reading.edition is not None:
        found["edition"] = reading.edition
    return found
