"""A board: the photograph with what was read on it, one tap to correct, and every point with its reason."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scoring.core import Board, Cell, Malformed
from scoring.mipasuje.best import best
from scoring.mipasuje.layouts import LAYOUTS
from scoring.mipasuje.tiles import HexTile
from scoring.registry import GAMES
from web.auth import Access, access, board_of, seat_of
from web.play import (
    Entry,
    RoundView,
    Sheet,
    TableView,
    check_entry,
    known_marks,
    make_board,
    marks_matter,
    view_table,
)
from web.storage.current import db
from web.storage.models import BoardRow, Correction, Round, Seat, Table, now
from web.tables import etag, not_modified, settings, tagged, turn_next
from web.teaching_corrections import learn_from
from web.teaching_store import taught_tiles
from web.wording import Wording

pages = Blueprint("boards", __name__, url_prefix="/tables/<key>")

ASIDE_MOST = 3
"""Valve variant 4: 21 tiles are called, 18 are placed."""


def sheet_of(shown: TableView, row: BoardRow) -> Sheet:
    return next(sheet for one in shown.rounds for sheet in one.sheets if sheet.row is row)


def page_data(there: Access, row: BoardRow) -> dict[str, Any]:
    shown = view_table(there.table)
    sheet = sheet_of(shown, row)
    around = next(one for one in shown.rounds if one.row.id == row.round_id)
    look = shown.look
    cells = look.cells(sheet.layout, sheet.size, sheet.cells)
    empty = [cell for cell in cells if cell not in sheet.cells]
    corrections = [one for one in row.corrections if one.photo_id == row.photo_id]
    return {
        "there": there,
        "table": there.table,
        "view": shown,
        "round": around,
        "sheet": sheet,
        "breakdown": around.breakdowns.get(row.seat_id, sheet.breakdown),
        "look": look,
        "cells": cells,
        "next_empty": empty[0] if empty and not look.open and row.reading is None else None,
        "corrections": list(reversed(corrections)),
        "next_seat": next_seat(there, around) if sheet.done else None,
        "best_known": sheet.done and can_have_best(there.table, sheet),
        "aside": [shown.game.tile_name(tile) for tile in sheet.board.aside]
        if takes_aside(there.table)
        else None,
        "aside_most": ASIDE_MOST,
        "tag": etag(there),
        "undoable": any(one.undone is None for one in corrections),
        "may": there.may_act_for(row.seat),
        "wording": Wording(shown),
        "photo_url": url_for("photos.show", key=there.table.key, photo_id=row.photo_id)
        if row.photo_id
        else None,
    }


def next_seat(there: Access, around: RoundView) -> Seat | None:
    """Whose board comes next on this phone: one phone may go around the whole table."""
    waiting = (sheet.seat for sheet in around.sheets if sheet.state == "none")
    return next((seat for seat in waiting if there.may_act_for(seat)), None)


def can_have_best(table: Table, sheet: Sheet) -> bool:
    """Whether the best board with these tiles is known: a full standard board of different basic tiles."""
    names = {entry.tile for entry in sheet.cells.values()}
    full = sheet.layout == "standard" and len(names) == len(sheet.cells) == len(LAYOUTS["standard"].cells)
    return table.game == "mipasuje" and full and not any("*" in name for name in names)


@lru_cache(maxsize=64)
def best_with(names: frozenset[str]) -> tuple[int, Board[HexTile]]:
    game = GAMES["mipasuje"]
    return best(tuple(game.parse_tile(name, "tile") for name in sorted(names)))


def start_board(there: Access, round_: Round, seat: Seat) -> BoardRow:
    """This player's board of the round; in games scored by turns a new one for each turn."""
    shown = view_table(there.table)
    if shown.game.by_turns:
        if len(round_.boards) >= settings().boards_per_round:
            abort(409, _("This table is full."))
        row = BoardRow(seat_id=seat.id, turn=len(round_.boards) + 1, seat=seat)
    else:
        row = next((one for one in round_.boards if one.seat_id == seat.id), None) or BoardRow(
            seat_id=seat.id, turn=0, seat=seat
        )
    if row not in round_.boards:
        round_.boards.append(row)
    db().flush()
    return row


def round_of(there: Access, number: int) -> Round:
    return next((one for one in there.table.rounds if one.number == number), None) or abort(404)


@pages.post("/rounds/<int:number>/seats/<int:seat_id>/board")
def by_hand(key: str, number: int, seat_id: int) -> ResponseReturnValue:
    """No photograph: fill the board in with the picker."""
    there = access(db(), key, whole=True)
    seat = seat_of(there, seat_id)
    there.need_seat(seat)
    shown = view_table(there.table)
    if (turn := turn_next(shown)) is not None and turn.id != seat.id:
        abort(409, _("It is %(name)s's turn.", name=turn.name))
    row = start_board(there, round_of(there, number), seat)
    there.table.touch()
    db().commit()
    return redirect(url_for("boards.show", key=key, board_id=row.id), 303)


