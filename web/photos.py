"""Photographs: cleaned, kept, read. An accepted one is never lost, a half-accepted one never shows."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooSlow
from typing import Any

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    jsonify,
    redirect,
    request,
    send_from_directory,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from sqlalchemy import select
from werkzeug.exceptions import ServiceUnavailable

from scoring.core import Malformed
from scoring.registry import GAMES
from vision.reading import Reading, Unreadable
from web import samples
from web.auth import Access, access, board_of, join, seat_of
from web.boards import round_of, start_board
from web.photo_words import say_problem
from web.play import round_options, view_table
from web.reading_pool import CleanPhoto, Full, Job, ReadingPool
from web.settings import Settings
from web.storage import photo_files
from web.storage.current import database, db
from web.storage.database import Database
from web.storage.models import BoardRow, Photo, Round, Seat, Table, now
from web.tables import settings, start_table, turn_next
from web.teaching_store import edition_of

log = logging.getLogger(__name__)

pages = Blueprint("photos", __name__, url_prefix="/tables/<key>")
opening = Blueprint("samples", __name__)

GRACE_SECONDS = 40.0
"""What the cleaning of a picture may take besides waiting for its turn."""


def pool() -> ReadingPool:
    found: ReadingPool = current_app.extensions["kibic_pool"]
    return found


@pages.post("/rounds/<int:number>/seats/<int:seat_id>/photo")
def upload(key: str, number: int, seat_id: int) -> ResponseReturnValue:
    there = access(db(), key, whole=True)
    seat = seat_of(there, seat_id)
    there.need_seat(seat)
    round_of(there, number)
    board_id = take_in(there, seat, number, None, sent_photo())
    return done(url_for("boards.show", key=key, board_id=board_id))


@opening.post("/tables/sample")
def open_sample() -> ResponseReturnValue:
    """A table to play with at once: two boards are in, the third waits."""
    table = start_table("mipasuje", "standard", None, {"scoring": "brightest"}, 1, samples.players())
    table.sample = True
    there = Access(table, join(db(), table, None, host=True))
    with_photos = samples.photo("mipasuje", len(table.seats) - 1) is not None
    if not with_photos:
        samples.fill(table)
    db().commit()
    key = table.key
    for position in range(len(samples.NAMES) - 1 if with_photos else 0):
        there = access(db(), key, whole=True)
        if (data := samples.photo("mipasuje", position)) is not None:
            take_in(there, there.table.seats[position], 1, None, data)
    return redirect(url_for("tables.show", key=key), 303)


@pages.post("/boards/<int:board_id>/photo")
def upload_again(key: str, board_id: int) -> ResponseReturnValue:
    """Another photograph of the same board; its corrections start afresh."""
    there = access(db(), key, whole=True)
    row = board_of(there, board_id)
    there.need_seat(row.seat)
    take_in(there, row.seat, row.round.number, row.id, sent_photo())
    return done(url_for("boards.show", key=key, board_id=board_id))


def done(place: str) -> ResponseReturnValue:
    if request.accept_mimetypes.best == "application/json":
        return jsonify(location=place), 201
    return redirect(place, 303)


@pages.post("/rounds/<int:number>/seats/<int:seat_id>/sample-photo")
def use_sample(key: str, number: int, seat_id: int) -> ResponseReturnValue:
    """At a sample table: one of the sample photographs, as if somebody had just taken it."""
    there = access(db(), key, whole=True)
    seat = seat_of(there, seat_id)
    there.need_seat(seat)
    round_of(there, number)
    found = samples.photo(there.table.game, seat.position) if there.table.sample else None
    board_id = take_in(there, seat, number, None, found or abort(404))
    return done(url_for("boards.show", key=key, board_id=board_id))


def sent_photo() -> bytes:
    sent = request.files.get("photo")
    data: bytes = sent.read() if sent is not None else b""
    return data or abort(400, _("No photo arrived. Take it again."))


def take_in(there: Access, seat: Seat, number: int, board_id: int | None, data: bytes) -> int:
    """Clean the picture, keep it, and start reading it; the board's id."""
    key, table, game = there.table.key, there.table, there.table.game
    if board_id is None and (turn := turn_next(view_table(table))) is not None and turn.id != seat.id:
        abort(409, _("It is %(name)s's turn.", name=turn.name))
    options = reading_options(table, number)
    seat_id = seat.id
    # Nobody else has to wait while this picture is being cleaned: from here on, no row is touched.
    db().rollback()
    clean, job = cleaned(Job(data, game, options))
    kept = photo_files.keep(settings().photo_folder, clean.jpeg)
    there = access(db(), key, whole=True)
    seat = seat_of(there, seat_id)
    there.need_seat(seat)
    row = (
        board_of(there, board_id)
        if board_id is not None
        else start_board(there, round_of(there, number), seat)
    )
    photo = Photo(
        table_id=there.table.id, file=kept.file, sha256=kept.sha256, width=clean.width, height=clean.height
    )
    db().add(photo)
    row.photo = photo
    row.awaiting = True
    row.reading = row.problem = row.corners = row.aside = None
    row.complete = False
    there.table.touch()
    db().commit()
    job.reading.add_done_callback(storing(database(), row.id, photo.id))
    return row.id


