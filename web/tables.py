"""Tables: opening one, its live page, rounds, settings, the end."""

from __future__ import annotations

import io
import secrets
from collections.abc import Mapping
from typing import Any

import segno
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from sqlalchemy import select

from scoring.core import Item, Malformed
from scoring.game import Game
from scoring.registry import GAMES
from web import cards
from web.auth import Access, access, device, join, new_code, seat_of
from web.bgstats import bgstats_link
from web.forms import clean_name, read_card3, read_setup
from web.language import language
from web.looks import CARD2_SHAPES, CARD3_SHAPES, LOOKS, SEAT_COLOURS, SHAPE_DRAWINGS
from web.network import for_others
from web.play import RoundView, TableView, next_caller, turns_played, view_table
from web.record import best_before
from web.settings import Settings
from web.storage import photo_files
from web.storage.current import db
from web.storage.models import Photo, Round, Seat, Table
from web.teaching_store import store
from web.wording import Wording

pages = Blueprint("tables", __name__, url_prefix="/tables")


def settings() -> Settings:
    found: Settings = current_app.extensions["kibic_settings"]
    return found


def game_or_404(name: str) -> Game[Any, Any]:
    return GAMES[name] if name in GAMES else abort(404)


@pages.get("/new")
def new() -> str:
    return form_page(game_or_404(request.args.get("game", "mipasuje")))


def form_page(game: Game[Any, Any], problem: str = "") -> str:
    kept = cards.kept(db(), device()) if game.id == "bits" else []
    chosen = next((one for one in kept if str(one.id) == request.args.get("cards")), None)
    card2 = chosen.card2 if chosen else request.form.getlist("card2")
    card3 = chosen.card3 if chosen else read_card3(request.form)
    return render_template(
        "new.html",
        game=game,
        editions=store().all(game.id),
        look=LOOKS[game.id],
        colours=SEAT_COLOURS,
        card2=CARD2_SHAPES,
        card3=CARD3_SHAPES,
        drawings=SHAPE_DRAWINGS,
        kept=kept,
        chosen=chosen,
        chosen2=card2,
        chosen3=card3,
        own=[(shape, points) for shape, points in card3.items() if shape not in CARD3_SHAPES][:1],
        problem=problem,
        form=request.form,
    )


@pages.post("")
def open_table() -> ResponseReturnValue:
    game = game_or_404(request.form.get("game", ""))
    try:
        setup = read_setup(game, request.form, settings())
    except Malformed as error:
        return form_page(game, str(error)), 422
    table = start_table(game.id, setup.layout, setup.size, setup.options, setup.rounds, setup.players)
    if (edition := request.form.get("edition", "")) and store().has(game.id, edition):
        table.edition, table.learns = edition, "learns" in request.form
    member = join(db(), table, None, host=True)
    if game.id == "bits" and setup.cards_name:
        cards.keep(db(), member.device, setup.cards_name, setup.options)
    db().commit()
    return redirect(url_for("tables.show", key=table.key), 303)


def start_table(
    game: str,
    layout: str,
    size: list[int] | None,
    options: dict[str, Any],
    rounds: int,
    players: list[tuple[str, str]],
) -> Table:
    """A table with its players and its first round, not yet committed."""
    table = Table(
        key=secrets.token_urlsafe(9),
        code=new_code(db()),
        token=secrets.token_urlsafe(18),
        game=game,
        layout=layout,
        size=size,
        options=options,
        rounds_planned=rounds,
        version=1,
    )
    partners = game == "trio" and len(players) == 4
    table.seats = [
        Seat(position=index, name=name, colour=colour, team=1 + index % 2 if partners else 0)
        for index, (name, colour) in enumerate(players)
    ]
    db().add(table)
    db().flush()
    table.rounds.append(Round(number=1, caller_id=table.seats[0].id))
    db().flush()
    return table


def page_data(there: Access) -> dict[str, Any]:
    shown = view_table(there.table)
    chosen = request.args.get("round", "")
    number = (
        int(chosen) if chosen.isdecimal() and 1 <= int(chosen) <= len(shown.rounds) else len(shown.rounds)
    )
    return {
        "there": there,
        "table": there.table,
        "view": shown,
        "round": shown.rounds[number - 1],
        "latest": number == len(shown.rounds),
        "wording": Wording(shown),
        "solo": best_before(db(), shown, there.member.device),
        "after": turn_next(shown),
        "brightest": brightest(shown.rounds[number - 1])
        if shown.table.options.get("scoring") == "brightest"
        else [],
        "bgstats": bgstats_link(shown),
        "first_page": for_others(request.host_url),
        "tag": etag(there),
    }


def brightest(one: RoundView) -> list[tuple[Seat, Item]]:
    """Who earned the table's brightest ray and moonbeam."""
    return [
        (sheet.seat, item)
        for sheet in one.sheets
        if one.complete and sheet.seat.id in one.breakdowns
        for item in one.breakdowns[sheet.seat.id].items
        if item.kind in ("sun-ray", "moon-ray") and item.points
    ]


