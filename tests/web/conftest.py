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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright; skipped where either is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    from browsing import installed_browser

    path = installed_browser()
    if path is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def a_phone(browser: Any, base: str) -> Iterator[Callable[..., Any]]:
    """Hands out phones (browsers with their own cookies) and takes them back before the server closes."""
    from browsing import new_phone

    phones: list[Any] = []

    def hand_out(language: str = "en", **more: Any) -> Any:
        phones.append(new_phone(browser, language, **more))
        return phones[-1].new_page()

    yield hand_out
    for phone in phones:
        phone.close()


@pytest.fixture
def base(app: Flask) -> Iterator[str]:
    from browsing import serving

    with serving(app) as address:
        yield address
