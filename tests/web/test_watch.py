"""`kibic watch`: the sample photos of a growing table, scored as they arrive."""

from __future__ import annotations

import json
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from scoring.registry import GAMES
from web.cli import main
from web.commands.watch import arriving

SAMPLES = Path(__file__).parents[2] / "samples"


def truth(name: str) -> Any:
    return GAMES[name.split("-")[0]].parse_board(json.loads((SAMPLES / f"{name}.truth.json").read_text()))


@pytest.mark.parametrize("game", ["qwirkle", "trio"])
def test_the_samples_of_a_growing_table(game: str, tmp_path: Path, capsys: Any) -> None:
    for number in (1, 2, 3):
        shutil.copy(SAMPLES / f"{game}-{number}.jpg", tmp_path / f"{number}.jpg")
    main(["watch", str(tmp_path), "--game", game, "--players", "Ola,Jan", "--once", "--json"])
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["photo"] for one in told] == ["1.jpg", "2.jpg", "3.jpg"]
    rules = GAMES[game]
    for number in (2, 3):
        before, after = truth(f"{game}-{number - 1}"), truth(f"{game}-{number}")
        move = rules.move(before, after, rules.parse_options({}))
        found = told[number - 1]
        placed = sorted(after.cells[cell].name for cell in move.placed)
        assert sorted(one["tile"] for one in found["placed"]) == placed
        assert found["points"] == move.points
        assert found["legal"]


def test_a_photo_of_nothing_is_said_and_the_next_one_still_counts(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "1.jpg").write_bytes(b"not a picture")
    shutil.copy(SAMPLES / "qwirkle-1.jpg", tmp_path / "2.jpg")
    assert main(["watch", str(tmp_path), "--game", "qwirkle", "--once", "--json"]) == 2
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert "error" in first
    assert second["placed"]


def test_a_folder_that_is_none(tmp_path: Path, capsys: Any) -> None:
    assert main(["watch", str(tmp_path / "nowhere"), "--game", "trio"]) == 2
    assert "is not a folder" in capsys.readouterr().err


def test_a_photo_is_taken_only_when_it_is_written_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "1.jpg"
    path.write_bytes(b"1")

    def slowly() -> None:
        for _ in range(4):
            time.sleep(0.3)
            with path.open("ab") as file:
                file.write(b"1")

    writing = threading.Thread(target=slowly)
    writing.start()
    found = next(arriving(tmp_path, once=False))
    writing.join()
    assert found == path
    assert path.read_bytes() == b"11111"
