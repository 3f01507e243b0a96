"""The board's page by touch: the grid, the rows through a cell, the best board, paper."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from at_the_table import GAME_BOARDS, give_reading, readable
from browsing import SAMPLES, open_table, photograph, watched
from flask import Flask
from playwright.sync_api import Page, expect
from sqlalchemy import select

from scoring.registry import GAMES
from web.storage.models import BoardRow, Photo

pytestmark = pytest.mark.slow


def sample(number: int) -> dict[tuple[int, int], Any]:
    board = GAMES["mipasuje"].from_notation(GAME_BOARDS[number])
    return {cell: (tile.name, tile.mark) for cell, tile in board.cells.items()}


def rows(app: Flask) -> list[BoardRow]:
    with app.extensions["kibic_database"].session(writing=False) as session:
        return list(session.scalars(select(BoardRow)))


def drag(page: Page, number: int, across: float, down: float) -> None:
    handle = page.locator(".handle").nth(number).bounding_box()
    assert handle is not None
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across / 2, y + down / 2)
    page.mouse.move(x + across, y + down)
    page.mouse.up()


def test_the_corners_are_dragged_and_the_photo_is_read_again(a_phone: Any, base: str, app: Flask) -> None:
    page = a_phone()
    complaints = watched(page)
    open_table(page, base, "mipasuje", ("Ola", "Jan"))
    photograph(page, readable("mipasuje"), 0)
    board = page.url
    before = rows(app)[0].reading
    assert before is not None
    page.get_by_role("link", name="The grid is wrong").click()
    expect(page.locator(".handle")).to_have_count(6)
    placed = page.locator("input[name=corners]").input_value()
    drag(page, 1, 12, -9)
    page.locator(".handle").nth(3).focus()
    page.keyboard.press("ArrowDown")
    moved = page.locator("input[name=corners]").input_value().split()
    assert [one != two for one, two in zip(moved, placed.split(), strict=True)] == [
        False, True, False, True, False, False,
    ]  # fmt: skip
    page.locator("#grid-form button").click()
    page.wait_for_url(board)
    expect(page.locator(".state-reading")).to_have_count(0, timeout=40_000)
    row = rows(app)[0]
    assert row.corners is not None
    assert len(row.corners) == 6
    assert row.reading is not None, row.problem
    # Straightened along those corners the same tiles are read, and they lie where they lay in the photo.
    first = {tuple(cell["at"]): cell for cell in before["cells"]}
    again = {tuple(cell["at"]): cell for cell in row.reading["cells"]}
    assert sum(again[at]["tile"] == first[at]["tile"] for at in first if at in again) >= 17
    for at in ((0, 0), (2, -2), (-2, 2)):
        for (x1, y1), (x2, y2) in zip(first[at]["polygon"], again[at]["polygon"], strict=True):
            assert abs(x1 - x2) + abs(y1 - y2) < 30
    assert complaints == []


def test_a_photo_without_a_board_can_be_shown_where_it_lies(a_phone: Any, base: str, tmp_path: Any) -> None:
    from PIL import Image

    page = a_phone("pl")
    open_table(page, base, "mipasuje", ("Ola",))
    nothing = tmp_path / "nothing.jpg"
    Image.new("RGB", (1200, 900), "#777").save(nothing)
    page.locator(".player-card").first.locator("input[capture]").set_input_files(nothing)
    page.wait_for_url("**/boards/*")
    expect(page.locator(".problem.card")).to_be_visible(timeout=40_000)
    page.get_by_role("link", name="Pokaż, gdzie leży plansza").click()
    expect(page.locator(".handle")).to_have_count(6)
    # Corners in a knot are refused with a sentence, and nothing changes.
    drag(page, 0, 0, 300)
    page.locator("#grid-form button").click()
    expect(page.locator(".said")).to_contain_text("rogi")


def test_a_doubt_is_settled_with_one_tap(a_phone: Any, base: str, app: Flask) -> None:
    page = a_phone()
    table = open_table(page, base, "mipasuje", ("Ola",))
    board = give_reading(app, table.rsplit("/", 1)[1], 0, sample(0), {(0, 0): "9-7-3", (0, 1): "1-6-4"})
    page.goto(f"{table}/boards/{board}")
    expect(page.locator(".photo-svg .cell.doubted")).to_have_count(2)
    card = page.locator('.doubt[data-at="0,0"]')
    expect(card.locator(".crop")).to_be_visible()
    other = card.locator('button[value^="9-7-3|"]')
    worth = re.search(r"\d+", other.locator("small").inner_text())
    assert worth
    other.click()
    expect(card).to_have_count(0)
    expect(page.locator(".total b")).to_have_text(worth[0])
    page.locator(".doubt").first.locator("[data-picker]").click()
    page.locator(f'#picker button[name=tile][value="{sample(0)[0, 1][0]}"]').click()
    expect(page.locator(".doubt")).to_have_count(0)
    expect(page.locator(".corrections li")).to_have_count(2)
    page.goto(table)
    expect(page.locator("#result-h")).to_be_visible()  # the last doubt is gone: the round scores itself


def test_touching_a_cell_tells_what_runs_through_it(a_phone: Any, base: str, app: Flask) -> None:
    page = a_phone()
    table = open_table(page, base, "mipasuje", ("Ola", "Jan"))
    board = give_reading(app, table.rsplit("/", 1)[1], 0, sample(0), {})
    page.goto(f"{table}/boards/{board}")
    page.locator('.photo-svg .cell[data-at="0,0"]').click()
    expect(page.locator("#picker .crop")).to_be_visible()
    through = page.locator("#picker .items li")
    expect(through).to_have_count(3)
    for line in through.all_inner_texts():
        assert re.search(r"\d × \d|complete, but", line)
    page.keyboard.press("Escape")
    page.locator("#best a").click()
    expect(page.locator("#best")).to_contain_text("was possible")
    expect(page.locator(".ideal .filled")).to_have_count(19)


def test_a_summary_fits_on_one_page(a_phone: Any, base: str, app: Flask) -> None:
    page = a_phone()
    table = open_table(page, base, "mipasuje", ("Ola", "Jan", "Ela"))
    for seat in range(3):
        give_reading(app, table.rsplit("/", 1)[1], seat, sample(seat), {})
    page.goto(f"{table}/print")
    paper = page.pdf(format="A4", print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    assert page.locator(".print-grid section").count() == 3
    assert page.locator(".print-grid image").count() == 3


def test_a_photo_can_be_dropped_on_a_player(a_phone: Any, base: str) -> None:
    page = a_phone(viewport={"width": 1280, "height": 800}, is_mobile=False, has_touch=False)
    open_table(page, base, "mipasuje", ("Ola", "Jan"))
    data = list((SAMPLES / "mipasuje-2.jpg").read_bytes())
    page.evaluate(
        """(bytes) => {
          const files = new DataTransfer();
          files.items.add(new File([new Uint8Array(bytes)], "photo.jpg", { type: "image/jpeg" }));
          const card = document.querySelectorAll(".player-card")[1];
          card.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
        }""",
        data,
    )
    page.wait_for_url("**/boards/*")
    expect(page.locator("h1")).to_contain_text("Jan")


def test_a_large_photo_is_shrunk_on_the_phone(a_phone: Any, base: str, app: Flask, tmp_path: Any) -> None:
    from PIL import Image

    big = tmp_path / "big.jpg"
    with Image.open(SAMPLES / "mipasuje-2.jpg") as picture:
        picture.resize((4000, 3000)).save(big, quality=95)
    page = a_phone()
    open_table(page, base, "mipasuje", ("Ola",))
    page.locator("input[capture]").first.set_input_files(big)
    page.wait_for_url("**/boards/*")
    expect(page.locator(".state-reading")).to_have_count(0, timeout=40_000)
    expect(page.locator(".photo-svg, .waiting").first).to_be_visible()
    with app.extensions["kibic_database"].session(writing=False) as session:
        assert session.scalars(select(Photo.width)).all() == [2400]


def test_many_phones_wait_their_turn(a_phone: Any, base: str, app: Flask) -> None:
    """A full queue says so, and the phone tries again by itself."""
    page = a_phone()
    open_table(page, base, "mipasuje", ("Ola",))
    refused: list[int] = []

    def busy_once(route: Any) -> None:
        if refused:
            route.continue_()
            return
        refused.append(503)
        said = '{"error": {"code": 503, "message": "Many photos are being read right now."}}'
        route.fulfill(status=503, headers={"Retry-After": "1"}, content_type="application/json", body=said)

    page.route("**/photo", busy_once)
    page.locator("input[capture]").first.set_input_files(io_file("mipasuje-2"))
    expect(page.locator("#sending-text")).to_contain_text("Many photos")
    page.wait_for_url("**/boards/*")
    assert refused == [503]


def io_file(name: str) -> dict[str, Any]:
    data = io.BytesIO((SAMPLES / f"{name}.jpg").read_bytes()).getvalue()
    return {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": data}
