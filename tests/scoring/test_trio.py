"""Trio as its rulebook tells it: points, forbidden fourth tiles, tokens and what a referee would say."""

import pytest
from playthrough import files, retell

from scoring.core import Board, Malformed
from scoring.lattice import Tile, laid
from scoring.trio import Trio, TrioOptions

GAME = Trio()
PLAIN = TrioOptions()
EMPTY = Board("trio", {})


def table(notation):
    return GAME.from_notation(notation)


def play(before, placed):
    """The turn that lays these tiles (in notation) on that table (in notation)."""
    board = table(before)
    return GAME.move(board, laid(board, table(placed).cells), PLAIN)


def codes(result):
    return [finding.message.code for finding in result.findings]


@pytest.mark.parametrize(
    ("before", "placed", "names"),
    [
        pytest.param("0,0:YtYh", "0,2:Yf", ["three yellow tiles in a row"], id="third yellow across"),
        pytest.param("0,0:Yt;1,0:Rt", "2,0:Ot", ["three times star in a column"], id="third star down"),
        pytest.param(
            "0,0:YhRt;1,1:Vh;2,1:Gf", "2,2:Bh", ["three times heart on a diagonal"], id="third heart falling"
        ),
        pytest.param(
            "0,2:Yh;1,1:Vh;1,2:Rt;2,1:Gf",
            "2,0:Bh",
            ["three times heart on a diagonal"],
            id="third heart rising",
        ),
        pytest.param("0,0:Yt1Ot", "0,1:Rt", ["three times star in a row"], id="the middle of three"),
        pytest.param(
            "0,0:VtVh;-1,2:Yf;-2,2:Rf",
            "0,2:Vf",
            ["three violet tiles in a row", "three times flower in a column"],
            id="third flower down and third violet across",
        ),
        pytest.param(
            "0,2:Yf;1,0:VtVh;1,3:BmBd;2,2:Rf",
            "1,2:Vf",
            ["three violet tiles in a row", "three times flower in a column"],
            id="two groups around the placed tile",
        ),
        pytest.param(
            "0,0:Yt1Yd;1,1:YhRh;2,0:VtVhYf",
            "2,3:Ym",
            [],
            id="next to a diagonal, but not on it",
        ),
        pytest.param(
            "-2,0:Yf1Yt;-1,1:YhRf;0,0:VtVh",
            "0,2:Vf",
            ["three violet tiles in a row"],
            id="three violet, and no three flowers without the top",
        ),
        pytest.param(
            "-2,0:Bf1Yf;-1,1:GfRf;0,0:VtVh",
            "0,2:Vf",
            [
                "three violet tiles in a row",
                "three times flower in a column",
                "three times flower on a diagonal",
            ],
            id="three groups, a point each",
        ),
        pytest.param("0,0:Yt", "0,1:Rh", [], id="no group"),
    ],
)
def test_points(before, placed, names):
    result = play(before, placed)
    assert (result.legal, result.findings) == (True, ())
    assert result.points == len(names)
    assert sorted(item.reason.text for item in result.items if item.points) == sorted(names)
    assert all(item.reason is not None for item in result.items)


@pytest.mark.parametrize(
    ("before", "placed", "run"),
    [
        pytest.param("0,0:YtYhYf", "0,3:Yu", {(0, c) for c in range(4)}, id="fourth yellow across"),
        pytest.param("0,0:Yu;1,0:Ru;2,0:Vu", "3,0:Ou", {(r, 0) for r in range(4)}, id="fourth sun down"),
        pytest.param(
            "0,0:Yh;1,1:Vh;2,2:Bh;3,2:Rt",
            "3,3:Oh",
            {(i, i) for i in range(4)},
            id="fourth heart on a diagonal",
        ),
        pytest.param("0,0:YtRt1VtOt", "0,2:Bt", {(0, c) for c in range(5)}, id="filling the gap makes five"),
        pytest.param("0,0:YtRt1Vt", "0,2:Bt", {(0, c) for c in range(4)}, id="filling the gap makes four"),
    ],
)
def test_never_a_fourth(before, placed, run):
    result = play(before, placed)
    assert (result.legal, result.points) == (False, 0)
    assert [(f.message.code, set(f.cells)) for f in result.findings] == [("run-too-long", run)]


def test_a_fourth_one_way_costs_the_point_the_other_way():
    result = play("0,0:YtYhYf;1,3:Bu;2,3:Ru", "0,3:Yu")
    assert (result.legal, result.points) == (False, 0)
    assert [(item.value, item.points, item.reason.code) for item in result.items] == [
        (4, 0, "run-too-long"),
        (3, 0, "turn-illegal"),
    ]


def test_feliks_alek_and_kasia():
    """Three stars by Alek; Kasia's violet star may join neither three stars nor three violet tiles."""
    start = play("-", "0,0:Rt")
    assert (start.legal, start.points, start.items[0].reason.code) == (True, 0, "start-tile")
    assert play("0,0:Rt", "0,1:Yt").points == 0
    assert play("0,0:RtYt", "0,2:Ot").points == 1

    later = "0,0:RtYtOt;1,1:Vh;2,1:Vu;3,1:Vm"
    assert GAME.score(table(later), PLAIN).findings == ()
    for refused, run in (("0,3:Vt", "star"), ("0,-1:Vt", "star"), ("4,1:Vt", "violet")):
        result = play(later, refused)
        assert (result.legal, codes(result)) == (False, ["run-too-long"])
        assert result.findings[0].message.params["name"] == run
    elsewhere = play(later, "1,0:Vt")
    assert (elsewhere.legal, elsewhere.points) == (True, 0)


