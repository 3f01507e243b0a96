"""What speaks against several boards of one round, although each may be right by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from scoring.bits.calls import can_place, heights_of
from scoring.bits.drop import UnfinishedError, divisions, possible_drops
from scoring.bits.options import SIZE, BitsOptions, Domino, TileSet, box
from scoring.bits.referee import TOO_MANY_COLOURS
from scoring.core import Finding, Player, Text

MOST_WAYS = 300
"""Ways to divide one board that are compared with the others'; of boards with more, nothing is claimed."""

ROOM_LEFT = Text("room-left", "{player} has {count} tiles and still room, but {other} has {more}")
ODD_ONE_OUT = Text("odd-one-out", "{player} cannot have followed the same calls as the others")
OTHER_CALLS = Text("other-calls", "{players} cannot have followed the same calls")

_FIELD = 9
"""Bits per kind of tile in a packed count: a number up to 200 and a spare bit to borrow from."""


class Way(NamedTuple):
    """One way a board can have come about: the player's own tiles, packed, and the start tile."""

    own: int
    start: Domino | None


def audit_round(players: Sequence[Player[str]], options: BitsOptions) -> tuple[Finding, ...]:
    """Everybody places the same calls in the same order, and draws a start tile of their own.

    So one player's own tiles are among those of anybody who placed more, and whoever placed fewer has no room
    left. Where the calls are known, each board is checked against them by itself.
    """
    if len(players) < 2:
        return ()
    size = players[0].board.size or SIZE
    if any((player.board.size or SIZE) != size for player in players):
        return ()
    colours = frozenset(colour for player in players for colour in player.board.cells.values())
    tiles = box(colours, size[0] * size[1], options)
    if tiles is not None and isinstance(tiles.colours, int) and len(colours) > tiles.colours:
        names = tuple(player.name for player in players)
        return (Finding(TOO_MANY_COLOURS(seen=len(colours), known=tiles.colours), (), names),)
    if options.called is not None:
        return ()
    return (*_room_left(players, size), *(_other_calls(players, size, tiles) if tiles else ()))


def _room_left(players: Sequence[Player[str]], size: tuple[int, int]) -> Iterator[Finding]:
    most = max(players, key=lambda player: len(player.board.cells))
    more = len(most.board.cells) // 2
    for player in players:
        count = len(player.board.cells) // 2
        if count < more and can_place(heights_of(player.board.cells, size), size[0]):
            found = ROOM_LEFT(player=player.name, count=count, other=most.name, more=more)
            yield Finding(found, (), (player.name, most.name))


def _other_calls(players: Sequence[Player[str]], size: tuple[int, int], tiles: TileSet) -> Iterator[Finding]:
    """Pairs of players whose boards cannot both come from one order of calls, or the one who differs."""
    ways = {player.name: found for player in players if (found := _ways(player, size, tiles))}
    apart = [pair for pair in combinations(ways, 2) if not _same_calls(ways[pair[0]], ways[pair[1]], tiles)]
    in_all = [name for name in ways if all(name in pair for pair in apart)]
    if len(apart) > 1 and len(in_all) == 1 and len(ways) > 2:
        yield Finding(ODD_ONE_OUT(player=in_all[0]), (), (in_all[0],))
        return
    for names in apart:
        yield Finding(OTHER_CALLS(players=list(names)), (), names)


def _ways(player: Player[str], size: tuple[int, int], tiles: TileSet) -> frozenset[Way]:
    """Every way this board can have come about; none if it cannot, or if there are too many to compare."""
    cells = player.board.cells
    if not cells:
        return frozenset()
    shift = {kind: _FIELD * index for index, kind in enumerate(sorted(tiles.tiles))}
    found: set[Way] = set()
    try:
        for division in divisions(cells, possible_drops(cells, size[0]), tiles):
            if division.misfit:
                break
            if len(found) == MOST_WAYS:
                return frozenset()
            own = sum(count << shift[kind] for kind, count in division.own().items())
            found.add(Way(own, division.start))
    except UnfinishedError as unfinished:
        if not unfinished.misfit:
            return frozenset()
    return frozenset(found)


def _same_calls(one: frozenset[Way], other: frozenset[Way], tiles: TileSet) -> bool:
    spare = sum(1 << _FIELD * index + _FIELD - 1 for index in range(len(tiles.tiles)))
    return any(
        (
            ((left.own | spare) - right.own) & spare == spare
            or ((right.own | spare) - left.own) & spare == spare
        )
        and (left.start != right.start or left.start is None or (tiles.start or {}).get(left.start, 0) > 1)
        for left in one
        for right in other
    )
