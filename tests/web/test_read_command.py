"""`kibic read`: one answer per photo, in both shapes; a photo that cannot be read costs only its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scoring.formats import parse_board_file
from scoring.registry import find_game
from vision.decode import decode
from vision.reading import Alternative, CellReading, Doubt, PhotoFinding, Polygon, Reading, Unreadable
from web.cli import make_parser
from web.commands.read import read_photos
from web.scored import score_reading

COLUMN = ((0, -2), (0, -1), (0, 0), (0, 1), (0, 2))
TILES = ("9-2-3", "9-2-4", "9-6-3", "9-6-4", "9-7-3")


def square(x: float, y: float) -> Polygon:
    return ((x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40))


def middle_column(doubts: tuple[Doubt, ...] = (), findings: tuple[PhotoFinding, ...] = ()) -> Reading:
    return Reading(
        "mipasuje",
        tuple(
            CellReading(cell, tile, 0.98, (Alternative("1-2-3", 0.01),), square(130, 20 + 45 * index), "sun")
            for index, (cell, tile) in enumerate(zip(COLUMN, TILES, strict=True))
        ),
        doubts,
        findings,
        layout="standard",
        photo_size=(320, 240),
        ms={"decode": 12.34567, "total": 40.0},
    )


DOUBT = Doubt(
    (0, 2), (Alternative("9-7-3", 0.7), Alternative("5-7-3", 0.25), Alternative(None, 0.05)), square(1, 1)
)
GLARE = PhotoFinding("glare", "glare lies over one tile: tilt the phone a little", ((0, 2),))


def reader(data: bytes, game: str, options: Mapping[str, Any]) -> Reading:
    """Decodes for real; everything that is a picture shows the same column."""
    decode(data, longest=100)
    if game != "mipasuje":
        raise Unreadable("no-board", "no board was found: move closer")
    return middle_column((DOUBT,), (GLARE,))


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "stół.jpg"
    path.write_bytes(cv2.imencode(".jpg", np.full((240, 320, 3), 90, np.uint8))[1].tobytes())
    return path


def run(*arguments: object) -> int:
    return int(read_photos(make_parser().parse_args(["read", *map(str, arguments)]), reader))


def test_json_has_the_promised_keys_and_is_a_board_file(
    photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(photo, "--game", "mipasuje", "--json") == 0
    (line,) = capsys.readouterr().out.splitlines()
    answer = json.loads(line)
    assert answer["photo"] == str(photo)
    assert answer["game"] == "mipasuje"
    assert answer["board"] == "standard"
    assert answer["cells"][0] == {
        "at": [0, -2],
        "tile": "9-2-3",
        "mark": "sun",
        "p": 0.98,
        "alternatives": [{"tile": "1-2-3", "p": 0.01}],
        "polygon": [[130, 20], [170, 20], [170, 60], [130, 60]],
    }
    (doubt,) = answer["doubts"]
    assert doubt["at"] == [0, 2]
    assert doubt["alternatives"] == [
        {"tile": "9-7-3", "p": 0.7},
        {"tile": "5-7-3", "p": 0.25},
        {"tile": None, "p": 0.05},
    ]
    assert doubt["score_if"] == {"9-7-3": 45, "5-7-3": 0, "empty": 0}
    assert answer["findings"] == [{"code": "glare", "cells": [[0, 2]], "message": GLARE.message}]
    assert answer["breakdown"]["total"] == 45
    assert {"kind", "cells", "value", "points"} <= answer["breakdown"]["items"][0].keys()
    assert answer["ms"] == {"decode": 12.346, "total": 40.0}

    game, board, options = parse_board_file(answer)
    assert game.score(board, options).total == 45
    assert len(board.cells) == 5


def test_options_are_scored_and_travel_in_the_answer(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(photo, "--game", "mipasuje", "--json", "--option", "scoring=rays")
    answer = json.loads(capsys.readouterr().out)
    assert answer["breakdown"]["total"] == 45 + 5 * 7
    assert answer["doubts"][0]["score_if"] == {"9-7-3": 80, "5-7-3": 35, "empty": 0}
    game, board, options = parse_board_file(answer)
    assert game.score(board, options).total == 80


def test_people_get_the_breakdown_and_the_questions(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(photo, "--game", "mipasuje") == 0
    text = capsys.readouterr().out
    assert "total 45" in text
    assert "(0, 2): 9-7-3 (total 45) or 5-7-3 (total 0) or empty (total 0)" in text
    assert "tilt the phone" in text


def test_a_photo_that_cannot_be_read_costs_only_its_own_answer(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(photo.read_bytes()[:200])
    missing = tmp_path / "missing.jpg"
    assert run(broken, photo, missing, "--game", "mipasuje", "--json") == 2
    output = capsys.readouterr()
    first, second, third = map(json.loads, output.out.splitlines())
    assert first.keys() == third.keys() == {"photo", "error"}
    assert first["photo"] == str(broken)
    assert first["error"]["code"] == "damaged-file"
    assert second["breakdown"]["total"] == 45
    assert third["error"]["code"] == "cannot-read"
    errors = output.err.splitlines()
    assert len(errors) == 2
    assert "broken.jpg: the picture file is damaged" in errors[0]


def test_a_refusal_is_one_line_on_standard_error(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(photo, "--game", "qwirkle") == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == f"kibic: {photo}: no board was found: move closer\n"


def test_a_folder_or_an_empty_name_is_no_photo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "\0", "--game", "mipasuje", "--json") == 2
    assert [json.loads(line)["error"]["code"] for line in capsys.readouterr().out.splitlines()] == [
        "cannot-read",
        "cannot-read",
    ]


def test_the_overlay_is_a_picture_of_the_reading(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    assert run(photo, "--game", "mipasuje", "--overlay", out) == 0
    drawn = cv2.imread(str(out))
    assert drawn.shape == (240, 320, 3)
    assert (drawn != 90).any()


def test_overlays_of_several_photos_go_into_a_folder(photo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jpg"
    other.write_bytes(photo.read_bytes())
    run(photo, other, "--game", "mipasuje", "--overlay", tmp_path / "drawn")
    assert sorted(path.name for path in (tmp_path / "drawn").iterdir()) == ["other.jpg", "stół.jpg"]


def test_debug_keeps_a_picture_of_every_stage(photo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "stages"
    for _ in range(2):  # a second run replaces the pictures of the first
        assert run(photo, "--game", "mipasuje", "--debug", folder) == 0
        assert [path.name for path in folder.iterdir()] == ["01-decode.png"]
    assert cv2.imread(str(folder / "01-decode.png")).shape[2] == 3


def test_debug_pictures_that_cannot_be_written_are_said(
    photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(photo, "--game", "mipasuje", "--debug", photo / "stages") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_an_overlay_that_cannot_be_written_is_said(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(photo, "--game", "mipasuje", "--overlay", tmp_path / "no" / "such.jpg") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_doubts_that_differ_only_by_symbol_are_kept_apart() -> None:
    doubt = Doubt((0, 2), (Alternative("9-7-3", 0.6, "sun"), Alternative("9-7-3", 0.4, "moon")), ())
    scored = score_reading(middle_column((doubt,)), {"scoring": "rays"})
    assert dict(scored.doubts[0].score_if) == {"9-7-3 sun": 80, "9-7-3 moon": 45}


def test_a_doubt_about_an_empty_cell_scores_the_tile_that_may_lie_there() -> None:
    reading = middle_column()
    without = Reading(
        "mipasuje",
        reading.cells[:4],
        (Doubt((0, 2), (Alternative(None, 0.8), Alternative("9-7-3", 0.2)), ()),),
        layout="standard",
    )
    scored = score_reading(without)
    assert scored.breakdown.total == 0
    assert dict(scored.doubts[0].score_if) == {"empty": 0, "9-7-3": 45}


def test_tables_scored_by_turns_have_no_totals() -> None:
    reading = Reading(
        "qwirkle",
        (CellReading((0, 0), "red circle", 0.6, (), ()),),
        (Doubt((0, 0), (Alternative("red circle", 0.6), Alternative("orange circle", 0.4)), ()),),
    )
    scored = score_reading(reading)
    assert scored.breakdown.total is None
    assert dict(scored.doubts[0].score_if) == {"red circle": None, "orange circle": None}
    assert scored.board == find_game("qwirkle").parse_board({"cells": [{"at": [0, 0], "tile": "red circle"}]})
