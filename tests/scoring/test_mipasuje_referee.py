"""What a referee says about boards of Mi pasuje!, alone and side by side."""

from __future__ import annotations

from scoring.core import Board, Cell, Finding, Player
from scoring.mipasuje import LAYOUTS, TILES, HexTile, MiPasuje, MiPasujeOptions

GAME = MiPasuje()
VALVE4 = MiPasujeOptions(valve=4)
VALVE = LAYOUTS["valve"]
OTHERS = [cell for cell in VALVE.cells if cell not in VALVE.valves]
BASIC = [tile for tile in TILES.values() if not tile.is_joker]


def board(cells: dict[Cell, str], layout: str = "standard", aside: str = "") -> Board[HexTile]:
    tiles = {cell: TILES[name] for cell, name in cells.items()}
    return Board("mipasuje", tiles, layout, aside=tuple(TILES[name] for name in aside.split()))


def findings(b: Board[HexTile], options: MiPasujeOptions | None = None) -> list[tuple[str, tuple[Cell, ...]]]:
    found = GAME.score(b, options or MiPasujeOptions()).findings
    return [(finding.message.code, finding.cells) for finding in found]


def round_findings(*boards: Board[HexTile], options: MiPasujeOptions | None = None) -> list[Finding]:
    names = ("Ola", "Jan", "Ela", "Ewa", "Iza", "Leo", "Max")
    players = [Player(name, b) for name, b in zip(names, boards, strict=False)]
    return list(GAME.score_round(players, options or MiPasujeOptions()).findings)


def finished(valves: str = "", aside: str = "") -> Board[HexTile]:
    """18 basic tiles on the ordinary cells of the valve board, these on valve cells and these set aside."""
    cells = {cell: tile.name for cell, tile in zip(OTHERS, BASIC, strict=False)}
    return board(cells | dict(zip(VALVE.valves, valves.split(), strict=False)), "valve", aside)


def test_a_clean_board_has_no_findings() -> None:
    assert findings(board({(0, 0): "9-7-3", (0, 1): "9-7-4"})) == []


def test_a_tile_twice() -> None:
    twice = board({(0, 1): "9-7-3", (1, -1): "9-7-3", (0, 0): "9-7-4"})
    assert findings(twice) == [("tile-twice", ((0, 1), (1, -1)))]
    (finding,) = GAME.score(twice, MiPasujeOptions()).findings
    assert finding.message.text == "9-7-3 lies on (0, 1) and (1, −1), but the set holds it once"


def test_the_symbol_does_not_make_another_tile() -> None:
    tiles = {(0, 1): TILES["9-7-3"].marked("sun"), (0, 0): TILES["9-7-3"].marked("moon")}
    assert findings(Board("mipasuje", tiles, "standard")) == [("tile-twice", ((0, 1), (0, 0)))]


def test_findings_never_suppress_a_total() -> None:
    column = LAYOUTS["standard"].rows[0].cells
    result = GAME.score(board(dict.fromkeys(column, "9-7-3")), MiPasujeOptions())
    assert result.findings
    assert result.total == 27


def test_jokers_belong_to_the_valve_side() -> None:
    assert findings(board({(0, 0): "*-*-3"})) == [("joker-on-standard", ((0, 0),))]
    assert findings(board({(0, 0): "*-*-3"}, "valve")) == []


def test_tiles_set_aside_without_valve_4() -> None:
    assert findings(board({(0, 0): "9-7-3"}, "valve", "9-7-4")) == [("aside-unexpected", ())]
    assert findings(board({(0, 0): "9-7-3"}, "standard", "9-7-4")) == [("aside-unexpected", ())]


def test_valve_4_finished_in_every_allowed_way() -> None:
    for valves, aside in (
        ("", "9-7-3 9-7-4 9-7-8"),
        ("9-7-3", "9-7-4 *-*-*"),
        ("9-7-3 9-7-4", "9-7-8"),
        ("9-7-3 9-7-4 9-7-8", ""),
    ):
        assert findings(finished(valves, aside), VALVE4) == []


