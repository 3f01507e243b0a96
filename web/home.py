"""The first page: open a table, join one, or go back to an earlier one."""

from __future__ import annotations

from flask import (
    Blueprint,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from sqlalchemy import select
from sqlalchemy.orm import selectinload
from werkzeug.exceptions import TooManyRequests

from scoring.registry import GAMES
from web.auth import Access, WrongCodes, device, device_made, join, seat_of, tidy_code
from web.settings import LANGUAGES
from web.storage.current import database, db
from web.storage.models import Member, Table

pages = Blueprint("home", __name__)

SHOWN = 30


@pages.get("/")
def index() -> str:
    who = device()
    mine = (
        db()
        .scalars(
            select(Table)
            .join(Member)
            .where(Member.device == who)
            .order_by(Table.changed.desc())
            .limit(SHOWN)
            .options(selectinload(Table.seats))
        )
        .all()
        if who
        else []
    )
    return render_template("home.html", games=GAMES, tables=mine, set_aside=database().set_aside)


@pages.post("/language")
def language() -> ResponseReturnValue:
    if (picked := request.form.get("language")) in LANGUAGES:
        session["language"] = picked
        session.permanent = True
    back = request.form.get("back", "/")
    # Only a path on this server: never a way to send people elsewhere.
    inside = back.startswith("/") and not back.startswith(("//", "/\\"))
    return redirect(back if inside else "/", 303)


@pages.post("/join")
def join_by_code() -> ResponseReturnValue:
    codes: WrongCodes = current_app.extensions["kibic_wrong_codes"]
    address = request.remote_addr or ""
    if wait := codes.wait(address):
        raise TooManyRequests(retry_after=wait)
    code = tidy_code(request.form.get("code", ""))
    table = db().scalar(select(Table).where(Table.code == code)) if code else None
    if table is None:
        codes.wrong(address)
        return render_template(
            "home.html",
            games=GAMES,
            tables=[],
            set_aside=None,
            wrong_code=_("No table has this code. Check it again."),
        ), 404
    codes.right(address)
    return redirect(url_for("home.choose_seat", token=table.token), 303)


def table_with(token: str) -> Table:
    return db().scalar(select(Table).where(Table.token == token)) or abort(404)


@pages.get("/j/<token>")
def choose_seat(token: str) -> str:
    """Where the QR code leads: pick your player, or just look on."""
    return render_template("join.html", table=table_with(token))


@pages.post("/j/<token>")
def take_seat(token: str) -> ResponseReturnValue:
    table = table_with(token)
    device_made()
    chosen = request.form.get("seat", "")
    member = join(db(), table, None)
    member.seat = seat_of(Access(table, member), int(chosen)) if chosen.isdecimal() else None
    db().commit()
    return redirect(url_for("tables.show", key=table.key), 303)
