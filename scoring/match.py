"""A match: who plays, what every round or turn brought, who is next, who won.

Mi pasuje! and Bits are played in rounds that everybody finishes together, Qwirkle and Trio turn by turn. A
match never changes; what happens next makes a new one:

>>> match = start("trio", ["Ola", "Jan"]).with_turn(2).with_turn(1, note="diagonal of hearts")
>>> match.totals, match.next_up
({'Ola': 2, 'Jan': 1}, 'Ola')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scoring.core import Malformed, Place, ranking
from scoring.game import Json
from scoring.registry import GAMES, find_game

NAME_LENGTH = 100
MOST_POINTS = 100_000
"""No round or turn of any game comes near; a larger number is a slip of the finger."""

BITS_ROUNDS = 3
TRIO_TURNS = 35
"""36 tiles, one of them the start tile, one placed a turn."""
MOST_TURNS = 1_000
"""Exchanges make a game of Qwirkle longer, but not this long."""
TEAM_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """What one player's turn brought; `last` if it ended the game (Qwirkle: hand and bag are empty)."""

    player: str
    points: int
    note: str = ""
    last: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match as far as it has been played; begin one with `start`, read one with `parse_match`."""

    game: str
    players: tuple[str, ...]
    """In the order they sit, clockwise; the first is the first caller, or begins."""
    planned: int | None = None
    """How many rounds; None in games played by turns."""
    teams: bool = False
    """Opposite seats play together (Trio with four)."""
    rounds: tuple[Mapping[str, int], ...] = ()
    turns: tuple[Turn, ...] = ()
    ended: bool = False
    """The table says it is over, whatever is known otherwise."""

    @property
    def totals(self) -> dict[str, int]:
        """Everybody's points so far, players in order."""
        found = dict.fromkeys(self.players, 0)
        for points in self.rounds:
            for name in found:
                found[name] += points[name]
        for turn in self.turns:
            found[turn.player] += turn.points
        return found

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """Who wins and loses together: the two teams, or every player alone."""
        if not self.teams:
            return tuple((name,) for name in self.players)
        return tuple(self.players[seat::2] for seat in range(2))

    @property
    def side_totals(self) -> tuple[tuple[tuple[str, ...], int], ...]:
        """The points of each side: a team's are its players' added up."""
        totals = self.totals
        return tuple((side, sum(totals[name] for name in side)) for side in self.sides)

    @property
    def ranking(self) -> tuple[Place, ...]:
        """The players, or the teams as "Ola & Ela", highest first; equal totals share a place."""
        return ranking([(" & ".join(side), total) for side, total in self.side_totals])

    @property
    def over(self) -> bool:
        """Whether nothing more is to be played."""
        if self.ended or (self.turns and self.turns[-1].last):
            return True
        if self.planned is not None:
            return len(self.rounds) >= self.planned
        return self.game == "trio" and len(self.turns) >= TRIO_TURNS

    @property
    def winners(self) -> tuple[str, ...]:
        """The players with the highest total, all of them if it is shared; nobody before the end."""
        best = max(total for _, total in self.side_totals)
        winning = {name for side, total in self.side_totals if total == best for name in side}
        return tuple(name for name in self.players if self.over and name in winning)

    @property
    def next_up(self) -> str | None:
        """Whose turn it is, or who calls the next round of Mi pasuje!; nobody in Bits or after the end."""
        if self.over or self.game == "bits":
            return None
        if self.planned is not None:
            return self.players[len(self.rounds) % len(self.players)]
        if not self.turns:
            return self.players[0]
        return self.players[(self.players.index(self.turns[-1].player) + 1) % len(self.players)]

    def with_round(self, points: Mapping[str, int]) -> Match:
        """The match after one more round, everybody's points given."""
        if self.planned is None:
            raise Malformed(
                "no-rounds", f"{GAMES[self.game].title} is scored by turns, not by rounds", "rounds"
            )
        self._check_open("rounds")
        place = f"rounds[{len(self.rounds)}]"
        if not isinstance(points, Mapping) or set(points) != set(self.players):
            raise Malformed("round-players", f"must give points to {', '.join(self.players)}", place)
        kept = {name: _points(points[name], f"{place}.{name}") for name in self.players}
        return replace(self, rounds=(*self.rounds, MappingProxyType(kept)))

    def with_turn(self, points: int, player: str | None = None, note: str = "", last: bool = False) -> Match:
        """The match after one more turn, of the player whose turn it is unless another one is named."""
        if self.planned is not None:
            raise Malformed(
                "no-turns", f"{GAMES[self.game].title} is scored by rounds, not by turns", "turns"
            )
        self._check_open("turns")
        place = f"turns[{len(self.turns)}]"
        if len(self.turns) == MOST_TURNS:
            raise Malformed("too-many-turns", f"a match has at most {MOST_TURNS} turns", place)
        name = self.next_up if player is None else player
        if name not in self.players:
            raise Malformed("unknown-player", f"{name!r:.60} does not play here", f"{place}.player")
        if _points(points, f"{place}.points") < 0:
            raise Malformed("points", "a turn cannot cost points", f"{place}.points")
        if not isinstance(note, str) or not isinstance(last, bool):
            raise Malformed("turn-wrong-type", "a note is text and last is true or false", place)
        return replace(self, turns=(*self.turns, Turn(name, points, note, last)))

    def without_last(self) -> Match:
        """The match before its last round or turn (or before it was declared over)."""
        if self.ended:
            return replace(self, ended=False)
        return replace(self, rounds=self.rounds[:-1], turns=self.turns[:-1])

    def declared_over(self) -> Match:
        """The match, ended by the table: nobody can or wants to go on."""
        return replace(self, ended=True)

    def _check_open(self, place: str) -> None:
        if self.over:
            raise Malformed("match-over", "the match is over", place)


