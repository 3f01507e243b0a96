"""Qwirkle as its rulebook tells it: every worked example, every refusal, hands and editions."""

import pytest
from playthrough import files, retell

from scoring.core import Board, Malformed
from scoring.lattice import Tile, laid
from scoring.qwirkle import Qwirkle, QwirkleOptions, longest_line

GAME = Qwirkle()
PLAIN = QwirkleOptions()
EMPTY = Board("qwirkle", {})


def table(notation):
    return GAME.from_notation(notation)


def play(before, placed, **options):
    """The turn that lays these tiles (in notation) on that table (in notation)."""
    board = table(before)
    return GAME.move(board, laid(board, table(placed).cells), GAME.parse_options(options))


def codes(result):
    return [finding.message.code for finding in result.findings]


# The rulebook's sample game. Its pictures are lost: the places are chosen so that every sum in it holds.
SAMPLE_GAME = [
    ("0,0:Ro;1,0:Rd;2,0:Rc", 3, {"red": 3}),
    ("-1,-2:YsBsRs", 7, {"square": 3, "red": 4}),
    ("0,-1:Bo", 4, {"circle": 2, "blue": 2}),
    ("1,1:Gd;2,1:Gc", 6, {"green": 2, "clover": 2, "diamond": 2}),
    ("0,1:Go;3,1:Gt", 7, {"green": 4, "circle": 3}),
    ("-1,-3:Gs;0,-3:Os", 6, {"square": 2 + 4}),
    ("3,2:YtOt", 3, {"star": 3}),
    ("1,3:Od;2,3:Os", 3, {"orange": 3}),
    ("0,2:Yo;1,2:Yd", 10, {"yellow": 2, "diamond": 4, "circle": 4}),
    ("3,0:Rt", 9, {"star": 4, "red": 5}),
    ("-2,-1:BxRxYx", 18, {"red": 6 + 6, "blue": 3, "cross": 3}),
    ("-1,-4:Os;0,-4:Ys", 9, {"square": 5 + 2 + 2}),
]


def test_sample_game_turn_by_turn():
    board = EMPTY
    for placed, points, by_line in SAMPLE_GAME:
        after = laid(board, table(placed).cells)
        result = GAME.move(board, after, PLAIN)
        assert (result.legal, result.points, result.findings) == (True, points, ())
        assert result.placed == tuple(sorted(table(placed).cells))
        earned = {}
        for item in result.items:
            one, other = (after.cells[cell] for cell in item.cells[:2])
            name = one.colour if one.colour == other.colour else one.shape
            earned[name] = earned.get(name, 0) + item.points
        assert earned == by_line
        board = after
    assert GAME.score(board, PLAIN).findings == ()


def test_sample_game_says_where_squares_stand():
    """Turns 6 and 12 name rows and columns: (2 down, 4 across), then (5 and 2 across, 2 down)."""
    board = EMPTY
    shapes = []
    for placed, _, _ in SAMPLE_GAME:
        after = laid(board, table(placed).cells)
        items = GAME.move(board, after, PLAIN).items
        shapes.append(sorted(("row" if i.cells[0][0] == i.cells[1][0] else "column", i.value) for i in items))
        board = after
    assert shapes[5] == [("column", 2), ("row", 4)]
    assert shapes[11] == [("column", 2), ("row", 2), ("row", 5)]


def test_green_diamond_scores_five():
    result = play("0,0:Rd;1,1:Gs;2,1:Gt", "0,1:Gd")
    assert result.points == 5
    assert [(item.formula, item.points) for item in result.items] == [("2", 2), ("3", 3)]
    assert [item.reason.text for item in result.items] == ["diamond line of 2", "green line of 3"]


def test_orange_star_completes_a_qwirkle():
    result = play("0,0:RtYtGtBtPt", "0,5:Ot")
    assert (result.legal, result.points) == (True, 12)
    (line,) = result.items
    assert (line.formula, line.value, line.points) == ("6 + 6", 6, 12)
    assert line.reason.text == "Qwirkle: star in all six colours"


def test_two_qwirkles_in_one_turn():
    row = "0,0:RoRsRdRtRc"
    column = ";1,5:Ox;2,5:Yx;3,5:Gx;4,5:Bx;5,5:Px"
    result = play(row + column, "0,5:Rx")
    assert (result.legal, result.points) == (True, 24)


