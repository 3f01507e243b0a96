"""A table's record as the database keeps it: its lines, and the photographs it speaks of."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from web.record_chain import Flaw
from web.storage import photo_files
from web.storage.desk_models import RecordEntry
from web.storage.models import Photo


def lines_of(db: Session, table_id: int) -> list[str]:
    """The entries as they were sealed, in order."""
    return list(
        db.scalars(
            select(RecordEntry.line).where(RecordEntry.table_id == table_id).order_by(RecordEntry.number)
        )
    )


def photos_of(db: Session, table_id: int, folder: Path) -> tuple[dict[str, bytes], Flaw | None]:
    """The kept photographs by their SHA-256; a flaw names one that is not what it was."""
    found: dict[str, bytes] = {}
    for photo in db.scalars(select(Photo).where(Photo.table_id == table_id).order_by(Photo.id)):
        try:
            data = photo_files.path_of(folder, photo.file).read_bytes()
        except OSError:
            continue
        if hashlib.sha256(data).hexdigest() != photo.sha256:
            return found, Flaw(0, f"photo {photo.sha256[:12]}… is not the one that was taken")
        found[photo.sha256] = data
    return found, None
