"""A real browser at a real server: phones, taps, and boards settled by what truly lies there."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import waitress
from flask import Flask

try:
    from playwright.sync_api import Browser, BrowserContext, Page, expect
except ImportError:  # as on a machine that only serves
    pytest.skip("Playwright is not installed", allow_module_level=True)

SAMPLES = Path(__file__).parents[2] / "samples"
PHONE = {"width": 390, "height": 844}
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

A_TABLE = re.compile(r"/tables/(?!new)[^/?]+$")

Truth = dict[tuple[int, int], tuple[str, str | None]]


def installed_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """The page at an address of this machine."""
    server = waitress.create_server(app, host="127.0.0.1", port=0, threads=16)
    ended = threading.Event()

    def answer() -> None:
        while not ended.is_set():
            server.asyncore.loop(timeout=0.1, map=server._map, count=1)

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        ended.set()
        thread.join(timeout=10)
        server.task_dispatcher.shutdown(timeout=5)
        # Also the lines that phones keep open: left to the garbage collector they would trouble a later test.
        server.asyncore.close_all(server._map)


def new_phone(browser: Browser, language: str = "en", **more: Any) -> BrowserContext:
    locale = {"en": "en-GB", "pl": "pl-PL"}[language]
    settings = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "locale": locale, **more}
    phone = browser.new_context(**settings)
    phone.set_default_timeout(20_000)
    return phone


def watched(page: Page) -> list[str]:
    """Everything the browser complains about on this page."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def truth_of(name: str) -> Truth:
    cells = json.loads((SAMPLES / f"{name}.truth.json").read_text())["cells"]
    return {(cell["at"][0], cell["at"][1]): (cell["tile"], cell.get("mark")) for cell in cells}


def open_table(page: Page, base: str, game: str, names: tuple[str, ...], **choices: str) -> str:
    """Fills the form in as people do; the table's address."""
    page.goto(f"{base}/tables/new?game={game}")
    for index, name in enumerate(names):
        field = page.locator("input[name=name]").nth(index)
        if not field.is_visible():
            page.locator("#add-player").click()
        field.fill(name)
    for key, value in choices.items():
        page.locator(f"select[name={key}]").select_option(value)
    page.locator("#new-table button.big").click()
    page.wait_for_url(A_TABLE)
    return page.url


def photograph(page: Page, name: str, seat: int) -> None:
    """The player's photograph, through the big button; ends on the board's page, read or refused."""
    expect(page.locator(".player-card")).not_to_have_count(0)
    card = page.locator(".player-card").nth(seat)
    card.locator("input[capture]").set_input_files(SAMPLES / f"{name}.jpg")
    page.wait_for_url("**/boards/*")
    wait_until_read(page)


def wait_until_read(page: Page) -> None:
    expect(page.locator(".board-page")).to_be_visible()
    expect(page.locator(".state-reading")).to_have_count(0, timeout=40_000)


def settle(page: Page, truth: Truth) -> int:
    """Answers every doubt with what truly lies there; how many there were."""
    answered = 0
    while page.locator(".doubt").count():
        card = page.locator(".doubt").first
        at = card.get_attribute("data-at") or ""
        tile, mark = truth.get(cell_of(at), (None, None))
        offered = card.locator(f'button[name=choice][value="{tile or ""}|{mark or ""}"]')
        if offered.count():
            offered.click()
        else:
            card.locator("[data-picker]").click()
            choose(page, tile, mark)
        expect(page.locator(f'.doubt[data-at="{at}"]')).to_have_count(0)
        answered += 1
    return answered


def agree(page: Page, table: str, truth: Truth) -> None:
    """What people do after a photo: settle the doubts, put right what is wrong; by hand if it was refused."""
    if page.locator(".problem.card").count():
        fill_in(page, truth)
    else:
        settle(page, truth)
        make_true(page, table, truth)
    stands = {at: tile for at, (tile, _mark) in as_it_stands(page, table, page.url).items()}
    assert stands == {at: tile for at, (tile, _mark) in truth.items()}


def fill_in(page: Page, truth: Truth) -> None:
    """A whole board by hand: the picker walks on from empty cell to empty cell."""
    page.locator(".cell.empty").first.click()
    for count in range(1, len(truth) + 1):
        at = cell_of(page.locator("#picker input[name=at]").input_value())
        choose(page, *truth[at])
        expect(page.locator(".cell.filled")).to_have_count(count)
        if count < len(truth):
            expect(page.locator(f'#picker input[name=at][value="{at[0]},{at[1]}"]')).to_have_count(0)
    expect(page.locator("#picker")).to_be_hidden()


def choose(page: Page, tile: str | None, mark: str | None) -> None:
    """In the open picker: this tile, with this symbol where symbols are asked for."""
    picker = page.locator("#picker")
    expect(picker).to_be_visible()
    if tile is None:
        picker.locator('button[value="|"]').last.click()
        return
    if picker.locator(".marks").count():
        picker.locator(f'.marks input[value="{mark or ""}"]').check()
    picker.locator(f'button[name=tile][value="{tile}"]').click()


def tap(page: Page, at: tuple[int, int]) -> None:
    view = ".view-photo " if page.locator(".view-photo").count() else ""
    page.locator(f'{view}.cell[data-at="{at[0]},{at[1]}"]').click()


def put(page: Page, at: tuple[int, int], tile: str, mark: str | None = None) -> None:
    """One correction: tap the cell in the photo, choose the tile."""
    tap(page, at)
    choose(page, tile, mark)
    expect(page.locator("#picker")).to_be_hidden()


def as_it_stands(page: Page, table: str, board: str) -> Truth:
    """The board as the server has it now."""
    shown = page.request.get(f"{table}/export.json").json()
    number = int(board.rsplit("/", 1)[1])
    cells = next(
        one["cells"] for round_ in shown["rounds"] for one in round_["players"] if one["id"] == number
    )
    return {(cell["at"][0], cell["at"][1]): (cell["tile"], cell.get("mark")) for cell in cells}


def make_true(page: Page, table: str, truth: Truth) -> None:
    """Corrects by hand what was neither read right nor doubted (a reader is allowed to be wrong here)."""
    stands = as_it_stands(page, table, page.url)
    for at in sorted({*stands, *truth}):
        if stands.get(at) != truth.get(at):
            page.locator("[data-show=plan]").click()
            page.locator(f'.view-plan .cell[data-at="{at[0]},{at[1]}"]').click()
            choose(page, *truth.get(at, (None, None)))
            expect(page.locator("#picker")).to_be_hidden()
            page.locator("[data-show=photo]").click()


def total(page: Page) -> int:
    return int(page.locator(".total b").inner_text().replace("−", "-"))


def cell_of(at: str) -> tuple[int, int]:
    first, second = at.split(",")
    return int(first), int(second)
