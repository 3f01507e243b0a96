"""What holds for every Trio table, turn and game."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from lattice_play import as_board, trio_game, windows
from lattice_strategies import seen, tables, told, turns, views

from scoring.lattice import Tile
from scoring.trio import Trio, TrioOptions

GAME = Trio()
PLAIN = TrioOptions()
FEW = [Tile(colour, shape) for colour in ("red", "blue") for shape in ("star", "moon", "heart")]


def same(cell):
    return cell


@given(tables(GAME, kinds=FEW), views())
def test_an_audit_does_not_depend_on_the_point_of_view(board, view):
    assert told(GAME.score(board, PLAIN), view) == told(GAME.score(seen(board, view), PLAIN), same)


@given(turns(GAME, FEW), views())
def test_a_turn_does_not_depend_on_the_point_of_view(turn, view):
    here = GAME.move(*turn, PLAIN)
    there = GAME.move(*(seen(board, view) for board in turn), PLAIN)
    assert (here.legal, here.points) == (there.legal, there.points)
    assert told(here, view) == told(there, same)


@given(tables(GAME, kinds=FEW))
def test_an_audit_objects_exactly_when_an_independent_one_does(board):
    table = {cell: tuple(tile) for cell, tile in board.cells.items()}
    result = GAME.score(board, PLAIN)
    codes = {finding.message.code for finding in result.findings}
    assert ("run-too-long" in codes) == any(windows(table, 4))
    assert ("too-many-copies" in codes) == (len(set(table.values())) < len(table))
    # Every window of three lies in one run; a run of n holds n − 2 of them.
    assert sum(item.value - 2 for item in result.items) == sum(1 for _ in windows(table, 3))


@given(tables(GAME))
def test_notation_and_json_round_trip(board):
    assert GAME.from_notation(GAME.notation(board)) == board
    assert GAME.parse_board(GAME.board_json(board)) == board


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_game_at_random_stays_legal_and_matches_its_tokens(seed):
    tokens = 0
    table = {}
    for turn in trio_game(random.Random(seed)):
        table = turn.after
        result = GAME.move(as_board("trio", turn.before), as_board("trio", table), PLAIN)
        assert (result.legal, result.findings) == (True, ())
        gained = sum(1 for _ in windows(table, 3)) - sum(1 for _ in windows(turn.before, 3))
        assert result.points == gained
        tokens += gained
    assert len(table) == 36
    board = as_board("trio", table)
    assert GAME.score(board, TrioOptions(tokens)).findings == ()
    wrong = GAME.score(board, TrioOptions(tokens + 1)).findings
    assert [finding.message.code for finding in wrong] == ["tokens-differ"]
