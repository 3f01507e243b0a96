"""For everybody: no serious accessibility problem on any page, and a round with the keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest
from at_the_table import GAME_BOARDS, give_reading
from browsing import A_TABLE, open_table, watched
from flask import Flask
from playwright.sync_api import Page, expect

from scoring.registry import GAMES

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing")
pytestmark = pytest.mark.slow


def sample(number: int) -> dict[tuple[int, int], Any]:
    board = GAMES["mipasuje"].from_notation(GAME_BOARDS[number])
    return {cell: (tile.name, tile.mark) for cell, tile in board.cells.items()}


def serious(page: Page) -> list[str]:
    """What axe-core calls serious or critical on the page as it stands."""
    found = axe.Axe().run(page)
    return [
        f"{page.url}: {one['id']}: {one['nodes'][0]['html'][:160]}"
        for one in found.response["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("pl", "dark")])
def test_axe_finds_nothing_serious(a_phone: Any, base: str, app: Flask, language: str, scheme: str) -> None:
    page = a_phone(language, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    problems: list[str] = []

    def look(path: str = "") -> None:
        if path:
            page.goto(path)
        problems.extend(serious(page))

    look(base)
    look(f"{base}/tables/nothing")
    for game in GAMES:
        look(f"{base}/tables/new?game={game}")
    table = open_table(page, base, "mipasuje", ("Ola", "Jan"), scoring="rays")
    look()
    board = give_reading(app, table.rsplit("/", 1)[1], 0, sample(0), {(0, 0): "9-7-3", (1, 0): "1-6-4"})
    look(table)
    look(f"{table}/boards/{board}")
    page.locator("summary").first.click()
    page.locator("button.item").first.click()
    look()
    page.locator(".photo-svg .cell").nth(3).click()
    expect(page.locator("#picker")).to_be_visible()
    look()
    look(f"{table}/boards/{board}/cell?at=0,1")
    look(f"{table}/boards/{board}/grid")
    page.goto(f"{table}/boards/{board}")
    page.locator("form[action$=as-read] button").click()
    expect(page.locator(".doubt")).to_have_count(0)
    page.locator("#best a").click()
    expect(page.locator(".ideal svg")).to_be_visible()
    look()
    give_reading(app, table.rsplit("/", 1)[1], 1, sample(1), {})
    look(table)
    page.locator(".share summary").click()
    look()
    look(f"{table}/settings")
    look(f"{table}/print")
    for game, names in (("qwirkle", ("Ola", "Jan")), ("bits", ("Ola",))):
        open_table(page, base, game, names)
        look()
        page.locator(".player-card form:not(.photo) button").first.click()
        page.wait_for_url("**/boards/*")
        look()
    assert problems == []


def press_until(page: Page, key: str, wanted: str, limit: int = 80) -> None:
    """Keep pressing until the focus is on something that matches; a person would see the ring move."""
    for _ in range(limit):
        if page.evaluate("(one) => document.activeElement.matches(one)", wanted):
            return
        page.keyboard.press(key)
    here = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    raise AssertionError(f"no way to {wanted} with {key}; the focus is on {here}")


def test_a_board_with_the_keyboard_alone(a_phone: Any, base: str) -> None:
    """No mouse, no touch: open a table, fill a Bits board in, undo once, finish, see the ranking."""
    page = a_phone(viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    complaints = watched(page)
    page.goto(base)
    press_until(page, "Tab", 'a[href*="game=bits"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/new*")
    press_until(page, "Tab", "input[name=name]")
    page.keyboard.type("Ola")
    press_until(page, "Tab", "#new-table button.big")
    page.keyboard.press("Enter")
    page.wait_for_url(A_TABLE)
    press_until(page, "Tab", "form[action$='/board'] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/boards/*")
    press_until(page, "Tab", '.cell[data-at="2,0"]')
    page.keyboard.press("Enter")
    expect(page.locator("#picker")).to_be_visible()
    press_until(page, "Tab", '#picker button[value="red"]')
    page.keyboard.press("Enter")
    # The picker goes on to the next empty cell by itself; Escape leaves it.
    expect(page.locator(".cell.filled")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#picker")).to_be_hidden()
    press_until(page, "Tab", "form[action$='/undo'] button")
    page.keyboard.press("Enter")
    expect(page.locator(".cell.filled")).to_have_count(0)
    for row in range(2, 6):
        press_until(page, "Tab", f'.cell[data-at="{row},0"]', 200)
        page.keyboard.press("Enter")
        expect(page.locator("#picker")).to_be_visible()
        press_until(page, "Tab", '#picker button[value="red"]')
        page.keyboard.press("Enter")
        expect(page.locator(".cell.filled")).to_have_count(row - 1)
        page.keyboard.press("Escape")
        expect(page.locator("#picker")).to_be_hidden()
    expect(page.locator(".total b")).to_have_text("1")
    press_until(page, "Tab", "button.item", 200)
    page.keyboard.press("Enter")
    expect(page.locator(".cell.lit")).to_have_count(4)
    press_until(page, "Tab", "form[action$='/complete'] button", 200)
    page.keyboard.press("Enter")
    expect(page.locator("#result-h")).to_be_visible()
    assert complaints == []