@pages.get("/boards/<int:board_id>")
def show(key: str, board_id: int) -> str:
    there = access(db(), key, whole=True)
    return render_template("board.html", **page_data(there, board_of(there, board_id)))


@pages.get("/boards/<int:board_id>/live")
def live(key: str, board_id: int) -> ResponseReturnValue:
    there = access(db(), key)
    tag = etag(there)
    if tag in request.if_none_match:
        return not_modified(tag)
    there = access(db(), key, whole=True)
    return tagged(render_template("_board.html", **page_data(there, board_of(there, board_id))), tag)


@pages.get("/boards/<int:board_id>/cell")
def picker(key: str, board_id: int) -> str:
    """One cell enlarged: what it may be, and the rows through it with what each earns and why."""
    there = access(db(), key, whole=True)
    row = board_of(there, board_id)
    data = page_data(there, row)
    at = asked_cell(request.args.get("at", ""))
    sheet: Sheet = data["sheet"]
    seen = next((one for one in (sheet.reading or {}).get("cells", ()) if tuple(one["at"]) == at), None)
    doubt = next((one for one in sheet.doubts if one.at == at), None)
    if doubt is not None:
        likely = {(one.tile, one.mark): one.p for one in doubt.alternatives}
    elif seen:
        likely = {(seen["tile"], seen.get("mark")): seen["p"]}
        for one in seen.get("alternatives", ()):
            likely.setdefault((one["tile"], one.get("mark")), one["p"])
    else:
        likely = {}
    through = [item for item in data["breakdown"].items if at in item.cells]
    history = [one for one in data["corrections"] if (one.a, one.b) == at]
    marks = marks_matter(there.table)
    return render_template(
        "_picker.html" if "HX-Request" in request.headers else "cell.html",
        at=at,
        likely=[(tile, mark, p) for (tile, mark), p in likely.items()],
        known=known_marks(data["view"]) if marks else {},
        through=through,
        history=history,
        tiles=taught_tiles(there.table) or data["look"].tiles(sheet.layout),
        marks=marks,
        used={entry.tile for cell, entry in sheet.cells.items() if cell != at},
        **data,
    )


@pages.get("/boards/<int:board_id>/best")
def best_page(key: str, board_id: int) -> str:
    """What these tiles could have made at best in base scoring, and a board that makes it."""
    there = access(db(), key, whole=True)
    data = page_data(there, board_of(there, board_id))
    sheet: Sheet = data["sheet"]
    if not can_have_best(there.table, sheet):
        abort(409, _("The best board is known for a full standard board of different basic tiles."))
    most, board = best_with(frozenset(entry.tile for entry in sheet.cells.values()))
    game = data["view"].game
    made = game.score(sheet.board, game.parse_options({})).total
    ideal = replace(
        sheet,
        cells={cell: Entry(game.tile_name(tile), None) for cell, tile in board.cells.items()},
        polygons={},
        doubts=(),
        fresh=(),
    )
    items = [item for item in game.score(board, game.parse_options({})).items if item.points]
    return render_template(
        "_best.html" if "HX-Request" in request.headers else "best.html",
        most=most,
        made=made,
        ideal=ideal,
        items=items,
        **data,
    )


def asked_cell(text: str) -> Cell:
    first, comma, second = text.partition(",")
    try:
        at = (int(first), int(second))
    except ValueError:
        abort(400)
    if not comma or max(abs(at[0]), abs(at[1])) > settings().cell_reach:
        abort(400)
    return at


def answer(key: str, there: Access, row: BoardRow) -> ResponseReturnValue:
    """After a change: the board's fragment for htmx, its page for everybody else."""
    if "HX-Request" in request.headers:
        there = access(db(), key, whole=True)
        data = page_data(there, board_of(there, row.id))
        return tagged(render_template("_board.html", **data), data["tag"])
    return redirect(url_for("boards.show", key=key, board_id=row.id), 303)


def changeable(key: str, board_id: int) -> tuple[Access, BoardRow]:
    there = access(db(), key, whole=True)
    row = board_of(there, board_id)
    there.need_seat(row.seat)
    if row.awaiting:
        abort(409, _("The photo is still being read."))
    return there, row


