"""Can this Bits board have come about? Gravity, the player's tiles, the calls, the others' boards."""

from itertools import product
from time import process_time

import pytest
from bits_play import can_be_played, deck, play, reachable_shapes

from scoring.bits import Bits
from scoring.bits.drop import divisions, possible_drops
from scoring.bits.options import COLOURS, BitsOptions, box
from scoring.core import Board, Player

GAME = Bits()


def found(notation, **options):
    """What a referee says about the board: code → cells."""
    result = GAME.score(GAME.from_notation(notation), GAME.parse_options(options))
    return {finding.message.code: finding.cells for finding in result.findings}


def said(notation, **options):
    result = GAME.score(GAME.from_notation(notation), GAME.parse_options(options))
    return [finding.message.text for finding in result.findings]


# Where only gravity is asked about, any tile will do.
ANY = {"tiles": {"red-red": 100}, "start": ["red-red"]}


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param("..../aa..", id="lying on the floor"),
        pytest.param("a.../a...", id="upright on the floor"),
        pytest.param("aa../aa../a.../a...", id="lying over a hole"),
        pytest.param(".aa./aa../aa..", id="one half is enough to hold it"),
        pytest.param("aa../.aa./..aa", id="stairs over holes"),
        pytest.param("aaaa/aaaa/aaaa", id="full"),
        pytest.param("..../....", id="empty"),
    ],
)
def test_tiles_rest_where_something_holds_them(rows):
    assert found(f"{rows.count('/') + 1}x4;{'red' * ('a' in rows)};{rows}", **ANY) == {}


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        pytest.param("aa../....", {"floating": ((0, 0), (0, 1))}, id="lying in the air"),
        pytest.param("a.../a.../....", {"floating": ((0, 0), (1, 0))}, id="upright in the air"),
        pytest.param("aa../aa../....", {"floating": ((1, 0), (1, 1))}, id="only the upper tile is held"),
        pytest.param("..../a...", {"half-tile": ((1, 0),), "odd-cells": ((1, 0),)}, id="half a tile"),
        pytest.param("..../aaa.", {"odd-cells": ((1, 0), (1, 1), (1, 2))}, id="a tile and a half"),
        pytest.param(".a../aaa.", {"no-division": ((0, 1), (1, 0), (1, 2))}, id="three around one"),
    ],
)
def test_gravity_says_which_cells_are_impossible(rows, codes):
    assert found(f"{rows.count('/') + 1}x4;red;{rows}", **ANY) == codes


def test_cells_with_too_few_partners_are_counted():
    assert said("2x4;red;.a../aaa.", **ANY) == [
        "no tiles can lie here: 3 cells have only 1 to share a tile with"
    ]


def test_filled_sets_agree_with_playing_every_drop_forward():
    """All 4,096 sets of cells of 3 × 4 and of 4 × 3: tiles of one colour, as many as one likes."""
    options = BitsOptions(tiles=(("red", "red"),) * 20, start=(("red", "red"),))
    for rows, columns in ((3, 4), (4, 3)):
        reachable = reachable_shapes(rows, columns)
        places = list(product(range(rows), range(columns)))
        for pattern in range(1 << len(places)):
            filled = frozenset(cell for bit, cell in enumerate(places) if pattern >> bit & 1)
            board = Board("bits", dict.fromkeys(filled, "red"), size=(rows, columns))
            assert (not GAME.score(board, options).findings) == (filled in reachable), sorted(filled)


def test_coloured_boards_agree_with_playing_every_drop_forward():
    """Every colouring of a full 2 × 4 board with three colours, with the tiles of the box."""
    own, start = deck(["blue", "green", "red"])
    places = list(product(range(2), range(4)))
    legal = 0
    for colours in product(["blue", "green", "red"], repeat=8):
        cells = dict(zip(places, colours, strict=True))
        expected = can_be_played(cells, 2, 4, own, start)
        board = Board("bits", cells, size=(2, 4))
        assert (not GAME.score(board, BitsOptions()).findings) == expected, GAME.notation(board)
        legal += expected
    assert 0 < legal < 3**8