def turn_next(shown: TableView) -> Seat | None:
    """Whose turn it is in a game scored by turns."""
    if not shown.game.by_turns or shown.table.finished:
        return None
    return shown.table.seats[turns_played(shown.game, shown.current.sheets) % len(shown.table.seats)]


@pages.get("/<key>")
def show(key: str) -> str:
    there = access(db(), key, whole=True)
    return render_template("table.html", **page_data(there))


@pages.get("/<key>/live")
def live(key: str) -> Response:
    """The changing part of the table page; 304 while nothing has changed."""
    there = access(db(), key)
    tag = etag(there)
    if tag in request.if_none_match:
        return not_modified(tag)
    there = access(db(), key, whole=True)
    return tagged(render_template("_live.html", **page_data(there)), tag)


def etag(there: Access) -> str:
    """Changes with the table, the language, and what this phone may do."""
    member = there.member
    build = current_app.extensions["kibic_build"]
    return f"{build}-{there.table.version}-{language()}-{member.id}-{member.seat_id or 0}-{int(member.host)}"


def not_modified(tag: str) -> Response:
    answer = make_response("", 304)
    answer.set_etag(tag)
    return answer


def tagged(body: str, tag: str) -> Response:
    answer = make_response(body)
    answer.set_etag(tag)
    return answer


@pages.post("/<key>/seat")
def change_seat(key: str) -> ResponseReturnValue:
    there = access(db(), key)
    chosen = request.form.get("seat", "")
    there.member.seat = seat_of(there, int(chosen)) if chosen.isdecimal() else None
    there.table.touch()
    db().commit()
    return redirect(url_for("tables.show", key=key), 303)


@pages.post("/<key>/rounds")
def next_round(key: str) -> ResponseReturnValue:
    there = access(db(), key, whole=True)
    add_round(there)
    db().commit()
    return redirect(url_for("tables.show", key=key), 303)


def add_round(there: Access) -> None:
    """The next round, with the next caller, once the present one is agreed."""
    there.need_host()
    table = there.table
    shown = view_table(table)
    if shown.game.by_turns or not shown.current.complete:
        abort(409, _("This round is not finished yet."))
    if len(table.rounds) >= min(table.rounds_planned, settings().rounds):
        abort(409, _("Every round has been played."))
    caller = next_caller(table)
    table.rounds.append(Round(number=len(table.rounds) + 1, caller_id=caller.id if caller else None))
    table.touch()


@pages.post("/<key>/finish")
def finish(key: str) -> ResponseReturnValue:
    """Close the table, or open it again."""
    there = access(db(), key)
    there.need_host()
    there.table.finished = request.form.get("again") != "1"
    there.table.touch()
    db().commit()
    return redirect(url_for("tables.show", key=key), 303)


@pages.get("/<key>/settings")
def show_settings(key: str) -> str:
    there = access(db(), key)
    there.need_host()
    return render_template("settings.html", there=there, table=there.table, colours=SEAT_COLOURS)


@pages.post("/<key>/settings")
def change_settings(key: str) -> ResponseReturnValue:
    there = access(db(), key)
    seats = there.table.seats
    rename(
        there,
        {seat.id: request.form.get(f"name-{seat.id}", "") for seat in seats},
        {seat.id: request.form.get(f"colour-{seat.id}", "") for seat in seats},
    )
    if (rounds := request.form.get("rounds", "")).isdecimal():
        plan_rounds(there.table, int(rounds[:4]))
    db().commit()
    return redirect(url_for("tables.show", key=key), 303)


def rename(there: Access, names: Mapping[int, str], colours: Mapping[int, str]) -> None:
    """New names and colours by seat id; what is left out or empty stays."""
    there.need_host()
    taken: set[str] = set()
    for seat in there.table.seats:
        try:
            name = clean_name(names.get(seat.id, ""), settings()) or seat.name
        except Malformed as error:
            abort(422, str(error))
        if name.casefold() in taken:
            abort(422, _("Two players are called %(name)s. Give them different names.", name=name))
        taken.add(name.casefold())
        seat.name = name
        if colours.get(seat.id) in SEAT_COLOURS:
            seat.colour = colours[seat.id]
    there.table.touch()


def plan_rounds(table: Table, rounds: int) -> None:
    if table.game == "mipasuje":
        table.rounds_planned = max(len(table.rounds), min(rounds, settings().rounds), 1)
        table.touch()


@pages.post("/<key>/delete")
def delete(key: str) -> ResponseReturnValue:
    remove(access(db(), key))
    return redirect(url_for("home.index"), 303)


def remove(there: Access) -> None:
    """The table and its photographs, for good."""
    there.need_host()
    files = db().scalars(select(Photo.file).where(Photo.table_id == there.table.id)).all()
    db().delete(there.table)
    db().commit()
    photo_files.remove(settings().photo_folder, files)


@pages.get("/<key>/qr.svg")
def qr_code(key: str) -> Response:
    there = access(db(), key)
    drawn = io.BytesIO()
    address = for_others(url_for("home.choose_seat", token=there.table.token, _external=True))
    segno.make(address, micro=False, error="m").save(
        drawn, kind="svg", scale=6, border=2, dark="#10242b", light="#fff"
    )
    return Response(drawn.getvalue(), mimetype="image/svg+xml")
