"""A match from the first round or turn to its winners."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core import Malformed
from scoring.match import TRIO_TURNS, match_json, parse_match, start
from scoring.registry import GAMES


def test_three_rounds_of_bits_with_a_negative_one():
    match = start("bits", ["Ola", "Jan"])
    assert match.planned == 3
    for ola, jan in ((3, 4), (5, 5), (-2, -3)):
        assert match.winners == ()
        assert match.next_up is None
        match = match.with_round({"Ola": ola, "Jan": jan})
    assert match.over
    assert match.totals == {"Ola": 6, "Jan": 6}
    assert match.winners == ("Ola", "Jan")
    assert [place.place for place in match.ranking] == [1, 1]
    with pytest.raises(Malformed, match="the match is over"):
        match.with_round({"Ola": 1, "Jan": 1})


def test_everybody_calls_one_round_of_mi_pasuje():
    names = ["Ola", "Jan", "Ela"]
    match = start("mipasuje", names, rounds=3)
    callers = []
    for points in (178, 319, 228):
        callers.append(match.next_up)
        match = match.with_round({"Ola": points, "Jan": 200, "Ela": 100})
    assert callers == names
    assert match.over
    assert match.next_up is None
    assert [(place.place, place.name, place.total) for place in match.ranking] == [
        (1, "Ola", 725),
        (2, "Jan", 600),
        (3, "Ela", 300),
    ]
    assert start("mipasuje", names).with_round({"Ola": 1, "Jan": 2, "Ela": 2}).winners == ("Jan", "Ela")


def test_turns_of_qwirkle_go_round_until_the_last_tile():
    match = start("qwirkle", ["Ola", "Jan", "Ela"])
    order = []
    for points in (3, 7, 0, 12):
        order.append(match.next_up)
        match = match.with_turn(points)
    assert order == ["Ola", "Jan", "Ela", "Ola"]
    assert match.totals == {"Ola": 15, "Jan": 7, "Ela": 0}
    match = match.with_turn(14, "Jan", note="out", last=True)
    assert match.over
    assert match.winners == ("Jan",)


def test_the_turn_after_a_skipped_player_goes_on_from_there():
    assert start("qwirkle", ["Ola", "Jan", "Ela"]).with_turn(4, "Ela").next_up == "Ola"


def test_four_at_trio_are_two_teams_of_opposite_seats():
    match = start("trio", ["Ola", "Jan", "Ela", "Leo"])
    assert match.sides == (("Ola", "Ela"), ("Jan", "Leo"))
    for points in (2, 1, 0, 1, 0, 0, 1, 0):
        match = match.with_turn(points)
    assert match.side_totals == ((("Ola", "Ela"), 3), (("Jan", "Leo"), 2))
    assert [(place.name, place.total) for place in match.ranking] == [("Ola & Ela", 3), ("Jan & Leo", 2)]
    assert match.declared_over().winners == ("Ola", "Ela")
    assert match.with_turn(0).with_turn(1).declared_over().winners == ("Ola", "Jan", "Ela", "Leo")
    assert start("trio", ["Ola", "Jan", "Ela", "Leo"], teams=False).sides[0] == ("Ola",)


def test_trio_is_over_when_all_tiles_lie():
    match = start("trio", ["Ola", "Jan"])
    for _ in range(TRIO_TURNS):
        assert not match.over
        match = match.with_turn(1)
    assert match.over
    assert match.winners == ("Ola",), "the first of two has the odd turn"


def test_the_last_entry_can_be_taken_back():
    begun = start("trio", ["Ola", "Jan"])
    once = begun.with_turn(2)
    assert once.without_last() == begun
    assert once.declared_over().without_last() == once
    assert begun.without_last() == begun


@pytest.mark.parametrize(
    ("arguments", "place", "code"),
    [
        (("chess", ["Ola"]), "game", "unknown-game"),
        (("qwirkle", ["Ola"]), "players", "players-number"),
        (("bits", list("abcde")), "players", "players-number"),
        (("mipasuje", list("abcdefg")), "players", "players-number"),
        (("bits", ["Ola", "Ola"]), "players[1]", "name-twice"),
        (("bits", ["Ola", " "]), "players[1]", "name-wrong"),
        (("bits", ["Ola", 7]), "players[1]", "name-wrong"),
        (("bits", "Ola"), "players", "players-wrong-type"),
        (("bits", ["Ola"], 2), "planned", "rounds-number"),
        (("bits", ["Ola"], 3.0), "planned", "rounds-number"),
        (("mipasuje", ["Ola", "Jan", "Ela"], 2), "planned", "rounds-number"),
        (("qwirkle", ["Ola", "Jan"], 1), "planned", "rounds-number"),
        (("qwirkle", list("abcd"), None, True), "teams", "teams"),
        (("trio", list("abc"), None, True), "teams", "teams"),
        (("trio", list("abcd"), None, 1), "teams", "teams"),
    ],
)
def test_a_match_that_cannot_begin_says_why(arguments, place, code):
    with pytest.raises(Malformed) as error:
        start(*arguments)
    assert (error.value.place, error.value.code) == (place, code)


TRIO = {"game": "trio", "players": ["Ola", "Jan"]}
BITS = {"game": "bits", "players": ["Ola", "Jan"]}


@pytest.mark.parametrize(
    ("data", "place", "code"),
    [
        ([], "", "not-an-object"),
        ({}, "game", "unknown-game"),
        ({"game": "trio"}, "players", "players-number"),
        (TRIO | {"rounds": [{"Ola": 1, "Jan": 1}]}, "rounds", "no-rounds"),
        (BITS | {"turns": [{"player": "Ola", "points": 1}]}, "turns", "no-turns"),
        (BITS | {"rounds": {}}, "rounds", "rounds-wrong-type"),
        (BITS | {"rounds": [{"Ola": 1}]}, "rounds[0]", "round-players"),
        (BITS | {"rounds": [{"Ola": 1, "Jan": True}]}, "rounds[0].Jan", "points"),
        (BITS | {"rounds": [{"Ola": 1, "Jan": float("nan")}]}, "rounds[0].Jan", "points"),
        (BITS | {"ended": 1}, "ended", "ended-wrong-type"),
        (TRIO | {"turns": [{"player": "Ela", "points": 1}]}, "turns[0].player", "unknown-player"),
        (TRIO | {"turns": [{"player": "Ola", "points": -1}]}, "turns[0].points", "points"),
        (TRIO | {"turns": [{"player": "Ola", "points": 10**9}]}, "turns[0].points", "points"),
        (TRIO | {"turns": [{"player": "Ola"}]}, "turns[0]", "turn-wrong-type"),
        (TRIO | {"turns": [{"player": "Ola", "points": 1, "note": 5}]}, "turns[0]", "turn-wrong-type"),
        (TRIO | {"turns": [{"player": "Ola", "points": 0}] * 36}, "turns", "match-over"),
    ],
)
def test_a_wrong_match_file_is_refused_with_its_place(data, place, code):
    with pytest.raises(Malformed) as error:
        parse_match(data)
    assert (error.value.place, error.value.code) == (place, code)


def test_no_match_goes_on_for_ever():
    endless = {"game": "qwirkle", "players": ["Ola", "Jan"], "turns": [{"player": "Ola", "points": 0}] * 2000}
    with pytest.raises(Malformed, match="at most 1000 turns"):
        parse_match(endless)


@st.composite
def matches(draw):
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    count = draw(st.sampled_from(game.players))
    names = draw(
        st.lists(
            st.sampled_from(["Ola", "Jan", "Ela", "Leo", "Iga", "Żak"]),
            min_size=count,
            max_size=count,
            unique=True,
        )
    )
    everybody = game.id == "mipasuje" and draw(st.booleans())
    match = start(game.id, names, count if everybody else None)
    while not match.over and draw(st.booleans()):
        if game.by_turns:
            player = draw(st.sampled_from([None, *names]))
            match = match.with_turn(draw(st.integers(0, 30)), player, draw(st.text(max_size=3)))
        else:
            match = match.with_round({name: draw(st.integers(-9, 307)) for name in names})
    return match.declared_over() if draw(st.booleans()) else match


@given(matches())
def test_a_match_survives_its_file(match):
    assert parse_match(json.loads(json.dumps(match_json(match)))) == match


@given(matches())
def test_winners_are_those_in_first_place(match):
    best = [place.name for place in match.ranking if place.place == 1]
    winning = [name for side in match.sides for name in side if " & ".join(side) in best]
    assert sorted(match.winners) == (sorted(winning) if match.over else [])
    assert sum(match.totals.values()) == sum(total for _, total in match.side_totals)
    assert match.over == (match.next_up is None) or match.game == "bits"