def test_valve_4_rows_through_an_empty_valve_cell_are_unfinished() -> None:
    items = GAME.score(finished("", "9-7-3 9-7-4 9-7-8"), VALVE4).items
    through = [item for item in items if set(item.cells) & set(VALVE.valves)]
    assert len(through) == 9
    assert {item.reason.code for item in through if item.reason} == {"row-unfinished"}


def test_valve_4_a_joker_may_not_leave_the_symbol() -> None:
    assert findings(finished("*-*-*", "9-7-3 9-7-4"), VALVE4) == [("joker-on-valve", (VALVE.valves[0],))]


def test_valve_4_wrong_number_set_aside() -> None:
    assert findings(finished("9-7-3", "9-7-4"), VALVE4) == [("aside-too-few", (VALVE.valves[0],))]
    assert findings(finished("9-7-3", "9-7-4 9-7-8 9-6-8"), VALVE4) == [
        ("aside-too-many", (VALVE.valves[0],))
    ]


def test_valve_4_during_the_round_fewer_are_fine() -> None:
    assert findings(board({OTHERS[0]: "9-7-3"}, "valve", "9-7-4"), VALVE4) == []


def test_valve_4_valve_cells_are_filled_after_the_round() -> None:
    early = board({VALVE.valves[1]: "9-7-3", OTHERS[0]: "9-7-4"}, "valve", "9-7-8")
    assert findings(early, VALVE4) == [("valves-last", (VALVE.valves[1],))]


def test_a_tile_both_aside_and_on_the_board() -> None:
    assert findings(board({OTHERS[0]: "9-7-3"}, "valve", "9-7-3"), VALVE4) == [
        ("tile-twice-aside", (OTHERS[0],))
    ]
    assert findings(board({}, "valve", "9-7-3 9-7-3"), VALVE4) == [("tile-set-aside-twice", ())]


def test_everybody_places_the_same_called_tiles() -> None:
    one = board({(0, 0): "9-7-3", (0, 1): "5-2-8"})
    other = board({(0, 0): "5-2-8", (2, 0): "9-7-3"})
    assert round_findings(one, other, one) == []


def test_a_tile_nobody_else_has_and_the_one_it_replaced() -> None:
    right = board({(0, 0): "9-7-3", (0, 1): "5-2-8"})
    wrong = board({(0, 0): "9-7-3", (0, 1): "5-2-4"})
    extra, lacking = sorted(round_findings(right, wrong, right), key=lambda finding: finding.message.code)
    assert extra.message.text == "only Jan has 5-2-4: misplaced or misheard"
    assert (extra.players, extra.cells) == (("Jan",), ((0, 1),))
    assert lacking.message.text == "Jan lacks 5-2-8, which everybody else has"
    assert (lacking.players, lacking.cells) == (("Jan",), ())


def test_two_players_who_differ_are_both_named() -> None:
    one, other = board({(0, 0): "9-7-3"}), board({(0, 0): "9-7-4"})
    assert {f.message.text for f in round_findings(one, other)} == {
        "not everybody placed the same tiles: Ola did place 9-7-3, Jan did not",
        "not everybody placed the same tiles: Jan did place 9-7-4, Ola did not",
    }
    assert {f.players for f in round_findings(one, other)} == {("Ola", "Jan"), ("Jan", "Ola")}


def test_set_aside_tiles_count_as_called() -> None:
    one = finished("9-7-3", "9-7-4 9-7-8")
    other = finished("", "9-7-3 9-7-4 9-7-8")
    assert round_findings(one, other, options=VALVE4) == []
    third = finished("", "9-7-3 9-7-4 *-*-*")
    assert {f.players for f in round_findings(one, other, third, options=VALVE4)} == {("Ela",)}


def test_different_boards_in_one_round() -> None:
    (finding,) = round_findings(board({(0, 0): "9-7-3"}), board({(0, 0): "9-7-3"}, "valve"))
    assert finding.message.code == "boards-differ"


def test_a_seventh_player_has_no_tiles_in_the_box() -> None:
    same = board({(0, 0): "9-7-3"})
    assert round_findings(*[same] * 6) == []
    assert [f.message.code for f in round_findings(*[same] * 7)] == ["too-many-players"]
