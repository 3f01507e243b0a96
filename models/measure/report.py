"""The figures as a table for people, an object for programs, and a row per photo to recount them by."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from models.measure.figures import Figures, Measured, Results

COLUMNS = (
    "photos",
    "refused",
    "tiles right",
    "boards right",
    "scores right",
    "silent",
    "doubts",
    "ms",
    "p95",
    "÷ decode",
)
ROW_KEYS = (
    "photo",
    "folder",
    "game",
    "refused",
    "error",
    "cells",
    "right",
    "wrong",
    "wrong_undoubted",
    "marks",
    "marks_right",
    "board_right",
    "total",
    "truth_total",
    "score_right",
    "silent_error",
    "made_up",
    "doubts",
    "ms",
    "decode_ms",
    "decode_ratio",
    "errors",
)


def table(results: Results) -> str:
    """Per game, and beneath it per folder where a game's photos come from several."""
    rows: list[tuple[str, ...]] = [("", *COLUMNS)]
    for game, total in results.by_game.items():
        rows.append((game, *_numbers(total)))
        folders = [(folder, part) for (of, folder), part in results.by_folder.items() if of == game]
        if len(folders) > 1:
            rows += [(f"  {folder}", *_numbers(part)) for folder, part in folders]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in rows
    ]
    shown = lines if results.by_game else []
    return "\n".join([f"Reader: {results.reader}", "", *shown, *_blank_lines(results)])


def _blank_lines(results: Results) -> list[str]:
    """What became of the pictures that show no board, if any were measured."""
    lines = [
        f"{game}: {part.photos} pictures without a board, {part.refused} refused, {part.made_up} made up"
        for game, part in results.without_board.items()
    ]
    return ["", *lines] if lines and results.by_game else lines


def _numbers(figures: Figures) -> tuple[str, ...]:
    return (
        str(figures.photos),
        str(figures.refused),
        _share(figures.tiles_right),
        _share(figures.boards_right),
        _share(figures.scores_right),
        str(figures.silent_errors),
        _number(figures.doubts_per_board, 2),
        _number(figures.ms_median, 0),
        _number(figures.ms_p95, 0),
        _number(figures.decode_ratio, 2),
    )


def _share(share: float | None) -> str:
    """In per cent, never rounded up to a perfect score.

    >>> _share(0.99996), _share(1.0), _share(None)
    ('99.99 %', '100 %', '–')
    """
    if share is None:
        return "–"
    return "100 %" if share == 1 else f"{int(share * 10_000) / 100:.2f} %"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def results_json(results: Results) -> dict[str, Any]:
    """What `kibic measure --json` prints."""
    folders: dict[str, dict[str, Any]] = {}
    for (game, folder), part in results.by_folder.items():
        folders.setdefault(folder, {})[game] = part.json()
    found: dict[str, Any] = {
        "reader": results.reader,
        "games": {game: part.json() for game, part in results.by_game.items()},
        "folders": folders,
        "photos": [photo_row(photo) for photo in results.measured],
    }
    if results.without_board:
        found["without_board"] = {game: asdict(part) for game, part in results.without_board.items()}
    return found


def photo_row(photo: Measured) -> dict[str, Any]:
    """One photo, flat, with the milliseconds of each stage; keys are `ROW_KEYS` and `ms_STAGE`."""
    row: dict[str, Any] = dict.fromkeys(ROW_KEYS)
    row |= {
        "photo": str(photo.case.photo),
        "folder": photo.case.folder,
        "game": photo.case.truth.game,
        "refused": photo.reading is None,
        "truth_total": photo.case.truth.total,
        "ms": round(photo.ms, 3),
        "decode_ms": photo.decode_ms and round(photo.decode_ms, 3),
        "decode_ratio": photo.decode_ratio and round(photo.decode_ratio, 4),
    }
    if photo.case.truth.no_board:
        row["made_up"] = photo.made_up
    else:
        row |= {"board_right": False, "score_right": False, "silent_error": False}
    if photo.error is not None:
        row["error"], row["errors"] = photo.error
    if photo.reading is not None and photo.made_up:
        row["doubts"] = len(photo.reading.doubts)
        row["errors"] = "; ".join(f"({c.at[0]}, {c.at[1]}): {c.tile} made up" for c in photo.reading.cells)
    if photo.comparison is not None and photo.reading is not None:
        compared = photo.comparison
        row |= {
            "cells": len(compared.cells),
            "right": compared.right,
            "wrong": len(compared.wrong),
            "wrong_undoubted": sum(not cell.doubted for cell in compared.wrong),
            "marks": compared.marks,
            "marks_right": compared.marks_right,
            "board_right": compared.board_right,
            "total": compared.total,
            "score_right": compared.score_right,
            "silent_error": compared.silent_error,
            "doubts": len(photo.reading.doubts),
            "errors": "; ".join(photo.errors),
        }
        row |= {f"ms_{stage}": round(ms, 3) for stage, ms in photo.reading.ms.items()}
    return row


def write_csv(path: Path, measured: Sequence[Measured]) -> None:
    """One row per photo, so that anyone can recompute the table."""
    rows = [photo_row(photo) for photo in measured]
    stages = dict.fromkeys(key for row in rows for key in row if key not in ROW_KEYS)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*ROW_KEYS, *stages], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
