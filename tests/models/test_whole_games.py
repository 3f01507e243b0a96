"""Whole games, photographed in the studio turn by turn from another side each time, and followed."""

from __future__ import annotations

import pytest

from models.measure.games import follow_game
from models.measure.playing import whole_game
from scoring.core import Board
from scoring.registry import GAMES

SEED = 1


@pytest.mark.parametrize(("game", "turns", "tiles"), [("qwirkle", 25, 100), ("trio", 35, 36)])
def test_a_game_played_by_itself_is_played_by_the_rules(game: str, turns: int, tiles: int) -> None:
    rules = GAMES[game]
    before = Board(game, {})
    played = list(whole_game(game, SEED, 2, "purple"))
    assert len(played) >= turns
    assert len(played[-1].table) >= tiles
    assert played[-1].last
    for turn in played[1 if game == "trio" else 0 :]:
        after = Board(game, turn.table)
        if game == "trio" and not before.cells:
            before = Board(game, played[0].table)
        move = rules.move(before, after, rules.parse_options({}))
        assert move.legal
        assert move.points + 6 * (turn.last and game == "qwirkle") == turn.points
        before = after


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition"), [("qwirkle", "purple"), ("trio", "cream")])
def test_a_whole_game_from_its_photographs_nobody_helping(game: str, edition: str) -> None:
    """Every turn's points, hence every total; nothing wrong that is not asked about."""
    steps = list(follow_game(game, edition, SEED, 60, spoiled=0.0, answered=False))
    assert len(steps) >= 25
    assert not [step for step in steps if step.silent]
    assert [step.points for step in steps] == [step.expected for step in steps]


@pytest.mark.slow
def test_a_game_with_bad_photos_where_people_answer_what_they_are_asked() -> None:
    steps = list(follow_game("qwirkle", "purple", SEED, 60, spoiled=0.05, answered=True))
    assert not [step for step in steps if step.silent]
    assert [step.points for step in steps] == [step.expected for step in steps]
