"""The dispute desk: somebody disagrees, the desk shows what there is to see, the table decides."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from sqlalchemy import select

from scoring.core import Malformed
from web.auth import Access, access, board_of
from web.boards import asked_cell, correct_cell, page_data
from web.dispute_rules import deciding_rule
from web.dispute_view import claimed_items, difference, effects, explanations, sights
from web.play import Sheet, TableView, check_entry
from web.storage.current import db
from web.storage.desk_models import Claim
from web.storage.models import BoardRow, Table, now
from web.tables import settings

pages = Blueprint("disputes", __name__, url_prefix="/tables/<key>")

KINDS = ("tile", "total", "illegal", "row")
MOST_WORDS = 300
MOST_CLAIMS = 200
MOST_POINTS = 1000


@pages.app_template_global()
def open_claims(table: Table) -> list[Claim]:
    """Claims nobody has ruled on, oldest first."""
    return list(
        db().scalars(
            select(Claim).where(Claim.table_id == table.id, Claim.ruling.is_(None)).order_by(Claim.id)
        )
    )


def need_player(there: Access) -> None:
    """Disagreeing and ruling is for people at the table, not for onlookers."""
    if not there.host and there.member.seat is None:
        abort(403)


def may_rule(there: Access, claim: Claim) -> bool:
    """Nobody decides their own claim alone; the host holds the phone for everybody."""
    return there.host or (there.member.seat is not None and there.who != claim.who)


def claim_of(there: Access, claim_id: int) -> Claim:
    found = db().scalar(select(Claim).where(Claim.id == claim_id, Claim.table_id == there.table.id))
    return found or abort(404)


@pages.get("/boards/<int:board_id>/disagree")
def ask(key: str, board_id: int) -> str:
    """What exactly do you disagree with?"""
    there = access(db(), key, whole=True)
    need_player(there)
    data = page_data(there, board_of(there, board_id))
    text = request.args.get("at", "")
    at = asked_cell(text) if text else None
    sheet: Sheet = data["sheet"]
    used = {entry.tile for cell, entry in sheet.cells.items() if cell != at}
    return render_template(
        "disagree.html",
        at=at,
        entry=sheet.cells.get(at) if at else None,
        tiles=data["look"].tiles(sheet.layout),
        used=used,
        **data,
    )


@pages.post("/boards/<int:board_id>/claims")
def claim_it(key: str, board_id: int) -> ResponseReturnValue:
    there = access(db(), key, whole=True)
    need_player(there)
    row = board_of(there, board_id)
    count = len(db().scalars(select(Claim.id).where(Claim.table_id == there.table.id)).all())
    if count >= MOST_CLAIMS:
        abort(409, _("This table has argued enough."))
    data = page_data(there, row)
    made = Claim(
        table_id=there.table.id,
        board_id=row.id,
        photo_id=row.photo_id,
        who=there.who,
        words=" ".join(request.form.get("words", "").split())[:MOST_WORDS],
        **claimed(there, data["sheet"]),
    )
    db().add(made)
    there.table.touch()
    db().commit()
    return redirect(url_for("disputes.desk", key=key, claim_id=made.id), 303)


def claimed(there: Access, sheet: Sheet) -> dict[str, Any]:
    """What the form says, checked."""
    kind = request.form.get("kind", "")
    if kind not in KINDS:
        abort(400)
    if kind == "illegal":
        return {"kind": kind}
    if kind == "tile":
        at = asked_cell(request.form.get("at", ""))
        tile, mark = request.form.get("tile") or None, request.form.get("mark") or None
        try:
            if tile is not None:
                check_entry(there.table, sheet, at, tile, mark, settings().cell_reach)
        except Malformed as error:
            abort(422, str(error))
        return {"kind": kind, "a": at[0], "b": at[1], "tile": tile, "mark": mark}
    text = request.form.get("points", "").replace("−", "-")
    if not text.removeprefix("-").isdecimal() or abs(int(text)) > MOST_POINTS:
        abort(422, _("Say how many points it should be."))
    found: dict[str, Any] = {"kind": kind, "points": int(text)}
    if kind == "row":
        cells = [asked_cell(one) for one in request.form.get("cells", "").split()]
        found["cells"] = [list(cell) for cell in cells] or abort(400)
    return found


@pages.get("/disputes")
def listed(key: str) -> str:
    there = access(db(), key, whole=True)
    claims = (
        db().scalars(select(Claim).where(Claim.table_id == there.table.id).order_by(Claim.id.desc())).all()
    )
    return render_template("disputes.html", there=there, table=there.table, claims=claims)


@pages.get("/disputes/<int:claim_id>")
def desk(key: str, claim_id: int) -> str:
    """Everything there is to see about one claim."""
    there = access(db(), key, whole=True)
    claim = claim_of(there, claim_id)
    row = board_of(there, claim.board_id)
    data = page_data(there, row)
    sheet: Sheet = data["sheet"]
    shown: TableView = data["view"]
    at = (claim.a, claim.b) if claim.a is not None and claim.b is not None else None
    items = claimed_items(claim, sheet, shown)
    open_ = claim.ruling is None
    return render_template(
        "desk.html",
        claim=claim,
        at=at,
        entry=sheet.cells.get(at) if at else None,
        seen=sights(sheet, at) if at else [],
        changes=effects(db(), there.table, row, claim, sheet, shown) if open_ else [],
        explained=explanations(db(), there.table, row, sheet, claim.points or 0)
        if open_ and claim.kind == "total"
        else [],
        items=items,
        rule=deciding_rule(there.table.game, claim.kind, items[0].kind if items else None),
        history=[one for one in reversed(row.corrections) if at and (one.a, one.b) == at],
        may_rule=may_rule(there, claim),
        **data,
    )


@pages.post("/disputes/<int:claim_id>/ruling")
def rule(key: str, claim_id: int) -> ResponseReturnValue:
    """The table has decided; an accepted claim takes effect at once."""
    there = access(db(), key, whole=True)
    claim = claim_of(there, claim_id)
    if not may_rule(there, claim):
        abort(403)
    if claim.ruling is not None:
        abort(409, _("This claim has been settled."))
    ruling = request.form.get("ruling", "")
    if ruling not in ("accepted", "rejected", "photo"):
        abort(400)
    row = board_of(there, claim.board_id)
    if ruling == "accepted":
        take_effect(there, row, claim)
    claim.ruling, claim.ruled, claim.ruled_by = ruling, now(), there.who
    claim.reason = " ".join(request.form.get("reason", "").split())[:MOST_WORDS]
    there.table.touch()
    db().commit()
    if ruling == "photo":
        return redirect(url_for("boards.show", key=key, board_id=row.id), 303)
    return redirect(url_for("disputes.desk", key=key, claim_id=claim.id), 303)


def take_effect(there: Access, row: BoardRow, claim: Claim) -> None:
    """A tile is corrected like any other; anything else becomes points the table agreed on."""
    if claim.kind == "tile" and claim.a is not None and claim.b is not None:
        correct_cell(there, row, (claim.a, claim.b), claim.tile, claim.mark)
        return
    data = page_data(there, row)
    row.agreed += difference(claim, data["sheet"], data["view"])
    row.changed = now()
