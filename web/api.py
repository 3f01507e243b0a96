"""The same actions for programs: JSON under `/api/v1`, with a bearer key instead of a cookie.

What each answers is written down in `openapi.json`, which is served beside them.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, request, send_file, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from sqlalchemy import select
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import TooManyRequests

from scoring.core import Malformed
from scoring.game import checked_cell
from scoring.registry import GAMES
from web.auth import Access, WrongCodes, access, bearer_signer, board_of, device, seat_of, tidy_code
from web.boards import (
    best_with,
    can_have_best,
    changeable,
    clear_board,
    correct_cell,
    keep_aside,
    round_of,
    set_complete,
    settle_as_read,
    sheet_of,
    start_board,
    undo_last,
)
from web.exports import sheet_json, table_json
from web.forms import read_setup
from web.grids import checked_corners
from web.photos import read_again, sent_photo, take_in
from web.play import view_table
from web.storage.current import db
from web.storage.models import BoardRow, Member, Table
from web.tables import (
    add_round,
    etag,
    game_or_404,
    not_modified,
    plan_rounds,
    remove,
    rename,
    settings,
    start_table,
    turn_next,
)

pages = Blueprint("api", __name__, url_prefix="/api/v1")

OPENAPI = Path(__file__).parent / "openapi.json"


@pages.get("/openapi.json")
def description() -> Response:
    return send_file(OPENAPI, mimetype="application/json")


def body() -> dict[str, Any]:
    data = request.get_json(silent=True)
    return data if isinstance(data, dict) else abort(400, _("Send a JSON object."))


def text_of(data: dict[str, Any], key: str) -> str:
    value = data.get(key) or ""
    return value if isinstance(value, str) else abort(422, f"{key}: must be text")


def yes_or_no(data: dict[str, Any], key: str, otherwise: bool) -> bool:
    value = data.get(key, otherwise)
    return value if isinstance(value, bool) else abort(422, f"{key}: must be true or false")


def whole_number(data: dict[str, Any], key: str, otherwise: int, most: int) -> int:
    value = data.get(key, otherwise)
    fits = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
    return int(value) if fits else abort(422, f"{key}: must be 1 to {most}")


def new_member(table: Table, *, host: bool) -> tuple[Member, str]:
    """A fresh bearer key for one table, unless the caller brought one."""
    who = device() or secrets.token_urlsafe(24)
    member = db().scalar(select(Member).where(Member.device == who, Member.table_id == table.id))
    if member is None:
        member = Member(device=who, table=table, host=host)
        db().add(member)
        db().flush()
    return member, str(bearer_signer().dumps(who))


def shown(table: Table) -> dict[str, Any]:
    return table_json(view_table(table))


def board_answer(there: Access, row: BoardRow) -> Response:
    view = view_table(there.table)
    around = next(one for one in view.rounds if one.row.id == row.round_id)
    return jsonify(sheet_json(view, around, sheet_of(view, row)))


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
    players = data.get("players", [])
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        abort(422, "players: must be a list of names")
    for name in players:
        form.add("name", name)
    options = data.get("options", {})
    try:
        setup = read_setup(game, form, settings())
        game.parse_options(options)
        layout = data.get("board", setup.layout)
        size = data.get("size", setup.size)
        sides = {**({"board": layout} if layout else {}), **({"size": size} if size else {})}
        game.parse_board({"cells": [], **sides})
    except Malformed as error:
        abort(422, str(error))
    rounds = whole_number(data, "rounds", setup.rounds, settings().rounds)
    table = start_table(game.id, layout or "", size, options or setup.options, rounds, setup.players)
    _member, key = new_member(table, host=True)
    db().commit()
    joining = url_for("home.choose_seat", token=table.token)
    return jsonify(key=key, code=table.code, join=joining, **shown(table)), 201


@pages.post("/join")
def join_table() -> ResponseReturnValue:
    codes: WrongCodes = current_app.extensions["kibic_wrong_codes"]
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
    if data.get("seat") is not None:
        member.seat = seat_of(Access(table, member), whole_number(data, "seat", 0, 2**31))
    table.touch()
    db().commit()
    return jsonify(key=key, **shown(table)), 201


@pages.get("/tables/<key>")
def show(key: str) -> ResponseReturnValue:
    """The whole table; ask with If-None-Match and get an empty 304 while nothing has changed."""
    tag = etag(access(db(), key))
    if tag in request.if_none_match:
        return not_modified(tag)
    answer = jsonify(shown(access(db(), key, whole=True).table))
    answer.set_etag(tag)
    return answer


@pages.patch("/tables/<key>")
def change(key: str) -> ResponseReturnValue:
    """Rename players, change their colours, plan rounds, finish or reopen."""
    there = access(db(), key, whole=True)
    there.need_host()
    data = body()
    seats = data.get("seats", [])
    if not isinstance(seats, list) or not all(isinstance(one, dict) for one in seats):
        abort(422, "seats: must be a list of objects")
    ids = [seat_of(there, whole_number(one, "id", 0, 2**31)).id for one in seats]
    rename(
        there,
        {number: text_of(one, "name") for number, one in zip(ids, seats, strict=True)},
        {number: text_of(one, "colour") for number, one in zip(ids, seats, strict=True)},
    )
    if "rounds" in data:
        plan_rounds(there.table, whole_number(data, "rounds", 1, settings().rounds))
    there.table.finished = yes_or_no(data, "finished", there.table.finished)
    db().commit()
    return jsonify(shown(there.table))


@pages.delete("/tables/<key>")
def delete(key: str) -> ResponseReturnValue:
    remove(access(db(), key))
    return "", 204


@pages.put("/tables/<key>/seat")
def sit_down(key: str) -> ResponseReturnValue:
    there = access(db(), key, whole=True)
    data = body()
    chosen = data.get("seat")
    there.member.seat = seat_of(there, whole_number(data, "seat", 0, 2**31)) if chosen is not None else None
    there.table.touch()
    db().commit()
    return jsonify(shown(there.table))


@pages.post("/tables/<key>/rounds")
def next_round(key: str) -> ResponseReturnValue:
    there = access(db(), key, whole=True)
    add_round(there)
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
    if row.awaiting:
        abort(409, _("The photo is still being read."))
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
    if board.aside:
        keep_aside(there, row, [view.game.tile_name(tile) for tile in board.aside])
    set_complete(there, row, True, yes_or_no(body(), "last_tile", False))
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
    return board_answer(there, board_of(there, board_id))


@pages.delete("/tables/<key>/boards/<int:board_id>")
def start_over(key: str, board_id: int) -> ResponseReturnValue:
    there, row = changeable(key, board_id)
    clear_board(there, row)
    db().commit()
    return "", 204


@pages.patch("/tables/<key>/boards/<int:board_id>")
def change_board(key: str, board_id: int) -> ResponseReturnValue:
    """`complete`, `last_tile` (Qwirkle), `aside` (Mi pasuje!, valve 4), `as_read`: settle every doubt."""
    there, row = changeable(key, board_id)
    data = body()
    if yes_or_no(data, "as_read", False):
        settle_as_read(there, row)
    if "aside" in data:
        names = data["aside"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            abort(422, "aside: must be a list of tiles")
        keep_aside(there, row, names)
    if "complete" in data or "last_tile" in data:
        complete, last_tile = (
            yes_or_no(data, name, getattr(row, name)) for name in ("complete", "last_tile")
        )
        set_complete(there, row, complete, last_tile)
    db().commit()
    return board_answer(there, row)


@pages.put("/tables/<key>/boards/<int:board_id>/grid")
def place_grid(key: str, board_id: int) -> ResponseReturnValue:
    """Read the photo again, between `corners` (photo pixels, clockwise), or without any: as at first."""
    there, row = changeable(key, board_id)
    spots = body().get("corners")
    read_again(there, row, checked_corners(row, spots) if spots is not None else None)
    return jsonify(id=board_id, board=url_for("api.show_board", key=key, board_id=board_id)), 202


@pages.get("/tables/<key>/boards/<int:board_id>/best")
def best(key: str, board_id: int) -> ResponseReturnValue:
    """Mi pasuje!: what these tiles could have made, in base scoring."""
    there = access(db(), key, whole=True)
    view = view_table(there.table)
    sheet = sheet_of(view, board_of(there, board_id))
    if not can_have_best(there.table, sheet):
        abort(409, _("The best board is known for a full standard board of different basic tiles."))
    most, board = best_with(frozenset(entry.tile for entry in sheet.cells.values()))
    made = view.game.score(sheet.board, view.game.parse_options({})).total
    return jsonify(total=made, best=most, board=view.game.board_json(board))


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
    return board_answer(there, row), 201


@pages.delete("/tables/<key>/boards/<int:board_id>/corrections/last")
def undo(key: str, board_id: int) -> ResponseReturnValue:
    there, row = changeable(key, board_id)
    undo_last(there, row)
    db().commit()
    return board_answer(there, row)
