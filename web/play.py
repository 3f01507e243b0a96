"""From kept rows to boards, breakdowns, rounds and a ranking. Nothing here is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.core import Board, Breakdown, Cell, Item, Malformed, Place, Player, RoundResult, ranking
from scoring.game import Game
from scoring.match import BITS_ROUNDS
from scoring.registry import GAMES
from web.call_check import call_findings, called_options, order_of
from web.looks import LOOKS
from web.round_reading import read_together
from web.storage.models import BoardRow, Correction, Round, Seat, Table
from web.turn_choice import open_cells, seen_since
from web.turn_matching import corrected, on_table
from web.views import Alternative, Entry, OpenDoubt, RoundView, Seen, Sheet, Standing, TableView

__all__ = [
    "Entry",
    "OpenDoubt",
    "RoundView",
    "Seen",
    "Sheet",
    "TableView",
    "as_cell",
    "check_entry",
    "known_marks",
    "marks_matter",
    "next_caller",
    "round_options",
    "standing_corrections",
    "start_of_game",
    "turns_played",
    "view_table",
]


def view_table(table: Table) -> TableView:
    game = GAMES[table.game]
    rounds = tuple(view_round(table, game, row) for row in table.rounds)
    totals = {seat.id: sum(one.points.get(seat.id, 0) for one in rounds) for seat in table.seats}
    ended = (
        table.finished
        if game.by_turns
        else len(rounds) >= table.rounds_planned and all(one.complete for one in rounds)
    )
    return TableView(table, game, LOOKS[table.game], rounds, totals, standings(table.seats, totals), ended)


def standings(seats: Sequence[Seat], totals: Mapping[int, int]) -> tuple[Standing, ...]:
    """The ranking; partners stand together."""
    sides: dict[object, list[Seat]] = {}
    for seat in seats:
        sides.setdefault(f"team {seat.team}" if seat.team else seat.id, []).append(seat)
    groups = {" + ".join(seat.name for seat in side): tuple(side) for side in sides.values()}
    places: tuple[Place, ...] = ranking(
        [(name, sum(totals[seat.id] for seat in side)) for name, side in groups.items()]
    )
    return tuple(Standing(place.place, place.name, place.total, groups[place.name]) for place in places)


def round_options(table: Table, number: int) -> dict[str, Any]:
    """The options the rules get for this round."""
    options = dict(table.options)
    if table.game == "bits":
        options["round"] = min(number, BITS_ROUNDS)
    return options


def view_round(table: Table, game: Game[Any, Any], row: Round) -> RoundView:
    if game.by_turns:
        return view_turns(table, game, row)
    options = game.parse_options(round_options(table, row.number) | called_options(game.id, row))
    rows = {board.seat_id: board for board in row.boards}
    seen = {seat: one.reading for seat, one in rows.items() if one.reading is not None and not one.awaiting}
    light = read_together(game.id, seen, {seat: standing_corrections(rows[seat]) for seat in seen})
    sheets = tuple(
        view_sheet(table, game, row, seat, rows.get(seat.id), light=light.get(seat.id))
        for seat in table.seats
    )
    played = [sheet for sheet in sheets if sheet.state not in ("none", "reading", "problem")]
    if not played:
        return RoundView(row, sheets, {}, (), {}, False)
    result: RoundResult = game.score_round([Player(one.seat.name, one.board) for one in played], options)
    breakdowns = {one.seat.id: with_ruling(result.players[i][1], one.row) for i, one in enumerate(played)}
    points = {seat: breakdown.total or 0 for seat, breakdown in breakdowns.items()}
    complete = all(sheet.done for sheet in sheets)
    # Boards still being filled in always differ; only finished ones are worth comparing.
    findings = result.findings if complete else ()
    findings += tuple(call_findings(game.id, row, played))
    return RoundView(row, sheets, points, findings, breakdowns, complete)


def view_turns(table: Table, game: Game[Any, Any], row: Round) -> RoundView:
    sheets: list[Sheet] = []
    points: dict[int, int] = {}
    before: Sheet | None = None
    for board in row.boards:
        before = view_sheet(table, game, row, board.seat, board, before)
        sheets.append(before)
        points[board.seat_id] = points.get(board.seat_id, 0) + (before.breakdown.total or 0)
    complete = bool(sheets) and all(sheet.done for sheet in sheets)
    return RoundView(row, tuple(sheets), points, (), {}, complete)


def turns_played(game: Game[Any, Any], sheets: Sequence[Sheet]) -> int:
    """How many turns players have had; a photo of Trio's lone start tile is nobody's."""
    alone = game.id == "trio" and bool(sheets) and len(sheets[0].cells) == 1
    return len(sheets) - alone


def view_sheet(
    table: Table,
    game: Game[Any, Any],
    round_: Round,
    seat: Seat,
    row: BoardRow | None,
    before: Sheet | None = None,
    light: Mapping[str, Any] | None = None,
) -> Sheet:
    """One board as it stands: the reading (or the table before the turn), then every standing correction."""
    reading = light or (row.reading if row is not None and row.reading is not None else None)
    turn = None
    if game.by_turns and row is not None:
        reading, turn = on_table(game, before.turn if before else None, reading)
    layout = (reading or {}).get("board") or table.layout
    size = as_size((reading or {}).get("size") or table.size)
    cells = dict(before.cells) if before is not None and reading is None else {}
    polygons = {}
    if reading is not None:
        for entry in (*reading["cells"], *reading.get("unseen", ())):
            cells[as_cell(entry["at"])] = Entry(entry["tile"], entry.get("mark"))
        for entry in (*reading["cells"], *reading["doubts"]):
            polygons[as_cell(entry["at"])] = tuple((x, y) for x, y in entry["polygon"])
    settled = standing_corrections(row)
    if turn is not None:
        turn = corrected(turn, reading, settled)
    for cell, correction in settled.items():
        if correction.tile is None:
            cells.pop(cell, None)
        else:
            cells[cell] = Entry(correction.tile, correction.mark)
    aside = row.aside if row is not None and row.aside is not None else (reading or {}).get("aside", [])
    order = order_of(game.id, round_.calls, cells)
    board = make_board(game, layout, size, cells, aside, table.edition, order)
    breakdown = score_board(table, game, round_, row, board, before)
    doubts = open_doubts(table, game, round_, reading, settled, board, layout, size, cells, aside)
    new = sorted(cell for cell in cells if before is None or cell not in before.cells)
    fresh = tuple(new) if game.by_turns else ()
    whole = not LOOKS[game.id].open and len(cells) == len(LOOKS[game.id].cells(layout, size, cells))
    return Sheet(
        seat,
        row,
        layout,
        size,
        cells,
        polygons,
        board,
        breakdown,
        doubts,
        "problem" if turn and turn.problem and not settled else state_of(row, doubts, whole),
        fresh,
        turn,
        reading,
    )


def state_of(row: BoardRow | None, doubts: Sequence[OpenDoubt], whole: bool) -> str:
    if row is None:
        return "none"
    if row.awaiting:
        return "reading"
    if row.problem is not None and not standing_corrections(row) and not row.complete:
        return "problem"
    if doubts:
        return "doubts"
    return "done" if row.reading is not None or row.complete or whole else "open"


def score_board(
    table: Table,
    game: Game[Any, Any],
    round_: Round,
    row: BoardRow | None,
    board: Board[Any],
    before: Sheet | None,
) -> Breakdown:
    options = round_options(table, round_.number)
    if not game.by_turns:
        return with_ruling(game.score(board, game.parse_options(options)), row)
    if row is not None and row.last_tile:
        options["last_tile"] = True
    start = start_of_game(game, board)
    if before is not None:
        start = seen_since(before.board, open_cells(before.turn.known) if before.turn else (), board)
    move = game.move(start, board, game.parse_options(options))
    return with_ruling(Breakdown(game.id, move.points, move.items, move.findings), row)


def start_of_game(game: Game[Any, Any], board: Board[Any]) -> Board[Any]:
    """The table before the first photo: empty; in Trio the start tile may lie there already."""
    started = game.id == "trio" and len(board.cells) == 2
    return replace(board, cells=dict(list(board.cells.items())[:1]) if started else {})


def with_ruling(breakdown: Breakdown, row: BoardRow | None) -> Breakdown:
    """The points the table added or took away by a ruling, as an item of their own."""
    if row is None or not row.agreed or breakdown.total is None:
        return breakdown
    ruling = Item("ruling", (), f"{row.agreed:+d}".replace("-", "−"), None, row.agreed)
    return replace(breakdown, total=breakdown.total + row.agreed, items=(*breakdown.items, ruling))


def open_doubts(
    table: Table,
    game: Game[Any, Any],
    round_: Round,
    reading: Mapping[str, Any] | None,
    settled: Mapping[Cell, Correction],
    board: Board[Any],
    layout: str,
    size: tuple[int, int] | None,
    cells: Mapping[Cell, Entry],
    aside: Sequence[str],
) -> tuple[OpenDoubt, ...]:
    """Doubts nobody has settled, each alternative with the total it would make."""
    open_ = [doubt for doubt in (reading or {}).get("doubts", ()) if as_cell(doubt["at"]) not in settled]
    if game.by_turns:
        return tuple(
            OpenDoubt(
                as_cell(doubt["at"]),
                tuple(Alternative(one.tile, one.mark, p, None) for one, p in told_apart(doubt, marks=False)),
            )
            for doubt in open_
        )
    options = game.parse_options(round_options(table, round_.number))

    def scored(changes: Mapping[Cell, Seen]) -> Breakdown:
        there = dict(cells)
        for cell, one in changes.items():
            there.pop(cell, None)
            if one.tile is not None:
                there[cell] = Entry(one.tile, one.mark)
        return game.score(make_board(game, layout, size, there, aside, table.edition), options)

    # Cells whose likeliest tile may carry one symbol or another.
    symbols: dict[Cell, list[Seen]] = {}
    if marks_matter(table):
        for doubt in open_:
            apart = [one for one, _p in told_apart(doubt, marks=True)]
            same = [one for one in apart if one.tile == apart[0].tile]
            if len(same) > 1:
                symbols[as_cell(doubt["at"])] = same
    found = []
    for doubt in open_:
        at = as_cell(doubt["at"])
        plausible = told_apart(doubt, marks=at in symbols and symbol_counts(at, symbols, scored))
        if len(plausible) > 1:
            totals = [scored({at: one}).total for one, _p in plausible]
            found.append(
                OpenDoubt(
                    at,
                    tuple(
                        Alternative(one.tile, one.mark, p, total)
                        for (one, p), total in zip(plausible, totals, strict=True)
                    ),
                )
            )
    return tuple(found)


def told_apart(doubt: Mapping[str, Any], marks: bool) -> list[tuple[Seen, float]]:
    """What a doubted cell may be; where symbols don't count, tiles that differ only by theirs are one."""
    kept: dict[Seen, float] = {}
    first: dict[str | None, Seen] = {}
    for one in doubt["alternatives"]:
        seen = Seen(one["tile"], one.get("mark"))
        if not marks:
            seen = first.setdefault(seen.tile, seen)
        kept[seen] = kept.get(seen, 0.0) + one["p"]
    return list(kept.items())


