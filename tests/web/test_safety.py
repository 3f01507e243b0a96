"""Strangers, forgers and monsters: refused with the right status, nothing leaked, nothing changed."""

from __future__ import annotations

import io
import os
import re
import stat
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from at_the_table import Phone, a_picture, give_reading
from flask import Flask
from itsdangerous import URLSafeTimedSerializer

from web.app import create_app
from web.auth import ALPHABET, WrongCodes
from web.safety import is_known_host
from web.settings import Settings, secret_key
from web.storage.models import BoardRow, Correction, Photo, Seat, Table


def send(phone: Phone, address: str, data: bytes, name: str = "photo.jpg", **more: Any) -> Any:
    return phone.post(
        address, {"photo": (io.BytesIO(data), name)}, content_type="multipart/form-data", **more
    )


def test_a_code_is_six_characters_without_look_alikes(phone: Phone, find: Any) -> None:
    phone.open_table()
    code = find(Table)[0].code
    assert re.fullmatch(f"[{ALPHABET}]{{6}}", code)
    assert not set(ALPHABET) & set("IL1O0")


def test_the_code_opens_one_table_and_nothing_else(phone: Phone, other_phone: Phone, find: Any) -> None:
    mine = phone.open_table()
    second = phone.open_table("bits")
    code = next(table.code for table in find(Table) if table.game == "mipasuje")
    assert other_phone.get(mine).status_code == 404
    door = other_phone.post("/join", {"code": f" {code[:3].lower()}-{code[3:]} "}).location
    assert other_phone.post(door, {"seat": "1"}).location == mine
    assert other_phone.get(mine).status_code == 200
    assert other_phone.get(second).status_code == 404


def test_a_wrong_code_is_slowed_down_not_banned(phone: Phone) -> None:
    answers = [phone.post("/join", {"code": "AAAAAA"}) for _ in range(6)]
    assert [one.status_code for one in answers] == [404] * 5 + [429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 30
    patient = WrongCodes(Settings(wrong_codes_free=1, wrong_code_seconds=0.0))
    patient.wrong("192.0.2.7")
    assert patient.wait("192.0.2.7") == 0


def test_players_act_for_themselves_only(phone: Phone, other_phone: Phone, find: Any) -> None:
    address = phone.open_table()
    token = find(Table)[0].token
    other_phone.post(f"/j/{token}", {"seat": "2"})
    assert other_phone.post(f"{address}/rounds/1/seats/1/board").status_code == 403
    own = other_phone.post(f"{address}/rounds/1/seats/2/board").location
    assert other_phone.post(f"{own}/cell", {"at": "0,0", "tile": "9-7-3"}).status_code == 303
    hosts = phone.post(f"{address}/rounds/1/seats/1/board").location
    for path in ("/cell", "/undo", "/complete", "/clear", "/photo"):
        assert other_phone.post(hosts + path, {"at": "0,0", "tile": "9-7-3"}).status_code == 403
    for path in ("/rounds", "/finish", "/settings", "/delete"):
        assert other_phone.post(address + path).status_code == 403
    assert other_phone.get(f"{address}/settings").status_code == 403
    assert len(find(Correction)) == 1


def test_an_onlooker_only_looks(phone: Phone, other_phone: Phone, find: Any) -> None:
    address = phone.open_table()
    other_phone.post(f"/j/{find(Table)[0].token}", {"seat": ""})
    assert other_phone.get(address).status_code == 200
    assert other_phone.post(f"{address}/rounds/1/seats/1/board").status_code == 403


def test_other_tables_ids_open_nothing(phone: Phone, other_phone: Phone, app: Flask) -> None:
    address = phone.open_table()
    board_id = give_reading(app, address.rsplit("/", 1)[1], 0, {(0, 0): ("9-7-3", None)}, {})
    theirs = other_phone.open_table()
    for path in (
        f"/boards/{board_id}",
        "/photos/1.jpg",
        f"/boards/{board_id}/live",
        "/rounds/1/seats/1/board",
    ):
        assert other_phone.get(theirs + path).status_code in (404, 405)
    for path in (f"/boards/{board_id}/cell", "/rounds/1/seats/1/board", f"/boards/{board_id}/clear"):
        assert other_phone.post(theirs + path, {"at": "0,0"}).status_code == 404
    assert phone.get(f"{address}/photos/1.jpg").status_code == 200
    assert other_phone.get(f"{address}/photos/1.jpg").status_code == 404


def test_a_forged_cookie_is_nobody(phone: Phone, app: Flask, find: Any) -> None:
    address = phone.open_table()
    stranger = app.test_client()
    forged = URLSafeTimedSerializer("guess", salt="cookie-session").dumps({"device": "x", "csrf": "x"})
    stranger.set_cookie("kibic_session", forged)
    assert stranger.get(address).status_code == 404
    assert stranger.post(f"{address}/delete", data={"csrf": "x"}).status_code == 400
    assert len(find(Table)) == 1


@pytest.mark.parametrize("token", [None, "", "wrong", "ż"])
def test_no_change_without_its_token(phone: Phone, find: Any, token: str | None) -> None:
    address = phone.open_table()
    for path in ("/delete", "/rounds/1/seats/1/board", "/finish"):
        data = {} if token is None else {"csrf": token}
        assert phone.client.post(address + path, data=data).status_code == 400
    assert phone.client.post("/api/v1/tables", json={"game": "bits", "players": ["A"]}).status_code == 400
    assert len(find(Table)) == 1
    assert find(BoardRow) == []


def test_cookies_and_headers(phone: Phone) -> None:
    answer = phone.get("/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    # Nothing inline that such a policy would block, and nothing from elsewhere.
    page = phone.get(phone.open_table()).text
    assert not re.search(r"<script>|<style|\sstyle=|\son\w+=|https?://", page)


def test_the_secret_is_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    made = secret_key(tmp_path)
    assert len(made) == 64
    assert secret_key(tmp_path) == made
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    (tmp_path / "secret").write_text("")
    assert len(secret_key(tmp_path)) == 64


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "", "127.0.0.1.evil"]
)
def test_unknown_hosts_are_not_served(app: Flask, host: str) -> None:
    assert not is_known_host(host, {"localhost"})
    assert app.test_client().get("/", headers={"Host": host or "x y"}).status_code in (400, 421)


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.1.20"]
)
def test_own_addresses_are_served(app: Flask, host: str) -> None:
    assert app.test_client().get("/", headers={"Host": host}).status_code == 200