def start(game: str, players: Sequence[str], rounds: int | None = None, teams: bool | None = None) -> Match:
    """A new match. Rounds unless said: Bits 3, Mi pasuje! 1 (or as many as players, so that each calls once).

    Four play Trio in teams unless `teams` is False.
    """
    rules = find_game(game)
    _check_players(players, rules.players, rules.title)
    allowed = _allowed_rounds(game, len(players))
    if rounds is None and allowed:
        rounds = allowed[0]
    if rounds is not None and (type(rounds) is not int or rounds not in allowed):
        wanted = " or ".join(map(str, allowed)) or "no rounds, it is scored by turns"
        raise Malformed("rounds-number", f"{rules.title} with {len(players)} has {wanted}", "planned")
    in_teams = game == "trio" and len(players) == TEAM_PLAYERS
    if teams not in (None, False, in_teams) or not isinstance(teams, bool | None):
        raise Malformed("teams", f"only Trio with {TEAM_PLAYERS} players is played in teams", "teams")
    return Match(game, tuple(players), rounds, in_teams if teams is None else teams)


def _allowed_rounds(game: str, players: int) -> tuple[int, ...]:
    match game:
        case "bits":
            return (BITS_ROUNDS,)
        case "mipasuje":
            return tuple(dict.fromkeys((1, players)))
        case _:
            return ()


def _check_players(players: Sequence[object], allowed: range, title: str) -> None:
    if not isinstance(players, list | tuple):
        raise Malformed("players-wrong-type", "must be a list of names", "players")
    for index, name in enumerate(players):
        if not isinstance(name, str) or not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
            problem = f"must be a name of 1 to {NAME_LENGTH} printable characters"
            raise Malformed("name-wrong", problem, f"players[{index}]")
        if name in players[:index]:
            raise Malformed("name-twice", f"{name!r:.60} sits at the table already", f"players[{index}]")
    if len(players) not in allowed:
        number = f"{allowed[0]} to {allowed[-1]}"
        raise Malformed("players-number", f"{title} is for {number} players, not {len(players)}", "players")


def _points(value: object, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_POINTS:
        return value
    raise Malformed("points", f"must be a whole number within ±{MOST_POINTS}", place)


def match_json(match: Match) -> dict[str, Any]:
    """The JSON object `parse_match` reads back as an equal match."""
    data: dict[str, Any] = {"game": match.game, "players": list(match.players)}
    if match.planned is None:
        data["teams"] = match.teams
        data["turns"] = [
            {"player": turn.player, "points": turn.points}
            | ({"note": turn.note} if turn.note else {})
            | ({"last": True} if turn.last else {})
            for turn in match.turns
        ]
    else:
        data["planned"] = match.planned
        data["rounds"] = [dict(points) for points in match.rounds]
    return data | ({"ended": True} if match.ended else {})


def parse_match(data: object) -> Match:
    """A match from its JSON object, every round or turn checked as if it were entered now."""
    if not isinstance(data, dict):
        raise Malformed("not-an-object", "must be an object {…}")
    game = find_game(data.get("game")).id
    match = start(game, data.get("players", ()), data.get("planned"), data.get("teams"))
    for points in _entries(data, "rounds"):
        match = match.with_round(points)
    for index, turn in enumerate(_entries(data, "turns")):
        match = _parse_turn(match, turn, f"turns[{index}]")
    ended = data.get("ended", False)
    if not isinstance(ended, bool):
        raise Malformed("ended-wrong-type", "must be true or false", "ended")
    return match.declared_over() if ended else match


def _entries(data: Json, key: str) -> list[Any]:
    entries = data.get(key, [])
    if isinstance(entries, list):
        return entries
    raise Malformed(f"{key}-wrong-type", "must be a list", key)


def _parse_turn(match: Match, turn: object, place: str) -> Match:
    if not isinstance(turn, dict) or not isinstance(turn.get("player"), str) or "points" not in turn:
        raise Malformed("turn-wrong-type", 'must be {"player": NAME, "points": NUMBER}', place)
    return match.with_turn(turn["points"], turn["player"], turn.get("note", ""), turn.get("last", False))
