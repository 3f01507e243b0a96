"""Where a table wants it, what players correct teaches its edition; what was read before stays as it was."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from typing import Any

from flask import current_app

from scoring.core import Cell
from vision.edition_files import EditionStore
from vision.editions import Edition
from vision.reading import Unreadable
from web.play import standing_corrections
from web.reading_pool import Full, Job, ReadingPool
from web.settings import Settings
from web.storage import photo_files
from web.storage.models import BoardRow, Table
from web.teaching_store import edition_of, store

log = logging.getLogger(__name__)


def learn_from(table: Table, row: BoardRow, at: Cell) -> None:
    """Hand the corrected cell to a reading process; nobody waits for it, and nothing else depends on it."""
    edition = edition_of(table) if table.learns else None
    if edition is None or row.photo is None or not row.reading:
        return
    tiles = tiles_of(row)
    if at not in tiles:
        return
    settings: Settings = current_app.extensions["kibic_settings"]
    pool: ReadingPool = current_app.extensions["kibic_pool"]
    options = {"learn": {"edition": edition, "tiles": tiles, "corrected": [at]}}
    try:
        data = photo_files.path_of(settings.photo_folder, row.photo.file).read_bytes()
        job = pool.submit(Job(data, table.game, options, is_clean=True))
    except (Full, OSError):
        return  # there will be other corrections
    job.reading.add_done_callback(keeping(store()))


def tiles_of(row: BoardRow) -> dict[Cell, tuple[str, tuple[tuple[float, float], ...]]]:
    """Every tile of the photo as it stands now, with its outline."""
    standing = standing_corrections(row)
    found = {}
    for cell in (row.reading or {}).get("cells", ()):
        at = (cell["at"][0], cell["at"][1])
        tile = standing[at].tile if at in standing else cell["tile"]
        if tile:
            found[at] = (str(tile), tuple((x, y) for x, y in cell["polygon"]))
    return found


def keeping(where: EditionStore) -> Any:
    """Writes the edition down once it is learnt, unless it was renamed or deleted meanwhile."""

    def keep(future: Future[Any]) -> None:
        try:
            edition: Edition = future.result()
        except Unreadable as error:
            log.warning("nothing was learnt from a correction: %s", error)
            return
        if where.has(edition.game, edition.name):
            where.keep(edition, replace=True)

    return keep
