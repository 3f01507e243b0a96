"""The dispute desk: from "I disagree" to a ruling that is kept and takes effect."""

from __future__ import annotations

import re

import pytest
from at_the_table import GAME_BOARDS, Phone, give_reading
from flask import Flask
from turn_play import photograph, reading_of, tiles, totals

from scoring.registry import GAMES


def key_of(table: str) -> str:
    return table.rsplit("/", 1)[1]


def board_cells(index: int) -> dict[tuple[int, int], tuple[str, str | None]]:
    board = GAMES["mipasuje"].from_notation(GAME_BOARDS[index])
    return {at: (tile.name, tile.mark) for at, tile in board.cells.items()}


@pytest.fixture
def table(phone: Phone) -> str:
    return phone.open_table("mipasuje", ("Ola", "Jan", "Ela"))


@pytest.fixture
def board(app: Flask, phone: Phone, table: str) -> str:
    """Ola's board as read; its middle cell might as well be a 1-7-8."""
    cells = board_cells(0)
    number = give_reading(app, key_of(table), 0, cells, {(0, 0): "9-7-8"})
    return f"{table}/boards/{number}"


def claim(phone: Phone, board: str, **form: str) -> str:
    answer = phone.post(f"{board}/claims", form)
    assert answer.status_code == 303, answer.text
    return answer.location


def effects(page: str) -> list[tuple[str, int, int]]:
    rows = re.findall(r'<th scope="row">(\w+)</th><td>([−\d]+)</td><td><b>([−\d]+)</b>', page)
    return [(name, int(now.replace("−", "-")), int(then.replace("−", "-"))) for name, now, then in rows]


def test_a_tile_claim_shows_the_crop_both_tiles_what_was_seen_and_what_it_changes(
    phone: Phone, table: str, board: str
) -> None:
    before = totals(phone, table)["Ola"]
    assert "I disagree" in phone.get(f"{board}/cell?at=0,0").text
    assert phone.get(f"{board}/disagree?at=0,0").status_code == 200
    desk = claim(phone, board, kind="tile", at="0,0", tile="9-7-3", words="to jest trójka")
    page = phone.get(desk).text
    evidence = page[page.index('class="evidence"') : page.index("What the reader saw")]
    assert evidence.count("<figure>") == 3
    assert 'class="crop"' in evidence
    assert "9-7-3" in evidence
    assert "60.0 %" in page
    assert "to jest trójka" in page
    assert "Rzędy punktujące" in page
    assert effects(page)[0][:2] == ("Ola", before)
    assert totals(phone, table)["Ola"] == before  # looking changes nothing


def test_an_accepted_tile_becomes_a_correction_and_makes_the_total_it_promised(
    phone: Phone, table: str, board: str
) -> None:
    desk = claim(phone, board, kind="tile", at="1,0", tile="9-7-3")
    promised = {name: then for name, _now, then in effects(phone.get(desk).text)}
    assert phone.post(f"{desk}/ruling", {"ruling": "accepted", "reason": "widać"}).status_code == 303
    assert totals(phone, table) == promised
    page = phone.get(desk).text
    assert "claim accepted" in page
    assert "widać" in page
    assert "9-7-3" in phone.get(f"{board}/cell?at=1,0").text
    assert phone.post(f"{desk}/ruling", {"ruling": "rejected"}).status_code == 409


def test_a_rejected_claim_changes_nothing_and_is_kept(phone: Phone, table: str, board: str) -> None:
    before = totals(phone, table)
    desk = claim(phone, board, kind="tile", at="0,0", tile="1-2-3")
    phone.post(f"{desk}/ruling", {"ruling": "rejected"})
    assert totals(phone, table) == before
    assert "claim rejected" in phone.get(f"{table}/disputes").text


def test_an_earlier_correction_of_the_cell_is_on_the_desk(phone: Phone, board: str) -> None:
    phone.post(f"{board}/cell", {"at": "0,0", "tile": "5-7-8"})
    page = phone.get(claim(phone, board, kind="tile", at="0,0", tile="9-7-3")).text
    section = page[page.index("Earlier corrections of this cell") :]
    assert "5-7-8" in section[:400]


def test_another_total_is_explained_by_the_tile_that_would_make_it(
    phone: Phone, table: str, board: str
) -> None:
    """If the doubted tile were what the reader ranks second, the total would be exactly this."""
    desk = claim(phone, board, kind="tile", at="0,0", tile="9-7-8")
    wanted = {name: then for name, _now, then in effects(phone.get(desk).text)}["Ola"]
    page = phone.get(claim(phone, board, kind="total", points=str(wanted))).text
    assert "as 9-7-8" in page[page.index("What would make it so") :]


