"""Whole scenes: the same bytes by seed, polygons where the tiles are, boards that the rules allow."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from models.studio import qwirkle, trio
from models.studio.camera import through
from models.studio.crops import cells_of, crops
from models.studio.painters import GAMES, painter
from models.studio.plan import Plan
from models.studio.scene import Scene, render
from models.studio.sets import PhotoSet, photographs, write
from scoring.registry import GAMES as RULES

SMALL = (480, 360)
OPEN = ("qwirkle", "trio")


def plan_of(game: str, seed: int, **how: object) -> Plan:
    return painter(game).plan(np.random.default_rng(seed), pixels_per_unit=24, **how)


@pytest.mark.parametrize("game", GAMES)
def test_same_seed_gives_the_same_bytes(game: str) -> None:
    one, other = render(game, 5, size=SMALL), render(game, 5, size=SMALL)
    assert one.jpeg == other.jpeg
    assert one.truth == other.truth
    assert all(np.array_equal(a.polygon, b.polygon) for a, b in zip(one.cells, other.cells, strict=True))
    assert render(game, 6, size=SMALL).jpeg != one.jpeg


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(480, 360), (360, 480), (320, 320)])
def test_picture_has_the_size_asked_for(game: str, size: tuple[int, int]) -> None:
    assert render(game, 3, size=size).image.shape == (size[1], size[0], 3)


@pytest.mark.parametrize("game", GAMES)
def test_every_tile_of_the_truth_is_in_the_picture(game: str) -> None:
    for seed in range(6):
        scene = render(game, seed, size=SMALL)
        named = {(tuple(cell["at"]), cell["tile"]) for cell in scene.truth["cells"]}
        seen = {(cell.at, cell.tile): cell for cell in scene.cells if cell.tile is not None}
        assert named == set(seen)
        for cell in seen.values():
            centre = cell.polygon.mean(0)
            assert (centre > 0).all()
            assert (centre < SMALL).all()


@pytest.mark.parametrize("game", OPEN)
def test_truth_is_possible_under_the_rules_unless_it_says_so(game: str) -> None:
    rules = RULES[game]
    legal = 0
    for seed in range(60):
        truth = plan_of(game, seed).truth
        board = rules.parse_board(json.loads(json.dumps(truth)))
        findings = rules.score(board, rules.parse_options({})).findings
        if truth.get("illegal"):
            continue
        legal += 1
        assert findings == (), f"seed {seed}: {[finding.message.text for finding in findings]}"
    assert legal > 30


def test_open_tables_come_in_every_size() -> None:
    qwirkle_sizes = {len(plan_of("qwirkle", seed).truth["cells"]) for seed in range(80)}
    assert min(qwirkle_sizes) <= 5
    assert max(qwirkle_sizes) >= 80
    trio_sizes = {len(plan_of("trio", seed).truth["cells"]) for seed in range(80)}
    assert min(trio_sizes) <= 5
    assert max(trio_sizes) == 36


def test_both_colour_editions_of_qwirkle_occur() -> None:
    sixth = {
        cell["tile"].split()[0]
        for seed in range(20)
        for cell in plan_of("qwirkle", seed, edition="random").truth["cells"]
    }
    assert {"purple", "white"} <= sixth
    for edition, other in (("white", "purple"), ("purple", "white")):
        tiles = [
            cell["tile"]
            for seed in range(8)
            for cell in plan_of("qwirkle", seed, edition=edition).truth["cells"]
        ]
        assert not any(tile.startswith(other) for tile in tiles)


def inner_colour(scene: Scene, polygon: np.ndarray) -> np.ndarray:
    """Mean Lab colour of the middle fifth of a polygon, where even a slender star is filled."""
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    middle = polygon.mean(0) + (polygon - polygon.mean(0)) * 0.2
    cv2.fillPoly(mask, [np.round(middle * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    lab = cv2.cvtColor(scene.image, cv2.COLOR_BGR2LAB)
    return np.array(cv2.mean(lab, mask)[:3])


@pytest.mark.parametrize("game", OPEN)
def test_polygons_hold_the_tiles_own_colours(game: str) -> None:
    """Tiles of one colour look alike where the polygons say they are, and unlike those of other colours.

    Judged in the middle of circles and squares (Qwirkle) or hearts and stars (Trio), which are filled there.
    """
    solid = {"qwirkle": ("circle", "square", "diamond"), "trio": ("heart", "star")}[game]
    right = []
    for seed in range({"qwirkle": 30, "trio": 180}[game]):
        scene = render(game, seed, style="calm", size=(800, 600), simple=True)
        by_colour: dict[str, list[np.ndarray]] = {}
        for cell in scene.cells:
            if cell.tile is not None and cell.visibility > 0.98 and cell.tile.split()[1] in solid:
                by_colour.setdefault(cell.tile.split()[0], []).append(inner_colour(scene, cell.polygon)[1:])
        means = {colour: np.median(found, 0) for colour, found in by_colour.items() if len(found) >= 3}
        if len(means) < 3:
            continue
        for colour in means:
            for one in by_colour[colour]:
                right.append(min(means, key=lambda name: float(np.hypot(*(means[name] - one)))) == colour)
    assert len(right) > 30
    # Half a tile aside only about half would be right; a lamp may still spoil a tile or two.
    assert np.mean(right) > 0.95


@pytest.mark.parametrize("game", GAMES)
def test_lattice_leads_to_the_cells(game: str) -> None:
    for seed in range(5):
        scene = render(game, seed, size=(800, 600))
        side = np.sqrt(np.median([cv2.contourArea(cell.polygon.astype(np.float32)) for cell in scene.cells]))
        at = np.array([cell.at for cell in scene.cells], float)
        found = through(scene.lattice, at if game == "mipasuje" else at[:, ::-1])
        centres = np.array([cell.polygon.mean(0) for cell in scene.cells])
        assert np.median(np.hypot(*(found - centres).T)) < 0.2 * side


@pytest.mark.parametrize("game", GAMES)
def test_crops_are_repeatable_and_labelled(game: str) -> None:
    batch, again = crops(game, 4, 40, 32), crops(game, 4, 40, 32)
    assert batch.images.shape == (40, 32, 32, 3)
    assert len(batch.labels) == 40
    assert np.array_equal(batch.images, again.images)
    assert batch.labels == again.labels
    assert any(label.tile is not None for label in batch.labels)


@pytest.mark.parametrize("game", OPEN)
def test_crops_hold_empty_cells_too(game: str) -> None:
    empty = [label.tile is None for label in crops(game, 1, 300, 16).labels]
    assert 0.1 < np.mean(empty) < 0.45


def test_upright_crops_look_like_their_cell() -> None:
    """The middle of an upright crop has the colour that the scene has in the middle of that cell."""
    scene = render("qwirkle", 2, style="calm", size=(800, 600), simple=True)
    rng = np.random.default_rng(0)
    images, labels = cells_of(rng, scene, 32, turns=False, per_cell=1)
    names = {label.tile for label in labels}
    assert names <= {cell.tile for cell in scene.cells}
    assert all(label.turn == 0 for label in labels)
    tiles = np.array(
        [image[12:20, 12:20].mean() for image, label in zip(images, labels, strict=True) if label.tile]
    )
    assert tiles.std() > 5


def test_exam_looks_are_never_trained_on() -> None:
    """Exam copies are paler in print than any training copy; their tables are of other kinds."""

    def saturation(colour: tuple[int, int, int]) -> float:
        return 1 - min(colour) / max(colour)

    exam = [qwirkle.look(np.random.default_rng(seed), "random", exam=True) for seed in range(20)]
    usual = [qwirkle.look(np.random.default_rng(seed), "random") for seed in range(20)]
    assert max(saturation(look.colours["red"]) for look in exam) < min(
        saturation(look.colours["red"]) for look in usual
    )
    star = trio.look(np.random.default_rng(1), "random", exam=True).shapes["star"][0]
    assert not any(
        np.array_equal(star, trio.look(np.random.default_rng(seed), "random").shapes["star"][0])
        for seed in range(20)
    )


def test_unknown_game_and_style_are_refused() -> None:
    with pytest.raises(ValueError, match="is not one of"):
        render("chess", 0)
    with pytest.raises(ValueError, match="is not one of"):
        render("trio", 0, style="gloomy")


def test_sets_show_every_tile_and_can_be_read_back(tmp_path) -> None:
    which = PhotoSet("tiny", None, 123, photos_per_game=2)
    for name, scene in photographs(which, "trio"):
        write(scene, tmp_path, name)
        assert all(cell.visibility >= 0.6 for cell in scene.cells if cell.tile is not None)
    assert sorted(path.name for path in tmp_path.glob("*.jpg")) == ["000.jpg", "001.jpg"]
    truth = json.loads((tmp_path / "000.truth.json").read_text("utf-8"))
    assert RULES["trio"].parse_board(truth).game == "trio"
    assert cv2.imread(str(tmp_path / "000.jpg")).shape == (1200, 1600, 3)
