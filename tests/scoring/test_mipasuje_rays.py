"""Suns and moons: rays by length, and the brightest ray at the table."""

from __future__ import annotations

import pytest

from scoring.core import Board, Item, Player
from scoring.mipasuje import LAYOUTS, TILES, HexTile, MiPasuje, MiPasujeOptions
from scoring.mipasuje.tiles import Mark

GAME = MiPasuje()
RAYS = MiPasujeOptions("rays")
BRIGHTEST = MiPasujeOptions("brightest")

RULEBOOK = (
    "standard:174s.173s.123s,578m.574m.523m.563m,974m.978s.924m.963s.923m,178s.128s.164s.163s,524m.168m.124m"
)


def bonuses(items: tuple[Item, ...]) -> list[tuple[str, str, int]]:
    return [
        (item.kind, item.formula, item.points) for item in items if item.kind.endswith("ray") and item.points
    ]


def column(index: int, names: str, marks: str) -> Board[HexTile]:
    """One column of the standard board with these tiles and symbols (s, m or -)."""
    letters: dict[str, Mark | None] = {"s": "sun", "m": "moon", "-": None}
    cells = LAYOUTS["standard"].rows[index].cells
    tiles = [TILES[n].marked(letters[m]) for n, m in zip(names.split(), marks, strict=True)]
    return Board("mipasuje", dict(zip(cells, tiles, strict=True)), "standard")


def test_the_rulebook_sum_of_319() -> None:
    board = GAME.from_notation(RULEBOOK)
    result = GAME.score(board, RAYS)
    assert GAME.score(board, MiPasujeOptions()).total == 228
    assert sorted(bonuses(result.items)) == [
        ("moon-ray", "3 × 6", 18),
        ("moon-ray", "4 × 6", 24),
        ("sun-ray", "3 × 7", 21),
        ("sun-ray", "4 × 7", 28),
    ]
    assert result.total == 228 + 24 + 28 + 21 + 18 == 319


def test_a_ray_runs_along_a_row_that_earns_nothing_too() -> None:
    result = GAME.score(column(0, "1-2-3 5-2-3 9-2-3", "sss"), RAYS)
    assert bonuses(result.items) == [("sun-ray", "3 × 7", 21)]
    assert result.total == 21


def test_an_unfinished_row_is_no_ray() -> None:
    board = column(1, "9-2-3 9-6-4 9-7-8 9-2-4", "ssss")
    short = Board("mipasuje", dict(list(board.cells.items())[:3]), "standard")
    assert bonuses(GAME.score(short, RAYS).items) == []


@pytest.mark.parametrize(
    ("marks", "kind", "text"),
    [
        ("smss", "sun-ray", "no sun ray: cell (−1, 0) shows a moon and the others suns"),
        ("mmms", "moon-ray", "no moon ray: cell (−1, 2) shows a sun and the others moons"),
        ("-sss", "sun-ray", "no sun ray: cell (−1, −1) shows no symbol and the others suns"),
        ("mmm-", "moon-ray", "no moon ray: cell (−1, 2) shows no symbol and the others moons"),
    ],
)
def test_one_tile_that_keeps_a_row_from_being_a_ray_is_named(marks: str, kind: str, text: str) -> None:
    (item,) = refused(column(1, "1-2-3 5-2-3 9-2-3 9-6-3", marks))
    assert (item.kind, item.points) == (kind, 0)
    assert item.reason is not None
    assert item.reason.text == text


def test_two_of_three_are_a_near_miss_only_if_the_third_shows_no_symbol() -> None:
    assert [len(refused(column(0, "1-2-3 5-2-3 9-2-3", marks))) for marks in ("ss-", "ssm", "s--")] == [
        1,
        0,
        0,
    ]


def refused(board: Board[HexTile]) -> list[Item]:
    return [item for item in GAME.score(board, RAYS).items if item.kind.endswith("ray")]


def test_a_joker_counts_only_by_the_symbol_it_shows() -> None:
    cells = next(row.cells for row in LAYOUTS["valve"].rows if len(row.cells) == 3)
    contests: tuple[tuple[Mark | None, int], ...] = (("sun", 21), (None, 0))
    for mark, points in contests:
        tiles = [TILES["9-2-3"].marked("sun"), TILES["*-*-*"].marked(mark), TILES["9-7-3"].marked("sun")]
        board = Board("mipasuje", dict(zip(cells, tiles, strict=True)), "valve")
        assert sum(i.points for i in GAME.score(board, RAYS).items if i.kind == "sun-ray") == points