def test_names_may_be_anything_people_are_called(phone: Phone, find: Any) -> None:
    names = ("Zażółć 👩‍👩‍👧", "<script>alert(1)</script>", "'); DROP TABLE seats;--", "עברית")
    page = phone.get(phone.open_table(names=names)).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "DROP TABLE" in find(Seat)[2].name
    assert len(find(Seat)) == 4


def test_names_and_forms_have_limits(phone: Phone, find: Any) -> None:
    assert phone.post("/tables", {"game": "mipasuje", "name": ["A" * 10_000]}).status_code == 422
    assert phone.post("/tables", {"game": "mipasuje", "name": ["A" * 41]}).status_code == 422
    assert phone.post("/tables", {"game": "mipasuje", "name": [" \t"]}).status_code == 422
    assert phone.post("/tables", {"game": "mipasuje", "name": ["A", "a"]}).status_code == 422
    assert phone.post("/tables", {"game": "mipasuje", "name": ["A"] * 100_000}).status_code == 413
    assert phone.post("/tables", {"game": "nonsense", "name": ["A"]}).status_code == 404
    assert phone.post("/tables", {"game": "mipasuje", "name": ["A"], "rounds": "10000"}).status_code == 422
    assert phone.post("/tables", {"game": "bits", "name": ["A"], "rows": "-3"}).status_code == 422
    assert find(Table) == []


@pytest.mark.parametrize("at", ["", "0", "0,0,0", "9,9", "1e9,0", "99999999999,0", "'; --", "0,٣٤٥٦"])
def test_tiles_go_only_where_tiles_can_lie(phone: Phone, find: Any, at: str) -> None:
    board = phone.post(f"{phone.open_table()}/rounds/1/seats/1/board").location
    assert phone.post(f"{board}/cell", {"at": at, "tile": "9-7-3"}).status_code in (400, 422)
    assert phone.post(f"{board}/cell", {"at": "0,0", "tile": "9-9-9"}).status_code == 422
    assert phone.post(f"{board}/cell", {"at": "0,0", "tile": "9-7-3", "mark": "star"}).status_code == 422
    assert find(Correction) == []


