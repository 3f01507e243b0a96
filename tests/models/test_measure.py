"""The measuring stick end to end: folders in; figures, rows, plots and exit codes out."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.measure.calibration import Bin, bins, calibration_error, draw_calibration, judged_tiles
from models.measure.cases import Problem, find_cases
from models.measure.figures import Results, figures
from models.measure.report import photo_row, results_json, table
from models.measure.run import measure
from models.measure.sheet import draw_sheet, worst
from vision.decode import decode
from vision.reading import Alternative, CellReading, Doubt, Reading, Unreadable
from web.cli import main

ROW = {
    "game": "qwirkle",
    "cells": [{"at": [0, c], "tile": f"red {s}"} for c, s in enumerate(("circle", "star"))],
}
HEX = {"game": "mipasuje", "board": "standard", "cells": [{"at": [0, 0], "tile": "9-7-3"}]}


def photo_bytes(brightness: int) -> bytes:
    image = np.full((120, 160, 3), brightness, np.uint8)
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())


def put(folder: Path, name: str, truth: object, brightness: int = 200) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    photo = folder / f"{name}.jpg"
    photo.write_bytes(photo_bytes(brightness))
    (folder / f"{name}.truth.json").write_text(truth if isinstance(truth, str) else json.dumps(truth))
    return photo


def square(column: int) -> tuple[tuple[float, float], ...]:
    left = 20.0 + 60 * column
    return ((left, 30.0), (left + 50, 30.0), (left + 50, 80.0), (left, 80.0))


def reader(data: bytes, game: str, options: Mapping[str, Any]) -> Reading:
    """Sees by brightness: bright photos right, dim ones with a doubted error, dark ones with a silent one."""
    photo = decode(data, longest=100)
    light = int(photo.image.mean())
    if light < 30:
        raise Unreadable("too-dark", "the photo is too dark: switch on a lamp")
    second = "red star" if light > 150 else "orange star"
    doubts = (Doubt((0, 1), (Alternative("red star", 0.5),), square(1)),) if 75 < light < 150 else ()
    return Reading(
        game,
        (
            CellReading((0, 0), "red circle", 0.99, (), square(0)),
            CellReading((0, 1), second, 0.7, (), square(1)),
        ),
        doubts,
        photo_size=photo.full_size,
        ms={"decode": 1.0, "total": 2.0},
    )


@pytest.fixture
def results(tmp_path: Path) -> Results:
    for name, light in (("bright", 220), ("dim", 100), ("dark", 50), ("night", 5)):
        put(tmp_path / name, name, ROW, light)
    cases, problems = find_cases([tmp_path])
    assert not problems
    return Results(tuple(measure(cases, reader, problems)), "brightness")


def test_figures_count_what_they_promise(results: Results) -> None:
    found = results.by_game["qwirkle"]
    assert (found.photos, found.refused) == (4, 1)
    assert found.tiles_right == pytest.approx(4 / 6), "over the three photos that were read"
    assert found.boards_right == 1 / 4, "a refused photo is not right"
    assert found.scores_right == 1 / 4
    assert found.silent_errors == 1
    assert found.doubts_per_board == pytest.approx(1 / 3)
    assert found.ms_median is not None
    assert found.ms_p95 is not None
    assert 0 < found.ms_median <= found.ms_p95
    assert found.decode_ratio is not None
    assert found.decode_ratio > 0


def test_json_has_the_promised_keys(results: Results) -> None:
    data = json.loads(json.dumps(results_json(results)))
    assert data["games"]["qwirkle"].keys() == {
        "photos",
        "refused",
        "tiles_right",
        "boards_right",
        "scores_right",
        "silent_errors",
        "doubts_per_board",
        "ms_median",
        "ms_p95",
        "decode_ratio",
    }
    assert len(data["photos"]) == 4
    assert len(data["folders"]) == 4


def test_rows_say_what_went_wrong_and_how_long_each_stage_took(results: Results) -> None:
    rows = {Path(row["photo"]).stem: row for row in map(photo_row, results.measured)}
    assert rows["dark"]["errors"] == "(0, 1): red star read as orange star"
    assert rows["dark"]["silent_error"] is True
    assert rows["dim"]["errors"] == "(0, 1): red star read as orange star, doubted"
    assert rows["dim"]["silent_error"] is False
    assert rows["dim"]["ms_decode"] == 1.0
    assert rows["night"]["refused"] is True
    assert rows["night"]["error"] == "too-dark"
    assert rows["bright"]["board_right"] is True


def test_another_board_is_said_before_its_cells(tmp_path: Path) -> None:
    put(tmp_path, "hex", HEX)
    put(tmp_path, "ramp", {"game": "bits", "cells": [{"at": [5, 0], "tile": "red"}]})

    def mistaken(data: bytes, game: str, options: Mapping[str, Any]) -> Reading:
        return Reading(game, (), layout="valve") if game == "mipasuje" else Reading(game, (), size=(6, 6))

    cases, _ = find_cases([tmp_path])
    hexes, ramp = (photo_row(photo) for photo in measure(cases, mistaken, []))
    assert hexes["errors"] == "valve board read, standard board there; (0, 0): 9-7-3 missed"
    assert ramp["errors"].startswith("6 × 6 cells read, 6 × 4 cells there; ")


def test_the_table_never_rounds_up_to_perfect(results: Results) -> None:
    text = table(results)
    assert "66.66 %" in text
    assert "25.00 %" in text
    assert text.count("bright") == 2, "the reader's name and the folder's line"


@pytest.fixture
def blanks(tmp_path: Path) -> Results:
    """Two pictures without a board, one of which the reader falls for; one with a board."""
    put(tmp_path, "board", ROW, 220)
    put(tmp_path, "chess", {"game": "qwirkle", "cells": None, "shows": "a chessboard"}, 220)
    put(tmp_path, "night", {"game": "qwirkle", "cells": None}, 5)
    cases, problems = find_cases([tmp_path])
    assert not problems
    return Results(tuple(measure(cases, reader, problems)), "brightness")


def test_what_is_read_where_no_board_lies_is_made_up(blanks: Results) -> None:
    found = blanks.without_board["qwirkle"]
    assert (found.photos, found.refused, found.made_up) == (2, 1, 1)
    data = results_json(blanks)
    assert data["without_board"] == {"qwirkle": {"photos": 2, "refused": 1, "made_up": 1}}
    assert "qwirkle: 2 pictures without a board, 1 refused, 1 made up" in table(blanks)
    rows = {Path(row["photo"]).stem: row for row in data["photos"]}
    assert [rows[name]["made_up"] for name in ("board", "chess", "night")] == [None, True, False]
    assert rows["chess"]["errors"] == "(0, 0): red circle made up; (0, 1): red star made up"
    assert [photo.case.photo.stem for photo in worst(blanks.measured)] == ["chess"]
    assert draw_sheet(worst(blanks.measured)).std() > 10


def test_pictures_without_a_board_leave_the_other_figures_alone(blanks: Results) -> None:
    found = blanks.by_game["qwirkle"]
    assert (found.photos, found.refused, found.boards_right, found.silent_errors) == (1, 0, 1.0, 0)
    assert len(judged_tiles(blanks.measured)) == 2


def test_an_empty_reading_makes_nothing_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "cat", {"game": "trio", "cells": None})
    assert main(["measure", str(tmp_path), "--reader", "baseline"]) == 0
    assert "trio: 1 pictures without a board, 0 refused, 0 made up" in capsys.readouterr().out


def test_a_picture_without_a_board_still_names_its_game(tmp_path: Path) -> None:
    put(tmp_path, "cat", {"game": "patience", "cells": None})
    _, (problem,) = find_cases([tmp_path])
    assert "patience" in problem.message


def test_the_worst_come_first_and_the_faultless_never(results: Results) -> None:
    assert [photo.case.photo.stem for photo in worst(results.measured)] == ["dark", "night", "dim"]
    assert [photo.case.photo.stem for photo in worst(results.measured, 1)] == ["dark"]


def test_the_sheet_shows_the_photos_with_their_readings(results: Results) -> None:
    sheet = draw_sheet(worst(results.measured))
    assert sheet.shape == (640, 3 * 640, 3)
    assert sheet.std() > 10
    assert draw_sheet([]).shape == (640, 3 * 640, 3)


def test_calibration_compares_confidence_with_correctness(results: Results) -> None:
    judged = judged_tiles(results.measured)
    assert sorted(judged) == [
        (0.7, False),
        (0.7, False),
        (0.7, True),
        (0.99, True),
        (0.99, True),
        (0.99, True),
    ]
    low, high = bins(judged)
    assert (low.right, low.tiles, low.confidence) == (1, 3, pytest.approx(0.7))
    assert (high.right, high.tiles) == (3, 3)
    assert calibration_error([low, high]) == pytest.approx((abs(0.7 - 1 / 3) + 0.01) / 2)
    assert calibration_error([]) == 0
    bottom, top = Bin(0.9, 90, 100).interval()
    assert (bottom, top) == pytest.approx((0.826, 0.945), abs=0.001)


def test_every_tile_falls_into_exactly_one_bin() -> None:
    judged = [(p, True) for p in (0.0, 0.5, 0.9, 0.99, 0.99995, 1.0)]
    assert sum(part.tiles for part in bins(judged)) == len(judged)


def test_the_calibration_plot_moves_with_the_figures() -> None:
    good = draw_calibration([(0.95, True)] * 95 + [(0.95, False)] * 5)
    bad = draw_calibration([(0.95, True)] * 50 + [(0.95, False)] * 50)
    assert good.shape == bad.shape
    assert (good != bad).any()
    assert draw_calibration([]).shape == good.shape


def test_problems_are_named_one_by_one_and_the_rest_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, "good", ROW)
    put(tmp_path, "bad-json", "{")
    put(tmp_path, "bad-tile", {"game": "qwirkle", "cells": [{"at": [0, 0], "tile": "plaid circle"}]})
    put(tmp_path, "no-game", {"cells": []})
    put(tmp_path, "broken", ROW).write_bytes(b"\xff\xd8\xff no picture")
    put(tmp_path, "empty", ROW).write_bytes(b"")
    (tmp_path / "lonely.jpg").write_bytes(photo_bytes(90))
    (tmp_path / "absent.truth.json").write_text(json.dumps(ROW))
    (tmp_path / "binary.truth.json").write_bytes(b"\xff\xfe")
    (tmp_path / "binary.jpg").write_bytes(photo_bytes(90))
    missing = tmp_path / "missing"

    assert main(["measure", str(tmp_path), str(missing), "--reader", "baseline", "--json"]) == 1
    output = capsys.readouterr()
    lines = {Path(line.split(": ")[1]).name: line for line in output.err.splitlines()}
    assert "no such folder" in lines["missing"]
    assert "not JSON" in lines["bad-json.truth.json"]
    assert "plaid" in lines["bad-tile.truth.json"]
    assert "which game" in lines["no-game.truth.json"]
    assert "UTF-8" in lines["binary.truth.json"]
    assert "damaged" in lines["broken.jpg"]
    assert "empty" in lines["empty.jpg"]
    assert "no truth file" in lines["lonely.jpg"]
    assert "no photo beside it" in lines["absent.truth.json"]
    assert len(lines) == len(output.err.splitlines()) == 9
    found = json.loads(output.out)["games"]["qwirkle"]
    assert (found["photos"], found["refused"]) == (3, 2)
    assert found["silent_errors"] == 1
    assert found["tiles_right"] == 0


def test_the_baseline_earns_its_poor_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path / "a", "hex", HEX)
    put(tmp_path / "b", "row", ROW)
    put(tmp_path / "b", "nothing", {"game": "bits", "cells": []})
    assert main(["measure", str(tmp_path), "--reader", "baseline"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert "Reader: baseline" in output.out
    assert {line.split()[0] for line in output.out.splitlines()[3:]} == {"mipasuje", "qwirkle", "bits"}


def test_everything_asked_for_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = put(tmp_path / "set", "hex", HEX)
    out = {name: tmp_path / f"out.{name}" for name in ("csv", "png", "jpg")}
    arguments = ["--csv", out["csv"], "--calibration", out["png"], "--sheet", out["jpg"]]
    assert main(["measure", str(photo), "--reader", "baseline", *map(str, arguments)]) == 0
    with out["csv"].open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["photo"] == str(photo)
    assert row["errors"] == "(0, 0): 9-7-3 missed"
    assert cv2.imread(str(out["png"])) is not None
    assert cv2.imread(str(out["jpg"])).shape[1] == 3 * 640


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = put(tmp_path, "hex", HEX)
    nowhere = tmp_path / "no" / "such.csv"
    assert main(["measure", str(photo), "--reader", "baseline", "--csv", str(nowhere)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_photo_named_twice_is_measured_once(tmp_path: Path) -> None:
    photo = put(tmp_path / "in", "row", ROW)
    cases, problems = find_cases([tmp_path, tmp_path / "in", photo])
    assert (len(cases), problems) == (1, [])


def test_an_empty_folder_is_a_problem(tmp_path: Path) -> None:
    assert find_cases([tmp_path]) == ([], [Problem(tmp_path, "holds no photos")])


def test_options_of_the_truth_reach_the_score_and_the_reader(tmp_path: Path) -> None:
    cells = [
        {"at": [0, r], "tile": t, "mark": "sun"}
        for r, t in zip(range(-2, 3), ["9-2-3", "9-2-4", "9-6-3", "9-6-4", "9-7-3"], strict=True)
    ]
    put(tmp_path, "rays", {"game": "mipasuje", "cells": cells, "options": {"scoring": "rays"}})
    cases, _ = find_cases([tmp_path])
    assert cases[0].truth.total == 80
    assert cases[0].given == {"scoring": "rays"}

    def sees_all(data: bytes, game: str, options: Mapping[str, Any]) -> Reading:
        assert options == {"scoring": "rays"}
        read = tuple(CellReading((0, c["at"][1]), str(c["tile"]), 1.0, (), (), "sun") for c in cells)  # type: ignore[index]
        return Reading(game, read, layout="standard")

    (found,) = measure(cases, sees_all, [])
    assert found.comparison is not None
    assert found.comparison.total == 80
    assert figures([found]).scores_right == 1