def symbol_counts(
    at: Cell,
    symbols: Mapping[Cell, Sequence[Seen]],
    scored: Callable[[Mapping[Cell, Seen]], Breakdown],
) -> bool:
    """Whether this cell's symbol can change anything, whatever the other unsure symbols turn out to be.

    A ray wants one symbol all along: if it makes no difference here where every other unsure cell shows
    that symbol, it never will.
    """
    for mark in ("sun", "moon"):
        agreeing = {
            cell: next((one for one in same if one.mark == mark), same[0]) for cell, same in symbols.items()
        }
        outcomes = {
            tuple(
                (item.kind, item.cells, item.points)
                for item in scored({**agreeing, at: one}).items
                if item.points or item.value is not None  # else it only tells why it does not count
            )
            for one in symbols[at]
        }
        if len(outcomes) > 1:
            return True
    return False


def marks_matter(table: Table) -> bool:
    """Whether suns and moons count in the variant being played."""
    options = table.options
    return table.game == "mipasuje" and (
        options.get("scoring", "base") != "base" or options.get("placement") == "sun-moon"
    )


def standing_corrections(row: BoardRow | None) -> dict[Cell, Correction]:
    """The last correction of each cell that belongs to the present photograph and was not taken back."""
    if row is None:
        return {}
    return {
        (one.a, one.b): one for one in row.corrections if one.undone is None and one.photo_id == row.photo_id
    }