def bomb() -> bytes:
    """A small PNG that claims, and has, 20,000 × 20,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    row = b"\0" * 2501
    pixels = b"".join(packer.compress(row) for _ in range(20_000)) + packer.flush()
    head = struct.pack(">IIBBBBB", 20_000, 20_000, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def test_what_is_not_a_photo_is_refused(phone: Phone, find: Any, app: Flask) -> None:
    address = f"{phone.open_table()}/rounds/1/seats/1/photo"
    assert send(phone, address, b"<html><script>alert(1)</script></html>").status_code == 422
    assert send(phone, address, bomb(), "bomb.png").status_code == 422
    assert send(phone, address, a_picture()[:5000]).status_code == 422
    assert send(phone, address, b"").status_code == 400
    assert find(Photo) == []
    assert find(BoardRow) == []
    folder = app.extensions["kibic_settings"].photo_folder
    assert not folder.exists() or not os.listdir(folder)


def test_a_hundred_megabytes_are_refused_before_they_are_read(phone: Phone) -> None:
    address = f"{phone.open_table()}/rounds/1/seats/1/photo"
    answer = phone.client.post(
        address,
        headers={"X-CSRF-Token": phone.token},
        content_type="multipart/form-data; boundary=x",
        input_stream=io.BytesIO(b"--x\r\n"),
        environ_overrides={"CONTENT_LENGTH": str(100 * 1024 * 1024)},
    )
    assert answer.status_code == 413


def test_a_photo_of_several_megabytes_is_welcome(phone: Phone, find: Any) -> None:
    from PIL import Image

    noise = Image.effect_noise((2400, 1800), 90).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "JPEG", quality=95)
    assert 2_000_000 < len(out.getvalue()) < 20_000_000
    address = f"{phone.open_table()}/rounds/1/seats/1/photo"
    part = b'--cut\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
    answer = phone.client.post(
        address,
        data=part + out.getvalue() + b"\r\n--cut--\r\n",
        headers={"X-CSRF-Token": phone.token},
        content_type="multipart/form-data; boundary=cut",
    )
    assert answer.status_code == 303
    assert (find(Photo)[0].width, find(Photo)[0].height) == (2400, 1800)


def test_a_kept_photo_knows_nothing_but_its_pixels(phone: Phone, find: Any, app: Flask) -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[0x010F] = "A very private phone"
    exif[0x0112] = 6  # to be turned upright
    exif.get_ifd(0x8825)[1] = "N"
    data = a_picture((800, 600), exif=exif.tobytes(), comment=b"GPS here")
    address = phone.open_table()
    answer = send(phone, f"{address}/rounds/1/seats/1/photo", data, "../../secret name.jpg")
    assert answer.status_code == 303
    kept = phone.get(f"{address}/photos/1.jpg").data
    assert b"private" not in kept
    assert b"GPS" not in kept
    assert b"Exif" not in kept
    with Image.open(io.BytesIO(kept)) as picture:
        assert picture.size == (600, 800)
    photo = find(Photo)[0]
    assert re.fullmatch(r"[0-9a-f]{32}\.jpg", photo.file)
    phone.post(f"{address}/delete")
    assert not os.listdir(app.extensions["kibic_settings"].photo_folder)


def test_a_full_queue_says_come_back_soon(tmp_path: Path) -> None:
    app = create_app({"data_folder": tmp_path, "reading_workers": 0, "reading_queue": 1, "TESTING": True})
    from web.reading_pool import Job

    phone = Phone(app.test_client())
    address = phone.open_table()
    app.extensions["kibic_pool"].submit(Job(b"", "mipasuje", {}))
    answer = send(phone, f"{address}/rounds/1/seats/1/photo", a_picture((40, 30)))
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    app.extensions["kibic_database"].engine.dispose()


def test_errors_tell_nothing_about_the_inside(phone: Phone) -> None:
    for path in (
        "/tables/../../etc/passwd",
        "/tables/x",
        "/j/x",
        "/static/../app.py",
        "/tables/x/photos/1.jpg",
    ):
        answer = phone.get(path)
        assert answer.status_code in (404, 405)
        assert "Traceback" not in answer.text
        assert "sqlalchemy" not in answer.text
