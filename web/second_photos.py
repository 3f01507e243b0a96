"""Another photograph of the same board, from another side: both are read as one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from flask import Blueprint, abort, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from vision.joining import join
from vision.reading import Reading, Unreadable
from web.auth import access, board_of
from web.photos import cleaned, done, reading_json, reading_options, sent_photo
from web.reading_pool import Job
from web.storage import photo_files
from web.storage.current import database, db
from web.storage.database import Database
from web.storage.models import BoardRow, Photo, now
from web.tables import settings
from web.turn_matching import as_reading

pages = Blueprint("second_photos", __name__, url_prefix="/tables/<key>")


@pages.post("/boards/<int:board_id>/second-photo")
def add(key: str, board_id: int) -> ResponseReturnValue:
    """Kept beside the first; the first stays the one that is shown."""
    there = access(db(), key, whole=True)
    row = board_of(there, board_id)
    there.need_seat(row.seat)
    if row.reading is None or row.awaiting or row.photo_id is None:
        abort(409, _("Take the first photo first."))
    first = row.photo_id
    game = there.table.game
    options = reading_options(there.table, row.round.number)
    data = sent_photo()
    db().rollback()
    clean, job = cleaned(Job(data, game, options))
    kept = photo_files.keep(settings().photo_folder, clean.jpeg)
    there = access(db(), key, whole=True)
    row = board_of(there, board_id)
    there.need_seat(row.seat)
    photo = Photo(
        table_id=there.table.id, file=kept.file, sha256=kept.sha256, width=clean.width, height=clean.height
    )
    db().add(photo)
    row.awaiting = True
    there.table.touch()
    db().commit()
    job.reading.add_done_callback(joining(database(), game, row.id, first, kept.sha256))
    return done(url_for("boards.show", key=key, board_id=board_id))


def joining(
    where: Database, game: str, board_id: int, photo_id: int, sha256: str
) -> Callable[[Future[Reading]], None]:
    """Joins what the second photo shows to the reading of the first; one that fails changes nothing."""

    def store(future: Future[Reading]) -> None:
        problem: dict[str, Any] | None = None
        second: Reading | None = None
        try:
            second = future.result()
        except Unreadable as error:
            if error.code == "stopped":
                return  # still awaiting: the first photo is read again after the next start
            problem = {"code": error.code, "message": str(error), "cells": []}
        with where.session() as session:
            row = session.get(BoardRow, board_id)
            if row is None or row.photo_id != photo_id or row.reading is None:
                return
            kept = dict(row.reading)
            if second is not None:
                try:
                    joined = reading_json(join([as_reading(game, kept), second]))
                    kept = {**joined, "joined": [*kept.get("joined", ()), sha256]}
                except Unreadable as error:
                    problem = {"code": error.code, "message": str(error), "cells": []}
            if problem is not None:
                kept["findings"] = [*kept["findings"], problem]
            row.reading, row.awaiting, row.changed = kept, False, now()
            row.round.table.touch()
            session.commit()

    return store