@pytest.mark.parametrize(
    ("before", "placed", "points"),
    [
        pytest.param("0,0:YsYt", "0,2:YoYd", 4, id="one of the placed tiles touches the table"),
        pytest.param("0,0:YsYt;0,3:Yo", "0,2:Yd", 4, id="a placed tile joins two lines into one"),
        pytest.param("0,1:YsYt", "0,0:Yo2Yd", 4, id="placed tiles need not touch each other"),
        pytest.param("0,0:YsYt;1,2:Gd", "0,2:Yd", 5, id="a tile belongs to two lines"),
        pytest.param("0,0:Ys;1,1:Gt;0,2:Yt", "0,1:Yo", None, id="joining, but wrong downwards"),
    ],
)
def test_placements(before, placed, points):
    result = play(before, placed)
    assert result.legal == (points is not None)
    assert result.points == (points or 0)


@pytest.mark.parametrize(
    ("before", "placed", "broken"),
    [
        pytest.param(
            "0,0:YsYtYoYdYc", "0,5:Ys", [("line-repeats", {(0, 0), (0, 5)})], id="yellow square twice"
        ),
        pytest.param(
            "0,0:YsYtYoYdYcYx",
            "0,6:Ys",
            [("line-repeats", {(0, 0), (0, 6)}), ("line-too-long", {(0, c) for c in range(7)})],
            id="yellow square twice, as a seventh tile",
        ),
        pytest.param("0,0:YxGxRx", "0,3:Yx", [("line-repeats", {(0, 0), (0, 3)})], id="yellow cross twice"),
        pytest.param(
            "0,2:Gt;1,0:YoBo", "1,2:Ro", [("line-mixed", {(1, 2)})], id="fits the row, not the column"
        ),
        pytest.param("0,0:RoRs", "1,2:Rd", [("no-contact", {(1, 2)})], id="only a corner touches"),
        pytest.param("0,0:OoOsOd", "0,3:Oo", [("line-repeats", {(0, 0), (0, 3)})], id="orange circle twice"),
        pytest.param(
            "0,0:Ro",
            "0,1:RsBt",
            [("placed-not-alike", {(0, 1), (0, 2)}), ("line-mixed", {(0, 2)})],
            id="not alike",
        ),
        pytest.param("0,0:Ro", "0,1:Rs;1,0:Rd", [("placed-apart", {(0, 1), (1, 0)})], id="not in one line"),
        pytest.param("0,0:Ro", "0,1:Rs1Rd", [("placed-gap", {(0, 1), (0, 3)})], id="a hole between"),
        pytest.param("0,0:Ro", "1,0:Rs;3,0:Rd", [("placed-gap", {(1, 0), (3, 0)})], id="a hole downwards"),
        pytest.param("-", "0,0:Ro1Rs", [("placed-gap", {(0, 0), (0, 2)})], id="an opening with a hole"),
        pytest.param(
            "0,0:Ro5Ro",
            "-1,0:Go;-1,6:Bo",
            [("placed-gap", {(-1, 0), (-1, 6)})],
            id="two ends of one row, each touching",
        ),
        pytest.param(
            "0,0:RoRs;1,0:Bo;2,0:Go;2,1:Gs",
            "1,1:Yd",
            [("line-mixed", {(1, 1)}), ("line-mixed", {(1, 1)})],
            id="wrong both ways",
        ),
        pytest.param(
            "0,0:Ro3Ro;1,0:Bo3Bo",
            "2,0:Ro",
            [("line-repeats", {(0, 0), (2, 0)})],
            id="third copy repeats in its column",
        ),
        pytest.param(
            "0,0:RoBo;0,5:RoBo;0,10:RoBo",
            "-1,1:Ro",
            [("too-many-copies", {(-1, 1), (0, 0), (0, 5), (0, 10)})],
            id="a fourth copy",
        ),
        pytest.param("0,0:PoRo", "0,2:Wo", [("two-editions", {(0, 0), (0, 2)})], id="purple and white"),
    ],
)
def test_refusals(before, placed, broken):
    result = play(before, placed)
    assert [(f.message.code, set(f.cells)) for f in result.findings] == broken
    assert (result.legal, result.points) == (False, 0)
    assert all(item.points == 0 and item.reason is not None for item in result.items)


