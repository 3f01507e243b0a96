"""What concerns several players: everybody places the same called tiles on the same kind of board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from scoring.core import Finding, Player, Text
from scoring.mipasuje.tiles import NAMES, HexTile

ONLY_ONE: Final = Text("tiles-only-one-has", "only {player} has {tiles}: misplaced or misheard")
ONLY_ONE_LACKS: Final = Text("tiles-only-one-lacks", "{player} lacks {tiles}, which everybody else has")
SOME: Final = Text(
    "tiles-some-have", "not everybody placed the same tiles: {holders} did place {tiles}, {others} did not"
)
BOARDS_DIFFER: Final = Text("boards-differ", "the round is played on different boards: {boards}")
TOO_MANY_PLAYERS: Final = Text("too-many-players", "{count} players, but the box holds tiles for {allowed}")

Holders: TypeAlias = tuple[int, ...]


def table_findings(players: Sequence[Player[HexTile]], allowed: int) -> Iterator[Finding]:
    """Everything that only shows when the players' boards are compared."""
    names = tuple(player.name for player in players)
    if len(players) > allowed:
        yield Finding(TOO_MANY_PLAYERS(count=len(players), allowed=allowed), players=names)
    layouts = list(dict.fromkeys(player.board.layout for player in players))
    if len(layouts) > 1:
        yield Finding(BOARDS_DIFFER(boards=layouts), players=names)
    yield from _called_tiles(players)


def _called_tiles(players: Sequence[Player[HexTile]]) -> Iterator[Finding]:
    """One finding for each group of players that alone hold some tiles."""
    holders: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for index, player in enumerate(players):
        for lines in {tile[:3] for tile in (*player.board.cells.values(), *player.board.aside)}:
            holders[lines].append(index)
    groups: dict[Holders, list[tuple[int, int, int]]] = defaultdict(list)
    for lines in NAMES:
        if lines in holders and len(holders[lines]) < len(players):
            groups[tuple(holders[lines])].append(lines)
    for group, tiles in groups.items():
        yield _compared(players, group, tiles)


def _compared(
    players: Sequence[Player[HexTile]], group: Holders, lines: Sequence[tuple[int, int, int]]
) -> Finding:
    tiles = [NAMES[each] for each in lines]
    having = tuple(players[index].name for index in group)
    lacking = tuple(player.name for index, player in enumerate(players) if index not in group)
    if len(having) == 1 < len(lacking):
        own = players[group[0]].board.cells
        cells = tuple(cell for cell, tile in own.items() if tile[:3] in lines)
        return Finding(ONLY_ONE(player=having[0], tiles=tiles), cells, having)
    if len(lacking) == 1 < len(having):
        return Finding(ONLY_ONE_LACKS(player=lacking[0], tiles=tiles), players=lacking)
    return Finding(SOME(holders=list(having), tiles=tiles, others=list(lacking)), players=having + lacking)
