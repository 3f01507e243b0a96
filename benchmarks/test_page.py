"""The table page: its weight before photos and its time on a warm process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from web import samples
from web.app import create_app
from web.storage.models import Table

MOST_BYTES = 100_000
MOST_SECONDS = 0.030


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"data_folder": tmp_path})
    yield made
    made.extensions["kibic_pool"].close()
    made.extensions["kibic_database"].engine.dispose()


@pytest.fixture
def table(app: Flask) -> tuple[FlaskClient, str]:
    """Six players in their fourth round, every board but the last agreed: as heavy as tables get."""
    phone = app.test_client()
    found = re.search(r'data-csrf="([^"]+)"', phone.get("/").text)
    assert found
    form: dict[str, Any] = {"csrf": found[1]}
    names = ["Ola", "Jan", "Ela", "Adam", "Ewa", "Iga"]
    opening = {**form, "game": "mipasuje", "scoring": "brightest", "rounds": "6", "name": names}
    place = phone.post("/tables", data=opening).location
    for _ in range(4):
        with app.extensions["kibic_database"].session() as session:
            kept = session.scalars(select(Table)).one()
            for start in (0, 3):
                samples.fill_round(kept.rounds[-1], kept.seats[start : start + 3])
            session.commit()
        phone.post(f"{place}/rounds", data=form)
    return phone, place


def weight(phone: FlaskClient, page: str) -> int:
    """Bytes of the page and everything it asks for but photographs, as they travel to a phone."""
    wanted = set(re.findall(r'(?:src|href)="(/(?:static|tables/[^"]+\.svg)[^"]*)"', page))
    total = len(page.encode())
    for path in wanted:
        with phone.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            total += len(answer.data)
    return total


def test_table_page(benchmark: Any, table: tuple[FlaskClient, str]) -> None:
    phone, place = table
    page = phone.get(place).text
    heavy = weight(phone, page)
    benchmark.extra_info["bytes"] = heavy
    assert heavy <= MOST_BYTES
    benchmark(lambda: phone.get(place))
    assert benchmark.stats.stats.median <= MOST_SECONDS


def test_nothing_new(benchmark: Any, table: tuple[FlaskClient, str]) -> None:
    """What every phone asks every two seconds."""
    phone, place = table
    tag = {"If-None-Match": phone.get(f"{place}/live").headers["ETag"]}
    assert phone.get(f"{place}/live", headers=tag).status_code == 304
    benchmark(lambda: phone.get(f"{place}/live", headers=tag))
    assert benchmark.stats.stats.median <= MOST_SECONDS / 3
