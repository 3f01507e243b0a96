"""Whatever is handed to `kibic`: one clear line that names the place, exit code 2, never a partial score."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from web.cli import main

BOARD: dict[str, Any] = {"game": "mipasuje", "board": "standard", "cells": [{"at": [0, 0], "tile": "9-7-3"}]}
TABLE: dict[str, Any] = {"game": "qwirkle", "cells": [{"at": [0, 0], "tile": "red circle"}]}
MOVE = {"before": {"game": "qwirkle", "cells": []}, "after": TABLE}


def board(**changes: Any) -> str:
    return json.dumps({**BOARD, **changes})


def cell(**changes: Any) -> str:
    return board(cells=[BOARD["cells"][0], {"at": [0, 1], "tile": "1-2-3", **changes}])


def round_of(*players: Any, **changes: Any) -> str:
    return json.dumps({"game": "mipasuje", "players": list(players), **changes})


OLA = {"name": "Ola", "cells": BOARD["cells"]}

SCORE_CASES = {
    "nothing": ("", "empty", "holds no JSON object"),
    "only blanks": (" \n\n\t\n", "empty", "holds no JSON object"),
    "words": ("hello there", "not-json", ":1: column 1"),
    "cut short": (board()[:-1], "not-json", "end of the text"),
    "two on one line": (board() + board(), "not-json", "extra data"),
    "a list": ("[1, 2]", "not-an-object", "not a list"),
    "a number": ("12", "not-an-object", "12"),
    "null": ("null", "not-an-object", "must be an object"),
    "a text": ('"x"', "not-an-object", "'x'"),
    "NaN": (board().replace("[0, 0]", "[NaN, 0]"), "not-a-number", "NaN"),
    "infinity": (board().replace("[0, 0]", "[-Infinity, 0]"), "not-a-number", "-Infinity"),
    "1e999": (board().replace("[0, 0]", "[1e999, 0]"), "number-too-large", "1e999"),
    "5000 digits": (board().replace("[0, 0]", f"[{'9' * 5000}, 0]"), "number-too-large", "too large"),
    "60 digits": (board().replace("[0, 0]", f"[{'9' * 60}, 0]"), "cell-wrong-type", "cells[0].at"),
    "a key twice": ('{"game": "mipasuje", "game": "bits", "cells": []}', "key-twice", "'game'"),
    "a cell's key twice": (board().replace('"tile"', '"at": [0, 1], "tile"'), "key-twice", "'at'"),
    "brackets without end": ("[" * 100_000, "too-deep", "nested too deeply"),
    "objects without end": ('{"a":' * 100_000, "too-deep", "nested too deeply"),
    "deep but closed": (board(game=0).replace("0,", "[" * 900 + "]" * 900 + ",", 1), "", ""),
    "half a character": (board(game="\ud800"), "half-character", "half a character"),
    "half a character as a key": ('{"\\udc00": 1}', "half-character", "half a character"),
    "no game": ('{"cells": []}', "game-missing", "game"),
    "unknown game": (board(game="chess"), "unknown-game", "game: 'chess'"),
    "game is a list": (board(game=["bits"]), "unknown-game", "game"),
    "game is true": (board(game=True), "unknown-game", "game"),
    "no cells": ('{"game": "mipasuje"}', "cells-missing", "cells"),
    "cells is an object": (board(cells={}), "cells-missing", "cells"),
    "cell is a list": (board(cells=[[0, 0]]), "cell-wrong-type", "cells[0]"),
    "no tile": (board(cells=[{"at": [0, 0]}]), "tile-missing", "cells[0]"),
    "no place": (board(cells=[{"tile": "9-7-3"}]), "cell-wrong-type", "cells[0].at"),
    "unknown tile": (cell(tile="9-9-9"), "unknown-tile", "cells[1].tile"),
    "tile is a number": (cell(tile=973), "unknown-tile", "cells[1].tile"),
    "tile is null": (cell(tile=None), "unknown-tile", "cells[1].tile"),
    "tile is a list": (cell(tile=[[]]), "unknown-tile", "cells[1].tile"),
    "unknown mark": (cell(mark="star"), "unknown-mark", "cells[1].mark"),
    "off the board": (cell(at=[5, 5]), "off-board", "cells[1].at"),
    "three numbers": (cell(at=[0, 0, 0]), "cell-wrong-type", "cells[1].at"),
    "fractions": (cell(at=[0.0, 1.0]), "cell-wrong-type", "cells[1].at"),
    "booleans": (cell(at=[False, True]), "cell-wrong-type", "cells[1].at"),
    "texts": (cell(at=["0", "1"]), "cell-wrong-type", "cells[1].at"),
    "two tiles in one cell": (cell(at=[0, 0]), "cell-twice", "cells[1].at"),
    "unknown board": (board(board="round"), "", "board"),
    "board is a list": (board(board=[]), "", "board"),
    "order of an empty cell": (board(order=[[0, 1]]), "order-empty-cell", "order[0]"),
    "aside is a text": (board(aside="9-2-4"), "aside-wrong-type", "aside"),
    "options is a list": (board(options=[]), "options-wrong-type", "options"),
    "options is null": (board(options=None), "options-wrong-type", "options"),
    "unknown option": (board(options={"colour": "red"}), "unknown-option", "options"),
    "unknown value": (board(options={"scoring": "best"}), "unknown-option-value", "options.scoring"),
    "valve is true": (board(options={"valve": True}), "unknown-option-value", "options.valve"),
    "a move": (json.dumps(MOVE), "is-a-move", "before"),
    "players is an object": (board(players={}, cells=None), "", "cells"),
    "nobody": (round_of(), "players-number", "players"),
    "seven at a table of six": (
        round_of(*({**OLA, "name": str(n)} for n in range(7))),
        "players-number",
        "7",
    ),
    "player is a text": (round_of("Ola"), "not-an-object", "players[0]"),
    "no name": (round_of({"cells": []}), "name-wrong", "players[0].name"),
    "blank name": (round_of({**OLA, "name": " "}), "name-wrong", "players[0].name"),
    "name with a line break": (round_of({**OLA, "name": "a\nb"}), "name-wrong", "players[0].name"),
    "name of a mile": (round_of({**OLA, "name": "a" * 5000}), "name-wrong", "players[0].name"),
    "a name twice": (round_of(OLA, OLA), "name-twice", "players[1].name"),
    "another game": (round_of({**OLA, "game": "bits"}), "other-game", "players[0].game"),
    "a bad tile in a round": (
        round_of(OLA, {"name": "Jan", "cells": [{"at": [0, 0], "tile": "x"}]}),
        "unknown-tile",
        "players[1].cells[0].tile",
    ),
    "board and round": (round_of(OLA, cells=[]), "board-and-round", "cells"),
}

MOVE_CASES = {
    "a board": (json.dumps(TABLE), "move-missing", "before"),
    "after and placed": (json.dumps({**MOVE, "placed": []}), "after-and-placed", "placed"),
    "placed is an object": (json.dumps({"before": TABLE, "placed": {}}), "cells-missing", "placed: must"),
    "placed without a tile": (
        json.dumps({"before": TABLE, "placed": [{"at": [0, 1]}]}),
        "tile-missing",
        "placed[0]: has",
    ),
    "placed on a tile": (
        json.dumps({"before": TABLE, "placed": [{"at": [0, 0], "tile": "red star"}]}),
        "cell-twice",
        "placed: [0, 0] already holds red circle",
    ),
    "placed in a game of boards": (json.dumps({"before": BOARD, "placed": []}), "no-turns", "game"),
    "a taught name in hand": (
        json.dumps({**MOVE, "hands": ["pink elephant"]}),
        "unknown-tile",
        "options.hands.player 1[0]",
    ),
    "no after": (json.dumps({"before": TABLE}), "move-missing", "after"),
    "before is a list": (json.dumps({**MOVE, "before": []}), "not-an-object", "before"),
    "before is null": (json.dumps({**MOVE, "before": None}), "not-an-object", "before"),
    "after without cells": (
        json.dumps({**MOVE, "after": {"game": "qwirkle"}}),
        "cells-missing",
        "after.cells",
    ),
    "no game": (json.dumps({"before": {}, "after": {"cells": []}}), "unknown-game", "game"),
    "two games": (json.dumps({**MOVE, "game": "trio"}), "other-game", "before.game"),
    "not by turns": (json.dumps({"before": BOARD, "after": BOARD}), "no-turns", "game"),
    "a bad tile": (
        json.dumps({**MOVE, "after": {"game": "qwirkle", "cells": [{"at": [0, 0], "tile": "red"}]}}),
        "unknown-tile",
        "after.cells[0].tile",
    ),
    "last_tile is a text": (json.dumps({**MOVE, "options": {"last_tile": "yes"}}), "", "options.last_tile"),
    "unknown option": (json.dumps({**MOVE, "options": {"speed": 1}}), "unknown-option", "options"),
    "unknown option in after": (
        json.dumps({**MOVE, "after": {**TABLE, "options": {"speed": 1}}}),
        "unknown-option",
        "options",
    ),
}

BEST_CASES = {
    "unfinished": (board(), "best-tile-count", "cells"),
    "another game": (json.dumps(TABLE), "no-best", "game"),
    "a round": (round_of(OLA), "is-a-round", "players"),
}

CASES = [
    pytest.param(command, *case, id=f"{command}: {name}")
    for command, cases in (("score", SCORE_CASES), ("move", MOVE_CASES), ("best", BEST_CASES))
    for name, case in cases.items()
]


@pytest.mark.parametrize(("command", "text", "code", "place"), CASES)
def test_one_clear_line(
    command: str, text: str, code: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "input.json"
    path.write_text(text, encoding="utf-8")

    assert main([command, str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"kibic: {path}")
    assert place in err
    assert "Traceback" not in err
    assert len(err) < 600

    assert main([command, "--json", str(path)]) == 2
    out, err_with_json = capsys.readouterr()
    assert err_with_json == err
    (line,) = out.splitlines()
    error = json.loads(line)["error"]
    assert error.keys() == {"code", "message"}
    assert code in error["code"]
    assert place in error["message"]


SIZE = 10_000_000
NONSENSE: dict[str, Callable[[], bytes]] = {
    "random bytes": lambda: os.urandom(SIZE),
    "one long line": lambda: b"x" * SIZE,
    "many lines": lambda: b"lorem ipsum dolor\n" * (SIZE // 18),
    "numbers on lines": lambda: b"12\n" * (SIZE // 3),
    "zero bytes": lambda: bytes(SIZE),
    "a text without end": lambda: b'{"game": "' + b"a" * SIZE,
    "a game with a long name": lambda: b'{"cells": [], "game": "' + b"a" * SIZE + b'"}',
    "a tile with a long name": lambda: (
        b'{"game": "trio", "cells": [{"at": [0, 0], "tile": "' + b"a" * SIZE + b'"}]}'
    ),
    "many keys": lambda: b"{" + b",".join(b'"%d":0' % number for number in range(SIZE // 12)) + b"}",
    "blank lines without end": lambda: b" \n" * (SIZE // 2) + b"x",
    "more than fits": lambda: b"x\n" * SIZE,
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_ten_megabytes_of_nonsense_are_refused_quickly(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nonsense"
    path.write_bytes(NONSENSE[kind]())
    began = time.process_time()
    assert main(["score", "--json", str(path)]) == 2
    assert time.process_time() - began < 5
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == len(err.splitlines()) == 1
    assert len(err) < 600


def test_bytes_that_are_not_utf8_are_named_by_line_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"game": "mipasuje",\n "edition": "\xb3\xf3"}')
    assert main(["score", str(path)]) == 2
    assert "latin.json:2: column 14: not UTF-8" in capsys.readouterr().err


def test_a_mistake_in_a_long_object_is_named_by_its_own_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BOARD, indent=2).replace('"standard",', '"standard"'))
    assert main(["score", str(path)]) == 2
    assert "board.json:4: column 3: not JSON" in capsys.readouterr().err


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.json"
    path.write_bytes(b"\xef\xbb\xbf" + board().encode())
    assert main(["score", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 0


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, reason in (
        (str(tmp_path / "missing.json"), "No such file"),
        (str(tmp_path), "directory"),
        ("zero\0byte", "cannot be read"),
        (str(tmp_path / ("x" * 300)), "too long"),
    ):
        assert main(["score", path]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert reason in err


def test_a_bad_file_costs_only_its_own_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.json"
    good.write_text(board())
    assert main(["score", "--json", str(good), str(tmp_path / "missing.json"), str(good)]) == 2
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("total", "refused") for answer in answers] == [0, "refused", 0]


def test_a_broken_first_line_does_not_swallow_the_good_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "boards.jsonl"
    for first in ('{"game": "mipasuje", "cells": [', "nonsense", "{", "[1]"):
        path.write_text("\n".join([first, board(), "", board()]))
        assert main(["score", "--json", str(path)]) == 2
        answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [answer.get("total", "refused") for answer in answers] == ["refused", 0, 0]


@pytest.mark.parametrize(
    ("option", "place"),
    [
        ("scoring", "--option"),
        ("=rays", "--option"),
        ("colour=red", "options"),
        ("valve=true", "options.valve"),
    ],
)
def test_bad_options(option: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.json"
    path.write_text(board())
    assert main(["score", "--option", option, str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert place in err


def test_two_boards_for_a_move_are_one_object_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.jsonl"
    one.write_text(json.dumps(TABLE))
    two.write_text(json.dumps(TABLE) + "\n" + json.dumps(TABLE))
    assert main(["move", str(one), str(two)]) == 2
    assert "two.jsonl:2" in capsys.readouterr().err
    assert main(["move", str(one), str(tmp_path / "missing")]) == 2
    assert "missing" in capsys.readouterr().err
