"""The teaching page: nothing is stored before people keep it, refusals are one line, editions are managed."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from functools import cache

import pytest
from at_the_table import Phone, a_picture
from flask import Flask

from models.studio.taught import COPIES, square_shot
from vision.edition_files import EditionStore, parsed, written
from vision.editions import Edition
from vision.teach import learn

QWIRKLE_TABLE = {(0, 0): ("silver", "circle"), (0, 1): ("silver", "star"), (0, 2): ("silver", "cross")}


@cache
def lesson_photo(fault: str | None = None) -> bytes:
    jpeg: bytes = COPIES["qwirkle"](0).lesson(60, fault).jpeg
    return jpeg


@cache
def taught() -> Edition:
    edition = learn([lesson_photo()], "qwirkle", "Srebrna").edition
    assert edition is not None
    return edition


def store_of(app: Flask) -> EditionStore:
    return EditionStore(app.extensions["kibic_settings"].data_folder / "editions")


def send(phone: Phone, data: bytes, game: str = "qwirkle") -> str:
    answer = phone.post(f"/editions/teach/{game}", {"photo": (io.BytesIO(data), "tiles.jpg")})
    assert answer.status_code == 303, answer.text
    return answer.location


def test_the_page_shows_how_to_lay_the_tiles_out(phone: Phone) -> None:
    for game in ("mipasuje", "qwirkle", "trio", "bits"):
        assert phone.get(f"/editions/teach/{game}").status_code == 200
    assert phone.get("/editions/teach/chess").status_code == 404
    assert "/editions" in phone.get("/").text


def test_a_copy_is_taught_and_kept_only_when_people_keep_it(app: Flask, phone: Phone) -> None:
    lesson = send(phone, lesson_photo())
    page = phone.get(lesson).text
    assert page.count("<polygon") == 36
    assert store_of(app).all() == ()
    kept = phone.post(lesson, {"name": "Srebrna", "accept": "1"})
    assert kept.status_code == 303
    assert [one.name for one in store_of(app).all()] == ["Srebrna"]
    assert phone.get(lesson).status_code == 404  # the photo is gone with the lesson
    again = send(phone, lesson_photo())
    taken = phone.post(again, {"name": "srebrna", "accept": "1"})
    assert taken.status_code == 422
    assert "name" in taken.text


@pytest.mark.parametrize(
    ("fault", "said"),
    [("missing", "is missing"), ("double", "is there twice"), ("glare", "cannot be seen well")],
)
def test_a_bad_layout_is_explained_and_not_kept(app: Flask, phone: Phone, fault: str, said: str) -> None:
    lesson = send(phone, lesson_photo(fault))
    assert said in phone.get(lesson).text
    assert phone.post(lesson, {"name": "x", "accept": "1"}).status_code == 422
    assert store_of(app).all() == ()


def test_another_game_and_no_picture(phone: Phone) -> None:
    lesson = send(phone, lesson_photo(), game="trio")
    answer = phone.get(lesson)
    assert answer.status_code == 422
    assert "another game" in answer.text
    empty = send(phone, a_picture(), game="trio")
    assert "No tiles of Trio" in phone.get(empty).text
    assert phone.post("/editions/teach/trio", {"photo": (io.BytesIO(b"x"), "x.jpg")}).status_code == 422


def test_editions_are_exported_imported_renamed_and_deleted(app: Flask, phone: Phone) -> None:
    store_of(app).keep(taught())
    exported = phone.get("/editions/qwirkle/export?name=Srebrna")
    assert parsed(exported.data).name == "Srebrna"
    renamed = phone.post("/editions/qwirkle/rename", {"name": "Srebrna", "new": "Nowa"})
    assert renamed.status_code == 303
    sent = phone.post("/editions/import", {"file": (io.BytesIO(exported.data), "x.json")})
    assert sent.status_code == 303
    assert [one.name for one in store_of(app).all()] == ["Nowa", "Srebrna"]
    assert phone.post("/editions/qwirkle/delete", {"name": "Nowa"}).status_code == 303
    foreign = phone.post("/editions/import", {"file": (io.BytesIO(b'{"cells": []}'), "x.json")})
    assert foreign.status_code == 422
    assert "not an edition file" in foreign.text
    assert [one.name for one in store_of(app).all()] == ["Srebrna"]


def wait_for(done: Callable[[], bool]) -> bool:
    for _ in range(200):
        if done():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("learns", [True, False])
def test_corrections_teach_only_where_the_table_wants_it(app: Flask, phone: Phone, learns: bool) -> None:
    store_of(app).keep(taught())
    wish = {"learns": "1"} if learns else {}
    table = phone.open_table("qwirkle", edition="Srebrna", **wish)
    shot = square_shot(COPIES["qwirkle"](0), QWIRKLE_TABLE, 8).jpeg
    photo = {"photo": (io.BytesIO(shot), "t.jpg")}
    action = phone.get(table).text.split('class="photo"')[1].split('action="')[1].split('"')[0]
    board = phone.post(action, photo).location
    assert wait_for(lambda: "state-reading" not in phone.get(board).text)
    cells = phone.get(f"{table}/export.json").json["rounds"][0]["players"][0]["cells"]  # type: ignore[index]
    assert len(cells) == 3
    at, tile = cells[0]["at"], cells[0]["tile"]
    other = next(word for word in taught().colours if word != tile.split()[0])
    answer = phone.post(f"{board}/cell", {"at": f"{at[0]},{at[1]}", "tile": f"{other} {taught().shapes[0]}"})
    assert answer.status_code == 303

    def learnt() -> bool:
        return bool(store_of(app).get("qwirkle", "Srebrna").corrections)

    if learns:
        assert wait_for(learnt)
        assert written(store_of(app).get("qwirkle", "Srebrna")) != written(taught())
    else:
        time.sleep(1)
        assert not learnt()
