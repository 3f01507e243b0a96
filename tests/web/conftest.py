"""A fresh copy of the table page for every test: its own folder, its own database, its own readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from at_the_table import Phone
from flask import Flask
from sqlalchemy import select

from web.app import create_app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"data_folder": tmp_path / "data", "TESTING": True})
    yield made
    made.extensions["kibic_pool"].close()
    made.extensions["kibic_database"].engine.dispose()


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app.test_client())


@pytest.fixture
def other_phone(app: Flask) -> Phone:
    return Phone(app.test_client())


@pytest.fixture
def find(app: Flask) -> Callable[..., Any]:
    """Looks into the database as it is now."""

    def look(model: type[Any]) -> list[Any]:
        with app.extensions["kibic_database"].session(writing=False) as session:
            return list(session.scalars(select(model)))

    return look
