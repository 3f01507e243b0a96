"""Rows of Mi pasuje!: what they earn and what is said when they earn nothing."""

from __future__ import annotations

import pytest

from scoring.core import Board, Item
from scoring.mipasuje import LAYOUTS, TILES, HexTile, MiPasuje, MiPasujeOptions

GAME = MiPasuje()
BASE = MiPasujeOptions()


def lay(layout: str, row: str, index: int, names: str) -> tuple[Board[HexTile], Item]:
    """A board with only this row filled, and what is said about the row."""
    (kind, cells) = [(r.direction, r.cells) for r in LAYOUTS[layout].rows if r.direction == row][index]
    tiles = [TILES[name] for name in names.split()]
    board = Board("mipasuje", dict(zip(cells, tiles, strict=True)), layout)
    (item,) = (i for i in GAME.score(board, BASE).items if i.cells == cells and i.kind == f"{kind}-row")
    return board, item


RULEBOOK = [
    ("vertical", 0, "9-2-3 9-6-4 9-7-8", "3 × 9", 27),
    ("vertical", 1, "1-2-3 1-6-4 1-7-8 1-2-4", "4 × 1", 4),
    ("falling", 2, "1-2-8 5-6-8 9-7-8 1-6-8 5-2-8", "5 × 8", 40),
    ("rising", 3, "1-7-3 5-7-4 9-7-8 5-7-3", "4 × 7", 28),
    ("falling", 4, "1-2-3 5-6-3 9-7-3", "3 × 3", 9),
]


@pytest.mark.parametrize(("row", "index", "names", "formula", "points"), RULEBOOK)
def test_rulebook_rows(row: str, index: int, names: str, formula: str, points: int) -> None:
    board, item = lay("standard", row, index, names)
    assert (item.formula, item.points, item.reason) == (formula, points, None)
    assert GAME.score(board, BASE).total == points


@pytest.mark.parametrize(
    ("row", "names", "points"),
    [
        ("vertical", "*-*-* *-2-* *-*-3", 27),
        ("rising", "*-*-* 1-*-* *-*-3", 21),
        ("falling", "*-*-* 1-*-* *-2-*", 24),
    ],
)
def test_a_row_of_jokers_takes_the_highest_value(row: str, names: str, points: int) -> None:
    index = next(
        i for i, r in enumerate(r for r in LAYOUTS["valve"].rows if r.direction == row) if len(r.cells) == 3
    )
    _, item = lay("valve", row, index, names)
    assert item.points == points


@pytest.mark.parametrize(
    ("names", "value"),
    [("*-*-* *-2-* 1-2-3", 1), ("*-*-* 5-2-3 *-2-*", 5), ("1-*-* 1-2-3 *-*-*", 1), ("*-*-* 1-*-* *-*-3", 1)],
)
def test_jokers_take_the_value_the_plain_lines_fix(names: str, value: int) -> None:
    _, item = lay("valve", "vertical", 4, names)
    assert (item.value, item.points) == (value, 3 * value)


def test_jokers_do_not_mend_a_row_of_two_values() -> None:
    _, item = lay("valve", "vertical", 4, "9-2-3 *-*-* 5-2-3")
    assert item.points == 0
    assert item.reason is not None
    assert item.reason.text == "complete, but shows 9, * and 5"


@pytest.mark.parametrize(
    ("row", "index", "names", "text"),
    [
        (
            "rising",
            2,
            "1-7-3 5-7-4 9-7-8 5-6-3 1-7-4",
            "complete, but cell (1, −1) shows 6 and the others 7",
        ),
        (
            "vertical",
            2,
            "9-7-3 5-7-3 9-2-3 1-7-3 9-6-3",
            "complete, but cells (0, −1) and (0, 1) show 5 and 1 and the others 9",
        ),
        ("vertical", 1, "9-7-3 5-7-3 9-2-3 5-2-3", "complete, but shows 9, 5, 9 and 5"),
        ("falling", 0, "9-7-3 5-7-4 9-2-8", "complete, but shows 3, 4 and 8"),
    ],
)
def test_a_broken_row_names_the_cells_that_break_it(row: str, index: int, names: str, text: str) -> None:
    _, item = lay("standard", row, index, names)
    assert (item.points, item.value, item.formula) == (0, None, "")
    assert item.reason is not None
    assert item.reason.text == text


