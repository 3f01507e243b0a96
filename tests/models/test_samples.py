"""The photographs the project shows: there, small enough, true, and what the studio renders today."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.studio.samples import SAMPLES, Sample, photograph
from scoring.formats import parse_board_file
from scoring.mipasuje import MiPasuje
from scoring.registry import GAMES

FOLDER = Path(__file__).parents[2] / "samples"
MOST_BYTES = 500_000


def truth(name: str) -> dict[str, object]:
    return dict(json.loads((FOLDER / f"{name}.truth.json").read_text("utf-8")))


def named(sample: Sample) -> str:
    return sample.name


def test_three_of_each_game_and_nothing_else() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.jpg")) == sorted(f"{s.name}.jpg" for s in SAMPLES)
    assert {game: sum(s.game == game for s in SAMPLES) for game in GAMES} == dict.fromkeys(GAMES, 3)
    assert len({(s.game, s.edition) for s in SAMPLES}) >= 8


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_the_photo_is_what_the_studio_renders(sample: Sample) -> None:
    data = (FOLDER / f"{sample.name}.jpg").read_bytes()
    assert len(data) <= MOST_BYTES
    kept = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    scene = photograph(sample)
    # Another build of OpenCV may round differently, hence no comparison of bytes.
    assert kept.shape == scene.image.shape
    assert np.abs(kept.astype(int) - scene.image).mean() < 1
    assert truth(sample.name) == scene.truth
    assert all(cell.visibility > 0.99 for cell in scene.cells if cell.tile)


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_no_referee_objects_and_the_notation_is_the_truth(sample: Sample) -> None:
    game, board, options = parse_board_file(truth(sample.name))
    assert not game.score(board, options).findings
    assert game.same_board(board, game.from_notation(sample.board)) or sample.game == "mipasuje"
    assert board.cells.keys() == game.from_notation(sample.board).cells.keys()


def test_mi_pasuje_is_one_round_of_three() -> None:
    boards = [parse_board_file(truth(f"mipasuje-{n}")).board for n in (1, 2, 3)]
    lines = [sorted((t.vertical, t.rising, t.falling) for t in board.cells.values()) for board in boards]
    assert lines[0] == lines[1] == lines[2]
    game = MiPasuje()
    assert [game.score(board, game.parse_options({})).total for board in boards] == [164, 183, 160]


@pytest.mark.parametrize(("game", "points"), [("qwirkle", (12, 8)), ("trio", (1, 2))])
def test_tables_grow_by_legal_turns(game: str, points: tuple[int, int]) -> None:
    rules = GAMES[game]
    boards = [parse_board_file(truth(f"{game}-{n}")).board for n in (1, 2, 3)]
    for number in (0, 1):
        turn = rules.move(boards[number], boards[number + 1], rules.parse_options({}))
        assert turn.legal
        assert turn.points == points[number]