def test_an_illegal_turn_keeps_its_lines_with_their_reasons():
    result = play("0,0:YoBo;-1,2:Gt", "0,2:Ro")
    assert [(item.formula, item.points, item.reason.code) for item in result.items] == [
        ("3", 0, "turn-illegal"),
        ("2", 0, "line-mixed"),
    ]
    assert result.findings[0].message.text == (
        "the line from (−1, 2) to (0, 2) must be all one colour or all one shape; "
        "broken by red circle on (0, 2)"
    )


def test_exchange():
    board = table("0,0:RoRs")
    result = GAME.move(board, board, PLAIN)
    assert (result.legal, result.points, result.findings, result.placed) == (True, 0, (), ())
    assert [item.reason.code for item in result.items] == ["nothing-placed"]


def test_a_last_tile_needs_a_tile():
    board = table("0,0:RoRs")
    result = GAME.move(board, board, QwirkleOptions(last_tile=True))
    assert (result.legal, result.points, codes(result)) == (True, 0, ["last-tile-not-placed"])


def test_last_tile_is_worth_six():
    result = play("0,0:RoRs", "0,2:Rd", last_tile=True)
    assert (result.points, [item.kind for item in result.items]) == (9, ["line", "last-tile"])
    assert play("0,0:RoRs", "0,2:Bd", last_tile=True).points == 0


@pytest.mark.parametrize(
    ("before", "after", "broken"),
    [
        ("0,0:RoRs", "0,0:Ro", [("tile-removed", ((0, 1),))]),
        ("0,0:RoRs", "0,0:RoRd", [("tile-changed", ((0, 1),))]),
        ("0,0:RoRs", "0,0:Ro;1,0:Rs", [("tile-moved", ((0, 1), (1, 0)))]),
        ("0,0:RoRs", "-", [("tile-removed", ((0, 0),)), ("tile-removed", ((0, 1),))]),
        ("0,0:RoRsRd", "0,0:BoRs;1,1:Rt", [("tile-changed", ((0, 0),)), ("tile-removed", ((0, 2),))]),
    ],
)
def test_tiles_on_the_table_stay(before, after, broken):
    result = GAME.move(table(before), table(after), PLAIN)
    assert [(f.message.code, f.cells) for f in result.findings] == broken
    assert (result.legal, result.points) == (False, 0)


def test_single_tile_opening_scores_one():
    result = play("-", "7,-3:Ro")
    assert (result.legal, result.points, result.items[0].formula) == (True, 1, "1")


# The rulebook's hand: three blue tiles make the longest line; the second blue star cannot join.
HAND = ["blue circle", "blue star", "blue star", "blue square", "red diamond", "green clover"]


def test_longest_line_of_the_rulebooks_hand():
    assert longest_line([Tile(*name.split()) for name in HAND]) == 3
    assert longest_line([]) == 0


def test_opening_by_hand():
    assert play("-", "0,0:BoBtBs", hands=HAND).points == 3
    short = play("-", "0,0:BoBt", hands=HAND)
    assert (short.legal, codes(short)) == (False, ["opening-too-short"])
    strange = play("-", "0,0:BoBtBd", hands=HAND)
    assert codes(strange) == ["not-in-hand"]
    assert strange.findings[0].message.text == "player 1 does not hold blue diamond"


HANDS = {
    "Ola": HAND,
    "Jan": ["red circle", "blue cross", "red star"],
    "Ela": ["red cross", "blue cross", "green cross"],
}


@pytest.mark.parametrize(
    ("placed", "player", "broken"),
    [
        ("0,0:BoBtBs", None, []),
        ("0,0:BoBtBs", "Ola", []),
        ("0,0:RxBxGx", "Ela", []),
        ("0,0:RoRt", "Jan", ["opening-not-yours"]),
        ("0,0:RoRt", None, ["opening-too-short"]),
        ("0,0:BoBtBx", None, ["in-no-hand"]),
        ("0,0:RxBx", "Ela", ["opening-too-short"]),
        ("0,0:BoBtBs", "Ela", ["not-in-hand"]),
    ],
)
def test_who_opens(placed, player, broken):
    chosen = {"hands": HANDS} | ({"player": player} if player else {})
    result = play("-", placed, **chosen)
    assert (codes(result), result.legal) == (broken, not broken)


