"""Every format the project promises, as a file the command line must accept, with the result it must print.

`python tests/test_formats.py` writes the results anew; look at the difference before committing it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from web.cli import main

FORMATS = Path(__file__).parent / "formats"
INPUTS = {
    command: sorted(path for path in (FORMATS / command).glob("*.json") if ".result" not in path.name)
    for command in ("score", "move", "best")
}
CASES = [(command, path) for command, paths in INPUTS.items() for path in paths]
PAIR = [str(FORMATS / "pairs" / name) for name in ("before.json", "after.json")]
LINES = FORMATS / "lines" / "boards.jsonl"


def result_path(path: Path) -> Path:
    return path.with_suffix(".result.json")


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[Any]]:
    code = main(argv)
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(("command", "path"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_the_promised_file_gives_the_promised_result(
    command: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, results = printed(capsys, command, "--json", str(path))
    assert results == [json.loads(result_path(path).read_text())]
    objected = "findings" in results[0] and bool(
        results[0]["findings"] or any(player["findings"] for player in results[0].get("players", []))
    )
    assert code == int(objected)


@pytest.mark.parametrize(("command", "path"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_the_same_file_makes_a_table_for_people(
    command: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(path)]) in (0, 1)
    out, err = capsys.readouterr()
    assert path.name in out
    assert err == ""
    assert all(len(line) <= 120 for line in out.splitlines()[1:])


def test_results_have_exactly_the_promised_keys() -> None:
    assert CASES
    for command, path in CASES:
        result = json.loads(result_path(path).read_text())
        match command:
            case "best":
                assert list(result) == ["total", "best", "board"]
                continue
            case "move":
                assert list(result) == ["legal", "points", "items", "findings"]
                scored = [result]
            case _ if "players" in result:
                assert list(result) == ["game", "players", "findings", "ranking"]
                assert all(list(one) == ["name", "total", "items", "findings"] for one in result["players"])
                assert all(list(place) == ["place", "name", "total"] for place in result["ranking"])
                scored = [*result["players"], {"items": [], "findings": result["findings"]}]
            case _:
                assert list(result) == ["game", "total", "items", "findings"]
                scored = [result]
        for one in scored:
            for item in one["items"]:
                assert list(item)[:5] == ["kind", "cells", "formula", "value", "points"]
                assert list(item)[5:] in ([], ["reason", "reason_code", "reason_params"])
                assert item["points"] or "reason" in item
            for finding in one["findings"]:
                assert (
                    {"code", "message", "cells"}
                    <= finding.keys()
                    <= {"code", "message", "cells", "params", "players"}
                )


def test_totals_are_what_their_items_add_up_to() -> None:
    for path in INPUTS["score"]:
        result = json.loads(result_path(path).read_text())
        for one in result.get("players", [result]):
            if one["total"] is not None:
                assert one["total"] == sum(item["points"] for item in one["items"])


def test_a_reading_is_itself_a_board_file(capsys: pytest.CaptureFixture[str]) -> None:
    _, (reading,) = printed(capsys, "score", "--json", str(FORMATS / "score" / "reading.json"))
    _, (board,) = printed(capsys, "score", "--json", str(FORMATS / "score" / "mipasuje-finished.json"))
    assert reading == board


def test_two_board_files_are_one_move(capsys: pytest.CaptureFixture[str]) -> None:
    code, (result,) = printed(capsys, "move", "--json", *PAIR)
    assert code == 0
    # A line of three and, by the option in the second file, the last tile of the game.
    assert (result["legal"], result["points"]) == (True, 9)


def test_one_result_line_per_input_line_with_errors_in_their_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, results = printed(capsys, "score", "--json", str(LINES))
    assert code == 2
    assert [list(result) for result in results] == [
        ["game", "total", "items", "findings"],
        ["game", "total", "items", "findings"],
        ["error"],
        ["error"],
        ["game", "total", "items", "findings"],
    ]
    not_json, chess = results[2]["error"], results[3]["error"]
    assert list(not_json) == list(chess) == ["code", "message"]
    assert (not_json["code"], chess["code"]) == ("not-json", "unknown-game")
    assert "boards.jsonl:3: column 1" in not_json["message"]
    assert "boards.jsonl:4: game" in chess["message"]


def test_a_board_on_one_line_and_over_many_lines_is_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = json.loads((FORMATS / "score" / "mipasuje-finished.json").read_text())
    results = []
    for indent in (None, 0, 1, 8):
        path = tmp_path / "board.json"
        path.write_text(json.dumps(board, indent=indent))
        results.append(printed(capsys, "score", "--json", str(path)))
    assert results == [results[0]] * 4


def rewrite() -> None:
    """Writes what the command line prints now as what it shall print."""
    for command, path in CASES:
        ran = subprocess.run(
            [sys.executable, "-m", "web.cli", command, "--json", str(path)],
            capture_output=True,
            check=False,
            text=True,
        )
        result_path(path).write_text(wrapped(json.loads(ran.stdout)) + "\n", encoding="utf-8")


def wrapped(value: Any, indent: int = 0) -> str:
    """JSON with short values on one line, so that a changed rule shows as a few changed lines."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= 110 or not isinstance(value, dict | list):
        return flat
    inner = " " * (indent + 1)
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + wrapped(part, indent + 1) for part in value) + f"\n{' ' * indent}]"
    parts = (f"{inner}{json.dumps(key)}: {wrapped(part, indent + 1)}" for key, part in value.items())
    return "{\n" + ",\n".join(parts) + f"\n{' ' * indent}}}"


if __name__ == "__main__":
    rewrite()