def test_a_lone_board_is_a_table_of_one() -> None:
    result = GAME.score(GAME.from_notation(RULEBOOK), BRIGHTEST)
    assert sorted(bonuses(result.items)) == [("moon-ray", "60", 60), ("sun-ray", "60", 60)]
    assert result.total == 228 + 60 + 60


def totals(*boards: Board[HexTile]) -> list[int | None]:
    players = [Player(f"P{index}", board) for index, board in enumerate(boards)]
    return [breakdown.total for _, breakdown in GAME.score_round(players, BRIGHTEST).players]


NINES3 = column(0, "9-2-3 9-6-3 9-7-3", "sss")
FIVES3 = column(0, "5-2-3 5-6-3 5-7-3", "sss")
ONES4 = column(1, "1-2-3 1-6-3 1-7-3 1-2-4", "ssss")
BROKEN4 = column(1, "1-2-3 1-6-3 1-7-3 5-2-4", "ssss")
MOONS3 = column(0, "5-2-3 5-6-3 5-7-3", "mmm")


def test_longer_beats_shorter_whatever_its_value() -> None:
    assert totals(NINES3, ONES4) == [27, 4 + 60]


def test_equal_length_is_decided_by_the_row_value() -> None:
    assert totals(NINES3, FIVES3) == [27 + 60, 15]


def test_rays_along_rows_that_earn_nothing_do_not_compete() -> None:
    assert totals(BROKEN4, FIVES3) == [0, 15 + 60]
    (item,) = (i for i in GAME.score(BROKEN4, BRIGHTEST).items if i.kind == "sun-ray")
    assert item.reason is not None
    assert item.reason.code == "ray-row-earns-nothing"


def test_sun_and_moon_are_two_contests() -> None:
    assert totals(NINES3, MOONS3) == [27 + 60, 15 + 60]


def test_nobody_has_a_ray_so_nobody_gets_the_bonus() -> None:
    assert totals(column(0, "9-2-3 9-6-3 9-7-3", "sms"), BROKEN4) == [27, 0]


@pytest.mark.parametrize(("tied", "share"), [(1, 60), (2, 30), (3, 20), (4, 15), (5, 12), (6, 10)])
def test_tied_players_share_sixty(tied: int, share: int) -> None:
    boards = [NINES3] * tied + [FIVES3] * (6 - tied)
    assert totals(*boards) == [27 + share] * tied + [15] * (6 - tied)


def test_a_player_counts_once_however_many_equal_rays() -> None:
    right = dict(
        zip(
            LAYOUTS["standard"].rows[4].cells,
            column(0, "9-2-4 9-6-4 9-7-4", "sss").cells.values(),
            strict=True,
        )
    )
    twice = Board("mipasuje", {**NINES3.cells, **right}, "standard")
    assert totals(twice, NINES3) == [54 + 30, 27 + 30]
    reasons = [i.reason.code for i in GAME.score(twice, BRIGHTEST).items if i.kind == "sun-ray" and i.reason]
    assert reasons == ["ray-counted-once"]


def test_an_outshone_ray_says_what_outshines_it() -> None:
    players = [Player("Ola", NINES3), Player("Jan", ONES4)]
    (_, ola), _ = GAME.score_round(players, BRIGHTEST).players
    (item,) = (i for i in ola.items if i.kind == "sun-ray")
    assert item.reason is not None
    assert item.reason.text == "outshone: the brightest at the table is 4 × 1"


def test_objections_do_not_take_a_ray_out_of_the_contest() -> None:
    again = column(0, "9-2-3 9-2-3 9-2-3", "sss")
    assert totals(again, FIVES3) == [27 + 60, 15]
    assert GAME.score(again, BRIGHTEST).findings


def test_the_ranking_counts_the_bonus() -> None:
    result = GAME.score_round([Player("Ola", NINES3), Player("Jan", ONES4)], BRIGHTEST)
    assert [(p.place, p.name, p.total) for p in result.ranking] == [(1, "Jan", 64), (2, "Ola", 27)]