def test_an_unfinished_row_names_its_empty_cells() -> None:
    full, _ = lay("standard", "vertical", 2, "9-2-3 9-6-4 9-7-8 9-2-4 9-7-3")
    one = Board("mipasuje", {c: t for c, t in full.cells.items() if c != (0, 1)}, "standard")
    two = Board("mipasuje", {c: t for c, t in one.cells.items() if c != (0, -2)}, "standard")
    for board, text in (
        (one, "unfinished: cell (0, 1) is empty"),
        (two, "unfinished: cells (0, −2) and (0, 1) are empty"),
    ):
        (item,) = (i for i in GAME.score(board, BASE).items if i.cells == tuple(full.cells))
        assert item.points == 0
        assert item.reason is not None
        assert item.reason.text == text


def test_every_row_is_an_item_in_reading_order() -> None:
    for name, layout in LAYOUTS.items():
        items = GAME.score(Board("mipasuje", {}, name), BASE).items
        assert [item.cells for item in items] == [row.cells for row in layout.rows]
        assert all(item.reason is not None for item in items)


@pytest.mark.parametrize("name", LAYOUTS)
def test_rows_run_unbroken_from_edge_to_edge(name: str) -> None:
    layout = LAYOUTS[name]
    steps = {"vertical": (0, 1), "rising": (1, -1), "falling": (1, 0)}
    for row in layout.rows:
        (dq, dr), (q, r) = steps[row.direction], row.cells[0]
        assert row.cells == tuple((q + i * dq, r + i * dr) for i in range(len(row.cells)))
        last = row.cells[-1]
        assert (q - dq, r - dr) not in layout.cells
        assert (last[0] + dq, last[1] + dr) not in layout.cells


def test_the_boards_are_as_the_rulebook_describes_them() -> None:
    standard = LAYOUTS["standard"]
    assert [len(row.cells) for row in standard.rows] == [3, 4, 5, 4, 3] * 3
    for name, layout in LAYOUTS.items():
        if name == "standard":
            continue
        assert len(layout.cells) == 21
        lengths = [len(row.cells) for row in layout.rows]
        assert len(lengths) == 18
        assert all(sorted(lengths[i : i + 6]) == [2, 2, 3, 4, 5, 5] for i in (0, 6, 12))
        assert all(len(layout.neighbours[valve]) == 6 for valve in layout.valves)
    assert [len(row.cells) for row in LAYOUTS["valve"].rows if row.direction == "vertical"] == [
        2,
        5,
        5,
        4,
        3,
        2,
    ]
    assert set(LAYOUTS["valve"].valves) == {(0, 0), (2, 1), (-1, 3)}


def test_no_standard_board_scores_1_or_2() -> None:
    # The cheapest scoring row is three ones, so a total is 0 or at least 3; both ends exist.
    cheapest = min(len(row.cells) for row in LAYOUTS["standard"].rows) * 1
    assert cheapest == 3
    nothing = "standard:578.964.924,164.523.163.128,524.573.978.963.528,173.168.974.973,574.178.174"
    three = "standard:978.178.128,174.973.928.523,528.564.168.124.568,123.963.574.924,173.163.164"
    assert GAME.score(GAME.from_notation(nothing), BASE).total == 0
    assert GAME.score(GAME.from_notation(three), BASE).total == 3


def test_the_set_is_27_basic_tiles_and_4_jokers() -> None:
    kinds = GAME.kinds()
    assert set(kinds.values()) == {1}
    assert len(kinds) == 31
    assert [GAME.tile_name(tile) for tile in kinds if tile.is_joker] == ["*-*-*", "1-*-*", "*-2-*", "*-*-3"]
