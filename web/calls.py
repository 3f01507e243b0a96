"""The caller's page: tap what was drawn, every phone shows it, and the log checks the boards afterwards."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scoring.bits.options import COLOURS
from scoring.core import Malformed
from scoring.registry import GAMES
from web.auth import Access, access
from web.boards import round_of
from web.looks import LOOKS
from web.play import known_marks, view_table
from web.storage.current import db
from web.storage.models import Call, Round, Table
from web.wording import Wording

pages = Blueprint("calls", __name__, url_prefix="/tables/<key>/rounds/<int:number>/calls")

MOST_CALLS = {"mipasuje": 21, "bits": 60}


def may_call(there: Access, round_: Round) -> bool:
    """The host, and whoever calls this round; in Bits any player."""
    mine = there.member.seat_id
    return there.host or (mine is not None and (there.table.game == "bits" or mine == round_.caller_id))


def called_round(key: str, number: int) -> tuple[Access, Round]:
    there = access(db(), key, whole=True)
    if there.table.game not in MOST_CALLS:
        abort(404)
    return there, round_of(there, number)


@pages.get("")
def show(key: str, number: int) -> str:
    there, round_ = called_round(key, number)
    shown = view_table(there.table)
    layout = there.table.layout
    return render_template(
        "calls.html",
        there=there,
        table=there.table,
        round=round_,
        number=number,
        may=may_call(there, round_),
        tiles=LOOKS["mipasuje"].tiles(layout) if there.table.game == "mipasuje" else (),
        colours=COLOURS,
        called={call.tile for call in round_.calls},
        wording=Wording(shown),
    )


@pages.post("")
def call(key: str, number: int) -> ResponseReturnValue:
    there, round_ = called_round(key, number)
    if not may_call(there, round_):
        abort(403)
    tile = checked_tile(there.table, round_)
    if len(round_.calls) >= MOST_CALLS[there.table.game]:
        abort(409, _("Everything has been called."))
    mark = known_marks(view_table(there.table)).get(tile)
    round_.calls.append(Call(number=len(round_.calls) + 1, tile=tile, mark=mark, who=there.who))
    there.table.touch()
    db().commit()
    return redirect(url_for("calls.show", key=key, number=number), 303)


def checked_tile(table: Table, round_: Round) -> str:
    """What the form says was drawn."""
    if table.game == "bits":
        pair = [request.form.get("one", ""), request.form.get("other", "")]
        if any(colour not in COLOURS for colour in pair):
            abort(422, _("Choose two colours."))
        return "-".join(sorted(pair))
    game = GAMES["mipasuje"]
    try:
        tile: str = game.tile_name(game.parse_tile(request.form.get("tile", ""), "tile"))
    except Malformed as error:
        abort(422, str(error))
    if tile in {call.tile for call in round_.calls}:
        abort(409, _("This tile has been called already."))
    return tile


@pages.post("/undo")
def undo(key: str, number: int) -> ResponseReturnValue:
    """That was not what was drawn."""
    there, round_ = called_round(key, number)
    if not may_call(there, round_):
        abort(403)
    if round_.calls:
        round_.calls.pop()
        there.table.touch()
        db().commit()
    return redirect(url_for("calls.show", key=key, number=number), 303)


@pages.app_template_global()
def can_call(there: Access, round_: Round) -> bool:
    return may_call(there, round_)