def cleaned(job: Job) -> tuple[CleanPhoto, Job]:
    try:
        pool().submit(job)
        waiting = GRACE_SECONDS + settings().reading_seconds * settings().reading_queue
        return job.clean.result(timeout=waiting), job
    except (Full, TooSlow):
        raise ServiceUnavailable(retry_after=settings().retry_after_seconds) from None
    except Unreadable as error:
        abort(422, say_problem(error.code, str(error)))


def reading_options(table: Table, number: int, corners: list[list[float]] | None = None) -> dict[str, Any]:
    """What the reader may know beforehand: the variant, the board's side, its size, its corners."""
    options = round_options(table, number)
    if table.layout == "standard":  # a valve board may be any of four; the photo tells which
        options["board"] = table.layout
    if table.size:
        options["size"] = list(table.size)
    if corners:
        options["corners"] = corners
    if (edition := edition_of(table)) is not None:
        options["edition"] = edition
    return options


def read_again(there: Access, row: BoardRow, corners: list[list[float]] | None) -> None:
    """Read the kept photograph once more, between these corners; what corrected the old reading rests."""
    photo = row.photo or abort(409, _("This board has no photo."))
    data = photo_files.path_of(settings().photo_folder, photo.file).read_bytes()
    options = reading_options(there.table, row.round.number, corners)
    try:
        job = pool().submit(Job(data, there.table.game, options, is_clean=True))
    except Full:
        raise ServiceUnavailable(retry_after=settings().retry_after_seconds) from None
    for one in row.corrections:
        if one.undone is None and one.photo_id == row.photo_id:
            one.undone, one.undone_by = now(), there.who
    row.awaiting, row.complete = True, False
    row.reading = row.problem = row.aside = None
    row.corners = corners
    row.changed = now()
    there.table.touch()
    db().commit()
    job.reading.add_done_callback(storing(database(), row.id, photo.id))


def storing(where: Database, board_id: int, photo_id: int) -> Callable[[Future[Reading]], None]:
    """Writes down what was read, unless a newer photograph has taken this one's place."""

    def store(future: Future[Reading]) -> None:
        reading: dict[str, Any] | None = None
        problem: dict[str, str] | None = None
        try:
            reading = reading_json(future.result())
        except Unreadable as error:
            if error.code == "stopped":
                return  # still awaiting: read after the next start
            problem = {"code": error.code, "message": str(error)}
        except Malformed as error:  # a reader that speaks of tiles the game does not have
            log.error("the reading makes no sense: %s", error)
            problem = {"code": "reader-crashed", "message": "This picture broke the reader."}
        with where.session() as session:
            # The table first: whoever changes it waits for whoever is changing it.
            session.scalar(
                select(Table)
                .join(Round)
                .join(BoardRow)
                .where(BoardRow.id == board_id)
                .with_for_update(of=Table)
            )
            row = session.get(BoardRow, board_id)
            if row is None or row.photo_id != photo_id:
                return
            row.reading, row.problem, row.awaiting, row.changed = reading, problem, False, now()
            row.round.table.touch()
            session.commit()

    return store


