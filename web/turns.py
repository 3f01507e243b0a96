"""Turn by turn: exchange, take back and bring back, two turns in one photo, the last tile, the tokens."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scoring.core import Cell
from web.auth import Access, access
from web.boards import asked_cell, sheet_of
from web.play import Sheet, TableView, turns_played, view_table
from web.storage.current import db
from web.storage.desk_models import UndoneTurn
from web.storage.models import BoardRow, Correction, Round, now
from web.tables import settings, turn_next
from web.turn_view import Panel, panel, redoable, token_findings, trio_full
from web.wording import Wording

pages = Blueprint("turns", __name__, url_prefix="/tables/<key>/turns")

KEPT = (
    "seat_id",
    "turn",
    "photo_id",
    "reading",
    "problem",
    "corners",
    "complete",
    "last_tile",
    "agreed",
    "order",
)
MOST_TOKENS = 1000


@pages.app_template_global()
def turn_panel(shown: TableView, sheet: Sheet) -> Panel:
    return panel(shown, sheet)


@pages.app_template_global()
def can_redo(shown: TableView) -> bool:
    return redoable(db(), shown.table, len(shown.current.sheets)) is not None


@pages.app_template_global()
def all_tiles_lie(shown: TableView) -> bool:
    return trio_full(shown)


def playing(key: str) -> tuple[Access, TableView, Round]:
    there = access(db(), key, whole=True)
    shown = view_table(there.table)
    if not shown.game.by_turns:
        abort(404)
    return there, shown, there.table.rounds[0]


def done(key: str) -> ResponseReturnValue:
    return redirect(url_for("tables.show", key=key), 303)


@pages.post("/exchange")
def exchange(key: str) -> ResponseReturnValue:
    """The next player places nothing and scores nothing."""
    there, shown, round_ = playing(key)
    seat = turn_next(shown) or abort(409, _("The game is over."))
    there.need_seat(seat)
    if shown.game.id == "trio":
        abort(409, _("In Trio every turn places a tile."))
    if not shown.current.sheets:
        abort(409, _("The game opens with a line, not with an exchange."))
    if len(round_.boards) >= settings().boards_per_round:
        abort(409, _("This table is full."))
    round_.boards.append(BoardRow(seat_id=seat.id, seat=seat, turn=len(round_.boards) + 1, complete=True))
    there.table.touch()
    db().commit()
    return done(key)


@pages.post("/undo")
def undo(key: str) -> ResponseReturnValue:
    """Take the last turn back; it can be brought back as long as nothing is played in its place."""
    there, _shown, round_ = playing(key)
    if not round_.boards:
        abort(409, _("No turn has been played."))
    row = round_.boards[-1]
    there.need_seat(row.seat)
    if row.awaiting:
        abort(409, _("The photo is still being read."))
    kept: dict[str, Any] = {name: getattr(row, name) for name in KEPT}
    kept["corrections"] = [
        {"a": one.a, "b": one.b, "tile": one.tile, "mark": one.mark, "who": one.who, "photo_id": one.photo_id}
        for one in row.corrections
        if one.undone is None
    ]
    db().add(UndoneTurn(table_id=there.table.id, turn=kept, who=there.who))
    round_.boards.remove(row)
    there.table.finished = False
    there.table.touch()
    db().commit()
    return done(key)


@pages.post("/redo")
def redo(key: str) -> ResponseReturnValue:
    there, shown, round_ = playing(key)
    last = redoable(db(), there.table, len(shown.current.sheets))
    if last is None:
        abort(409, _("There is no turn to bring back."))
    seat = next(one for one in there.table.seats if one.id == last.turn["seat_id"])
    there.need_seat(seat)
    row = BoardRow(seat=seat, **{name: last.turn[name] for name in KEPT})
    row.corrections = [Correction(**one) for one in last.turn["corrections"]]
    round_.boards.append(row)
    db().delete(last)
    there.table.touch()
    db().commit()
    return redirect(url_for("boards.show", key=key, board_id=row.id), 303)


@pages.post("/<int:turn>/split")
def split(key: str, turn: int) -> ResponseReturnValue:
    """Two turns in one photo: the chosen tiles were this player's, the others the next one's."""
    there, shown, round_ = playing(key)
    row = next((one for one in round_.boards if one.turn == turn), None) or abort(404)
    there.need_seat(row.seat)
    sheet = sheet_of(shown, row)
    first = [asked_cell(text) for text in request.form.get("cells", "").split()]
    if not first or not set(first) < set(sheet.fresh) or len(round_.boards) >= settings().boards_per_round:
        abort(422, _("Choose some of the new tiles, not all of them."))
    _make_room(there, shown, round_, turn)
    own = BoardRow(seat_id=0, turn=turn, complete=True)
    own.corrections = [
        Correction(a=a, b=b, tile=sheet.cells[a, b].tile, mark=None, who=there.who) for a, b in first
    ]
    own.seat = _seat_at(there, shown, turn)
    round_.boards.append(own)
    there.table.touch()
    db().commit()
    return redirect(url_for("boards.show", key=key, board_id=row.id), 303)


def _make_room(there: Access, shown: TableView, round_: Round, turn: int) -> None:
    """Everything from this turn on moves up by one, and to the player whose turn it then was."""
    later = [one for one in round_.boards if one.turn >= turn]
    # Two steps: the database lets no two rows stand in one place, not even in passing.
    for one in later:
        one.turn = -one.turn
    db().flush()
    for one in later:
        one.turn = 1 - one.turn
        one.seat = _seat_at(there, shown, one.turn)
        one.changed = now()
    db().flush()
    round_.boards.sort(key=lambda one: one.turn)


def _seat_at(there: Access, shown: TableView, turn: int) -> Any:
    sheets = shown.current.sheets
    start = len(sheets) - turns_played(shown.game, sheets)
    return there.table.seats[max(0, turn - 1 - start) % len(there.table.seats)]


@pages.post("/<int:turn>/last")
def last_tile(key: str, turn: int) -> ResponseReturnValue:
    """Qwirkle: this turn played the last tile, six points more and the end; or not after all."""
    there, shown, round_ = playing(key)
    row = next((one for one in round_.boards if one.turn == turn), None) or abort(404)
    there.need_seat(row.seat)
    if shown.game.id != "qwirkle" or row is not round_.boards[-1]:
        abort(409, _("Only the last turn can end the game."))
    row.last_tile = request.form.get("again") != "1"
    there.table.finished = row.last_tile
    there.table.touch()
    db().commit()
    return done(key)


@pages.get("/tokens")
def tokens(key: str) -> str:
    """Trio: whether the players' tokens are worth what the table shows."""
    there, shown, _round = playing(key)
    if shown.game.id != "trio":
        abort(404)
    given = {seat.id: request.args.get(f"tokens-{seat.id}", "") for seat in there.table.seats}
    numbers = [int(text) for text in given.values() if text.isdecimal() and int(text) <= MOST_TOKENS]
    checked = len(numbers) == len(given)
    off: list[tuple[Any, int, int]] = []
    if checked:
        off = [
            (seat, int(given[seat.id]), shown.totals[seat.id])
            for seat in there.table.seats
            if int(given[seat.id]) != shown.totals[seat.id]
        ]
    return render_template(
        "tokens.html",
        there=there,
        table=there.table,
        view=shown,
        given=given,
        checked=checked,
        findings=token_findings(shown, sum(numbers)) if checked else (),
        off=off,
        wording=Wording(shown),
    )


def cells_text(cells: tuple[Cell, ...]) -> str:
    return " ".join(f"{a},{b}" for a, b in cells)


pages.add_app_template_filter(cells_text)
