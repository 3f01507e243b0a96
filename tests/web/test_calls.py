"""The caller's log: every phone shows the call, and the boards are held to it."""

from __future__ import annotations

import pytest
from at_the_table import GAME_BOARDS, Phone
from flask import Flask

from scoring.registry import GAMES

BOARD = GAMES["mipasuje"].from_notation(GAME_BOARDS[0])
TILES = {at: tile.name for at, tile in BOARD.cells.items()}


@pytest.fixture
def table(phone: Phone) -> str:
    return phone.open_table("mipasuje", ("Ola", "Jan"), placement="adjacent")


def call_all(phone: Phone, table: str, tiles: list[str]) -> None:
    for tile in tiles:
        assert phone.post(f"{table}/rounds/1/calls", {"tile": tile}).status_code == 303


def enter(phone: Phone, table: str, cells: dict[tuple[int, int], str]) -> str:
    board = phone.post(f"{table}/rounds/1/seats/1/board").location
    phone.enter(board, cells)
    return board


def test_a_call_is_shown_on_every_phone(phone: Phone, other_phone: Phone, table: str) -> None:
    call_all(phone, table, ["9-7-3", "5-2-8"])
    page = phone.get(f"{table}/live").text
    assert "Called as number 2:" in page
    assert "5-2-8" in page
    assert phone.post(f"{table}/rounds/1/calls/undo").status_code == 303
    page = phone.get(f"{table}/live").text
    assert "Called as number 1:" in page
    assert "9-7-3" in page


def test_a_tile_is_called_once_and_must_exist(phone: Phone, table: str) -> None:
    call_all(phone, table, ["9-7-3"])
    assert phone.post(f"{table}/rounds/1/calls", {"tile": "9-7-3"}).status_code == 409
    assert phone.post(f"{table}/rounds/1/calls", {"tile": "9-9-9"}).status_code == 422


def test_the_log_tells_the_order_of_placement(phone: Phone, table: str) -> None:
    """Adjacent: first a corner, then the far corner: a referee objects, from the calls alone."""
    far = sorted(TILES, key=lambda at: at[0])
    apart = [far[0], far[-1], *far[1:-1]]
    call_all(phone, table, [TILES[at] for at in apart])
    page = phone.get(enter(phone, table, TILES)).text
    assert "touched no placed tile" in page


def test_an_order_that_keeps_to_the_rule_raises_nothing(phone: Phone, table: str) -> None:
    order = sorted(TILES)  # column by column: every tile touches one before it
    call_all(phone, table, [TILES[at] for at in order])
    page = phone.get(enter(phone, table, TILES)).text
    assert "The referee says" not in page


def test_a_tile_nobody_called_and_one_that_was_not_placed(phone: Phone, table: str) -> None:
    call_all(phone, table, [TILES[at] for at in sorted(TILES)])
    other = next(
        game_tile.name for game_tile in GAMES["mipasuje"].kinds() if game_tile.name not in TILES.values()
    )
    at = sorted(TILES)[4]
    enter(phone, table, TILES | {at: other})
    shown = phone.get(f"{table}/export.json").get_json()["rounds"][0]
    said = [finding["message"] for finding in shown["findings"]]
    assert f"Ola has {other}, which nobody called" in said
    assert f"Ola lacks {TILES[at]}, which the caller called" in said


def test_bits_tiles_are_held_to_the_calls(phone: Phone) -> None:
    table = phone.open_table("bits", ("Ola", "Jan"))
    for one, other in (("red", "red"), ("blue", "blue")):
        answer = phone.post(f"{table}/rounds/1/calls", {"one": one, "other": other})
        assert answer.status_code == 303
    board = phone.post(f"{table}/rounds/1/seats/1/board").location
    phone.enter(board, {(5, 0): "red", (5, 1): "red", (5, 2): "green", (5, 3): "green", (4, 0): "green",
                        (4, 1): "green"})  # fmt: skip
    page = phone.get(board).text
    assert "The referee says" in page
    assert phone.post(f"{table}/rounds/1/calls", {"one": "red", "other": "no"}).status_code == 422


def test_only_the_caller_or_the_host_calls(phone: Phone, other_phone: Phone, table: str) -> None:
    code = phone.get(table).text.split('class="code">')[1][:6]
    door = other_phone.post("/join", {"code": code}).location
    other_phone.post(door, {"seat": "2"})
    assert other_phone.post(f"{table}/rounds/1/calls", {"tile": "9-7-3"}).status_code == 403
    assert other_phone.get(f"{table}/rounds/1/calls").status_code == 200
    other_phone.post(door, {"seat": "1"})
    assert other_phone.post(f"{table}/rounds/1/calls", {"tile": "9-7-3"}).status_code == 303


def test_calls_are_in_the_record_and_play_back(app: Flask, phone: Phone, table: str) -> None:
    call_all(phone, table, ["9-7-3", "5-2-8"])
    phone.post(f"{table}/rounds/1/calls/undo")
    enter(phone, table, {(0, 0): "9-7-3"})
    page = phone.get(f"{table}/record").text
    assert "The record fits" in page
    assert "called: 9-7-3" in page
