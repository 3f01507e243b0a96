"""A Bits match of three rounds on one phone: two by photograph, one by hand, cards as entered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browsing import A_TABLE, SAMPLES, agree, photograph, truth_of, watched
from playwright.sync_api import Page, expect

from scoring.bits import solo_title
from scoring.registry import GAMES

pytestmark = pytest.mark.slow

BY_HAND = {(row, 0): "red" for row in range(2, 6)} | {(row, col): "blue" for row in (4, 5) for col in (1, 2)}
WORDS = {"en": {"ranking": "Final ranking"}, "pl": {"ranking": "Końcowa klasyfikacja"}}


def expected(number: int, cells: list[dict[str, Any]]) -> int:
    game = GAMES["bits"]
    options = {"round": number, "card2": ["I"], "card3": {"O": -2}}
    total = game.score(game.parse_board({"cells": cells}), game.parse_options(options)).total
    assert total is not None
    return total


def by_hand(page: Page) -> None:
    """The picker walks on from empty cell to empty cell; a tap elsewhere starts at another."""
    page.locator(".player-card form:not(.photo) button").click()
    page.wait_for_url("**/boards/*")
    for count, ((row, column), colour) in enumerate(BY_HAND.items(), 1):
        page.locator(f'.cell[data-at="{row},{column}"]').click()
        page.locator(f'#picker button[value="{colour}"]').click()
        expect(page.locator(".cell.filled")).to_have_count(count)
        page.locator("#picker [data-close]").click()
        expect(page.locator("#picker")).to_be_hidden()
    page.locator("form[action$='/complete'] button").click()
    page.wait_for_url(A_TABLE)


@pytest.mark.parametrize("language", ["en", "pl"])
def test_three_rounds_of_bits(a_phone: Any, base: str, language: str) -> None:
    page = a_phone(language)
    complaints = watched(page)
    page.goto(f"{base}/tables/new?game=bits")
    page.locator("input[name=name]").first.fill("Łucja")
    page.locator('input[name=card2][value="I"]').check()
    square = page.locator(".shape", has=page.locator('input[name=card3-shape][value="O"]'))
    square.locator("select").select_option("-2")
    page.locator("#new-table button.big").click()
    page.wait_for_url(A_TABLE)
    table, total = page.url, 0

    for number, name in ((1, "bits-1"), (2, "bits-2")):
        photograph(page, name, 0)
        agree(page, table, truth_of(name))
        page.goto(table)
        total += expected(number, json.loads((SAMPLES / f"{name}.truth.json").read_text())["cells"])
        expect(page.locator(".ranking .score")).to_have_text(str(total).replace("-", "−"))
        page.locator("form[action$='/rounds'] button").click()
        expect(page.locator(".head")).to_contain_text(str(number + 1))
    by_hand(page)
    total += expected(3, [{"at": list(at), "tile": tile} for at, tile in BY_HAND.items()])
    expect(page.locator("#result-h")).to_have_text(WORDS[language]["ranking"])
    expect(page.locator(".ranking .score")).to_have_text(str(total).replace("-", "−"))
    expect(page.locator(".result")).to_contain_text(solo_title(total)().text)
    expect(page.locator("table.rounds tbody tr").first).to_contain_text("Łucja")

    # An earlier round can still be put right, and the total follows.
    page.locator("table.rounds th a").first.click()
    page.locator(".player-card a.button").click()
    page.wait_for_url("**/boards/*")
    page.get_by_role("button", name="Drawing" if language == "en" else "Rysunek").click()
    page.locator('.view-plan .cell[data-at="5,0"]').click()
    page.locator('#picker button[value="|"]').last.click()
    expect(page.locator("#picker")).to_be_hidden()
    page.goto(table)
    now = json.loads((SAMPLES / "bits-1.truth.json").read_text())["cells"]
    changed = expected(1, [cell for cell in now if cell["at"] != [5, 0]]) - expected(1, now)
    expect(page.locator(".ranking .score")).to_have_text(str(total + changed).replace("-", "−"))
    assert complaints == []
