"""What every game promises, checked over every game in the registry.

Samples are the files in `tests/formats`; a new game needs some there. From each of them further boards are
made by leaving tiles out and exchanging them for any others of the game: legal or not, all are boards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from string import Formatter
from typing import Any
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core import Board, Breakdown, Finding, Item, Malformed, Message, Player
from scoring.formats import (
    BoardFile,
    breakdown_json,
    move_json,
    parse_board_file,
    parse_file,
    plain,
    round_json,
)
from scoring.game import Game
from scoring.registry import GAMES, find_game

FORMATS = Path(__file__).parents[1] / "formats"
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def sample_files(game: str) -> list[dict[str, Any]]:
    paths = (path for path in sorted((FORMATS / "score").glob("*.json")) if ".result" not in path.name)
    files = (json.loads(path.read_text()) for path in paths)
    return [data for data in files if data["game"] == game]


def samples(game: str) -> list[BoardFile]:
    """Boards and their options, taken from board files and round files alike."""
    found = []
    for data in sample_files(game):
        shared = {key: value for key, value in data.items() if key != "players"}
        found += [parse_board_file({**shared, **player}) for player in data.get("players", [{}])]
    return found


SAMPLES = {name: samples(name) for name in GAMES}
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@st.composite
def board_files(draw: st.DrawFn, game: Game[Any, Any]) -> BoardFile:
    """A sample with some tiles left out and some exchanged."""
    sample = draw(st.sampled_from(SAMPLES[game.id]))
    kinds = sorted(game.kinds(), key=game.tile_name)
    cells = {}
    for cell, tile in sample.board.cells.items():
        match draw(st.integers(0, 3)):
            case 0:
                continue
            case 1:
                cells[cell] = draw(st.sampled_from(kinds))
            case _:
                cells[cell] = tile
    board = replace(sample.board, cells=cells, order=tuple(c for c in sample.board.order if c in cells))
    return BoardFile(game, board, sample.options)


def messages(result: Breakdown) -> Iterator[Message]:
    yield from (item.reason for item in result.items if item.reason is not None)
    yield from (finding.message for finding in result.findings)


def check_message(message: Message) -> None:
    wanted = {name for _, name, _, _ in Formatter().parse(message.template) if name is not None}
    assert wanted <= message.params.keys(), f"{message.code} lacks a parameter"
    assert CODE.fullmatch(message.code)
    assert message.text.strip()
    assert "{" not in message.text
    assert "\n" not in message.text
    assert json.loads(json.dumps(plain(message.params))) == plain(message.params)


def check_item(item: Item) -> None:
    assert CODE.fullmatch(item.kind)
    assert all(len(cell) == 2 and all(type(part) is int for part in cell) for cell in item.cells)
    assert type(item.points) is int
    assert item.points or item.reason is not None, f"{item} earns nothing and does not say why"


def check_finding(finding: Finding) -> None:
    check_message(finding.message)
    assert isinstance(finding.cells, tuple)
    assert isinstance(finding.players, tuple)


def check_breakdown(game: Game[Any, Any], result: Breakdown) -> None:
    assert result.game == game.id
    if game.by_turns:
        assert result.total is None
    else:
        assert result.total == sum(item.points for item in result.items)
    for message in messages(result):
        check_message(message)
    for item in result.items:
        check_item(item)
    for finding in result.findings:
        check_finding(finding)
    written = breakdown_json(result)
    assert json.loads(json.dumps(written, allow_nan=False)) == written


def check_refusal(refused: Malformed) -> None:
    assert CODE.fullmatch(refused.code)
    assert refused.place
    assert str(refused).startswith(refused.place)


@each_game
def test_the_registry_knows_it_by_its_id(game: Game[Any, Any]) -> None:
    assert find_game(game.id) is game
    assert GAMES[game.id] is game
    assert CODE.fullmatch(game.id)
    assert game.title
    assert len(game.players) > 0
    assert len(SAMPLES[game.id]) >= 2, "put sample boards of the game into tests/formats/score"


@each_game
def test_every_kind_of_tile_has_one_name(game: Game[Any, Any]) -> None:
    kinds = game.kinds()
    names = [game.tile_name(tile) for tile in kinds]
    assert len(set(names)) == len(kinds) > 0
    assert [game.parse_tile(name, "tile") for name in names] == list(kinds)
    assert all(copies > 0 for copies in kinds.values())


@each_game
@given(data=st.data())
def test_boards_survive_a_file_and_a_line_of_text(game: Game[Any, Any], data: st.DataObject) -> None:
    board = data.draw(board_files(game)).board
    written = json.loads(json.dumps(game.board_json(board)))
    assert written["game"] == game.id
    assert game.parse_board(written) == board
    line = game.notation(board)
    assert line.isprintable()
    assert game.from_notation(unquote(quote(line, safe=""))) == board
    assert game.same_board(board, board)


@each_game
@given(data=st.data())
def test_any_board_has_a_whole_breakdown(game: Game[Any, Any], data: st.DataObject) -> None:
    _, board, options = data.draw(board_files(game))
    before = dict(board.cells)
    result = game.score(board, options)
    check_breakdown(game, result)
    assert game.score(board, options) == result
    assert dict(board.cells) == before


@each_game
def test_findings_never_suppress_a_total(game: Game[Any, Any]) -> None:
    """A board full of one and the same tile breaks every set, and is still counted."""
    for _, board, options in SAMPLES[game.id]:
        for tile in list(game.kinds())[:3]:
            same = replace(board, cells=dict.fromkeys(board.cells, tile))
            result = game.score(same, options)
            check_breakdown(game, result)
            if len(board.cells) > 12:
                assert result.findings


@each_game
def test_a_round_keeps_the_players_in_order_and_ranks_them(game: Game[Any, Any]) -> None:
    boards = SAMPLES[game.id]
    options = boards[0].options
    suited = [one.board for one in boards if one.board.layout == boards[0].board.layout]
    names = ["Żaneta", "Ola", "Jan"]
    players = [Player(name, suited[number % len(suited)]) for number, name in enumerate(names)]
    result = game.score_round(players, options)
    assert [name for name, _ in result.players] == names
    for _, breakdown in result.players:
        check_breakdown(game, breakdown)
    for finding in result.findings:
        check_finding(finding)
        assert set(finding.players) <= set(names)
    totals = {name: breakdown.total for name, breakdown in result.players if breakdown.total is not None}
    assert {row.name: row.total for row in result.ranking} == totals
    assert [row.total for row in result.ranking] == sorted(totals.values(), reverse=True)
    for row in result.ranking:
        assert row.place == 1 + sum(total > row.total for total in totals.values())
    assert json.loads(json.dumps(round_json(result))) == round_json(result)


@each_game
@given(data=st.data())
def test_any_turn_is_judged(game: Game[Any, Any], data: st.DataObject) -> None:
    one, other = data.draw(board_files(game)), data.draw(board_files(game))
    options = game.parse_options({})
    if not game.by_turns:
        with pytest.raises(Malformed):
            game.move(one.board, other.board, options)
        return
    result = game.move(one.board, other.board, options)
    assert result.points == sum(item.points for item in result.items)
    assert result.legal or (result.points == 0 and result.findings)
    assert set(result.placed) <= other.board.cells.keys() - one.board.cells.keys()
    for item in result.items:
        check_item(item)
    for finding in result.findings:
        check_finding(finding)
    assert json.loads(json.dumps(move_json(result))) == move_json(result)


@each_game
def test_nothing_can_be_changed_afterwards(game: Game[Any, Any]) -> None:
    _, board, options = SAMPLES[game.id][0]
    result = game.score(board, options)
    cell = next(iter(board.cells))
    for target, name in ((board, "cells"), (result, "total"), (options, next(iter(options.__slots__)))):
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(target, name, None)
    with pytest.raises(TypeError):
        board.cells[cell] = None  # type: ignore[index]
    assert isinstance(result.items, tuple)
    assert isinstance(result.findings, tuple)


@each_game
def test_a_board_is_not_tied_to_the_cells_it_was_made_from(game: Game[Any, Any]) -> None:
    cells = dict(SAMPLES[game.id][0].board.cells)
    board = Board(game.id, cells)
    cells.clear()
    assert board.cells


BAD_CELLS: list[Any] = [
    None,
    {},
    "cells",
    [None],
    [[0, 0]],
    [{}],
    [{"at": [0, 0]}],
    [{"tile": "TILE"}],
    [{"at": [0], "tile": "TILE"}],
    [{"at": [0, 0, 0], "tile": "TILE"}],
    [{"at": [0, True], "tile": "TILE"}],
    [{"at": [0, 0.0], "tile": "TILE"}],
    [{"at": [0, "0"], "tile": "TILE"}],
    [{"at": [0, 10**9], "tile": "TILE"}],
    [{"at": {"q": 0, "r": 0}, "tile": "TILE"}],
    [{"at": [0, 0], "tile": "no such tile"}],
    [{"at": [0, 0], "tile": ""}],
    [{"at": [0, 0], "tile": 7}],
    [{"at": [0, 0], "tile": None}],
    [{"at": [0, 0], "tile": ["TILE"]}],
    [{"at": [0, 0], "tile": "TILE"}, {"at": [0, 0], "tile": "TILE"}],
]
BAD_ORDERS: list[Any] = [7, "ab", {}, [7], [[0]], [[0, 0], [0, 0]], [[1, 0]]]


@each_game
def test_what_is_no_board_is_refused_with_its_place(game: Game[Any, Any]) -> None:
    tile = game.tile_name(next(iter(game.kinds())))
    bad_boards: list[dict[str, Any]] = [
        {"cells": json.loads(json.dumps(cells).replace("TILE", tile))} for cells in BAD_CELLS
    ]
    bad_boards += [{"cells": [{"at": [0, 0], "tile": tile}], "order": order} for order in BAD_ORDERS]
    bad_boards += [{"cells": [], "edition": edition} for edition in (7, [], True)]
    for data in bad_boards:
        for place in ("", "players[1]"):
            with pytest.raises(Malformed) as refused:
                game.parse_board(data, place)
            check_refusal(refused.value)
            assert refused.value.place.startswith(place or ("cells", "order", "edition"))
            assert "\n" not in str(refused.value)


@each_game
def test_unknown_options_are_refused_with_their_place(game: Game[Any, Any]) -> None:
    for options in ({"no such option": 1}, {"": None}):
        with pytest.raises(Malformed) as refused:
            game.parse_options(options)
        assert refused.value.place.startswith("options")
    assert game.parse_options({}) == game.parse_options({})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@each_game
@given(data=st.data())
def test_anything_else_is_refused_and_never_breaks(game: Game[Any, Any], data: st.DataObject) -> None:
    """A real file with one value anywhere in it replaced by anything."""
    file = json.loads(json.dumps(data.draw(st.sampled_from(sample_files(game.id)))))
    spot: Any = file
    while True:
        key = data.draw(st.sampled_from(list(spot) if isinstance(spot, dict) else range(len(spot))))
        if not isinstance(spot[key], dict | list) or not spot[key] or data.draw(st.booleans()):
            break
        spot = spot[key]
    spot[key] = data.draw(json_values)
    try:
        parsed = parse_file(file)
    except Malformed as refused:
        check_refusal(refused)
    else:
        if isinstance(parsed, BoardFile):
            check_breakdown(game, game.score(parsed.board, parsed.options))
        else:
            game.score_round(parsed.players, parsed.options)


@each_game
@given(data=st.data())
def test_a_line_of_text_is_a_board_or_refused(game: Game[Any, Any], data: st.DataObject) -> None:
    line = game.notation(data.draw(board_files(game)).board)
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    garbled = line[:start] + data.draw(st.text(max_size=4)) + line[end:]
    try:
        board = game.from_notation(garbled)
    except Malformed as refused:
        check_refusal(refused)
    else:
        assert game.from_notation(game.notation(board)) == board