def make_board(
    game: Game[Any, Any],
    layout: str,
    size: tuple[int, int] | None,
    cells: Mapping[Cell, Entry],
    aside: Sequence[str],
    edition: str | None = None,
    order: Sequence[Sequence[int]] = (),
) -> Board[Any]:
    data: dict[str, Any] = {
        "game": game.id,
        "cells": [
            {"at": list(cell), "tile": entry.tile, **({"mark": entry.mark} if entry.mark else {})}
            for cell, entry in cells.items()
        ],
    }
    if layout:
        data["board"] = layout
    if size:
        data["size"] = list(size)
    if aside:
        data["aside"] = list(aside)
    if edition:
        data["edition"] = edition
    if order:
        data["order"] = [list(cell) for cell in order]
    return game.parse_board(data)


def check_entry(table: Table, sheet: Sheet, at: Cell, tile: str, mark: str | None, reach: int) -> None:
    """Raises `Malformed` when no such tile can be entered there."""
    game = GAMES[table.game]
    if max(abs(at[0]), abs(at[1])) > reach:
        raise Malformed("off-board", "that cell is too far away", "at")
    make_board(game, sheet.layout, sheet.size, {at: Entry(tile, mark)}, (), table.edition)


def known_marks(shown: TableView) -> dict[str, str]:
    """The symbol each tile carries, as seen anywhere at this table: every player's set is printed alike."""
    return {
        entry.tile: entry.mark
        for one in shown.rounds
        for sheet in one.sheets
        for entry in sheet.cells.values()
        if entry.mark
    }


def next_caller(table: Table) -> Seat | None:
    """Each player calls once, in seat order."""
    return table.seats[len(table.rounds) % len(table.seats)] if table.seats else None


def as_cell(at: Sequence[int]) -> Cell:
    return (int(at[0]), int(at[1]))


def as_size(size: Sequence[int] | None) -> tuple[int, int] | None:
    return (int(size[0]), int(size[1])) if size else None
