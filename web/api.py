"""The same actions for programs: JSON under `/api/v1`, with a bearer key instead of a cookie."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, abort, current_app, jsonify, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from sqlalchemy import select
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import TooManyRequests

from scoring.core import Malformed
from scoring.game import checked_cell
from scoring.registry import GAMES
from web.auth import Access, WrongCodes, access, bearer_signer, device, seat_of, tidy_code
from web.boards import changeable, correct_cell, round_of, sheet_of, start_board, undo_last
from web.exports import sheet_json, table_json
from web.forms import read_setup
from web.photos import sent_photo, take_in
from web.play import view_table
from web.storage.current import db
from web.storage.models import BoardRow, Member, Round, Table
from web.tables import game_or_404, settings, start_table, turn_next

pages = Blueprint("api", __name__, url_prefix="/api/v1")


def body() -> dict[str, Any]:
    data = request.get_json(silent=True)
    return data if isinstance(data, dict) else abort(400, _("Send a JSON object."))


def text_of(data: dict[str, Any], key: str) -> str:
    value = data.get(key, "")
    return value if isinstance(value, str) else abort(400, f"{key}: must be text")


def new_member(table: Table, *, host: bool) -> tuple[Member, str]:
    """A fresh bearer key for one table, unless the caller brought one."""
    who = device() or secrets.token_urlsafe(24)
    member = db().scalar(select(Member).where(Member.device == who, Member.table_id == table.id))
    if member is None:
        member = Member(device=who, table=table, host=host)
        db().add(member)
        db().flush()
    return member, str(bearer_signer().dumps(who))


@pages.get("/games")
def games() -> ResponseReturnValue:
    return jsonify(
        games=[
            {
                "id": game.id,
                "title": game.title,
                "players": [min(game.players), max(game.players)],
                "by_turns": game.by_turns,
            }
            for game in GAMES.values()
        ]
    )


@pages.post("/tables")
def open_table() -> ResponseReturnValue:
    data = body()
    game = game_or_404(text_of(data, "game"))
    form: MultiDict[str, str] = MultiDict()
    for player in data.get("players", []) if isinstance(data.get("players"), list) else []:
        if isinstance(player, str):
            form.add("name", player)
    options = data.get("options", {})
    try:
        setup = read_setup(game, form, settings())
        game.parse_options(options)
        layout = data.get("board", setup.layout)
        game.parse_board({"cells": [], **({"board": layout} if layout else {})})
    except Malformed as error:
        abort(422, str(error))
    rounds = data.get("rounds", setup.rounds)
    if not isinstance(rounds, int) or isinstance(rounds, bool) or not 1 <= rounds <= settings().rounds:
        abort(422, f"rounds: must be 1 to {settings().rounds}")
    table = start_table(game.id, layout or "", setup.size, options or setup.options, rounds, setup.players)
    _member, key = new_member(table, host=True)
    db().commit()
    return jsonify(
        key=key, code=table.code, join=url_for("home.choose_seat", token=table.token), **shown(table)
    ), 201


@pages.post("/join")
def join_table() -> ResponseReturnValue:
    codes: WrongCodes = current_codes()
    address = request.remote_addr or ""
    if wait := codes.wait(address):
        raise TooManyRequests(retry_after=wait)
    data = body()
    code = tidy_code(text_of(data, "code"))
    table = db().scalar(select(Table).where(Table.code == code)) if code else None
    if table is None:
        codes.wrong(address)
        abort(404)
    codes.right(address)
    member, key = new_member(table, host=False)
    seat = data.get("seat")
    if isinstance(seat, int):
        member.seat = seat_of(Access(table, member), seat)
    table.touch()
    db().commit()
    return jsonify(key=key, **shown(table)), 201


def current_codes() -> WrongCodes:
    found: WrongCodes = current_app.extensions["kibic_wrong_codes"]
    return found


def shown(table: Table) -> dict[str, Any]:
    return table_json(view_table(table))


def board_answer(there: Access, row: BoardRow) -> ResponseReturnValue:
    view = view_table(there.table)
    around = next(one for one in view.rounds if one.row.id == row.round_id)
    return jsonify(sheet_json(view, around, sheet_of(view, row)))


@pages.get("/tables/<key>")
def show(key: str) -> ResponseReturnValue:
    return jsonify(shown(access(db(), key, whole=True).table))


@pages.post("/tables/<key>/rounds")
def next_round(key: str) -> ResponseReturnValue:
    there = access(db(), key, whole=True)
    there.need_host()
    view = view_table(there.table)
    if view.game.by_turns or not view.current.complete or len(view.rounds) >= there.table.rounds_planned:
        abort(409, _("This round is not finished yet."))
    there.table.rounds.append(Round(number=len(there.table.rounds) + 1, caller_id=None))
    there.table.touch()
    db().commit()
    return jsonify(shown(there.table)), 201


@pages.put("/tables/<key>/rounds/<int:number>/seats/<int:seat_id>/board")
def put_board(key: str, number: int, seat_id: int) -> ResponseReturnValue:
    """A whole board by hand: `{"cells": [{"at", "tile", "mark"?}, …]}`; replaces what lies there."""
    there = access(db(), key, whole=True)
    seat = seat_of(there, seat_id)
    there.need_seat(seat)
    turn = turn_next(view_table(there.table))
    if turn is not None and turn.id != seat.id:
        abort(409, _("It is %(name)s's turn.", name=turn.name))
    row = start_board(there, round_of(there, number), seat)
    view = view_table(there.table)
    sheet = sheet_of(view, row)
    try:
        side = {"board": sheet.layout} if sheet.layout else {}
        size = {"size": list(sheet.size)} if sheet.size else {}
        board = view.game.parse_board({**body(), **side, **size})
    except Malformed as error:
        abort(422, str(error))
    wanted = {tuple(cell["at"]): cell for cell in view.game.board_json(board)["cells"]}
    for cell in [*sheet.cells]:
        if cell not in wanted:
            correct_cell(there, row, cell, None, None)
    for cell, entry in wanted.items():
        lies = sheet.cells.get(cell)
        if lies is None or (lies.tile, lies.mark) != (entry["tile"], entry.get("mark")):
            correct_cell(there, row, cell, entry["tile"], entry.get("mark"))
    row.complete = True
    db().commit()
    return board_answer(there, row)


@pages.post("/tables/<key>/rounds/<int:number>/seats/<int:seat_id>/photo")
def put_photo(key: str, number: int, seat_id: int) -> ResponseReturnValue:
    """A photograph as multipart field `photo`; 202, and the board says `reading` until it is read."""
    there = access(db(), key, whole=True)
    seat = seat_of(there, seat_id)
    there.need_seat(seat)
    round_of(there, number)
    board_id = take_in(there, seat, number, None, sent_photo())
    return jsonify(id=board_id, board=url_for("api.show_board", key=key, board_id=board_id)), 202


@pages.get("/tables/<key>/boards/<int:board_id>")
def show_board(key: str, board_id: int) -> ResponseReturnValue:
    there = access(db(), key, whole=True)
    row = next((one for round_ in there.table.rounds for one in round_.boards if one.id == board_id), None)
    return board_answer(there, row) if row is not None else abort(404)


@pages.post("/tables/<key>/boards/<int:board_id>/corrections")
def correct(key: str, board_id: int) -> ResponseReturnValue:
    there, row = changeable(key, board_id)
    data = body()
    try:
        at = checked_cell(data.get("at"), "at")
    except Malformed as error:
        abort(422, str(error))
    correct_cell(there, row, at, text_of(data, "tile") or None, text_of(data, "mark") or None)
    db().commit()
    return board_answer(there, row)


@pages.delete("/tables/<key>/boards/<int:board_id>/corrections/last")
def undo(key: str, board_id: int) -> ResponseReturnValue:
    there, row = changeable(key, board_id)
    undo_last(there, row)
    db().commit()
    return board_answer(there, row)
