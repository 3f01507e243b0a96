"""Phones, pictures and readings for the tests of the table page."""

from __future__ import annotations

import io
import os
import re
import time
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from sqlalchemy import select
from werkzeug.test import TestResponse

import vision
from vision.reading import Alternative, CellReading, Doubt, Reading, Unreadable
from web.looks import LOOKS
from web.photos import storing
from web.samples import BOARDS
from web.storage import photo_files
from web.storage.models import BoardRow, Photo, Table

GAME_BOARDS = BOARDS


SAMPLES = Path(__file__).parents[2] / "samples"


@lru_cache
def readable(game: str) -> str:
    """A sample photo of this game that the reader, as trained today, does not refuse."""
    for number in (1, 2, 3):
        try:
            vision.read((SAMPLES / f"{game}-{number}.jpg").read_bytes(), game, {})
        except Unreadable:
            continue
        return f"{game}-{number}"
    raise AssertionError(f"every sample photo of {game} is refused")


@dataclass
class Phone:
    """A browser that follows the rules: keeps its cookie and sends the token its last page carried."""

    client: FlaskClient
    token: str = ""

    def get(self, path: str, **more: Any) -> TestResponse:
        answer = self.client.get(path, **more)
        answer.get_data()
        answer.close()
        if answer.mimetype == "text/html" and (found := re.search(r'data-csrf="([^"]+)"', answer.text)):
            self.token = found[1]
        return answer

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> TestResponse:
        if not self.token:
            self.get("/")
        return self.client.post(path, data={"csrf": self.token, **(data or {})}, **more)

    def open_table(self, game: str = "mipasuje", names: tuple[str, ...] = ("Ola", "Jan"), **form: Any) -> str:
        """Opens a table and returns its address."""
        answer = self.post("/tables", {"game": game, "name": list(names), **form})
        assert answer.status_code == 303, answer.text
        return answer.location

    def enter(self, board: str, cells: dict[tuple[int, int], str]) -> None:
        for (a, b), tile in cells.items():
            assert self.post(f"{board}/cell", {"at": f"{a},{b}", "tile": tile}).status_code == 303


def a_picture(size: tuple[int, int] = (1200, 900), kind: str = "JPEG", **more: Any) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, kind, **more)
    return out.getvalue()


def else_(other: Any, mark: str | None) -> list[tuple[str | None, str | None]]:
    return other if isinstance(other, list) else [(other, mark)]


def give_reading(
    app: Flask, table_key: str, seat: int, cells: dict[tuple[int, int], Any], doubted: dict[Any, Any]
) -> int:
    """What a photograph of this board would leave behind: the kept picture and its reading; the board's id.

    `doubted` maps a cell to what else it may be: a tile with the same symbol, or a list of (tile, symbol).
    """
    look = LOOKS["mipasuje"]
    places = {
        at: tuple((600 + 95 * x, 450 + 95 * y) for x, y in look.polygon(at))
        for at in look.cells("standard", None, ())
    }
    reading = Reading(
        "mipasuje",
        tuple(
            CellReading(at, name, 0.98, (Alternative(None, 0.01),), places[at], mark)
            for at, (name, mark) in cells.items()
        ),
        tuple(
            Doubt(
                at,
                tuple(
                    Alternative(tile, 0.6 if index == 0 else 0.4 / (1 + index), mark)
                    for index, (tile, mark) in enumerate([cells[at], *else_(other, cells[at][1])])
                ),
                places[at],
            )
            for at, other in doubted.items()
        ),
        layout="standard",
        photo_size=(1200, 900),
    )
    database = app.extensions["kibic_database"]
    kept = photo_files.keep(app.extensions["kibic_settings"].photo_folder, a_picture())
    with database.session() as session:
        table = session.scalars(select(Table).where(Table.key == table_key)).one()
        photo = Photo(table_id=table.id, file=kept.file, sha256=kept.sha256, width=1200, height=900)
        session.add(photo)
        row = BoardRow(seat_id=table.seats[seat].id, turn=0, awaiting=True, photo=photo)
        table.rounds[-1].boards.append(row)
        session.commit()
        board_id, photo_id = row.id, photo.id
    done: Future[Reading] = Future()
    done.set_result(reading)
    storing(database, board_id, photo_id)(done)
    return board_id


def hanging(pipe: Connection) -> None:
    pipe.recv()
    time.sleep(60)


def dying(pipe: Connection) -> None:
    pipe.recv()
    os._exit(1)
