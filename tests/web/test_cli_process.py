"""`kibic` as a process: standard input, exit codes, pipes that close, and what it does not load."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

FORMATS = Path(__file__).parents[1] / "formats"
BOARD = (FORMATS / "score" / "mipasuje-finished.json").read_bytes()
LINE = json.dumps(json.loads(BOARD)).encode() + b"\n"


def kibic(*argv: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "web.cli", *argv],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


def test_standard_input() -> None:
    one = kibic("score", "--json", "-", stdin=BOARD)
    three = kibic("score", "--json", "-", stdin=LINE * 3)
    assert (one.returncode, three.returncode, one.stderr) == (0, 0, b"")
    assert three.stdout == one.stdout * 3


def test_exit_codes_take_the_worst_of_all_inputs() -> None:
    score, move = FORMATS / "score", FORMATS / "move"
    fine, objected, refused = (
        score / "mipasuje-finished.json",
        score / "qwirkle-broken.json",
        score / "none.json",
    )
    for files, code in (([fine], 0), ([fine, objected], 1), ([objected, fine], 1), ([refused, objected], 2)):
        assert kibic("score", *map(str, files)).returncode == code
    assert kibic("move", str(move / "qwirkle-turn.json")).returncode == 0
    assert kibic("move", str(move / "qwirkle-illegal.json")).returncode == 1


def test_options_given_by_hand_win_over_the_file() -> None:
    path = str(FORMATS / "score" / "mipasuje-rays.json")
    totals = [
        json.loads(kibic("score", "--json", path, *more).stdout)["total"]
        for more in (
            [],
            ["--option", "scoring=base"],
            ["--option", 'scoring="base"', "--option", "placement=free"],
        )
    ]
    assert totals[0] > totals[1] == totals[2]


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    reader = f"{sys.executable} -m web.cli score --json - | head -n 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(
        ["bash", "-c", reader], input=LINE * 2000, capture_output=True, check=False, timeout=60
    )
    assert ran.stderr == b""
    assert ran.returncode == 0


def test_ctrl_c_is_quiet() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "web.cli", "score", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LINE)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["game"] == "mipasuje"  # answered while more may come
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, b"")


@pytest.mark.parametrize("encoding", ["ascii", "cp1250", "utf-8"])
def test_json_is_utf8_whatever_the_terminal_is(encoding: str) -> None:
    ran = kibic("score", "--json", str(FORMATS / "score" / "round-bits.json"), PYTHONIOENCODING=encoding)
    assert json.loads(ran.stdout)["players"][1]["name"] == "Łucja"
    table = kibic("score", str(FORMATS / "score" / "round-bits.json"), PYTHONIOENCODING=encoding)
    assert "Łucja" in table.stdout.decode()


def test_scoring_does_not_wait_for_pictures_or_pages() -> None:
    probe = (
        "import sys; from web.cli import main; main(['score', '--json', '-']);"
        "slow = {'cv2', 'flask', 'numpy', 'onnxruntime', 'scipy', 'skimage', 'sqlalchemy', 'tqdm'};"
        "sys.exit(','.join(slow & sys.modules.keys()) or 0)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", probe], input=BOARD, capture_output=True, check=False, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_the_help_names_every_command() -> None:
    ran = kibic("--help")
    assert ran.returncode == 0
    for command in (b"score", b"move", b"best", b"serve"):
        assert command in ran.stdout


@pytest.mark.parametrize("argv", [[], ["chess"], ["score"], ["score", "--speed", "x"]])
def test_a_wrong_command_line_says_how_to_do_it(argv: list[str]) -> None:
    ran = kibic(*argv)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"usage: kibic")
