"""The same page on PostgreSQL, served by two processes' worth of applications at once."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from at_the_table import GAME_BOARDS, Phone, give_reading
from flask import Flask
from sqlalchemy import select

from scoring.registry import GAMES
from web.app import create_app
from web.storage.models import Base, Correction, Table

pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'kibic[postgres]')")
pytestmark = pytest.mark.slow


def programs() -> Path | None:
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists()), None)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A PostgreSQL of our own in a temporary folder, reachable through a socket in it."""
    place = programs()
    if place is None:
        pytest.skip("no PostgreSQL on this machine (Debian: apt-get install postgresql)")
    user = None
    if os.geteuid() == 0:  # it refuses to run as root
        if not any(one.pw_name == "postgres" for one in pwd.getpwall()):
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        user = "postgres"
    folder = Path(tempfile.mkdtemp(prefix="kibic-pg-"))
    try:
        if user:
            shutil.chown(folder, user)
        make = [
            place / "initdb",
            "-D",
            folder / "db",
            "-U",
            "kibic",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(make, check=True, capture_output=True, user=user, cwd=folder)
        control = [place / "pg_ctl", "-D", folder / "db", "-w", "-l", folder / "log"]
        listen = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        subprocess.run(
            [*control, "-o", listen, "start"], check=True, capture_output=True, user=user, cwd=folder
        )
        try:
            yield f"postgresql+psycopg://kibic@/postgres?host={folder}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], capture_output=True, user=user, cwd=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def two(url: str, tmp_path: Path) -> Iterator[tuple[Flask, Flask]]:
    apps = tuple(create_app({"data_folder": tmp_path, "database_url": url}) for _ in range(2))
    yield apps[0], apps[1]
    for app in apps:
        app.extensions["kibic_pool"].close()
        app.extensions["kibic_database"].engine.dispose()


def test_migrations_make_exactly_the_tables_of_the_models(two: tuple[Flask, Flask]) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with two[0].extensions["kibic_database"].engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_what_one_server_keeps_the_other_shows(two: tuple[Flask, Flask]) -> None:
    here = Phone(two[0].test_client())
    address = here.open_table(names=("Zażółć", "Jan"))
    there = two[1].test_client()
    cookie = here.client.get_cookie("kibic_session")
    assert cookie is not None
    there.set_cookie("kibic_session", cookie.value)
    game = GAMES["mipasuje"]
    board = game.from_notation(GAME_BOARDS[0])
    cells = {cell: (tile.name, tile.mark) for cell, tile in board.cells.items()}
    give_reading(two[1], address.rsplit("/", 1)[1], 0, cells, {})
    page = there.get(address).text
    assert "Zażółć" in page
    assert f'data-total="{game.score(board, game.parse_options({})).total}"' in page
    # The same state has the same tag on both, so a phone may be answered by either.
    tags = [client.get(f"{address}/live").headers["ETag"] for client in (here.client, there)]
    assert tags[0] == tags[1]
    here.post(f"{address}/delete")
    assert there.get(address).status_code == 404


def test_two_servers_change_one_table_at_once(two: tuple[Flask, Flask]) -> None:
    phone = Phone(two[0].test_client())
    address = phone.open_table(names=tuple("ABCDEF"))
    with two[0].extensions["kibic_database"].session(writing=False) as session:
        table = session.scalars(select(Table).where(Table.key == address.rsplit("/", 1)[1])).one()
        before, seats, number = table.version, [seat.id for seat in table.seats], table.id
    boards = [phone.post(f"{address}/rounds/1/seats/{seat}/board").location for seat in seats]
    cookie = phone.client.get_cookie("kibic_session")
    assert cookie is not None

    def work(job: tuple[int, str]) -> list[int]:
        own = two[job[0] % 2].test_client()
        own.set_cookie("kibic_session", cookie.value)
        form = {"csrf": phone.token, "tile": "9-7-3"}
        return [own.post(f"{job[1]}/cell", data={**form, "at": f"0,{r}"}).status_code for r in range(-2, 3)]

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, enumerate(boards))) == [[303] * 5] * 6
    with two[1].extensions["kibic_database"].session(writing=False) as session:
        table = session.get_one(Table, number)
        kept = session.scalars(select(Correction)).all()
        assert len([one for one in kept if one.board.round.table_id == number]) == 30
        assert table.version >= before + 36  # no change was swallowed by another