@pages.post("/boards/<int:board_id>/cell")
def correct(key: str, board_id: int) -> ResponseReturnValue:
    there, row = changeable(key, board_id)
    at = asked_cell(request.form.get("at", ""))
    tile, mark = request.form.get("tile", ""), request.form.get("mark", "")
    if mark == "known":
        mark = known_marks(view_table(there.table)).get(tile, "")
    if "choice" in request.form:  # a suggestion brings its symbol along
        tile, _bar, mark = request.form["choice"].partition("|")
    correct_cell(there, row, at, tile or None, mark or None)
    db().commit()
    learn_from(there.table, row, at)
    return answer(key, there, row)


def correct_cell(there: Access, row: BoardRow, at: Cell, tile: str | None, mark: str | None) -> Correction:
    """Keep what a person says lies there; also when it is what was read: then the doubt is settled."""
    if len(row.corrections) >= settings().corrections_per_board:
        abort(409, _("This board has been corrected too often."))
    if max(abs(at[0]), abs(at[1])) > settings().cell_reach:
        abort(422, _("That cell is too far away."))
    if tile is not None:
        try:
            check_entry(
                there.table, sheet_of(view_table(there.table), row), at, tile, mark, settings().cell_reach
            )
        except Malformed as error:
            abort(422, str(error))
    correction = Correction(
        a=at[0], b=at[1], tile=tile, mark=mark if tile else None, who=there.who, photo_id=row.photo_id
    )
    row.corrections.append(correction)
    row.changed = now()
    there.table.touch()
    return correction


@pages.post("/boards/<int:board_id>/as-read")
def as_read(key: str, board_id: int) -> ResponseReturnValue:
    """Somebody looked: every doubted tile is what it was taken for."""
    there, row = changeable(key, board_id)
    settle_as_read(there, row)
    db().commit()
    return answer(key, there, row)


def settle_as_read(there: Access, row: BoardRow) -> None:
    for doubt in sheet_of(view_table(there.table), row).doubts:
        likeliest = doubt.alternatives[0]
        correct_cell(there, row, doubt.at, likeliest.tile, likeliest.mark)


@pages.post("/boards/<int:board_id>/undo")
def undo(key: str, board_id: int) -> ResponseReturnValue:
    """Take back the latest correction that still stands."""
    there, row = changeable(key, board_id)
    undo_last(there, row)
    db().commit()
    return answer(key, there, row)


def undo_last(there: Access, row: BoardRow) -> Correction | None:
    standing = [one for one in row.corrections if one.undone is None and one.photo_id == row.photo_id]
    if not standing:
        return None
    last = standing[-1]
    last.undone = now()
    last.undone_by = there.who
    row.changed = now()
    there.table.touch()
    return last


@pages.post("/boards/<int:board_id>/complete")
def complete(key: str, board_id: int) -> ResponseReturnValue:
    """That's all: nothing more lies on this board (or it goes on after all)."""
    there, row = changeable(key, board_id)
    set_complete(there, row, request.form.get("again") != "1", request.form.get("last_tile") == "1")
    db().commit()
    if row.complete and "HX-Request" not in request.headers:
        return redirect(url_for("tables.show", key=key), 303)
    return answer(key, there, row)


def set_complete(there: Access, row: BoardRow, complete: bool, last_tile: bool) -> None:
    row.complete = complete
    row.last_tile = there.table.game == "qwirkle" and last_tile
    row.changed = now()
    there.table.touch()


@pages.post("/boards/<int:board_id>/aside")
def set_aside(key: str, board_id: int) -> ResponseReturnValue:
    there, row = changeable(key, board_id)
    keep_aside(there, row, [name for name in request.form.getlist("tile")[:10] if name])
    db().commit()
    return answer(key, there, row)


def keep_aside(there: Access, row: BoardRow, names: list[str]) -> None:
    """The tiles on the valve symbol, as a person names them."""
    sheet = sheet_of(view_table(there.table), row)
    if not takes_aside(there.table):
        abort(409, _("In this variant no tiles are set aside."))
    try:
        make_board(GAMES[there.table.game], sheet.layout, sheet.size, {}, names)
    except Malformed as error:
        abort(422, str(error))
    if len(names) > ASIDE_MOST:
        abort(422, _("At most three tiles are set aside."))
    row.aside = names
    row.changed = now()
    there.table.touch()


def takes_aside(table: Table) -> bool:
    return table.game == "mipasuje" and table.options.get("valve") == 4


@pages.post("/boards/<int:board_id>/clear")
def clear(key: str, board_id: int) -> ResponseReturnValue:
    there, row = changeable(key, board_id)
    clear_board(there, row)
    db().commit()
    return redirect(url_for("tables.show", key=key), 303)


def clear_board(there: Access, row: BoardRow) -> None:
    """Start this board over. Only the last turn can be taken off a table that is scored by turns."""
    if row.turn and row.turn != max(one.turn for one in row.round.boards):
        abort(409, _("Only the last turn can be taken back."))
    round_ = row.round
    round_.boards.remove(row)
    there.table.touch()
