"""What reading a photograph costs: against a plain decode of the same bytes, in memory, and per tile."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import cv2
import numpy as np
import pytest

from models.studio.painters import GAMES
from models.studio.scene import Scene, render
from vision import Unreadable, read

TWELVE_MEGAPIXELS = (4000, 3000)
MOST_DECODES = 2.0
MOST_MEGABYTES = 400
ROUNDS = 15
KINDS = [
    f"{colour} {shape}"
    for colour in ("red", "orange", "yellow", "green", "blue", "purple")
    for shape in ("circle", "square", "diamond", "star", "clover", "cross")
]


@cache
def large_photo(game: str) -> bytes:
    """The first of the studio's careful photographs of this game, 12 megapixels, that is read at present."""
    for seed in range(300, 340):
        data = render(game, seed, style="calm", size=TWELVE_MEGAPIXELS).jpeg
        try:
            read(data, game)
        except Unreadable:
            continue
        return data
    raise AssertionError(f"no {game} photograph is read")


class Cost(NamedTuple):
    """Median seconds of a plain full-size decode and of a read, taken in turns in a warm process."""

    decode: float
    read: float

    @property
    def ratio(self) -> float:
        return self.read / self.decode


def cost(data: bytes, game: str, clock: Callable[[], float]) -> Cost:
    packed = np.frombuffer(data, np.uint8)
    decodes, reads = [], []
    for _ in range(ROUNDS):
        start = clock()
        cv2.imdecode(packed, cv2.IMREAD_COLOR)
        between = clock()
        read(data, game)
        decodes.append(between - start)
        reads.append(clock() - between)
    return Cost(median(decodes), median(reads))


@pytest.mark.parametrize("game", GAMES)
def test_a_read_against_a_plain_decode(benchmark: Any, game: str) -> None:
    data = large_photo(game)
    wall, busy = cost(data, game, perf_counter), cost(data, game, process_time)
    benchmark.extra_info["read ÷ decode"] = round(wall.ratio, 2)
    benchmark.extra_info["read ÷ decode, processor time"] = round(busy.ratio, 2)
    benchmark.extra_info["decode ms"] = round(wall.decode * 1000, 1)
    found = benchmark.pedantic(lambda: read(data, game), rounds=5)
    benchmark.extra_info["stages, ms"] = {stage: round(ms, 1) for stage, ms in found.ms.items()}
    print(f"\n{game}: {json.dumps(benchmark.extra_info, ensure_ascii=False)}")
    # On a busy machine the clock on the wall mostly tells who else is working.
    assert min(wall.ratio, busy.ratio) <= MOST_DECODES


MEMORY = """
import re, sys
import vision
def peak():
    # Unlike ru_maxrss this does not count what the process was before it became this program.
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) / 1024
data = open(sys.argv[1], "rb").read()
before = peak()
for _ in range(3):
    vision.read(data, sys.argv[2])
print(before, peak())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks are read from Linux's /proc")
@pytest.mark.parametrize("game", GAMES)
def test_the_memory_of_a_read(benchmark: Any, game: str, tmp_path: Path) -> None:
    """Megabytes at the peak of a read, its networks included, over those of the program that has not read."""
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(large_photo(game))

    def used() -> tuple[float, float]:
        ran = subprocess.run(
            [sys.executable, "-c", MEMORY, str(photo), game], capture_output=True, text=True, check=True
        )
        before, after = map(float, ran.stdout.split())
        return after - before, after

    read_mb, process_mb = benchmark.pedantic(used, rounds=1)
    benchmark.extra_info["MB of a read"] = round(read_mb)
    print(f"\n{game}: {read_mb:.0f} MB for a read, {process_mb:.0f} MB for the whole process")
    assert read_mb <= MOST_MEGABYTES


def table_of(tiles: int) -> Scene:
    """A block of so many Qwirkle tiles, tile after tile of three sets, all as large in the picture."""
    columns = 12
    cells = [{"at": [*divmod(index, columns)], "tile": KINDS[index * 7 % 36]} for index in range(tiles)]
    board = {"game": "qwirkle", "cells": cells}
    return render("qwirkle", 5, edition="purple", style="calm", size=(3000, 2250), lay=board)


def test_the_cost_of_more_tiles(benchmark: Any) -> None:
    """10, 50 and 108 tiles: what is spent per tile must not grow."""
    milliseconds = {}
    for tiles in (10, 50, 108):
        scene = table_of(tiles)
        reading = read(scene.jpeg, "qwirkle")
        assert abs(len(reading.cells) - tiles) <= 0.1 * tiles
        milliseconds[tiles] = 1000 * cost(scene.jpeg, "qwirkle", process_time).read
    benchmark.extra_info["ms of processor time"] = {tiles: round(ms) for tiles, ms in milliseconds.items()}
    benchmark.pedantic(lambda: read(scene.jpeg, "qwirkle"), rounds=3)
    print(f"\nQwirkle tiles → ms of processor time: {benchmark.extra_info['ms of processor time']}")
    assert milliseconds[50] <= milliseconds[10] * 50 / 10
    assert milliseconds[108] <= milliseconds[50] * 108 / 50


@pytest.fixture(autouse=True)
def _as_it_runs() -> Iterator[None]:
    """Two threads at most, as on the machines it is meant for."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(min(2, before))
    yield
    cv2.setNumThreads(before)
