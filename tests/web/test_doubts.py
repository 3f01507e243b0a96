"""What is asked and what is not: a question that cannot change the score costs a tap for nothing."""

from __future__ import annotations

from typing import Any

from at_the_table import GAME_BOARDS, Phone, give_reading
from flask import Flask

from scoring.registry import GAMES

GAME = GAMES["mipasuje"]
BOARD = GAME.from_notation(GAME_BOARDS[0])
CELLS = {cell: (tile.name, tile.mark) for cell, tile in BOARD.cells.items()}
OTHER = {"sun": "moon", "moon": "sun"}


def asked(
    phone: Phone, app: Flask, scoring: str, doubted: dict[Any, Any]
) -> dict[tuple[int, int], list[Any]]:
    address = phone.open_table(scoring=scoring)
    give_reading(app, address.rsplit("/", 1)[1], 0, CELLS, doubted)
    shown = phone.get(f"{address}/export.json").get_json()["rounds"][0]["players"][0]
    return {
        (doubt["at"][0], doubt["at"][1]): [
            (one["tile"], one["mark"], one["total"]) for one in doubt["alternatives"]
        ]
        for doubt in shown["doubts"]
    }


def other_symbol(cell: tuple[int, int]) -> list[Any]:
    tile, mark = CELLS[cell]
    return [(tile, OTHER[str(mark)])]


def test_symbols_are_not_asked_about_where_they_do_not_count(phone: Phone, app: Flask) -> None:
    assert asked(phone, app, "base", {cell: other_symbol(cell) for cell in CELLS}) == {}


def test_every_symbol_that_can_make_or_break_a_ray_is_asked_about(phone: Phone, app: Flask) -> None:
    """Against the rules played out: flip each symbol alone and see whether anything that counts changes."""

    def counted(cells: dict[Any, Any], scoring: str) -> Any:
        data = {"cells": [{"at": list(at), "tile": tile, "mark": mark} for at, (tile, mark) in cells.items()]}
        result = GAME.score(
            GAME.parse_board({**data, "board": "standard"}), GAME.parse_options({"scoring": scoring})
        )
        return [(item.kind, item.cells) for item in result.items if item.points]

    for scoring in ("rays", "brightest"):
        for cell, (tile, _mark) in CELLS.items():
            flipped = {**CELLS, cell: other_symbol(cell)[0]}
            matters = counted(flipped, scoring) != counted(CELLS, scoring)
            found = asked(phone, app, scoring, {cell: other_symbol(cell)})
            if matters:
                assert cell in found, (scoring, cell, tile)


def test_unsure_symbols_are_weighed_together(phone: Phone, app: Flask) -> None:
    """Each of them alone changes nothing, all of them together make a ray: they are asked about."""
    row = next(item for item in GAME.score(BOARD, GAME.parse_options({})).items
               if item.points and len({CELLS[cell][1] for cell in item.cells}) == 2)  # fmt: skip
    unsure = {cell: [(CELLS[cell][0], mark) for mark in ("sun", "moon", None)] for cell in row.cells}
    found = asked(phone, app, "brightest", unsure)
    assert set(row.cells) <= set(found)


def test_a_doubted_tile_is_one_question_whatever_its_symbol(phone: Phone, app: Flask) -> None:
    tile, mark = CELLS[0, 0]
    wanted = [(tile, OTHER[str(mark)]), ("9-7-3", "sun"), ("9-7-3", "moon"), (None, None)]
    (alternatives,) = asked(phone, app, "base", {(0, 0): wanted}).values()
    assert [(one[0], one[1]) for one in alternatives] == [(tile, mark), ("9-7-3", "sun"), (None, None)]
    right = GAME.score(BOARD, GAME.parse_options({})).total
    assert alternatives[0][2] == right
    assert alternatives[1][2] != right


def test_all_as_read_settles_everything_and_can_be_taken_back(phone: Phone, app: Flask) -> None:
    address = phone.open_table()
    key = address.rsplit("/", 1)[1]
    board = give_reading(app, key, 0, CELLS, {(0, 0): "9-7-3", (0, 1): "1-6-4", (1, 0): None})
    assert "3 tiles to check" in phone.get(address).text
    phone.post(f"{address}/boards/{board}/as-read")
    shown = phone.get(f"{address}/export.json").get_json()["rounds"][0]["players"][0]
    assert shown["state"] == "done"
    assert {(c["at"][0], c["at"][1]): (c["tile"], c["mark"]) for c in shown["cells"]} == CELLS
    for left in (1, 2, 3):
        phone.post(f"{address}/boards/{board}/undo")
        shown = phone.get(f"{address}/export.json").get_json()["rounds"][0]["players"][0]
        assert len(shown["doubts"]) == left


def test_a_tile_brings_the_symbol_it_has_on_other_boards(phone: Phone, app: Flask) -> None:
    address = phone.open_table(scoring="rays")
    give_reading(app, address.rsplit("/", 1)[1], 0, CELLS, {})
    tile, mark = CELLS[0, 0]
    board = phone.post(f"{address}/rounds/1/seats/2/board").location
    phone.post(f"{board}/cell", {"at": "1,0", "tile": tile, "mark": "known"})
    phone.post(f"{board}/cell", {"at": "0,1", "tile": "9-7-3", "mark": "known"})
    shown = phone.get(f"{address}/export.json").get_json()["rounds"][0]["players"][1]
    assert {(cell["tile"], cell.get("mark")) for cell in shown["cells"]} == {(tile, mark), ("9-7-3", None)}
