"""Bits as its rulebook scores it: areas, the three task cards, solo titles; and its files and notation."""

import pytest

from scoring.bits import Bits, solo_title
from scoring.bits.shapes import LETTERS, parse_shape, shape_of
from scoring.core import Board, Malformed

GAME = Bits()


def board(notation):
    return GAME.from_notation(notation)


def scored(notation, **options):
    return GAME.score(board(notation), GAME.parse_options(options))


def lines(result):
    return [(item.kind, item.formula, item.points, item.reason and item.reason.text) for item in result.items]


# An orange T, a yellow square and a red L are areas of four; three orange cells make the corner of card 3.
EXAMPLE = "6x4;green.orange.yellow.red;abcc/bbcc/cbda/ddda/abcd/bbad"


@pytest.mark.parametrize(
    ("number", "by_card"), [(1, [3, 0, 0]), (2, [3, 1, 0]), (3, [3, 1, -2])], ids=["1", "2", "3"]
)
def test_the_rulebook_example_three_plus_one_minus_two(number, by_card):
    result = scored(EXAMPLE, round=number, card2=["O"], card3={"XX/.X": -2})
    kinds = ("area", "card2", "card3")
    assert [sum(item.points for item in result.items if item.kind == kind) for kind in kinds] == by_card
    assert result.total == sum(by_card)
    assert result.findings == ()


def test_every_area_says_what_it_earned_or_why_not():
    assert lines(scored("3x4;red.blue;abbb/a.ab/aa.b")) == [
        ("area", "4 × red", 1, None),
        ("area", "5 × blue", 0, "5 cells, 1 too many"),
        ("area", "1 × red", 0, "a single cell, 3 short of 4"),
    ]


def test_diagonal_cells_are_two_areas():
    result = scored("4x4;red;aa../aa../..aa/..aa")
    assert [item.points for item in result.items] == [1, 1]
    assert result.items[0].cells == ((0, 0), (0, 1), (1, 0), (1, 1))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("a...", "a single cell, 3 short of 4"),
        ("aa..", "2 cells, 2 short of 4"),
        ("aaa.", "3 cells, 1 short of 4"),
        ("aaaaa", "5 cells, 1 too many"),
        ("aaaaaaa", "7 cells, 3 too many"),
    ],
)
def test_an_area_of_another_size_earns_nothing_and_says_so(cells, said):
    result = scored(f"1x{len(cells)};red;{cells}")
    assert (result.total, result.items[0].points, result.items[0].reason.text) == (0, 0, said)


def test_card_two_refuses_shapes_it_does_not_show():
    result = scored("2x4;red;aaa./a...", round=2, card2=["O", "I"])
    assert lines(result)[1:] == [("card2", "L", 0, "4 cells, but L is not on card 2")]


@pytest.mark.parametrize("cells", ["aa./.aa", ".aa/aa.", "a./aa/.a", ".a/aa/a."])
def test_turned_and_mirrored_shapes_count(cells):
    rows = cells.split("/")
    result = scored(f"{len(rows)}x{len(rows[0])};red;{cells}", round=3, card2=["S"], card3={"S": -1})
    assert [item.points for item in result.items] == [1, 1, -1]


def test_card_three_takes_points_for_any_size_and_only_for_the_whole_area():
    cards = {"X": -1, "XX": -2, "XXX/X.X": -2}
    result = scored("3x4;red.blue;ab.a/aab./bba.", round=3, card3=cards)
    taken = [(item.formula, item.points) for item in result.items if item.kind == "card3"]
    assert taken == [("X", -1), ("X", -1), ("X", -1), ("XX", -2), ("X", -1)]
    assert result.total == -6
    five = scored("3x3;red;aaa/a.a/...", round=3, card3=cards)
    assert five.total == -2


def test_the_five_tetrominoes_are_all_there_are():
    def grow(shapes):
        return {
            shape_of([*shape.cells, (row + down, column + right)])
            for shape in shapes
            for row, column in shape.cells
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (row + down, column + right) not in shape.cells
        }

    counts, shapes = [], {shape_of([(0, 0)])}
    for _ in range(6):
        counts.append(len(shapes))
        if len(counts) == 4:
            assert shapes == set(LETTERS.values())
        assert all(parse_shape(shape.name, range(1, 7), "") == shape for shape in shapes)
        shapes = grow(shapes)
    assert counts == [1, 1, 2, 5, 12, 35]


@pytest.mark.parametrize(
    ("total", "title"),
    [
        (-3, "Kafelek"),
        (4, "Kafelek"),
        (5, "Zdobywca Barw"),
        (8, "Zdobywca Barw"),
        (9, "Gwiazda Kolorów"),
        (12, "Gwiazda Kolorów"),
        (13, "Imperator Obszaru"),
        (16, "Imperator Obszaru"),
        (17, "Mistrz Bits"),
        (18, "Mistrz Bits"),
    ],
)
def test_solo_titles_at_every_edge(total, title):
    assert solo_title(total)().text == title


