"""What counts as right, wrong, doubted and silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.measure.compare import Comparison, Truth, aligned, compare, renamed, score
from scoring.registry import find_game
from vision.reading import Alternative, Cell, CellReading, Doubt, Reading

TABLE = {
    (0, 0): "red circle",
    (0, 1): "red star",
    (0, 2): "red square",
    (1, 2): "blue square",
    (2, 2): "green square",
    (2, 3): "green star",
}


def reading(game: str, tiles: dict[Cell, str], doubts: tuple[Cell, ...] = (), **more: object) -> Reading:
    return Reading(
        game,
        tuple(CellReading(at, tile, 0.9, (), ()) for at, tile in tiles.items()),
        tuple(Doubt(at, (Alternative("red circle", 0.5),), ()) for at in doubts),
        **more,  # type: ignore[arg-type]
    )


def table_truth(game: str = "qwirkle") -> Truth:
    return Truth(game, TABLE, {})


def turned(tiles: dict[Cell, str], turns: int, shift: Cell = (0, 0)) -> dict[Cell, str]:
    for _ in range(turns):
        tiles = {(column, -row): tile for (row, column), tile in tiles.items()}
    return {(row + shift[0], column + shift[1]): tile for (row, column), tile in tiles.items()}


def compared(seen: Reading, truth: Truth) -> Comparison:
    return compare(seen, truth, None)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("game", ["qwirkle", "trio"])
def test_open_tables_are_equal_after_a_shift_and_quarter_turns(game: str, turns: int) -> None:
    result = compared(reading(game, turned(TABLE, turns, (-7, 40))), table_truth(game))
    assert result.board_right
    assert result.score_right
    assert not result.silent_error
    assert result.right == 6


def test_a_mirror_image_is_another_table() -> None:
    mirrored = {(row, -column): tile for (row, column), tile in TABLE.items()}
    result = compared(reading("qwirkle", mirrored), table_truth())
    assert not result.board_right
    assert result.silent_error


@pytest.mark.parametrize("turns", range(4))
def test_errors_are_counted_under_the_best_alignment(turns: int) -> None:
    seen = turned(TABLE, turns, (3, 3))
    at = list(seen)
    seen[at[1]] = "orange star"
    del seen[at[5]]
    seen[(50, 50)] = "blue cross"
    result = compared(reading("qwirkle", seen, doubts=(at[1],)), table_truth())
    assert len(result.cells) == 7
    assert result.right == 4
    outcome = {cell.at: cell for cell in result.wrong}
    assert outcome[at[1]].truth == "red star"
    assert outcome[at[1]].doubted
    assert outcome[at[5]].read is None
    assert outcome[(50, 50)].truth is None
    assert result.silent_error
    assert not result.score_right


def test_a_missing_tile_is_covered_by_a_doubt_on_its_empty_cell() -> None:
    seen = turned(TABLE, 1, (5, 5))
    (gone,) = [at for at, tile in seen.items() if tile == "red circle"]
    del seen[gone]
    doubted = compared(reading("qwirkle", seen, doubts=(gone,)), table_truth())
    assert not doubted.board_right
    assert not doubted.silent_error
    assert compared(reading("qwirkle", seen), table_truth()).silent_error


def test_alignment_prefers_agreeing_tiles_to_coinciding_cells() -> None:
    truth = {(0, 0): "red circle", (0, 1): "red star", (0, 2): "red square"}
    read = {(0, 0): "blue circle", (0, 1): "red circle", (0, 2): "red star"}
    assert aligned(truth, read) == {(0, 1): "red circle", (0, 2): "red star", (0, 3): "red square"}


def test_alignment_falls_back_on_where_tiles_lie() -> None:
    read = dict.fromkeys(turned(TABLE, 2, (1, 1)), "orange cross")
    assert aligned(TABLE, read).keys() == read.keys()


@pytest.mark.parametrize(("truth", "read"), [({}, {}), ({}, TABLE), (TABLE, {})])
def test_empty_tables_align_with_anything(truth: dict[Cell, str], read: dict[Cell, str]) -> None:
    assert len(aligned(truth, read)) == len(truth)
    result = compared(reading("qwirkle", read), Truth("qwirkle", truth, {}))
    assert result.board_right == (truth == read)


COLUMN = {(0, -2): "9-2-3", (0, -1): "9-2-4", (0, 0): "9-6-3", (0, 1): "9-6-4", (0, 2): "9-7-3"}


def hex_truth(**more: object) -> Truth:
    return Truth("mipasuje", COLUMN, {}, "standard", total=45, **more)  # type: ignore[arg-type]


def test_mipasuje_cells_are_compared_as_they_stand() -> None:
    seen = reading("mipasuje", COLUMN, layout="standard")
    assert compare(seen, hex_truth(), 45).board_right
    turned_round = {(-q, -r): tile for (q, r), tile in COLUMN.items()}
    result = compare(reading("mipasuje", turned_round, layout="standard"), hex_truth(), 45)
    assert not result.board_right
    assert result.right == 1
    assert result.score_right, "the total may agree by chance, and that is what this figure counts"


def test_another_layout_is_never_right_and_never_doubted() -> None:
    result = compare(reading("mipasuje", COLUMN, doubts=tuple(COLUMN), layout="valve"), hex_truth(), 45)
    assert not result.board_right
    assert result.silent_error


def test_symbols_count_only_where_the_truth_names_them() -> None:
    seen = reading("mipasuje", COLUMN, layout="standard")
    sunny = replace(seen, cells=tuple(replace(cell, mark="sun") for cell in seen.cells))
    assert compare(sunny, hex_truth(), 45).board_right
    truth = replace(hex_truth(), marks={(0, 0): "sun", (0, 1): "moon"})
    result = compare(sunny, truth, 45)
    assert (result.marks, result.marks_right) == (2, 1)
    assert [cell.at for cell in result.wrong] == [(0, 1)]
    assert "symbol" in result.wrong[0].text
    assert result.silent_error
    unread = compare(seen, truth, 45)
    assert [cell.at for cell in unread.wrong] == [(0, 0), (0, 1)]


def test_tiles_set_aside_belong_to_the_board() -> None:
    truth = replace(hex_truth(), aside=("1-2-3", "5-2-3"))
    seen = reading("mipasuje", COLUMN, layout="standard")
    assert not compare(seen, truth, 45).board_right
    assert not compare(seen, truth, 45).silent_error
    assert compare(replace(seen, aside=("5-2-3", "1-2-3")), truth, 45).board_right


RAMP = {(5, 0): "red", (5, 1): "red", (5, 2): "blue", (5, 3): "green", (4, 0): "blue", (4, 3): "green"}


def ramp_truth() -> Truth:
    return Truth("bits", RAMP, {}, size=(6, 4), total=0)


def test_bits_colours_may_be_named_otherwise_but_one_to_one() -> None:
    names = {"red": "pink", "blue": "red", "green": "blue"}
    seen = {at: names[tile] for at, tile in RAMP.items()}
    assert compare(reading("bits", seen, size=(6, 4)), ramp_truth(), 0).board_right
    merged = {at: "red" if tile == "blue" else tile for at, tile in RAMP.items()}
    result = compare(reading("bits", merged, size=(6, 4)), ramp_truth(), 0)
    assert not result.board_right
    assert result.right == 4


def test_bits_colours_are_matched_for_most_agreement() -> None:
    truth = dict(zip([(0, c) for c in range(6)], ["red"] * 3 + ["blue"] * 3, strict=True))
    read = dict(zip(truth, ["blue", "blue", "red", "red", "red", "red"], strict=True))
    assert sum(renamed(truth, read)[at] == read[at] for at in truth) == 5
    assert renamed({}, read) == {}
    assert set(renamed(truth, {}).values()).isdisjoint({"red", "blue"})


def test_which_way_is_down_is_part_of_a_bits_reading() -> None:
    upside_down = {(5 - row, 3 - column): tile for (row, column), tile in RAMP.items()}
    result = compare(reading("bits", upside_down, size=(6, 4)), ramp_truth(), 0)
    assert not result.board_right
    assert result.silent_error


def test_another_size_of_ramp_is_another_board() -> None:
    assert not compare(reading("bits", RAMP, size=(6, 6)), ramp_truth(), 0).board_right


def test_totals_decide_scores_where_the_game_has_them() -> None:
    seen = reading("mipasuje", COLUMN, layout="standard")
    assert score(seen, find_game("mipasuje").parse_options({})) == 45
    assert not compare(seen, replace(hex_truth(), total=44), 45).score_right
    assert score(reading("mipasuje", {(9, 9): "9-2-3"}), find_game("mipasuje").parse_options({})) is None