@pytest.mark.parametrize(("colours", "box_size"), [(4, 14), (5, 20)])
def test_the_box_holds_as_many_tiles_as_the_publisher_says(colours, box_size):
    tiles = box(frozenset(COLOURS[:colours]), 24 if colours == 4 else 36, BitsOptions())
    assert sum(tiles.tiles.values()) == box_size


def test_the_divisions_of_a_full_board_are_all_the_domino_tilings():
    """With a colour of its own on every cell each tiling uses other tiles: 281 of 4 × 6 (OEIS A099390)."""
    for (rows, columns), tilings in {(2, 2): 2, (4, 4): 36, (6, 4): 281}.items():
        cells = {(row, column): f"c{row:02}{column:02}" for row in range(rows) for column in range(columns)}
        drops = possible_drops(cells, rows)
        tiles = tuple(drop.kind for drop in drops)
        fit = box(frozenset(), 0, BitsOptions(tiles=tiles, start=()))
        assert sum(1 for way in divisions(cells, drops, fit) if not way.misfit) == tilings


def test_a_tile_needed_too_often_is_named_with_its_cells():
    # A player has one red-green, and another one as the start tile: the third is one too many.
    assert found("2x6;red.green;...a.a/...b.b") == {}
    three = "2x6;red.green;.a.a.a/.b.b.b"
    assert found(three) == {"tile-too-often": ((0, 1), (0, 3), (0, 5), (1, 1), (1, 3), (1, 5))}
    assert "green-red 3 × instead of 2 ×" in said(three)[0]


def test_a_board_without_a_start_tile_on_the_floor():
    assert found("2x2;red;a./a.") == {"no-start-tile": ((1, 0),)}
    assert found("4x2;red.blue;b./a./a./a.") == {"no-start-tile": ((3, 0),)}
    assert found("4x2;red.blue;a./a./b./a.") == {}
    assert found("2x2;red;a./a.", start=[]) == {}
    assert found("2x2;red;a./a.", start=["red-red"]) == {}


def test_more_of_a_colour_or_more_colours_than_there_are():
    assert "colour-too-often" in found("6x4;red.blue;aaaa/aaaa/aaaa/bbbb/bbbb/bbbb")
    five = "6x4;red.blue.green.yellow.pink;..../..../..../..../aabb/ccde"
    assert "too-many-colours" in found(five)
    assert "too-many-colours" not in found(five.replace("6x4", "6x6").replace("/", "../") + "..")
    assert found("2x2;red.blue;ab/..", tiles=["green-red"]) == {
        "colour-not-in-set": ((0, 1),),
        "floating": ((0, 0), (0, 1)),
    }


def test_own_tiles_can_be_given():
    board = "2x4;red.blue;..../abab"
    assert "tile-too-often" not in found(board)
    assert found(board, tiles=["red-blue"], start=["red-blue"]) == {}
    assert found(board, tiles=["red-red", "blue-blue"], start=["red-blue"]).keys() == {"tile-too-often"}
    assert found(board, tiles=["red-blue", "red-blue"], start=["red-red"]).keys() == {"no-start-tile"}


def test_calls_are_followed_in_their_order():
    # the start tile upright on the left, green-green lying on the right, red-red on top of it
    board = "3x4;red.green.blue;..../a.aa/c.bb"
    assert found(board, called=["green-green", "red-red"]) == {}
    assert found(board, called=["red-red", "green-green"]).keys() == {"call-not-followed"}
    assert said(board, called=["green-green", "blue-blue"])[0].startswith(
        "the board cannot be played call by call: call 2, blue-blue,"
    )
    assert found(board, called=["green-green"]).keys() == {"more-than-called"}
    assert found(board, called=["green-green", "red-red", "blue-blue"]).keys() == {"call-missing"}
    assert found(board, called=["green-green", "red-red"], start=["blue-green"]).keys() == {
        "no-start-tile-first"
    }


def test_a_full_player_may_skip_calls():
    assert found("2x2;red.blue;ab/ab", called=["red-blue", "red-red", "blue-blue"]) == {}
    assert found("2x3;red.blue;ab./ab.", called=["red-blue", "red-red"]).keys() == {"call-missing"}
    assert found("2x3;red.blue;.../abb", called=["red-red"]).keys() == {"odd-cells"}