def test_the_opening_names_everybody_who_could_open():
    result = play("-", "0,0:RoRt", hands=HANDS, player="Jan")
    assert result.findings[0].message.text == "Jan can lay 2 at most; a line of 3 opens, from Ola and Ela"
    assert result.findings[0].players == ("Jan", "Ola", "Ela")


def test_hands_in_the_middle_of_a_game():
    assert play("0,0:Gx", "0,1:Bx", hands=HANDS).legal
    assert codes(play("0,0:Gx", "0,1:Yx", hands=HANDS)) == ["in-no-hand"]
    assert play("0,0:Gx", "0,1:BxRx", hands=list(HANDS.values()), player=3).legal


def test_the_last_tile_is_the_last_of_the_hand():
    early = play("0,0:Gx", "0,1:Bx", hands=["blue cross", "red star"], last_tile=True)
    assert (early.legal, early.points, codes(early)) == (True, 2, ["not-last-tile"])
    assert play("0,0:Gx", "0,1:Bx", hands=["blue cross"], last_tile=True).points == 8


def test_audit_names_every_line_and_no_total():
    result = GAME.score(table("0,0:RoRs;1,1:Bs"), PLAIN)
    assert result.total is None
    assert [(item.cells, item.value, item.points) for item in result.items] == [
        (((0, 0), (0, 1)), 2, 0),
        (((0, 1), (1, 1)), 2, 0),
    ]
    assert result.findings == ()


@pytest.mark.parametrize(
    ("notation", "broken"),
    [
        ("0,0:RoBs", [("line-mixed", {(0, 0), (0, 1)})]),
        ("0,0:RoRsBd", [("line-mixed", {(0, 2)})]),
        ("0,0:RoRsBs", [("line-mixed", {(0, 0), (0, 2)})]),
        ("0,0:RoRsRo", [("line-repeats", {(0, 0), (0, 2)})]),
        ("0,0:RoRsRoRsBd", [
            ("line-mixed", {(0, 4)}),
            ("line-repeats", {(0, 0), (0, 2)}),
            ("line-repeats", {(0, 1), (0, 3)}),
        ]),
        ("0,0:RoRs;2,2:Bd", [("not-connected", {(2, 2)})]),
        ("0,0:RoRs;1,2:Rd", [("not-connected", {(1, 2)})]),
        ("0,0:Ro1Ro1Ro1Ro;1,0:RsBsGsYsOs1Ps", None),
        ("0,0:PoWo", [("two-editions", {(0, 0), (0, 1)})]),
        ("0,0:RoOoYoGoBoPoWo", [
            ("line-too-long", {(0, c) for c in range(7)}), ("two-editions", {(0, 5), (0, 6)}),
        ]),
        ("-", []),
        ("5,5:Ro", []),
    ],
)  # fmt: skip
def test_audit_findings(notation, broken):
    found = [(f.message.code, set(f.cells)) for f in GAME.score(table(notation), PLAIN).findings]
    if broken is None:
        assert ("too-many-copies", {(0, 0), (0, 2), (0, 4), (0, 6)}) in found
    else:
        assert found == broken


def test_more_tiles_than_the_box_holds():
    tiles = [Tile(colour, shape) for colour in GAME.colours for shape in GAME.shapes for _ in range(3)][:109]
    board = Board("qwirkle", {(0, 2 * i): tile for i, tile in enumerate(tiles)})
    assert "too-many-tiles" in codes(GAME.score(board, PLAIN))


def test_kinds_cover_both_editions():
    kinds = GAME.kinds()
    assert len(kinds) == 42
    assert set(kinds.values()) == {3}
    for without in ("purple", "white"):
        assert (
            sum(copies for tile, copies in kinds.items() if tile.colour != without) == GAME.most_tiles == 108
        )


def test_taught_names():
    data = {
        "edition": "kitchen set",
        "cells": [{"at": [0, 0], "tile": "teal anchor"}, {"at": [0, 1], "tile": "pink anchor"}],
    }
    board = GAME.parse_board(data)
    assert GAME.score(board, PLAIN).findings == ()
    assert GAME.from_notation(GAME.notation(board)) == board
    with pytest.raises(Malformed, match=r"cells\[0\].tile: 'teal' is not a colour of Qwirkle"):
        GAME.parse_board({"cells": data["cells"]})


