"""On a phone, in Polish: a disputed tile from claim to ruling, and an earlier turn corrected."""

from __future__ import annotations

from typing import Any

import pytest
from at_the_table import GAME_BOARDS, give_reading
from browsing import open_table, watched
from flask import Flask
from playwright.sync_api import Page, expect
from turn_play import Placement, photograph, reading_of, tiles

from scoring.registry import GAMES

pytestmark = pytest.mark.slow


def key_of(table: str) -> str:
    return table.rsplit("/", 1)[1]


def fits(page: Page) -> None:
    """Nothing sticks out sideways on a phone."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url


def totals(page: Page) -> list[int]:
    return [
        int(page.locator(".player-card .score").nth(index).get_attribute("data-total") or "")
        for index in range(page.locator(".player-card").count())
    ]


def test_a_disputed_tile_at_a_table_of_three(app: Flask, a_phone: Any, base: str) -> None:
    """Jan's photo was misread; Jan claims the tile on his own phone, the host's phone rules."""
    host = a_phone("pl")
    complaints = watched(host)
    table = open_table(host, base, "mipasuje", ("Ola", "Jan", "Żaneta"))
    board = GAMES["mipasuje"].from_notation(GAME_BOARDS[1])
    true = {at: (tile.name, tile.mark) for at, tile in board.cells.items()}
    game = GAMES["mipasuje"]
    at = next(item.cells[0] for item in game.score(board, game.parse_options({})).items if item.points)
    right, mark = true[at]
    wrong = next(name for name in ("1-2-3", "5-6-4", "9-7-8") if not set(name) & set(right) - {"-"})
    number = give_reading(app, key_of(table), 1, true | {at: (wrong, mark)}, {})
    host.goto(table)
    before = totals(host)

    jan = a_phone("pl")
    jan.goto(base)
    code = host.locator(".code").first.inner_text()
    jan.locator("input[name=code]").fill(code)
    jan.locator("form[action$='/join'] button").click()
    jan.get_by_role("button", name="Jan").click()
    jan.goto(f"{table}/boards/{number}")
    jan.locator(f'.view-photo .cell[data-at="{at[0]},{at[1]}"]').click()
    picker = jan.locator("#picker")
    expect(picker).to_be_visible()
    picker.get_by_role("link", name="Nie zgadzam się").click()
    expect(jan.get_by_role("heading", level=1)).to_have_text("Nie zgadzam się")
    fits(jan)
    jan.locator(".claim-tile input[name=words]").fill("to nie ten kafel")
    jan.locator(f'.claim-tile button[value="{right}"]').click()

    expect(jan.get_by_role("heading", level=1)).to_have_text("Rozstrzyganie sporu")
    expect(jan.locator(".evidence figure")).to_have_count(3)
    expect(jan.locator(".evidence .crop")).to_be_visible()
    expect(jan.locator(".seen li").first).to_contain_text("98.0 %")
    expect(jan.locator(".desk")).to_contain_text("instrukcja: KONIEC GRY: Rzędy punktujące")
    expect(jan.locator(".desk")).to_contain_text("to nie ten kafel")
    expect(jan.locator("main")).to_contain_text("Decyduje ktoś inny przy stole.")
    expect(jan.locator(".ruling")).to_have_count(0)
    fits(jan)
    promised = [
        int(cell.inner_text().replace("−", "-")) for cell in jan.locator(".effects td:last-child").all()
    ]
    assert promised[1] != before[1]
    assert promised[0] == before[0]

    host.goto(table)
    host.get_by_role("link", name="Jan nie zgadza się").click()
    host.locator(".ruling input[name=reason]").fill("widać na zdjęciu")
    host.get_by_role("button", name="Uznaj").click()
    expect(host.locator("#ruling-h")).to_have_text("zgłoszenie przyjęte")
    fits(host)
    host.goto(table)
    assert totals(host) == promised
    host.goto(f"{table}/record")
    expect(host.locator("#verdict-h")).to_have_text("Zapis się zgadza")
    fits(host)
    assert not complaints


def test_an_earlier_qwirkle_turn_corrected_and_everything_after_rescored(
    app: Flask, a_phone: Any, base: str
) -> None:
    page = a_phone("pl")
    complaints = watched(page)
    table = open_table(page, base, "qwirkle", ("Ola", "Jan"))
    first = photograph(app, key_of(table), reading_of("qwirkle", tiles("qwirkle", "0,0:RoRsRd")))
    second = tiles("qwirkle", "0,0:RoRsRd;1,2:GdBd")
    photograph(app, key_of(table), reading_of("qwirkle", second, Placement(1, (2, 1))))
    third = tiles("qwirkle", "-1,2:Yd;0,0:RoRsRd;1,2:GdBd")
    last = photograph(app, key_of(table), reading_of("qwirkle", third, Placement(3, (0, -2))))
    page.goto(table)
    assert totals(page) == [6, 4]
    page.goto(f"{table}/boards/{last}")
    expect(page.locator("#verdict-h")).to_have_text("Ruch zgodny z zasadami")
    expect(page.locator(".view-photo .cell.fresh")).to_have_count(1)
    fits(page)

    page.goto(f"{table}/boards/{first}")
    page.locator('.view-photo .cell[data-at="0,2"]').click()
    expect(page.locator("#picker")).to_be_visible()
    page.locator('#picker button[name=tile][value="red star"]').click()
    expect(page.locator("#picker")).to_be_hidden()
    page.goto(table)
    assert totals(page) == [3, 0]
    page.goto(f"{table}/boards/{last}")
    expect(page.locator("#verdict-h")).to_have_text("Ruch niezgodny z zasadami")
    fits(page)
    assert not complaints
