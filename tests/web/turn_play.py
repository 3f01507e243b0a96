"""Photographs of growing tables, as a reader would leave them behind, for tests of turns."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from at_the_table import a_picture
from flask import Flask
from sqlalchemy import select

from scoring.registry import GAMES
from vision.match import Placement
from vision.reading import Alternative, Cell, CellReading, Doubt, Reading
from web.photos import storing
from web.play import turns_played, view_table
from web.storage import photo_files
from web.storage.models import BoardRow, Photo, Table

HERE = Placement(0, (0, 0))
LATTICE = ((50.0, 0.0, 600.0), (0.0, 50.0, 450.0), (0.0, 0.0, 1.0))


def tiles(game: str, notation: str) -> dict[Cell, str]:
    return {at: tile.name for at, tile in GAMES[game].from_notation(notation).cells.items()}


def square(at: Cell) -> tuple[tuple[float, float], ...]:
    x, y = 600.0 + 50 * at[1], 450.0 + 50 * at[0]
    return ((x - 25, y - 25), (x + 25, y - 25), (x + 25, y + 25), (x - 25, y + 25))


def reading_of(
    game: str,
    table: dict[Cell, str],
    where: Placement = HERE,
    weak: dict[Cell, tuple[str | None, ...]] | None = None,
) -> Reading:
    """A reading of a table that lies so in the photo; `weak` cells are doubted, likeliest first."""
    weak = weak or {}
    cells, doubts = [], []
    for at, tile in table.items():
        seen = where.seen(at)
        if at in weak:
            views = tuple(Alternative(one, 0.55 - 0.15 * index) for index, one in enumerate(weak[at]))
            if views[0].tile is not None:
                cells.append(CellReading(seen, views[0].tile, views[0].p, views[1:], square(seen)))
            doubts.append(Doubt(seen, views, square(seen)))
        else:
            cells.append(CellReading(seen, tile, 0.995, (Alternative(None, 0.005),), square(seen)))
    return Reading(game, tuple(cells), tuple(doubts), homography=LATTICE, photo_size=(1200, 900))


def photograph(app: Flask, table_key: str, reading: Reading) -> int:
    """What a photograph of the next turn leaves behind; the board's id."""
    database = app.extensions["kibic_database"]
    kept = photo_files.keep(app.extensions["kibic_settings"].photo_folder, a_picture())
    with database.session() as session:
        table = session.scalars(select(Table).where(Table.key == table_key)).one()
        shown = view_table(table)
        played = turns_played(shown.game, shown.current.sheets)
        photo = Photo(table_id=table.id, file=kept.file, sha256=kept.sha256, width=1200, height=900)
        session.add(photo)
        seat = table.seats[played % len(table.seats)]
        row = BoardRow(seat_id=seat.id, turn=len(table.rounds[0].boards) + 1, awaiting=True, photo=photo)
        table.rounds[0].boards.append(row)
        session.commit()
        board_id, photo_id = row.id, photo.id
    done: Future[Reading] = Future()
    done.set_result(reading)
    storing(database, board_id, photo_id)(done)
    return board_id


def totals(phone: Any, table: str) -> dict[str, int]:
    shown = phone.get(f"{table}/export.json").get_json()
    return {one["name"]: one["total"] for one in shown["ranking"]}
