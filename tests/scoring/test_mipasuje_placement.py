"""Placement variants of Mi pasuje!, checked against the order in which tiles were placed."""

from __future__ import annotations

import pytest

from scoring.core import Board, Cell
from scoring.mipasuje import LAYOUTS, TILES, HexTile, MiPasuje, MiPasujeOptions
from scoring.mipasuje.tiles import Mark

GAME = MiPasuje()
ADJACENT = MiPasujeOptions(placement="adjacent")
SUN_MOON = MiPasujeOptions(placement="sun-moon")
BASIC = [tile for tile in TILES.values() if not tile.is_joker]
VALVE = LAYOUTS["valve"]
OTHERS = tuple(cell for cell in VALVE.cells if cell not in VALVE.valves)
LETTERS: dict[str, Mark | None] = {"s": "sun", "m": "moon", "-": None}


def placed(
    *order: Cell, marks: str = "", layout: str = "standard", unlogged: tuple[Cell, ...] = (), aside: int = 0
) -> Board[HexTile]:
    """A board whose tiles were placed in this order; `unlogged` cells are filled too, nobody wrote when."""
    cells = (*order, *unlogged)
    shown = [LETTERS[letter] for letter in marks.ljust(len(cells), "-")]
    tiles = {cell: BASIC[i].marked(shown[i]) for i, cell in enumerate(cells)}
    return Board("mipasuje", tiles, layout, order=order, aside=tuple(BASIC[len(cells) :][:aside]))


def codes(board: Board[HexTile], options: MiPasujeOptions) -> list[tuple[str, tuple[Cell, ...]]]:
    return [(f.message.code, f.cells) for f in GAME.score(board, options).findings]


def test_adjacent_lets_the_first_tile_lie_anywhere_and_later_ones_touch() -> None:
    assert codes(placed((2, 0), (1, 0), (1, -1)), ADJACENT) == []


def test_adjacent_names_the_tile_that_touched_nothing() -> None:
    board = placed((0, 0), (2, -2), (1, -1))
    assert codes(board, ADJACENT) == [("placed-apart", ((2, -2),))]
    (finding,) = GAME.score(board, ADJACENT).findings
    assert finding.message.text == "1-2-4 on (2, −2) was tile 2 and touched no placed tile"


def test_free_placement_asks_for_nothing() -> None:
    assert codes(placed((0, 0), (2, -2)), MiPasujeOptions()) == []


def test_without_an_order_nothing_is_checked() -> None:
    board = placed(unlogged=((0, 0), (2, -2)), marks="ss")
    assert codes(board, ADJACENT) == codes(board, SUN_MOON) == []


def test_an_order_that_stops_is_checked_as_far_as_it_goes() -> None:
    board = placed((0, 0), (2, -2), unlogged=((1, -1), (0, 1)))
    assert codes(board, ADJACENT) == [("placed-apart", ((2, -2),)), ("order-incomplete", ())]
    assert "names 2 of 4 tiles" in GAME.score(board, ADJACENT).findings[-1].message.text


@pytest.mark.parametrize(
    ("marks", "wrong"),
    [("ss", True), ("mm", True), ("sm", False), ("ms", False), ("--", False), ("s-", False), ("-s", False)],
)
def test_sun_moon_binds_only_equal_symbols(marks: str, wrong: bool) -> None:
    expected = [("placed-apart-same-symbol", ((2, -2),))] if wrong else []
    assert codes(placed((0, 0), (2, -2), marks=marks), SUN_MOON) == expected
    assert codes(placed((0, 0), (0, 1), marks=marks), SUN_MOON) == []


def test_sun_moon_compares_with_the_previous_tile_but_any_placed_tile_will_do() -> None:
    assert codes(placed((0, 0), (2, -2), (0, 1), marks="smm"), SUN_MOON) == []
    assert codes(placed((0, 0), (2, -2), (-2, 2), marks="smm"), SUN_MOON) == [
        ("placed-apart-same-symbol", ((-2, 2),))
    ]


def test_valve_2_begins_on_the_valve_cells() -> None:
    valve2 = MiPasujeOptions(valve=2)
    assert codes(placed(*VALVE.valves, *OTHERS, layout="valve"), valve2) == []
    late = placed(VALVE.valves[0], OTHERS[0], *VALVE.valves[1:], layout="valve")
    assert codes(late, valve2) == [("valves-first", (OTHERS[0], *VALVE.valves[1:]))]


def test_valve_2_needs_no_order_to_miss_a_valve_tile() -> None:
    board = placed(unlogged=(*VALVE.valves[:2], OTHERS[0]), layout="valve")
    assert codes(board, MiPasujeOptions(valve=2)) == [("valves-first-empty", VALVE.valves[2:])]
    logged = placed(*VALVE.valves[:2], unlogged=(OTHERS[0],), layout="valve")
    assert codes(logged, MiPasujeOptions(valve=2)) == [
        ("valves-first-empty", VALVE.valves[2:]),
        ("order-incomplete", ()),
    ]


def test_valve_2_says_once_what_the_order_already_shows() -> None:
    board = placed(VALVE.valves[0], OTHERS[0], layout="valve")
    assert codes(board, MiPasujeOptions(valve=2)) == [("valves-first", (OTHERS[0], *VALVE.valves[1:]))]


def test_valve_2_exempts_the_first_three_from_touching() -> None:
    order = (*VALVE.valves, (0, 1))
    for placement in ("adjacent", "sun-moon"):
        options = MiPasujeOptions(placement=placement, valve=2)
        assert codes(placed(*order, marks="ssss", layout="valve"), options) == []
    apart = placed(*VALVE.valves, (-1, 1), (3, 1), marks="sssss", layout="valve")
    assert codes(apart, MiPasujeOptions(placement="adjacent", valve=2)) == []
    assert codes(placed(*VALVE.valves, layout="valve"), ADJACENT) == [
        ("placed-apart", (VALVE.valves[1],)),
        ("placed-apart", (VALVE.valves[2],)),
    ]


def test_valve_3_ends_on_the_valve_cells() -> None:
    valve3 = MiPasujeOptions(valve=3)
    assert codes(placed(*OTHERS, *VALVE.valves, layout="valve"), valve3) == []
    early = placed(*OTHERS[:17], VALVE.valves[0], OTHERS[17], *VALVE.valves[1:], layout="valve")
    assert codes(early, valve3) == [("valves-last", (VALVE.valves[0],))]
    assert codes(placed(unlogged=(VALVE.valves[0], OTHERS[0]), layout="valve"), valve3) == [
        ("valves-last", (VALVE.valves[0],))
    ]


def test_valve_4_a_set_aside_tile_may_excuse_the_next_one() -> None:
    options = MiPasujeOptions(placement="sun-moon", valve=4)
    far = ((-2, 4), (0, -1), (3, 1))
    assert codes(placed(*far, marks="sss", layout="valve", aside=2), options) == []
    assert codes(placed(*far, marks="sss", layout="valve", aside=1), options) == [
        ("placed-apart-too-often", far[1:])
    ]


@pytest.mark.parametrize("valve", [1, 2, 3, 4])
def test_valve_variants_need_the_valve_board(valve: int) -> None:
    options = GAME.parse_options({"valve": valve})
    with pytest.raises(ValueError, match=r"^options\.valve: valve variants are played on the valve board$"):
        GAME.score(placed((0, 0)), options)
