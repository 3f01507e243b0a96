"""The drawing shows what was read, where it was read, and shouts about doubts."""

from __future__ import annotations

import numpy as np
import pytest

from vision.board_file import board_file
from vision.overlay import LOOK, draw_reading, fitted, label
from vision.reading import Alternative, CellReading, Doubt, Polygon, Reading


def square(row: int, column: int, side: float = 100) -> Polygon:
    x, y = 50 + column * side, 50 + row * side
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def seen(row: int, column: int, tile: str = "red circle") -> CellReading:
    return CellReading((row, column), tile, 0.99, (), square(row, column))


PHOTO = np.full((400, 600, 3), 120, np.uint8)
TABLE = Reading(
    "qwirkle",
    (seen(0, 0), seen(0, 1), seen(0, 2), seen(1, 0)),
    doubts=(Doubt((2, 2), (Alternative(None, 0.6), Alternative("blue star", 0.4)), square(2, 2)),),
    photo_size=(600, 400),
)


def changed(picture: np.ndarray) -> np.ndarray:
    return np.asarray((picture != PHOTO).any(axis=2))


def test_the_photo_itself_is_left_alone() -> None:
    before = PHOTO.copy()
    drawn = draw_reading(PHOTO, TABLE)
    assert (before == PHOTO).all()
    assert drawn.shape == PHOTO.shape
    assert drawn.dtype == np.uint8


def test_every_cell_is_outlined_and_labelled_in_its_place() -> None:
    marks = changed(draw_reading(PHOTO, TABLE))
    for cell in TABLE.cells:
        (left, top), _, (right, bottom), _ = ((int(x), int(y)) for x, y in cell.polygon)
        assert marks[top, left:right].mean() > 0.9
        assert marks[top:bottom, left].mean() > 0.9
        assert 0.05 < marks[top + 15 : bottom - 15, left + 5 : right - 5].mean() < 0.6
    assert not marks[:, 460:].any()
    assert not marks[260:, :240].any()


def test_doubts_are_marked_strongly_also_where_nothing_was_read() -> None:
    drawn = draw_reading(PHOTO, TABLE)
    doubt_colour = np.asarray(LOOK.doubt[::-1])
    strong = (np.abs(drawn.astype(int) - doubt_colour) < 30).all(axis=2)
    assert strong[245:355, 245:355].sum() > 1500
    strong[240:360, 240:360] = False
    assert not strong.any()


def test_the_drawing_follows_the_scale_of_the_picture() -> None:
    small = np.full((200, 300, 3), 120, np.uint8)
    marks = (draw_reading(small, TABLE) != small).any(axis=2)
    assert marks[25, 25:75].mean() > 0.9
    assert not marks[:, 230:].any()


def test_scoring_rows_are_lines_through_their_cells() -> None:
    plain = draw_reading(PHOTO, TABLE)
    lit = draw_reading(PHOTO, TABLE, rows=[[(0, 0), (0, 1), (0, 2)], [(0, 0), (1, 0)]])
    new = (plain != lit).any(axis=2)
    assert new[100, 120:180].mean() > 0.85
    assert new[120:180, 100].mean() > 0.6  # a label lies across it
    assert not new[:60].any()
    assert not new[220:].any()


def test_a_row_that_turns_a_corner_takes_no_short_cut() -> None:
    lit = draw_reading(PHOTO, TABLE, rows=[[(0, 1), (0, 0), (1, 0)]])
    new = (draw_reading(PHOTO, TABLE) != lit).any(axis=2)
    assert not new[150:, 150:].any()


def test_an_empty_reading_draws_nothing_but_its_caption() -> None:
    nothing = Reading("qwirkle", (), photo_size=(600, 400))
    assert not changed(draw_reading(PHOTO, nothing)).any()
    marks = changed(draw_reading(PHOTO, nothing, caption="żadnych kafli"))
    assert marks[:20].mean() > 0.95
    assert not marks[100:].any()


@pytest.mark.parametrize("shape", [(400, 600, 3), (4000, 300, 3), (7, 5, 3)])
def test_fitting_never_enlarges(shape: tuple[int, int, int]) -> None:
    small = fitted(np.zeros(shape, np.uint8), 300)
    assert max(small.shape) == min(max(shape), 300)


def test_labels_are_short_lines_in_letters_the_font_has() -> None:
    assert label("yellow flower") == "yellow\nflower"
    assert label("9-7-3", "moon") == "9-7-3\nmoon"
    assert label("żółty księżyc") == "zolty\nksiezyc"
    assert label(None) == "empty"


def test_a_reading_is_a_board_file() -> None:
    reading = Reading(
        "mipasuje",
        (CellReading((0, 1), "9-7-3", 0.9, (), square(0, 0), "sun"), CellReading((0, 2), "5-2-8", 1, (), ())),
        layout="valve",
        aside=("1-2-3",),
        edition="ours",
    )
    assert board_file(reading) == {
        "game": "mipasuje",
        "board": "valve",
        "cells": [{"at": [0, 1], "tile": "9-7-3", "mark": "sun"}, {"at": [0, 2], "tile": "5-2-8"}],
        "aside": ["1-2-3"],
        "edition": "ours",
    }
    assert board_file(Reading("bits", (), size=(6, 6))) == {"game": "bits", "size": [6, 6], "cells": []}
