"""What teaching costs, and what a taught edition costs over a built-in one, in seconds of one core."""

from __future__ import annotations

import time
from contextlib import suppress
from statistics import median

import cv2
import pytest

from models.measure.teaching import SCENE_SEED, taught
from models.studio.taught import COPIES
from vision.pipeline import read
from vision.reading import Unreadable
from vision.teach import learn

MOST_TEACHING_SECONDS = 5.0
MOST_MORE = 0.10
SCENES, ROUNDS = 6, 3


@pytest.fixture(autouse=True)
def _one_thread():
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.mark.parametrize("game", sorted(COPIES))
def test_a_lesson_takes_seconds(benchmark, game: str) -> None:
    photo = COPIES[game](2).lesson(82).jpeg
    learn([photo], game, "warm")
    benchmark.pedantic(lambda: learn([photo], game, "Nasza"), rounds=5)
    assert benchmark.stats["max"] < MOST_TEACHING_SECONDS


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("game", sorted(COPIES))
def test_reading_with_a_taught_edition(benchmark, game: str) -> None:
    number = 2
    edition, _, _ = taught(game, number)
    assert edition is not None
    photos = [COPIES[game](number).scene(SCENE_SEED + 1000 * index).jpeg for index in range(SCENES)]
    built_in, own = [], []
    for _ in range(ROUNDS):
        for photo in photos:
            built_in.append(_seconds(photo, game, None))
            own.append(_seconds(photo, game, edition))
    more = median(b / a for a, b in zip(built_in, own, strict=True)) - 1
    benchmark.extra_info["more"] = round(more, 3)
    benchmark.pedantic(lambda: _seconds(photos[0], game, edition), rounds=3)
    assert more < MOST_MORE


def _seconds(photo: bytes, game: str, edition: object) -> float:
    start = time.process_time()
    with suppress(Unreadable):  # refusing takes its time, too
        read(photo, game, {"edition": edition})
    return time.process_time() - start
