"""The record for everybody to see: what happened, whether it still fits, and the file to take away."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from web.auth import access
from web.language import tile_label
from web.record_chain import Entry, check_chain
from web.record_file import write_record
from web.record_replay import verify
from web.record_store import lines_of, photos_of
from web.record_words import said
from web.storage.current import db
from web.tables import settings

pages = Blueprint("record", __name__, url_prefix="/tables/<key>")

SHOWN = 200


@pages.get("/record")
def show(key: str) -> str:
    """Replays the record, without reading photographs again: that is for `kibic verify`."""
    there = access(db(), key, whole=True)
    entries, broken = check_chain(lines_of(db(), there.table.id))
    photos, damaged = photos_of(db(), there.table.id, settings().photo_folder)
    verdict = verify(entries, broken or damaged, photos)
    names = {seat.id: seat.name for seat in there.table.seats}
    latest: list[Entry] = list(reversed(entries))[:SHOWN]
    return render_template(
        "record.html",
        there=there,
        table=there.table,
        verdict=verdict,
        entries=[(entry, said(entry, names, tile_label)) for entry in latest],
    )


@pages.get("/record.kibic")
def download(key: str) -> Response:
    there = access(db(), key)
    photos, _damaged = photos_of(db(), there.table.id, settings().photo_folder)
    answer = Response(write_record(lines_of(db(), there.table.id), photos), mimetype="application/x-ndjson")
    answer.headers["Content-Disposition"] = f'attachment; filename="kibic-{there.table.game}.kibic"'
    return answer
