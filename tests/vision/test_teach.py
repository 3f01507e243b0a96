"""Teaching from one photo: what is understood, what is asked, what is refused, and what reading gains."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from models.measure.compare import compare
from models.measure.teaching import SCENE_SEED, answers_for, taught, true_tiles, truth_of
from models.studio.scene import Scene
from models.studio.taught import COPIES, FAULTS
from vision.edition_files import EditionStore, parsed, written
from vision.editions import BadEdition, Edition
from vision.lessons import Lesson
from vision.pipeline import read
from vision.reading import Unreadable
from vision.recall import known_marks
from vision.teach import learn

SEED = 60
SQUARES = ("trio", "qwirkle")


@cache
def scene_of(game: str, fault: str | None = None, seed: int = SEED) -> Scene:
    scene: Scene = COPIES[game](0).lesson(seed, fault)
    return scene


def lesson_of(game: str, fault: str | None = None, seed: int = SEED) -> Lesson:
    return learn([scene_of(game, fault, seed).jpeg], game, "Nasza")


@pytest.mark.parametrize("game", SQUARES)
@pytest.mark.parametrize("seed", [60, 61])  # colours along the rows, colours along the columns
def test_every_tile_of_the_layout_is_understood(game: str, seed: int) -> None:
    scene = scene_of(game, seed=seed)
    answers = answers_for(lesson_of(game, seed=seed), scene)
    lesson = learn([scene.jpeg], game, "Nasza", answers)
    assert lesson.problems == ()
    assert lesson.questions == ()
    truth = true_tiles(lesson, scene)
    assert {tile.at: tile.tile for tile in lesson.tiles} == {at: tile for at, (tile, _) in truth.items()}
    assert lesson.edition is not None
    assert lesson.edition.name == "Nasza"
    assert len({*lesson.edition.colours}) == len({*lesson.edition.shapes}) == 6


def test_only_unknown_shapes_are_asked_about() -> None:
    lesson = lesson_of("trio")
    asked = {question.key for question in lesson.questions}
    truth = true_tiles(lesson, scene_of("trio"))
    unknown = {
        f"column-{at[1] + 1}" for at, (tile, _) in truth.items() if tile.split()[1] in ("leaf", "cloud")
    }
    assert unknown <= asked
    assert len(asked) < 6
    assert lesson.edition is None
    assert lesson_of("qwirkle").questions == ()


@pytest.mark.parametrize("game", SQUARES)
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_a_layout_has_its_own_message(game: str, fault: str) -> None:
    lesson = lesson_of(game, fault)
    assert [problem.code for problem in lesson.problems] == [fault]
    assert all("\n" not in problem.message for problem in lesson.problems)
    assert lesson.edition is None


def test_a_missing_tile_is_named() -> None:
    scene = scene_of("qwirkle", "missing")
    lesson = learn([scene.jpeg], "qwirkle", "Nasza", answers_for(lesson_of("qwirkle", "missing"), scene))
    there = {cell.tile for cell in scene.cells if cell.tile}
    copy = COPIES["qwirkle"](0)
    (absent,) = {f"{colour} {shape}" for colour in copy.colours for shape in copy.shapes} - there
    assert [problem.facts["tile"] for problem in lesson.problems] == [absent]


def test_the_wrong_game_is_named() -> None:
    with pytest.raises(Unreadable, match="tiles of Trio, not of Qwirkle"):
        learn([scene_of("trio").jpeg], "qwirkle", "Nasza")


def test_a_table_in_play_is_no_layout() -> None:
    lesson = learn([COPIES["trio"](0).scene(1007).jpeg], "trio", "Nasza")
    assert [problem.code for problem in lesson.problems] == ["no-layout"]


def test_names_that_will_not_do() -> None:
    with pytest.raises(BadEdition):
        learn([scene_of("trio").jpeg], "trio", "   ")
    bad = learn([scene_of("qwirkle").jpeg], "qwirkle", "x", {"row-1": "two words"})
    assert [problem.code for problem in bad.problems] == ["bad-word"]
    twice = learn([scene_of("qwirkle").jpeg], "qwirkle", "x", {"row-1": "blady", "row-2": "blady"})
    assert [problem.code for problem in twice.problems] == ["name-twice"]


def test_of_several_photos_the_best_counts() -> None:
    photos = [scene_of("qwirkle", "glare").jpeg, scene_of("qwirkle").jpeg]
    lesson = learn(photos, "qwirkle", "Nasza")
    assert lesson.photo == 1
    assert lesson.edition is not None


def test_a_spread_out_set_of_mi_pasuje_is_understood() -> None:
    scene = COPIES["mipasuje"](1).lesson(81)
    first = learn([scene.jpeg], "mipasuje", "Nasza")
    lesson = learn([scene.jpeg], "mipasuje", "Nasza", answers_for(first, scene))
    truth = true_tiles(lesson, scene)
    assert len(truth) == len(lesson.tiles) == 31
    assert all(truth[tile.at] == (tile.tile, tile.mark) for tile in lesson.tiles)
    assert lesson.edition is not None
    assert lesson.edition.marks == {tile: mark for tile, mark in truth.values() if mark}
    again = parsed(written(lesson.edition))
    assert [one.tile for one in again.examples] == [one.tile for one in lesson.edition.examples]


def test_a_missing_hexagon_is_named() -> None:
    lesson = learn([COPIES["mipasuje"](1).lesson(81, "missing").jpeg], "mipasuje", "Nasza")
    assert [(one.code, one.facts.get("tile")) for one in lesson.problems] == [("missing", "5-6-4")]


def test_once_taught_a_symbol_is_known_from_the_digits() -> None:
    """Also where the photo shows it badly: here the tile net is not even asked for its opinion."""
    edition = Edition("mipasuje", "x", marks={"9-7-3": "sun"}, marked=True)
    known = known_marks(edition, ("9-7-3", "1-2-3"), np.full(3, 1 / 3))
    assert known.argmax(axis=1).tolist() == [1, 0]
    assert known.max(axis=1).min() > 0.97
    plainly_moon = known_marks(edition, ("9-7-3",), np.array([0.0, 0.001, 0.999]))
    assert plainly_moon.max() < 0.97  # then people are asked


def test_a_copy_nobody_knows_is_asked_about_not_guessed() -> None:
    scene = COPIES["trio"](0).scene(SCENE_SEED)
    reading = read(scene.jpeg, "trio")
    assert {doubt.at for doubt in reading.doubts} >= {cell.at for cell in reading.cells}
    assert "unknown-edition" in {finding.code for finding in reading.findings}


def test_an_installed_edition_is_recognised_without_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edition, _, _ = taught("trio", 0)
    assert edition is not None
    monkeypatch.setenv("KIBIC_EDITIONS", str(tmp_path))
    EditionStore().keep(edition)
    assert read(COPIES["trio"](0).scene(SCENE_SEED).jpeg, "trio").edition == "taught"


@pytest.mark.slow
@pytest.mark.parametrize("game", SQUARES)
def test_a_taught_copy_is_read(game: str) -> None:
    """Over a few scenes, nearly every tile is right after teaching, none before."""
    edition, seconds, _ = taught(game, 0)
    assert edition is not None
    assert seconds < 5
    right = cells = 0
    for number in range(4):
        scene = COPIES[game](0).scene(7000 + number)
        reading = read(scene.jpeg, game, {"edition": edition})
        assert reading.edition == "taught"
        compared = compare(reading, truth_of(scene), None)
        right, cells = right + compared.right, cells + len(compared.cells)
    assert right / cells > 0.9