def test_a_tile_called_more_often_than_anybody_has_it():
    assert "called-too-often" in found("2x4;red.blue;..../abab", called=["red-blue", "red-blue"])


def test_an_order_of_placement_is_replayed():
    assert found("2x2;red.blue;ab/ab;>2.0.3.1") == {}
    assert found("2x2;red.blue;ab/ab;>2.3.0.1") == {}
    assert found("2x2;red.blue;ab/ab;>0.1.2.3") == {"order-impossible": ((0, 0), (0, 1))}
    assert found("2x2;red.blue;ab/ab;>0.1") == {}, "the lower tile may simply not be in the log"
    assert found("2x2;red.blue;ab/ab;>0.3.2.1") == {"order-impossible": ((0, 0), (1, 1))}


def test_random_rounds_pass_with_and_without_their_calls():
    for seed in range(150):
        for rows, columns, colours in ((6, 4, 4), (6, 6, 5)):
            board, calls = play(seed, rows, columns, colours)
            assert GAME.score(board, BitsOptions()).findings == ()
            assert GAME.score(board, BitsOptions(called=tuple(calls))).findings == ()


def round_findings(*notations, **options):
    names = ["Ola", "Jan", "Ela", "Leo"]
    players = [Player(name, GAME.from_notation(text)) for name, text in zip(names, notations, strict=False)]
    result = GAME.score_round(players, GAME.parse_options(options))
    return {finding.message.code: finding.players for finding in result.findings}


def test_players_of_one_round_placed_the_same_calls():
    one = "2x4;red.blue.green;..../abcc"
    other = "2x4;red.green.yellow;..../abcc"
    assert round_findings(one, "2x4;red.green;b.../b.ab") == {}
    assert round_findings(one, other) == {"other-calls": ("Ola", "Jan")}
    assert round_findings(one, other, "2x4;red.green;b.../b.ab") == {"odd-one-out": ("Jan",)}
    assert round_findings(one, one) == {"other-calls": ("Ola", "Jan")}, "one start tile cannot be drawn twice"
    assert round_findings(one, one, start=["red-blue", "red-blue"]) == {}


def test_who_placed_fewer_tiles_must_be_full():
    assert round_findings("2x2;red.blue;ab/ab", "2x2;red.blue;../ab", start=["red-blue"] * 2) == {
        "room-left": ("Jan", "Ola")
    }
    assert "room-left" not in round_findings("3x2;red.blue;../ab/ab", "3x2;red.blue;a./ba/.b")


def test_a_table_shows_no_more_colours_than_the_box_has():
    assert round_findings("1x2;red.blue;ab", "1x2;green.yellow;ab", "1x2;pink.teal;ab") == {
        "too-many-colours": ("Ola", "Jan", "Ela")
    }


def test_players_of_random_rounds_agree():
    for seed in range(30):
        boards = []
        _, calls = play(seed)
        for player in range(3):
            board, _ = play(100 * player + seed, calls=calls)
            boards.append(Player(f"player {player}", board))
        options = BitsOptions(start=tuple(deck(COLOURS[:4])[1] * 3))
        assert GAME.score_round(boards, options).findings == ()
        assert GAME.score_round(boards, BitsOptions(start=options.start, called=tuple(calls))).findings == ()


def test_the_largest_boards_are_given_up_in_time_not_guessed_at():
    kinds = ["red-red", "red-blue", "blue-blue"]
    cells = {
        (row, column): ("red", "blue")[row * column % 3 % 2] for row in range(20) for column in range(20)
    }
    board = Board("bits", cells, size=(20, 20))
    called = GAME.parse_options({"called": [kinds[i % 3] for i in range(200)]})
    tiles = GAME.parse_options({"tiles": [kinds[i % 3] for i in range(200)]})
    for options in (called, tiles):
        began = process_time()
        result = GAME.score(board, options)
        assert process_time() - began < 3
        assert result.total is not None
    assert [one.message.code for one in GAME.score(board, BitsOptions()).findings] == []
