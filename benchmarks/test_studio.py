"""How fast the studio works: whole scenes and single crops per second of one core, whatever else it does."""

from __future__ import annotations

import time

import cv2
import pytest

from models.studio.crops import crops
from models.studio.painters import GAMES
from models.studio.scene import render

SCENES_PER_SECOND = 8
CROPS_PER_SECOND = 1500

pytestmark = pytest.mark.benchmark(timer=time.process_time)


@pytest.fixture(autouse=True)
def _one_thread():
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.mark.parametrize("game", GAMES)
def test_scenes_per_second(benchmark, game: str) -> None:
    seeds = iter(range(10_000))
    for seed in range(10_000, 10_040):
        render(game, seed)  # textures and noise are made once per process
    benchmark.pedantic(lambda: render(game, next(seeds)), rounds=40)
    assert benchmark.stats["mean"] < 1 / SCENES_PER_SECOND


@pytest.mark.parametrize("game", GAMES)
def test_crops_per_second(benchmark, game: str) -> None:
    seeds = iter(range(10_000))
    crops(game, 99_999, 1000, 48)
    benchmark.pedantic(lambda: crops(game, next(seeds), 1000, 48), rounds=4)
    assert benchmark.stats["mean"] < 1000 / CROPS_PER_SECOND
