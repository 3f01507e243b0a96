"""Several photos at the table page: a second one of the same board, and a whole round read together."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from at_the_table import GAME_BOARDS, Phone, give_reading
from flask import Flask

from scoring.registry import GAMES
from vision.reading import Alternative, CellReading, Reading, Unreadable
from web.looks import LOOKS
from web.second_photos import joining

Cells = dict[tuple[int, int], tuple[str, str | None]]


def key_of(table: str) -> str:
    return table.rsplit("/", 1)[1]


def board_cells(index: int) -> Cells:
    board = GAMES["mipasuje"].from_notation(GAME_BOARDS[index])
    return {at: (tile.name, tile.mark) for at, tile in board.cells.items()}


def clear_reading(cells: Cells) -> Reading:
    look = LOOKS["mipasuje"]
    return Reading(
        "mipasuje",
        tuple(
            CellReading(at, tile, 0.99, (Alternative(None, 0.005),), look.polygon(at), mark)
            for at, (tile, mark) in cells.items()
        ),
        layout="standard",
        photo_size=(1200, 900),
    )


@pytest.fixture
def table(phone: Phone) -> str:
    return phone.open_table("mipasuje", ("Ola", "Jan", "Ela"), scoring="base")


def second(app: Flask, board: int, answer: Reading | Unreadable) -> None:
    done: Future[Reading] = Future()
    if isinstance(answer, Unreadable):
        done.set_exception(answer)
    else:
        done.set_result(answer)
    joining(app.extensions["kibic_database"], "mipasuje", board, 1, "0" * 64)(done)


def test_a_second_photo_settles_what_the_first_doubted(app: Flask, phone: Phone, table: str) -> None:
    cells = board_cells(0)
    board = give_reading(app, key_of(table), 0, cells, {(0, 0): "9-7-8", (1, 0): "9-7-4"})
    assert phone.get(f"{table}/boards/{board}").text.count('class="card doubt"') == 2
    second(app, board, clear_reading(cells))
    page = phone.get(f"{table}/boards/{board}").text
    assert 'class="card doubt"' not in page
    assert "state-done" in page
    assert "The record fits" in phone.get(f"{table}/record").text


def test_a_second_photo_of_another_board_changes_nothing_and_says_so(
    app: Flask, phone: Phone, table: str
) -> None:
    board = give_reading(app, key_of(table), 0, board_cells(0), {(0, 0): "9-7-8"})
    second(app, board, clear_reading(board_cells(1)))
    page = phone.get(f"{table}/boards/{board}").text
    assert "do not show the same board" in page
    assert page.count('class="card doubt"') == 1


def test_a_second_photo_that_cannot_be_read_changes_nothing(app: Flask, phone: Phone, table: str) -> None:
    board = give_reading(app, key_of(table), 0, board_cells(0), {(0, 0): "9-7-8"})
    second(app, board, Unreadable("too-slow", "took too long"))
    page = phone.get(f"{table}/boards/{board}").text
    assert "took too long" in page
    assert page.count('class="card doubt"') == 1


def test_a_second_photo_needs_a_first(phone: Phone, table: str) -> None:
    board = phone.post(f"{table}/rounds/1/seats/1/board").location
    assert phone.post(f"{board}/second-photo").status_code == 409


def test_a_round_settles_a_doubt_by_what_the_others_hold(app: Flask, phone: Phone, table: str) -> None:
    """Ola's middle tile might be one that was never called: two other boards say it was not."""
    cells = board_cells(0)
    never = next(tile.name for tile in GAMES["mipasuje"].kinds() if tile.name not in dict(cells.values()))
    board = give_reading(app, key_of(table), 0, cells, {(0, 0): never})
    assert 'class="card doubt"' in phone.get(f"{table}/boards/{board}").text
    for seat in (1, 2):
        give_reading(app, key_of(table), seat, board_cells(seat), {})
    page = phone.get(f"{table}/boards/{board}").text
    assert 'class="card doubt"' not in page


def test_a_tile_the_others_do_not_hold_stays_where_it_is_plainly_seen(
    app: Flask, phone: Phone, table: str
) -> None:
    cells = board_cells(0)
    never = next(tile.name for tile in GAMES["mipasuje"].kinds() if tile.name not in dict(cells.values()))
    give_reading(app, key_of(table), 0, cells | {(0, 0): (never, None)}, {})
    for seat in (1, 2):
        give_reading(app, key_of(table), seat, board_cells(seat), {})
    shown = phone.get(f"{table}/export.json").get_json()["rounds"][0]["players"][0]
    assert never in {cell["tile"] for cell in shown["cells"]}
