"""Where the board lies in its photograph: drag the corners, read again."""

from __future__ import annotations

from itertools import pairwise
from math import cos, isfinite, pi, sin
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scoring.core import Cell
from web.auth import access, board_of
from web.boards import changeable, sheet_of
from web.looks import Point
from web.photos import read_again
from web.play import Sheet, TableView, view_table
from web.storage.current import db
from web.storage.models import BoardRow, Photo

pages = Blueprint("grids", __name__, url_prefix="/tables/<key>")

TIPS: tuple[Cell, ...] = ((0, -2), (2, -2), (2, 0), (0, 2), (-2, 2), (-2, 0))
"""The tips of the standard hexagonal board, from the top, clockwise."""
OUTWARD = 1.22
"""From the middle through a tip's middle to the board's edge."""


def first_guess(shown: TableView, sheet: Sheet, photo: Photo) -> list[Point]:
    """Where the corners start: as placed before, else around what was read, else in the middle."""
    if sheet.row is not None and sheet.row.corners:
        return [(x, y) for x, y in sheet.row.corners]
    seen = {cell: middle(polygon) for cell, polygon in sheet.polygons.items()}
    if six_corners(shown):
        if all(cell in seen for cell in TIPS):
            centre = middle([seen[cell] for cell in TIPS])
            return [beyond(centre, seen[cell], OUTWARD) for cell in TIPS]
        across = 0.42 * min(photo.width, photo.height)
        turns = [k * pi / 3 - pi / 2 for k in range(6)]
        return [(photo.width / 2 + across * cos(t), photo.height / 2 + across * sin(t)) for t in turns]
    if sheet.polygons:
        spots = [spot for polygon in sheet.polygons.values() for spot in polygon]
        left, right = min(x for x, _y in spots), max(x for x, _y in spots)
        top, bottom = min(y for _x, y in spots), max(y for _x, y in spots)
    else:
        left, right, top, bottom = (
            photo.width * 0.15,
            photo.width * 0.85,
            photo.height * 0.15,
            photo.height * 0.85,
        )
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def six_corners(shown: TableView) -> bool:
    """A hexagonal board has six corners; a valve board is an odd shape and gets a rectangle around it."""
    return shown.look.hexagonal and shown.table.layout == "standard"


def middle(spots: tuple[Point, ...] | list[Point]) -> Point:
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def beyond(centre: Point, spot: Point, times: float) -> Point:
    return centre[0] + times * (spot[0] - centre[0]), centre[1] + times * (spot[1] - centre[1])


@pages.get("/boards/<int:board_id>/grid")
def show(key: str, board_id: int) -> str:
    there = access(db(), key, whole=True)
    row = board_of(there, board_id)
    there.need_seat(row.seat)
    photo = row.photo or abort(404)
    shown = view_table(there.table)
    sheet = sheet_of(shown, row)
    return render_template(
        "grid.html",
        table=there.table,
        view=shown,
        sheet=sheet,
        photo=photo,
        corners=first_guess(shown, sheet, photo),
        photo_url=url_for("photos.show", key=key, photo_id=photo.id),
    )


@pages.post("/boards/<int:board_id>/grid")
def place(key: str, board_id: int) -> ResponseReturnValue:
    """Read the photograph again, between these corners; without any, as if it had just been taken."""
    there, row = changeable(key, board_id)
    text = request.form.get("corners", "").strip()
    read_again(there, row, checked_corners(row, [spot.split(",") for spot in text.split()]) if text else None)
    return redirect(url_for("boards.show", key=key, board_id=board_id), 303)


def checked_corners(row: BoardRow, spots: Any) -> list[list[float]]:
    """Four or six corners inside the photograph, running around it clockwise."""
    photo = row.photo or abort(409, _("This board has no photo."))
    unfit = _("These corners make no board. Put each one at a corner of the board.")
    try:
        corners = [[float(x), float(y)] for x, y in spots]
    except (TypeError, ValueError):
        abort(422, unfit)
    inside = all(
        isfinite(x) and isfinite(y) and 0 <= x <= photo.width and 0 <= y <= photo.height for x, y in corners
    )
    if len(corners) not in (4, 6) or not inside or not turns_clockwise(corners):
        abort(422, unfit)
    return [[round(x, 1), round(y, 1)] for x, y in corners]


def turns_clockwise(corners: list[list[float]]) -> bool:
    """A simple outline without a dent: every corner turns the same way."""
    around = [*corners, *corners[:2]]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(around)]
    return all(one[0] * two[1] - one[1] * two[0] > 0 for one, two in pairwise(steps))
