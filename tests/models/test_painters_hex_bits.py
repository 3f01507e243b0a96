"""The Mi pasuje! and Bits painters: possible boards, exact polygons, the same table from the same seed."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import cv2
import numpy as np
import pytest

from models.studio import bits, digits, hexes, mipasuje
from models.studio.plan import Plan, Sprite
from scoring.registry import GAMES

SEEDS = range(12)


def table(painter: ModuleType, seed: int, **wishes: object) -> Plan:
    plan: Plan = painter.plan(np.random.default_rng(seed), **{"pixels_per_unit": 32, **wishes})
    return plan


def sprite_at(plan: Plan, point: np.ndarray) -> Sprite:
    """The topmost sprite over a plane point."""
    for sprite in reversed(plan.sprites):
        if (
            cv2.pointPolygonTest(sprite.outline.astype(np.float32), (float(point[0]), float(point[1])), False)
            >= 0
        ):
            return sprite
    raise AssertionError(f"nothing lies at {point}")


def pixel_of(sprite: Sprite, point: np.ndarray) -> np.ndarray:
    """BGRA of a sprite's picture at a plane point."""
    height, width = sprite.picture.shape[:2]
    offset = point - np.array(sprite.centre)
    cos, sin = np.cos(sprite.angle), np.sin(sprite.angle)
    x, y = (
        np.array([cos * offset[0] + sin * offset[1], -sin * offset[0] + cos * offset[1]])
        * width
        / sprite.width
    )
    pixel: np.ndarray = sprite.picture[int(y + height / 2), int(x + width / 2)]
    return pixel


def area(polygon: np.ndarray) -> float:
    """Signed: positive when clockwise as seen, y down."""
    x, y = polygon.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


@pytest.mark.parametrize("painter", [mipasuje, bits])
@pytest.mark.parametrize("exam", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_truth_is_a_board_without_objections(painter: ModuleType, seed: int, exam: bool) -> None:
    plan = table(painter, seed, exam=exam, simple=bool(seed % 2))
    game = GAMES[plan.game]
    board = game.parse_board(plan.truth)
    objections = game.score(board, game.parse_options({})).findings
    assert [finding.message.text for finding in objections] == []
    assert {tuple(entry["at"]) for entry in plan.truth["cells"]} == {c.at for c in plan.cells if c.tile}


@pytest.mark.parametrize("painter", [mipasuje, bits])
def test_the_same_seed_gives_the_same_table(painter: ModuleType) -> None:
    one, other, third = table(painter, 5), table(painter, 5), table(painter, 6)
    assert one.truth == other.truth != third.truth
    assert len(one.sprites) == len(other.sprites)
    for left, right in zip(one.sprites, other.sprites, strict=True):
        assert np.array_equal(left.picture, right.picture)
        assert np.array_equal(left.outline, right.outline)


@pytest.mark.parametrize("painter", [mipasuje, bits])
@pytest.mark.parametrize("seed", SEEDS)
def test_polygons_lie_on_their_tiles(painter: ModuleType, seed: int) -> None:
    plan = table(painter, seed)
    origin, basis = plan.lattice
    for cell in plan.cells:
        middle = cell.polygon.mean(axis=0)
        assert area(cell.polygon) > 0
        assert np.hypot(*(middle - origin - np.array(cell.at) @ basis)) < 0.2
        if cell.tile is None:
            continue
        sprite = sprite_at(plan, middle)
        assert cell.height == pytest.approx(sprite.base + sprite.thickness)
        for edge in (cell.polygon + np.roll(cell.polygon, 1, axis=0)) / 2:
            inner = middle + 0.9 * (edge - middle)
            assert sprite_at(plan, inner) is sprite
            assert pixel_of(sprite, inner)[3] > 200
        assert abs(area(cell.polygon)) == pytest.approx(
            abs(area(sprite.outline)) / (1 if plan.game == "mipasuje" else 2)
        )


@pytest.mark.parametrize("painter", [mipasuje, bits])
@pytest.mark.parametrize("seed", SEEDS)
def test_sprites_are_well_formed(painter: ModuleType, seed: int) -> None:
    plan = table(painter, seed)
    for sprite in plan.sprites:
        height, width, channels = sprite.picture.shape
        assert sprite.picture.dtype == np.uint8
        assert channels == 4
        assert area(sprite.outline) > 0
        reach = np.hypot(sprite.width, sprite.width * height / width) / 2
        distances = np.hypot(*(sprite.outline - np.array(sprite.centre)).T)
        assert distances.max() <= reach + 0.05


@pytest.mark.parametrize("edition", mipasuje.EDITIONS)
def test_known_editions_of_mi_pasuje(edition: str) -> None:
    plan = table(mipasuje, 3, edition=edition)
    marked = any(cell.mark for cell in plan.cells)
    assert plan.edition == edition
    assert marked == (edition == "rebel")


def test_all_boards_and_jokers_appear() -> None:
    plans = [table(mipasuje, seed, edition="rebel", simple=True, pixels_per_unit=8) for seed in range(60)]
    boards = Counter(plan.truth["board"] for plan in plans)
    assert set(boards) == {"standard", *mipasuje.VALVE_BOARDS}
    jokers = {cell.tile for plan in plans for cell in plan.cells if cell.tile and "*" in cell.tile}
    assert jokers == set(mipasuje.JOKERS)
    assert {cell.mark for plan in plans for cell in plan.cells} >= {"sun", "moon"}


@pytest.mark.parametrize("board", ["standard", *mipasuje.VALVE_BOARDS])
def test_valve_boards_are_three_flowers(board: str) -> None:
    cells = hexes.board_cells(board)
    columns = sorted(Counter(q for q, _ in cells).values())
    assert columns == ([3, 3, 4, 4, 5] if board == "standard" else [2, 2, 3, 4, 5, 5])
    assert set(hexes.valve_cells(board)) <= set(cells)


@pytest.mark.parametrize("columns", [4, 6])
def test_dominoes_rest_on_something_and_come_from_one_set(columns: int) -> None:
    kinds = 4 if columns == 4 else 5
    for seed in range(30):
        drops = bits.drop_dominoes(np.random.default_rng(seed), columns, kinds, 99)
        assert {row for row, _ in drops[0].cells} & {bits.ROWS - 1}
        assert drops[0].colours[0] != drops[0].colours[1]
        used = Counter(tuple(sorted(drop.colours)) for drop in drops[1:])
        assert used <= bits.domino_set(kinds)
        lying: set[tuple[int, int]] = set()
        for drop in drops:
            below = {(row + 1, column) for row, column in drop.cells}
            assert below & (lying | {(bits.ROWS, column) for column in range(columns)})
            assert not lying & set(drop.cells)
            lying |= set(drop.cells)


def test_exam_typefaces_are_never_used_otherwise() -> None:
    kept = {digits.random_style(np.random.default_rng(seed), exam=True).cap for seed in range(40)}
    used = {digits.random_style(np.random.default_rng(seed)).cap for seed in range(200)}
    assert kept == {"flared"}
    assert used == {"butt", "round"}


def test_digits_differ_from_each_other_in_every_typeface() -> None:
    for seed in range(30):
        style = digits.random_style(np.random.default_rng(seed), exam=seed % 3 == 0)
        shapes = [
            cv2.resize(digits.glyph(str(d), style, 48), (24, 32), interpolation=cv2.INTER_AREA).astype(float)
            for d in range(1, 10)
        ]
        for i, one in enumerate(shapes):
            for other in shapes[:i]:
                assert np.abs(one - other).mean() > 12
