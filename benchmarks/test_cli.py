"""Ten thousand boards through the command line: at most 300 µs each, plus start-up."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

from scoring.registry import GAMES

BOARDS = 10_000
MICROSECONDS_PER_BOARD = 300


def finished_boards(count: int) -> bytes:
    """Finished standard Mi pasuje! boards, one per line."""
    game = GAMES["mipasuje"]
    tiles = [name for name in map(game.tile_name, game.kinds()) if "*" not in name]
    cells = [(q, r) for q in range(-2, 3) for r in range(-2, 3) if abs(q + r) <= 2]
    draw = random.Random(19)
    lines = []
    for _ in range(count):
        placed = zip(cells, draw.sample(tiles, len(cells)), strict=True)
        board = {"game": "mipasuje", "cells": [{"at": [*cell], "tile": tile} for cell, tile in placed]}
        lines.append(json.dumps(board))
    return "\n".join(lines).encode()


def score(stdin: bytes) -> int:
    command = [sys.executable, "-m", "web.cli", "score", "--json", "-"]
    ran = subprocess.run(command, input=stdin, capture_output=True, check=True)
    return ran.stdout.count(b"\n")


def test_start_up(benchmark: Any) -> None:
    one = finished_boards(1)
    assert benchmark.pedantic(score, args=(one,), rounds=5) == 1


def test_boards_from_standard_input(benchmark: Any) -> None:
    many = finished_boards(BOARDS)
    assert benchmark.pedantic(score, args=(many,), rounds=3) == BOARDS
    if benchmark.stats is not None:
        per_board = benchmark.stats.stats.min / BOARDS * 1e6
        benchmark.extra_info["microseconds per board, start-up included"] = per_board
        assert per_board <= MICROSECONDS_PER_BOARD
