"""A whole Mi pasuje! round for three players on one phone, from photographs to the final ranking."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browsing import (
    SAMPLES,
    agree,
    open_table,
    photograph,
    put,
    total,
    truth_of,
    wait_until_read,
    watched,
)
from playwright.sync_api import expect

from scoring.core import Player
from scoring.registry import GAMES

pytestmark = pytest.mark.slow

WORDS = {
    "en": {
        "ranking": "Final ranking",
        "wins": "wins",
        "next": "Next",
        "ray": "brightest sun ray",
        "undo": "Undo",
    },
    "pl": {
        "ranking": "Końcowa klasyfikacja",
        "wins": "wygrywa",
        "next": "Teraz",
        "ray": "najjaśniejszy promień słońca",
        "undo": "Cofnij",
    },
}
PLAYERS = ("Ola", "Jan", "Żaneta")


def expected() -> dict[str, int]:
    """The scores by the rules, straight from the truth files."""
    game = GAMES["mipasuje"]
    boards = [json.loads((SAMPLES / f"mipasuje-{n}.truth.json").read_text()) for n in (1, 2, 3)]
    players = [Player(name, game.parse_board(board)) for name, board in zip(PLAYERS, boards, strict=True)]
    result = game.score_round(players, game.parse_options({"scoring": "brightest"}))
    return {name: breakdown.total or 0 for name, breakdown in result.players}


def a_mistake() -> tuple[tuple[int, int], str]:
    """A cell of a scoring column, and a tile that breaks it."""
    game = GAMES["mipasuje"]
    board = game.parse_board(json.loads((SAMPLES / "mipasuje-1.truth.json").read_text()))
    items = game.score(board, game.parse_options({})).items
    column = next(item for item in items if item.kind == "vertical-row" and item.points)
    first = board.cells[column.cells[0]].name.split("-")
    return column.cells[0], "-".join(["1" if first[0] != "1" else "9", *first[1:]])


@pytest.mark.parametrize("language", ["en", "pl"])
def test_three_players_photograph_correct_and_agree(a_phone: Any, base: str, language: str) -> None:
    words = WORDS[language]
    page = a_phone(language)
    complaints = watched(page)
    table = open_table(page, base, "mipasuje", PLAYERS, scoring="brightest")

    photograph(page, "mipasuje-1", 0)
    agree(page, table, truth_of("mipasuje-1"))

    # A wrong correction changes the score at once, its undo brings it back.
    before = total(page)
    cell, tile = a_mistake()
    put(page, cell, tile)
    expect(page.locator(".total b")).not_to_have_text(str(before))
    page.get_by_role("button", name=words["undo"]).click()
    expect(page.locator(".total b")).to_have_text(str(before))

    # Touching a row lights up its cells on the photo; touching it again puts them out.
    item = page.locator("button.item").first
    item.click()
    lit = page.locator(".view-photo .cell.lit" if page.locator(".view-photo").count() else ".cell.lit")
    assert lit.count() == len((item.get_attribute("data-cells") or "").split())
    item.click()
    expect(lit).to_have_count(0)

    # One phone goes on to the next player without a detour.
    following = page.locator(".next")
    expect(following).to_contain_text(words["next"])
    following.locator("input[capture]").set_input_files(SAMPLES / "mipasuje-2.jpg")
    expect(page.locator("h1")).to_contain_text("Jan")
    wait_until_read(page)
    agree(page, table, truth_of("mipasuje-2"))

    page.goto(table)
    expect(page.locator("#result-h")).to_have_count(0)  # one board is still missing
    photograph(page, "mipasuje-3", 2)
    agree(page, table, truth_of("mipasuje-3"))

    page.goto(table)
    expect(page.locator("#result-h")).to_have_text(words["ranking"])
    ranked = page.locator(".ranking li").all_inner_texts()
    wanted = sorted(expected().items(), key=lambda pair: -pair[1])
    for line, (name, points) in zip(ranked, wanted, strict=True):
        assert name in line
        assert str(points) in line
    assert words["wins"] in ranked[0]
    bonus = page.locator(".bonuses li")
    expect(bonus).to_have_count(1)
    expect(bonus).to_contain_text("Ola")
    expect(bonus).to_contain_text(words["ray"])
    expect(bonus).to_contain_text("+60")
    assert complaints == []
