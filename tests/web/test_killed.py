"""`kill -9` at the worst moments: what was answered is there afterwards, and nothing half-done shows."""

from __future__ import annotations

import hashlib
import http.client
import http.cookiejar
import io
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from at_the_table import a_picture, readable
from flask import Flask
from PIL import Image
from sqlalchemy import select

from web.app import create_app
from web.storage import photo_files
from web.storage.models import BoardRow, Correction, Photo

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SERVER = """
import sys, pathlib, waitress
from web.app import create_app
if __name__ == "__main__":
    app = create_app({"data_folder": pathlib.Path(sys.argv[1])})
    server = waitress.create_server(app, host="127.0.0.1", port=0, threads=8)
    print(server.effective_port, flush=True)
    server.run()
"""
GONE = (OSError, urllib.error.URLError, http.client.HTTPException)


class Running:
    """A server in its own process, and a phone that talks to it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self.process = process
        self.port = int(process.stdout.readline())
        self.base = f"http://127.0.0.1:{self.port}"
        self.cookies = http.cookiejar.CookieJar()
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        with self.browser.open(self.base + "/") as page:
            found = re.search(r'data-csrf="([^"]+)"', page.read().decode())
        assert found
        self.token = found[1]

    def post(self, path: str, **form: Any) -> str:
        """Sends a form; where it leads."""
        sent = urllib.parse.urlencode({"csrf": self.token, **form}, doseq=True).encode()
        with self.browser.open(self.base + path, sent, timeout=20) as answer:
            return str(answer.geturl()).removeprefix(self.base)

    def photo_body(self, jpeg: bytes) -> bytes:
        head = b'--cut\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
        return head + jpeg + b"\r\n--cut--\r\n"

    def send_photo(self, path: str, jpeg: bytes) -> int:
        headers = {"X-CSRF-Token": self.token, "Content-Type": "multipart/form-data; boundary=cut"}
        request = urllib.request.Request(
            self.base + path, self.photo_body(jpeg), {**headers, "Accept": "application/json"}
        )
        with self.browser.open(request, timeout=40) as answer:
            return int(answer.status)

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def running(folder: Path) -> Iterator[Running]:
    script = folder / "server.py"
    script.write_text(SERVER)
    with subprocess.Popen(
        [sys.executable, str(script), str(folder / "data")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        try:
            yield Running(process)
        finally:
            process.kill()


@contextmanager
def after_restart(folder: Path) -> Iterator[Flask]:
    app = create_app({"data_folder": folder / "data"})
    assert app.extensions["kibic_database"].set_aside is None
    yield app
    app.extensions["kibic_pool"].close()
    app.extensions["kibic_database"].engine.dispose()


def rows(app: Flask, model: type[Any]) -> list[Any]:
    with app.extensions["kibic_database"].session(writing=False) as session:
        return list(session.scalars(select(model).order_by(model.id)))


def until(true: Callable[[], Any], seconds: float = 40.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


def check_whole(app: Flask) -> None:
    """Every photo a row speaks of is there, whole, and a picture; every board with a photo knows it."""
    folder = app.extensions["kibic_settings"].photo_folder
    photos = {photo.id: photo for photo in rows(app, Photo)}
    for photo in photos.values():
        data = photo_files.path_of(folder, photo.file).read_bytes()
        assert hashlib.sha256(data).hexdigest() == photo.sha256
        with Image.open(io.BytesIO(data)) as picture:
            assert picture.size == (photo.width, photo.height)
    for board in rows(app, BoardRow):
        assert board.photo_id is None or board.photo_id in photos


def test_while_people_correct(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        table = server.post("/tables", game="mipasuje", name="Ola")
        place = server.post(f"{table}/rounds/1/seats/1/board")
        answered: list[int] = []

        def correct() -> None:
            try:
                for number in range(10_000):
                    r = number % 5 - 2
                    server.post(f"{place}/cell", at=f"0,{r}", tile="9-7-3")
                    answered.append(r)
            except GONE:
                return

        worker = threading.Thread(target=correct)
        worker.start()
        assert until(lambda: len(answered) >= 8)
        server.kill()
        worker.join(timeout=30)
    with after_restart(tmp_path) as app:
        kept = [row.b for row in rows(app, Correction)]
        assert kept[: len(answered)] == answered
        assert len(kept) <= len(answered) + 1


def test_in_the_middle_of_an_upload(tmp_path: Path) -> None:
    """Half of the bytes have arrived: nothing of it may show."""
    with running(tmp_path) as server:
        table = server.post("/tables", game="mipasuje", name="Ola")
        body = server.photo_body(a_picture((1600, 1200)))
        cookie = "; ".join(f"{one.name}={one.value}" for one in server.cookies)
        head = (
            f"POST {table}/rounds/1/seats/1/photo HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Cookie: {cookie}\r\nX-CSRF-Token: {server.token}\r\n"
            f"Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(head.encode() + body[: len(body) // 2])
            time.sleep(0.3)
            server.kill()
    with after_restart(tmp_path) as app:
        assert rows(app, Photo) == []
        assert rows(app, BoardRow) == []
        page = app.test_client().get("/")
        assert page.status_code == 200


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.12, 0.3])
def test_while_photos_keep_arriving(tmp_path: Path, delay: float) -> None:
    """Uploads one after another, killed at some moment of cleaning, keeping or committing one."""
    with running(tmp_path) as server:
        table = server.post("/tables", game="mipasuje", name=["A", "B", "C", "D", "E", "F"])
        answered: list[int] = []

        def send() -> None:
            try:
                for seat in range(1, 7):
                    server.send_photo(f"{table}/rounds/1/seats/{seat}/photo", a_picture((300 + seat, 200)))
                    answered.append(seat)
            except GONE:
                return

        worker = threading.Thread(target=send)
        worker.start()
        assert until(lambda: len(answered) >= 2)
        time.sleep(delay)
        server.kill()
        worker.join(timeout=30)
    with after_restart(tmp_path) as app:
        check_whole(app)
        widths = {photo.id: photo.width for photo in rows(app, Photo)}
        kept = {row.seat_id: widths[row.photo_id] for row in rows(app, BoardRow)}
        assert {seat: 300 + seat for seat in answered}.items() <= kept.items()
        assert len(kept) <= len(answered) + 1
        # Those that were being read are read now.
        assert until(lambda: not any(row.awaiting for row in rows(app, BoardRow)))


def test_during_a_reading(tmp_path: Path) -> None:
    """The photo is answered for, its reading under way: after the restart it is read, not taken again."""
    with running(tmp_path) as server:
        table = server.post("/tables", game="mipasuje", name="Ola")
        photo = (ROOT / "samples" / f"{readable('mipasuje')}.jpg").read_bytes()
        assert server.send_photo(f"{table}/rounds/1/seats/1/photo", photo) == 201
        server.kill()
    with after_restart(tmp_path) as app:
        check_whole(app)
        (row,) = rows(app, BoardRow)
        assert row.photo_id is not None
        assert until(lambda: not rows(app, BoardRow)[0].awaiting)
        (row,) = rows(app, BoardRow)
        assert row.reading is not None, row.problem
        assert len(row.reading["cells"]) == 19
