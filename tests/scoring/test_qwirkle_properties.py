"""What holds for every Qwirkle table, turn and game."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lattice_play import CLASSIC, WHITE, as_board, qwirkle_game, table_is_fine, turn_points
from lattice_strategies import MOVES, seen, tables, told, turns, views

from scoring.core import Board, groups
from scoring.lattice import Tile
from scoring.qwirkle import Hand, Qwirkle, QwirkleOptions

GAME = Qwirkle()
PLAIN = QwirkleOptions()
FEW = [Tile(colour, shape) for colour in ("red", "blue", "white") for shape in ("circle", "star", "cross")]


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


@given(turns(GAME, FEW))
def test_a_turn_is_legal_exactly_when_nothing_is_found(turn):
    result = GAME.move(*turn, PLAIN)
    assert result.legal == (not result.findings)
    assert result.points == sum(item.points for item in result.items)
    assert result.legal or result.points == 0


@given(tables(GAME, kinds=FEW))
def test_an_audit_objects_exactly_when_an_independent_one_does(board):
    table = {cell: tuple(tile) for cell, tile in board.cells.items()}
    codes = {finding.message.code for finding in GAME.score(board, PLAIN).findings}
    assert (not codes & {"line-mixed", "line-repeats", "line-too-long"}) == table_is_fine(table)
    assert ("not-connected" in codes) == (len(groups(table)) > 1)
    assert ("too-many-copies" in codes) == any(
        list(table.values()).count(tile) > 3 for tile in table.values()
    )


@given(tables(GAME))
def test_notation_and_json_round_trip(board):
    assert GAME.from_notation(GAME.notation(board)) == board
    assert GAME.parse_board(GAME.board_json(board)) == board


WORDS = st.text("abcćżŁ-'9", min_size=1, max_size=6)
CELLS = st.tuples(st.integers(-1_000_000, 1_000_000), st.integers(-1_000_000, 1_000_000))


@given(
    st.dictionaries(CELLS, st.tuples(WORDS, WORDS), min_size=1, max_size=8),
    st.text(min_size=1, max_size=20).filter(lambda name: name.isprintable()),
    st.randoms(),
)
def test_taught_tables_with_an_order_round_trip(table, edition, rng):
    order = rng.sample(sorted(table), rng.randint(0, len(table)))
    data = {
        "edition": edition,
        "cells": [{"at": list(cell), "tile": " ".join(tile)} for cell, tile in table.items()],
        "order": [list(cell) for cell in order],
    }
    board = GAME.parse_board(data)
    assert board.order == tuple(order)
    assert GAME.from_notation(GAME.notation(board)) == board
    assert GAME.parse_board(GAME.board_json(board)) == board


@given(tables(GAME), st.integers(0, 3), st.integers(-50, 50), st.integers(-50, 50))
def test_shifts_and_quarter_turns_are_the_same_table(board, quarters, down, right):
    other = seen(board, lambda cell: (cell[0] + down, cell[1] + right))
    for _ in range(quarters):
        other = seen(other, MOVES["quarter turn"])
    assert GAME.same_board(board, other)
    assert GAME.same_board(other, board)


@given(tables(GAME).filter(lambda board: board.cells), st.randoms())
def test_one_other_tile_is_another_table(board, rng):
    cell = rng.choice(sorted(board.cells))
    other = {**board.cells, cell: Tile("purple", "square")}
    if board.cells[cell] != other[cell]:
        assert not GAME.same_board(board, Board("qwirkle", other))


@pytest.mark.parametrize("colours", [CLASSIC, WHITE], ids=["purple edition", "white edition"])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4))
def test_a_game_at_random_stays_legal_and_adds_up(colours, seed, players):
    total = counted = 0
    turn = None
    for turn in qwirkle_game(random.Random(seed), colours, players):
        before, after = as_board("qwirkle", turn.before), as_board("qwirkle", turn.after)
        hand = Hand("Ola", tuple(Tile(*tile) for tile in turn.hand))
        # An opening at random is rarely the longest line of the hand, so there the hand is not told.
        options = QwirkleOptions(turn.last, (hand,), "Ola") if turn.before else PLAIN
        result = GAME.move(before, after, options)
        assert result.findings == ()
        assert set(result.placed) == turn.after.keys() - turn.before.keys()
        expected = turn_points(turn.before, turn.after) + 6 * turn.last
        assert result.points == expected
        total, counted = total + result.points, counted + expected
    assert total == counted > 60
    assert len(turn.after) > 60
    assert GAME.score(as_board("qwirkle", turn.after), PLAIN).findings == ()
