"""Nothing accepted is lost: crashes, damage, many phones at once, readers that hang or die."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from at_the_table import Phone, a_picture, dying, hanging
from flask import Flask
from sqlalchemy import select, text

from vision.reading import Unreadable
from web import reading_pool
from web.app import create_app
from web.reading_pool import Full, Job, ReadingPool
from web.storage import photo_files
from web.storage.database import open_database
from web.storage.models import Base, BoardRow, Correction, Photo, Table


def closed(app: Flask) -> None:
    app.extensions["kibic_pool"].close()
    app.extensions["kibic_database"].engine.dispose()


def test_the_database_is_set_to_survive(app: Flask) -> None:
    with app.extensions["kibic_database"].engine.connect() as connection:
        found = [
            connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert found == ["wal", 2, 1]


def test_migrations_make_exactly_the_tables_of_the_models(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    database = open_database(f"sqlite:///{tmp_path / 'new.sqlite3'}")
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    database.engine.dispose()


def test_a_damaged_database_is_moved_aside_and_said(tmp_path: Path) -> None:
    file = tmp_path / "kibic.sqlite3"
    file.write_bytes(b"SQLite format 3\0" + os.urandom(4096))
    before = file.read_bytes()
    app = create_app({"data_folder": tmp_path})
    aside = app.extensions["kibic_database"].set_aside
    assert aside.read_bytes() == before
    assert aside.name in app.test_client().get("/").text
    closed(app)


def test_damage_in_the_middle_is_noticed_too(tmp_path: Path) -> None:
    app = create_app({"data_folder": tmp_path})
    phone = Phone(app.test_client())
    for _ in range(20):
        phone.open_table()
    closed(app)
    file = tmp_path / "kibic.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = bytearray(file.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    file.write_bytes(data)
    again = open_database(f"sqlite:///{file}")
    assert again.set_aside is not None
    again.engine.dispose()


def test_a_crash_leaves_orphans_that_are_swept_later(tmp_path: Path) -> None:
    kept = photo_files.keep(tmp_path, b"kept")
    orphan = photo_files.keep(tmp_path, b"orphan")
    (tmp_path / "0123456789abcdef0123456789abcdef.jpg.part").write_bytes(b"half")
    (tmp_path / "somebody-elses.txt").write_text("stays")
    assert photo_files.sweep(tmp_path, [kept.file]) == 0  # young files may belong to an upload going on
    for file in tmp_path.iterdir():
        os.utime(file, (0, 0))
    assert photo_files.sweep(tmp_path, [kept.file]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([kept.file, "somebody-elses.txt"])
    assert not (tmp_path / orphan.file).exists()
    with pytest.raises(ValueError, match="kept photograph"):
        photo_files.path_of(tmp_path, "../secret")


def test_a_photo_waiting_at_the_last_stop_is_read_at_the_next_start(tmp_path: Path) -> None:
    app = create_app({"data_folder": tmp_path})
    phone = Phone(app.test_client())
    phone.open_table()
    kept = photo_files.keep(app.extensions["kibic_settings"].photo_folder, a_picture((64, 48)))
    with app.extensions["kibic_database"].session() as session:
        table = session.scalars(select(Table)).one()
        photo = Photo(table_id=table.id, file=kept.file, sha256=kept.sha256, width=64, height=48)
        table.rounds[0].boards.append(BoardRow(seat_id=table.seats[0].id, turn=0, awaiting=True, photo=photo))
        session.add(photo)
        session.commit()
    closed(app)
    again = create_app({"data_folder": tmp_path})
    assert until(lambda: not board(again).awaiting)
    assert board(again).problem is not None or board(again).reading is not None
    closed(again)


def board(app: Flask) -> BoardRow:
    with app.extensions["kibic_database"].session(writing=False) as session:
        return session.scalars(select(BoardRow)).one()


def until(true: Any, seconds: float = 40.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


def test_many_phones_change_at_once_and_nothing_is_lost(phone: Phone, app: Flask, find: Any) -> None:
    address = phone.open_table(names=tuple("ABCDEF"))
    boards = [phone.post(f"{address}/rounds/1/seats/{seat}/board").location for seat in range(1, 7)]
    cookie = phone.client.get_cookie("kibic_session")
    assert cookie is not None

    def work(place: str) -> list[int]:
        own = app.test_client()
        own.set_cookie("kibic_session", cookie.value)
        form = {"csrf": phone.token, "tile": "9-7-3"}
        return [own.post(f"{place}/cell", data={**form, "at": f"0,{r}"}).status_code for r in range(-2, 3)]

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(work, boards))
    assert answers == [[303] * 5] * 6
    assert len(find(Correction)) == 30
    assert find(Table)[0].version >= 37


@pytest.mark.slow
def test_six_uploads_at_the_same_moment_each_get_their_own_board(phone: Phone, app: Flask, find: Any) -> None:
    address = phone.open_table(names=tuple("ABCDEF"))
    cookie = phone.client.get_cookie("kibic_session")
    assert cookie is not None
    start = threading.Barrier(6)

    def work(seat: int) -> int:
        own = app.test_client()
        own.set_cookie("kibic_session", cookie.value)
        start.wait()
        picture = (io.BytesIO(a_picture((100 + seat, 80))), "photo.jpg")
        answer = own.post(
            f"{address}/rounds/1/seats/{seat}/photo",
            data={"csrf": phone.token, "photo": picture},
            content_type="multipart/form-data",
        )
        return answer.status_code

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, range(1, 7))) == [303] * 6
    photos = {photo.id: photo.width for photo in find(Photo)}
    assert sorted((row.seat_id, photos[row.photo_id]) for row in find(BoardRow)) == [
        (n, 100 + n) for n in range(1, 7)
    ]
    assert until(lambda: not any(row.awaiting for row in find(BoardRow)))


@pytest.mark.slow
@pytest.mark.parametrize(("child", "code"), [(hanging, "too-slow"), (dying, "reader-crashed")])
def test_a_reader_that_hangs_or_dies_costs_one_photo(
    monkeypatch: pytest.MonkeyPatch, child: Any, code: str
) -> None:
    monkeypatch.setattr(reading_pool, "START_SECONDS", 4.0)
    healthy = reading_pool.serve_jobs
    monkeypatch.setattr(reading_pool, "serve_jobs", child)
    pool = ReadingPool(workers=1, waiting=2, seconds=0.5)
    job = pool.submit(Job(b"x", "mipasuje", {}))
    with pytest.raises(Unreadable) as caught:
        job.reading.result(timeout=30)
    assert caught.value.code == code
    monkeypatch.setattr(reading_pool, "serve_jobs", healthy)
    monkeypatch.setattr(reading_pool, "START_SECONDS", 60.0)
    after = pool.submit(Job(b"not a picture", "mipasuje", {}))
    with pytest.raises(Unreadable) as caught:
        after.clean.result(timeout=60)
    assert caught.value.code == "not-a-picture"
    pool.close()


def test_a_full_pool_says_so() -> None:
    pool = ReadingPool(workers=0, waiting=1, seconds=1)
    first = pool.submit(Job(b"", "bits", {}))
    with pytest.raises(Full):
        pool.submit(Job(b"", "bits", {}))
    pool.close()
    assert first.reading.exception() is not None


def test_json_columns_hold_what_they_were_given(phone: Phone, find: Any) -> None:
    phone.open_table("bits", ("Ola",), card2=["L", "T"])
    assert json.loads(json.dumps(find(Table)[0].options)) == {"card2": ["T", "L"], "card3": {}}