@pytest.mark.parametrize(
    ("options", "place", "code"),
    [
        ({"round": 0}, "options.round", "option-value"),
        ({"round": 4}, "options.round", "option-value"),
        ({"round": True}, "options.round", "option-value"),
        ({"round": "2"}, "options.round", "option-value"),
        ({"rounds": 2}, "options", "unknown-option"),
        ({"card2": "L"}, "options.card2", "option-value"),
        ({"card2": ["L", "Q"]}, "options.card2[1]", "unknown-shape"),
        ({"card2": [4]}, "options.card2[0]", "shape-wrong-type"),
        ({"card2": [""]}, "options.card2[0]", "unknown-shape"),
        ({"card2": ["X.X/XX."]}, "options.card2[0]", "shape-not-one-piece"),
        ({"card2": ["..../"]}, "options.card2[0]", "shape-not-one-piece"),
        ({"card2": ["XXX"]}, "options.card2[0]", "shape-wrong-size"),
        ({"card2": ["L", "XXX/X.."]}, "options.card2[1]", "shape-twice"),
        ({"card3": ["L"]}, "options.card3", "option-value"),
        ({"card3": {"L": 1}}, "options.card3['L']", "option-value"),
        ({"card3": {"L": -3}}, "options.card3['L']", "option-value"),
        ({"card3": {"L": -1.0}}, "options.card3['L']", "option-value"),
        ({"card3": {"XXXX/XXX": -1}}, "options.card3['XXXX/XXX']", "shape-wrong-size"),
        ({"card3": {"XX/.X": -1, "X/XX": -2}}, "options.card3['X/XX']", "shape-twice"),
        ({"tiles": "red-blue"}, "options.tiles", "option-value"),
        ({"tiles": ["red"]}, "options.tiles[0]", "unknown-tile"),
        ({"tiles": ["red-blue", ["red", 5]]}, "options.tiles[1]", "unknown-tile"),
        ({"tiles": {"red-blue": 0}}, "options.tiles['red-blue']", "option-value"),
        ({"tiles": {"red-blue": 10**9}}, "options.tiles['red-blue']", "option-value"),
        ({"called": ["red-blue"] * 201}, "options.called", "option-value"),
        ({"start": [None]}, "options.start[0]", "unknown-tile"),
    ],
)
def test_a_wrong_option_is_refused_with_its_place(options, place, code):
    with pytest.raises(Malformed) as error:
        GAME.parse_options(options)
    assert (error.value.place, error.value.code) == (place, code)


def cells(*tiles):
    return [{"at": [0, column], "tile": tile} for column, tile in enumerate(tiles)]


@pytest.mark.parametrize(
    ("data", "place", "code"),
    [
        ({}, "cells", "cells-missing"),
        ({"cells": cells("red"), "size": [6]}, "size", "size"),
        ({"cells": cells("red"), "size": [0, 4]}, "size", "size"),
        ({"cells": cells("red"), "size": [6, 21]}, "size", "size"),
        ({"cells": cells("red"), "size": [6.0, 4]}, "size", "size"),
        ({"cells": cells("red"), "size": [True, 4]}, "size", "size"),
        ({"cells": cells("red", "mauve")}, "cells[1].tile", "unknown-tile"),
        ({"cells": cells("red", None)}, "cells[1].tile", "unknown-tile"),
        ({"cells": cells("red", "two words"), "edition": "ours"}, "cells[1].tile", "unknown-tile"),
        ({"cells": cells("red"), "edition": 5}, "edition", "edition-wrong-type"),
        ({"cells": cells("red"), "edition": ""}, "edition", "edition-wrong-type"),
        ({"cells": cells("red"), "edition": "\ud800"}, "edition", "edition-wrong-type"),
        ({"cells": cells(*["red"] * 5)}, "cells[4].at", "cell-off-board"),
        ({"cells": [{"at": [-1, 0], "tile": "red"}]}, "cells[0].at", "cell-off-board"),
        ({"cells": cells("red") + cells("blue")}, "cells[1].at", "cell-twice"),
        ({"cells": cells("red"), "order": [[0, 1]]}, "order[0]", "order-empty-cell"),
    ],
)
def test_a_wrong_board_is_refused_with_its_place(data, place, code):
    with pytest.raises(Malformed) as error:
        GAME.parse_board(data)
    assert (error.value.place, error.value.code) == (place, code)


def test_a_taught_edition_may_name_its_colours_as_it_likes():
    data = {
        "game": "bits",
        "size": [6, 4],
        "cells": cells("różowy", "jasno-szary"),
        "edition": "ours / nasza",
    }
    read = GAME.parse_board(data)
    assert GAME.board_json(read) == data
    assert GAME.from_notation(GAME.notation(read)) == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "6x4",
        "2x2;red;ab/..",
        "2x2;red.red;ab/..",
        "2x2;red;a./",
        "2x2;red;a../..",
        "0x2;;",
        "2x21;red;a/a",
        "2x2;mauve;a./..",
        "2x2;red;a./..;>3",
        "2x2;red;a./..;>0.0",
        "2x2;red;a./..;?",
        "٢x٢;red;a./..",
    ],
)
def test_a_wrong_notation_is_refused(text):
    with pytest.raises(Malformed):
        GAME.from_notation(text)


def test_boards_are_the_same_up_to_renaming_colours_one_to_one():
    one = board("2x2;red.blue;ab/ba")
    assert GAME.same_board(one, board("2x2;blue.green;ab/ba"))
    assert not GAME.same_board(one, board("2x2;red;aa/aa"))
    assert not GAME.same_board(board("2x2;red;aa/aa"), one)
    assert not GAME.same_board(one, board("2x2;red.blue;ab/b."))
    assert not GAME.same_board(board("2x2;;../.."), board("3x2;;../../.."))


def test_a_board_without_a_size_is_the_travel_edition():
    plain = GAME.parse_board({"cells": []})
    assert plain.size == (6, 4)
    assert GAME.same_board(plain, Board("bits", {}))
    assert GAME.score(plain, GAME.parse_options({})).total == 0