def test_a_taught_edition_still_has_six_colours_and_shapes():
    cells = [{"at": [0, 2 * i], "tile": f"colour{i} shape{i}"} for i in range(7)]
    found = codes(GAME.score(GAME.parse_board({"edition": "odd", "cells": cells}), PLAIN))
    assert found == ["not-connected", "too-many-colours", "too-many-shapes"]


def test_same_table_after_shift_and_quarter_turns_but_not_mirrored():
    board = table("0,0:RoRs;1,0:Bo")
    assert GAME.same_board(board, table("5,-2:Bo;6,-2:RoRs")) is False
    assert GAME.same_board(board, table("5,-2:RoRs;6,-2:Bo"))
    assert GAME.same_board(board, table("9,9:BoRo;10,10:Rs"))
    assert not GAME.same_board(board, table("0,0:RsRo;1,1:Bo"))
    assert not GAME.same_board(board, table("0,0:RoRs;1,0:Go"))
    assert GAME.same_board(EMPTY, EMPTY)


def test_laying_on_a_filled_cell_is_refused():
    with pytest.raises(Malformed, match=r"placed: \[0, 0\] already holds red circle"):
        laid(table("0,0:Ro"), table("0,0:Bo").cells)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"last_tile": "yes"}, "options.last_tile: must be true or false"),
        ({"last_tile": 1}, "options.last_tile"),
        ({"joker": True}, "options.joker: is not an option"),
        ({"hands": 3}, "options.hands: must be"),
        ({"hands": {"Ola": "red circle"}}, "options.hands.Ola: must be a list"),
        ({"hands": {"Ola": ["red circle"] * 7}}, "options.hands.Ola: must be a list of at most 6"),
        ({"hands": {"Ola": ["red cirle"]}}, r"options.hands.Ola\[0\]: 'cirle' is not a shape"),
        ({"hands": [["red circle"]], "player": 2}, "options.player: must name"),
        ({"player": "Ola"}, "options.player: must name"),
        ({"hands": {"Ola": []}, "player": ["Ola"]}, "options.player: must name"),
    ],
)
def test_malformed_options(options, complaint):
    with pytest.raises(Malformed, match=complaint):
        GAME.parse_options(options)


@pytest.mark.parametrize(
    "name", ["red", "circle red", "red  circle", "Red circle", "violet circle", "", None, 7, ["red"]]
)
def test_unknown_tiles(name):
    with pytest.raises(Malformed, match="here: "):
        GAME.parse_tile(name, "here")


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "0,0", "0,0:", "0:Ro", "0,0:Rq", "0,0:R", "0,0:Ro;0,0:Rs", "0,0:0Ro", "0,0:Ro/",
     "0,0:(teal anchor)", "0,0:Ro>1,1", "0,0:Ro>x", "99999999,0:Ro", "9999999,0:Ro", "0,0:99999999Ro",
     "!0,0:Ro", "0,0:(a b c)"],
)  # fmt: skip
def test_malformed_notation(text):
    with pytest.raises(Malformed):
        GAME.from_notation(text)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"cells": {}},
        {"cells": [{"at": [0, 0]}]},
        {"cells": [{"at": [0, 0.5], "tile": "red circle"}]},
        {"cells": [{"at": [0, 0], "tile": "red circle"}, {"at": [0, 0], "tile": "red star"}]},
        {"cells": [], "edition": 3},
        {"cells": [], "edition": ""},
        {"cells": [], "order": [[0, 0]]},
    ],
)
def test_malformed_boards(data):
    with pytest.raises(Malformed):
        GAME.parse_board(data)


def test_nonsense_of_any_size_is_judged_quickly():
    """A hundred thousand tiles in one row, all new: linear work, however wrong it is."""
    row = Board("qwirkle", {(0, column): Tile("red", "circle") for column in range(100_000)})
    result = GAME.move(EMPTY, row, PLAIN)
    assert set(codes(result)) == {"line-repeats", "line-too-long", "too-many-copies", "too-many-tiles"}
    scattered = Board("qwirkle", {(0, 2 * column): Tile("red", "circle") for column in range(50_000)})
    assert "placed-gap" in codes(GAME.move(EMPTY, scattered, PLAIN))
    assert len(GAME.move(row, scattered, PLAIN).findings) > 50_000


@pytest.mark.parametrize("path", files("qwirkle"), ids=lambda path: path.stem)
def test_golden_playthroughs(path):
    text = path.read_text(encoding="utf-8")
    assert retell(GAME, text) == text
