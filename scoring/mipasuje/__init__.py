"""Mi pasuje! (Take It Easy!): hexagonal tiles, rows in three directions, suns and moons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from scoring.core import Board, Breakdown, Cell, Item, Malformed, Player, RoundResult, ranking
from scoring.game import Game, Json, checked_cells, checked_order
from scoring.mipasuje.layouts import LAYOUTS, Layout, find_layout
from scoring.mipasuje.notation import from_notation, to_notation
from scoring.mipasuje.options import MiPasujeOptions, parse_options
from scoring.mipasuje.rays import brightest_items, ray_items, rays
from scoring.mipasuje.referee import findings
from scoring.mipasuje.rows import row_items
from scoring.mipasuje.table import table_findings
from scoring.mipasuje.tiles import MARKS, TILES, HexTile, Mark

__all__ = ["LAYOUTS", "TILES", "HexTile", "Layout", "MiPasuje", "MiPasujeOptions"]


class MiPasuje(Game[HexTile, MiPasujeOptions]):
    """Both boards, all scoring and placement variants."""

    id: ClassVar[str] = "mipasuje"
    title: ClassVar[str] = "Mi pasuje!"
    players: ClassVar[range] = range(1, 7)

    def kinds(self) -> Mapping[HexTile, int]:
        """27 basic tiles and 4 jokers, one of each, without symbols: copies of the game may differ."""
        return dict.fromkeys(TILES.values(), 1)

    def parse_tile(self, text: object, place: str) -> HexTile:
        """A tile from its name, without a symbol."""
        if isinstance(text, str) and text in TILES:
            return TILES[text]
        raise Malformed("unknown-tile", f"{text!r:.60} is not a tile such as 9-7-3 or *-*-3", place)

    def tile_name(self, tile: HexTile) -> str:
        """The name without the symbol."""
        return tile.name

    def parse_board(self, data: Json, place: str = "") -> Board[HexTile]:
        """A board from its JSON object; without `board` it is the standard one."""
        dot = f"{place}." if place else ""
        layout = find_layout(data.get("board", "standard"), f"{dot}board")
        cells: dict[Cell, HexTile] = {}
        for cell, entry, here in checked_cells(data, place):
            if cell not in layout.neighbours:
                off = f"[{cell[0]}, {cell[1]}] is not on the {layout.name} board"
                raise Malformed("off-board", off, f"{here}.at")
            tile = self.parse_tile(entry["tile"], f"{here}.tile")
            mark = entry.get("mark")
            cells[cell] = tile if mark is None else tile.marked(_parse_mark(mark, f"{here}.mark"))
        aside = data.get("aside")
        if aside is not None and not isinstance(aside, list):
            raise Malformed("aside-wrong-type", "must be a list of tile names", f"{dot}aside")
        edition = data.get("edition")
        if edition is not None and not isinstance(edition, str):
            raise Malformed("edition-wrong-type", "must be the name of an edition", f"{dot}edition")
        return Board(
            self.id,
            cells,
            layout.name,
            aside=tuple(self.parse_tile(name, f"{dot}aside[{i}]") for i, name in enumerate(aside or ())),
            order=checked_order(data, place, cells),
            edition=edition,
        )

    def board_json(self, board: Board[HexTile]) -> dict[str, Any]:
        """The board object; keys with nothing to say are left out."""
        data: dict[str, Any] = {"game": self.id, "board": board.layout, "cells": []}
        for cell, tile in board.cells.items():
            entry: dict[str, Any] = {"at": list(cell), "tile": tile.name}
            data["cells"].append(entry | {"mark": tile.mark} if tile.mark else entry)
        if board.aside:
            data["aside"] = [tile.name for tile in board.aside]
        if board.order:
            data["order"] = [list(cell) for cell in board.order]
        if board.edition is not None:
            data["edition"] = board.edition
        return data

    def parse_options(
        self, data: Json, place: str = "options", edition: str | None = None
    ) -> MiPasujeOptions:
        """`scoring`, `placement` and `valve`, each optional."""
        return parse_options(data, place)

    def notation(self, board: Board[HexTile]) -> str:
        """For instance `standard:528s.973.-,…`."""
        return to_notation(board)

    def from_notation(self, text: str) -> Board[HexTile]:
        """The board `notation` wrote."""
        return from_notation(text, self.id)

    def score(self, board: Board[HexTile], options: MiPasujeOptions) -> Breakdown:
        """Every row, then the rays. Under `brightest` a board on its own is a table of one."""
        layout = _playable(board, options)
        rows = row_items(layout, board.cells)
        extra: tuple[Item, ...] = ()
        if options.scoring == "rays":
            extra = tuple(ray_items(rows, board.cells))
        elif options.scoring == "brightest":
            (extra,) = brightest_items([tuple(rays(rows, board.cells))])
        return self._breakdown(board, layout, options, rows + extra)

    def score_round(self, players: Sequence[Player[HexTile]], options: MiPasujeOptions) -> RoundResult:
        """Everybody's board; the brightest rays are compared, and so are the called tiles."""
        if options.scoring == "brightest":
            layouts = [_playable(player.board, options) for player in players]
            rows = [row_items(lay, player.board.cells) for lay, player in zip(layouts, players, strict=True)]
            extra = brightest_items(
                [tuple(rays(own, player.board.cells)) for own, player in zip(rows, players, strict=True)]
            )
            scored = tuple(
                (player.name, self._breakdown(player.board, layout, options, own + more))
                for player, layout, own, more in zip(players, layouts, rows, extra, strict=True)
            )
        else:
            scored = tuple((player.name, self.score(player.board, options)) for player in players)
        totals = [(name, result.total) for name, result in scored if result.total is not None]
        shared = tuple(table_findings(players, allowed=max(self.players)))
        return RoundResult(self.id, scored, shared, ranking(totals))

    def _breakdown(
        self, board: Board[HexTile], layout: Layout, options: MiPasujeOptions, items: tuple[Item, ...]
    ) -> Breakdown:
        total = sum(item.points for item in items)
        return Breakdown(self.id, total, items, tuple(findings(board, layout, options)))


def _parse_mark(mark: object, place: str) -> Mark:
    if isinstance(mark, str) and mark in MARKS:
        return MARKS[mark]
    raise Malformed("unknown-mark", f"{mark!r:.60} is neither sun nor moon", place)


def _playable(board: Board[HexTile], options: MiPasujeOptions) -> Layout:
    layout = find_layout(board.layout)
    if options.valve is not None and not layout.valves:
        raise Malformed("valve-on-standard", "valve variants are played on the valve board", "options.valve")
    return layout