def reading_json(reading: Reading) -> dict[str, Any]:
    """A reading as kept in the database: only what pages and scores need."""
    game = GAMES[reading.game]
    kept: dict[str, Any] = {
        "board": reading.layout,
        "size": list(reading.size) if reading.size else None,
        "aside": list(reading.aside),
        "cells": [
            {
                "at": list(cell.at),
                "tile": cell.tile,
                "mark": cell.mark,
                "p": round(cell.p, 4),
                "alternatives": [
                    {"tile": one.tile, "mark": one.mark, "p": round(one.p, 4)} for one in cell.alternatives
                ],
                "polygon": rounded(cell.polygon),
            }
            for cell in reading.cells
        ],
        "doubts": [
            {
                "at": list(doubt.at),
                "alternatives": [
                    {"tile": one.tile, "mark": one.mark, "p": round(one.p, 4)} for one in doubt.alternatives
                ],
                "polygon": rounded(doubt.polygon),
            }
            for doubt in reading.doubts
        ],
        "findings": [
            {"code": one.code, "message": one.message, "cells": [list(cell) for cell in one.cells]}
            for one in reading.findings
        ],
    }
    if game.by_turns:  # the next turn's photo is laid on this one, and must know what is outside the picture
        kept["homography"] = [list(row) for row in reading.homography]
        kept["photo_size"] = list(reading.photo_size)
    for cell in kept["cells"]:
        if reading.edition is None:
            game.parse_tile(cell["tile"], "cells")
    return kept


def rounded(polygon: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in polygon]


@pages.get("/photos/<int:photo_id>.jpg")
def show(key: str, photo_id: int) -> Response:
    there = access(db(), key)
    photo = db().scalar(select(Photo).where(Photo.id == photo_id, Photo.table_id == there.table.id)) or abort(
        404
    )
    answer = send_from_directory(
        settings().photo_folder.absolute(), photo.file, mimetype="image/jpeg", max_age=86400
    )
    answer.cache_control.private = True
    answer.cache_control.immutable = True
    return answer


def resume(app: Flask) -> None:
    """Read what was accepted but not read when the server last stopped."""
    where: Database = app.extensions["kibic_database"]
    readers: ReadingPool = app.extensions["kibic_pool"]
    chosen: Settings = app.extensions["kibic_settings"]
    with where.session() as session:
        waiting = session.execute(
            select(BoardRow, Photo, Table, Round)
            .join(Photo, Photo.id == BoardRow.photo_id)
            .join(Round, Round.id == BoardRow.round_id)
            .join(Table, Table.id == Round.table_id)
            .where(BoardRow.awaiting)
        ).all()
        started: list[tuple[Job, int, int]] = []
        for row, photo, table, round_ in waiting:
            try:
                data = photo_files.path_of(chosen.photo_folder, photo.file).read_bytes()
                job = readers.submit(
                    Job(data, table.game, reading_options(table, round_.number, row.corners), is_clean=True)
                )
            except (OSError, Full):
                row.awaiting = False
                row.problem = {
                    "code": "interrupted",
                    "message": "Reading was interrupted. Take the photo again.",
                }
                table.touch()
                continue
            started.append((job, row.id, photo.id))
        session.commit()
    for job, board_id, photo_id in started:
        job.reading.add_done_callback(storing(where, board_id, photo_id))