def test_an_accepted_total_is_a_ruling_of_its_own_in_the_breakdown(
    phone: Phone, table: str, board: str
) -> None:
    before = totals(phone, table)
    desk = claim(phone, board, kind="total", points=str(before["Ola"] + 7))
    phone.post(f"{desk}/ruling", {"ruling": "accepted"})
    assert totals(phone, table) == {**before, "Ola": before["Ola"] + 7}
    assert "Ruling of the table" in phone.get(board).text
    assert "The record fits" in phone.get(f"{table}/record").text


def test_that_row_is_mine(phone: Phone, table: str, board: str) -> None:
    before = totals(phone, table)["Ola"]
    shown = phone.get(f"{table}/export.json").get_json()["rounds"][0]["players"][0]
    unpaid = next(item for item in shown["items"] if item["points"] == 0)
    cells = " ".join(f"{a},{b}" for a, b in unpaid["cells"])
    desk = claim(phone, board, kind="row", cells=cells, points="12")
    phone.post(f"{desk}/ruling", {"ruling": "accepted"})
    assert totals(phone, table)["Ola"] == before + 12


def test_an_illegal_move_upheld_scores_nothing(app: Flask, phone: Phone) -> None:
    table = phone.open_table("qwirkle", ("Ola", "Jan"))
    number = photograph(app, key_of(table), reading_of("qwirkle", tiles("qwirkle", "0,0:RoRsRd")))
    desk = claim(phone, f"{table}/boards/{number}", kind="illegal", words="nie miała kwadratu")
    page = phone.get(desk).text
    assert "Dołożenie płytek" in page
    assert effects(page)[0] == ("Ola", 3, 0)
    phone.post(f"{desk}/ruling", {"ruling": "accepted"})
    assert totals(phone, table) == {"Ola": 0, "Jan": 0}


def test_another_photo_may_decide(phone: Phone, board: str) -> None:
    desk = claim(phone, board, kind="tile", at="0,0", tile="9-7-3")
    answer = phone.post(f"{desk}/ruling", {"ruling": "photo"})
    assert answer.location == board
    assert "another photo will decide" in phone.get(desk).text


def test_claim_and_ruling_are_in_the_record(phone: Phone, table: str, board: str) -> None:
    desk = claim(phone, board, kind="tile", at="0,0", tile="9-7-3")
    phone.post(f"{desk}/ruling", {"ruling": "accepted"})
    page = phone.get(f"{table}/record").text
    assert "host disagrees" in page
    assert "claim accepted" in page
    assert "The record fits" in page


def seated(phone: Phone, other: Phone, table: str, seat: int) -> None:
    code = phone.get(table).text.split('class="code">')[1][:6]
    door = other.post("/join", {"code": code}).location
    assert other.post(door, {"seat": str(seat)}).status_code == 303


def test_nobody_decides_their_own_claim(phone: Phone, other_phone: Phone, table: str, board: str) -> None:
    seated(phone, other_phone, table, 2)
    desk = claim(other_phone, board, kind="tile", at="0,0", tile="9-7-3")
    assert "Somebody else at the table decides." in other_phone.get(desk).text
    assert other_phone.post(f"{desk}/ruling", {"ruling": "accepted"}).status_code == 403
    assert "Jan disagrees: to the desk" in phone.get(table).text
    assert phone.post(f"{desk}/ruling", {"ruling": "accepted"}).status_code == 303


def test_an_onlooker_or_stranger_claims_nothing(
    phone: Phone, other_phone: Phone, table: str, board: str
) -> None:
    form = {"kind": "tile", "at": "0,0", "tile": "9-7-3"}
    assert other_phone.post(f"{board}/claims", form).status_code == 404
    code = phone.get(table).text.split('class="code">')[1][:6]
    other_phone.post(other_phone.post("/join", {"code": code}).location, {"seat": ""})
    assert other_phone.post(f"{board}/claims", form).status_code == 403


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"kind": "tile", "at": "0,0", "tile": "9-9-9"}, 422),
        ({"kind": "tile", "at": "nowhere", "tile": "9-7-3"}, 400),
        ({"kind": "total", "points": "many"}, 422),
        ({"kind": "total", "points": "99999"}, 422),
        ({"kind": "row", "points": "5"}, 400),
        ({"kind": "other"}, 400),
        ({}, 400),
    ],
)
def test_a_claim_that_makes_no_sense_is_refused(
    phone: Phone, board: str, form: dict[str, str], status: int
) -> None:
    assert phone.post(f"{board}/claims", form).status_code == status