@pytest.mark.parametrize(
    ("before", "placed", "broken"),
    [
        ("0,0:Yt", "0,1:YhYf", ["not-one-tile"]),
        ("0,0:Yt", "1,1:Yh", ["no-contact"]),
        ("0,0:Yt", "5,5:Yh", ["no-contact"]),
        ("0,0:YtRh", "0,2:Yt", ["too-many-copies"]),
        ("-", "0,0:YtYh", ["not-one-tile"]),
        ("0,0:Yt", "3,3:YhYfYuYm", ["not-one-tile", "no-contact", "run-too-long"]),
    ],
)
def test_refusals(before, placed, broken):
    result = play(before, placed)
    assert codes(result) == broken
    assert (result.legal, result.points) == (False, 0)


@pytest.mark.parametrize(
    ("before", "after", "broken"),
    [
        ("0,0:YtYh", "0,0:Yt", ["tile-removed"]),
        ("0,0:YtYh", "0,0:YtYf", ["tile-changed"]),
        ("0,0:YtYh", "0,0:Yt;1,0:Yh", ["tile-moved"]),
    ],
)
def test_tiles_on_the_table_stay(before, after, broken):
    result = GAME.move(table(before), table(after), PLAIN)
    assert (codes(result), result.legal, result.points) == (broken, False, 0)


def test_nothing_placed_scores_nothing_and_is_remarked_on():
    board = table("0,0:YtYh")
    result = GAME.move(board, board, PLAIN)
    assert (result.legal, result.points, codes(result)) == (True, 0, ["no-tile"])


def test_audit_lists_runs_and_has_no_total():
    result = GAME.score(table("0,0:YtYhYf;1,1:Rh;2,1:Bh"), PLAIN)
    assert (result.total, result.findings) == (None, ())
    assert [(item.kind, item.cells, item.points) for item in result.items] == [
        ("run", ((0, 0), (0, 1), (0, 2)), 1),
        ("run", ((0, 1), (1, 1), (2, 1)), 1),
    ]


@pytest.mark.parametrize(
    ("notation", "broken"),
    [
        ("0,0:YtRhYt", [("too-many-copies", {(0, 0), (0, 2)})]),
        ("0,0:Yt;1,1:RhBf", [("not-connected", {(0, 0)})]),
        ("0,0:YtYhYfYu", [("run-too-long", {(0, c) for c in range(4)})]),
        ("0,3:Yh;1,2:RhBf;2,1:OhGm;3,0:BhVd", [("run-too-long", {(0, 3), (1, 2), (2, 1), (3, 0)})]),
        ("0,0:YtYh1YuYm;1,0:Rd;5,5:Yf", [("not-connected", {(0, 3), (0, 4), (5, 5)})]),
        ("-", []),
        ("3,3:Yt", []),
    ],
)
def test_audit_findings(notation, broken):
    found = [(f.message.code, set(f.cells)) for f in GAME.score(table(notation), PLAIN).findings]
    assert found == broken


@pytest.mark.parametrize(
    ("tokens", "broken"),
    [(2, []), (3, ["tokens-differ"]), ({"Ola": 2, "Jan": 0}, []), (0, ["tokens-differ"])],
)
def test_tokens_equal_the_runs_of_three(tokens, broken):
    board = table("0,0:YtYhYf;1,1:Rh;2,1:Bh")
    assert codes(GAME.score(board, GAME.parse_options({"tokens": tokens}))) == broken


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"tokens": -1}, "options.tokens: must be"),
        ({"tokens": 2.5}, "options.tokens: must be"),
        ({"tokens": True}, "options.tokens: must be"),
        ({"tokens": "2"}, "options.tokens: must be"),
        ({"tokens": {"Ola": None}}, "options.tokens: must be"),
        ({"last_tile": True}, "options.last_tile: is not an option of Trio"),
    ],
)
def test_malformed_options(options, complaint):
    with pytest.raises(Malformed, match=complaint):
        GAME.parse_options(options)


def test_thirty_six_kinds_once_each():
    kinds = GAME.kinds()
    assert (len(kinds), sum(kinds.values()), GAME.most_tiles) == (36, 36, 36)
    assert all(GAME.parse_tile(GAME.tile_name(tile), "") == tile for tile in kinds)


@pytest.mark.parametrize("name", ["purple star", "violet", "violet circle", None, 3])
def test_unknown_tiles(name):
    with pytest.raises(Malformed, match="here: "):
        GAME.parse_tile(name, "here")


def test_taught_names():
    data = {
        "edition": "moja",
        "cells": [{"at": [0, 0], "tile": "różowy kot"}, {"at": [1, 0], "tile": "siwy kot"}],
    }
    board = GAME.parse_board(data)
    assert GAME.from_notation(GAME.notation(board)) == board
    third = laid(board, {(2, 0): Tile("czarny", "kot")})
    result = GAME.move(board, third, PLAIN)
    assert (result.points, result.items[0].reason.text) == (1, "three times kot in a column")


def test_nonsense_of_any_size_is_judged_quickly():
    row = Board("trio", {(0, column): Tile("red", "star") for column in range(100_000)})
    assert set(codes(GAME.move(EMPTY, row, PLAIN))) == {
        "not-one-tile",
        "run-too-long",
        "too-many-copies",
        "too-many-tiles",
    }
    assert "run-too-long" in codes(GAME.score(row, PLAIN))


@pytest.mark.parametrize("path", files("trio"), ids=lambda path: path.stem)
def test_golden_playthroughs(path):
    text = path.read_text(encoding="utf-8")
    assert retell(GAME, text) == text
