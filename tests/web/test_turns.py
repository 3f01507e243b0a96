"""Turn by turn at the table page: every photo laid on the table as it stood, every turn judged."""

from __future__ import annotations

import pytest
from at_the_table import Phone
from flask import Flask
from turn_play import Placement, photograph, reading_of, tiles, totals

OPENING = "0,0:RoRsRd"
SECOND = "0,0:RoRsRd;1,1:Gs;2,1:Bs"
THIRD = "0,0:RoRsRdRt;1,1:Gs;2,1:Bs"


@pytest.fixture
def table(phone: Phone) -> str:
    return phone.open_table("qwirkle", ("Ola", "Jan"))


def key_of(table: str) -> str:
    return table.rsplit("/", 1)[1]


def shoot(app: Flask, table: str, notation: str, **more: object) -> str:
    reading = reading_of("qwirkle", tiles("qwirkle", notation), **more)  # type: ignore[arg-type]
    return f"{table}/boards/{photograph(app, key_of(table), reading)}"


def test_three_turns_from_three_sides_of_the_table(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    board = shoot(app, table, SECOND, where=Placement(1, (3, -4)))
    page = phone.get(board).text
    assert "A legal turn" in page
    assert "green square" in page
    assert totals(phone, table) == {"Ola": 3, "Jan": 3}
    shoot(app, table, THIRD, where=Placement(2, (-1, 7)))
    assert totals(phone, table) == {"Ola": 7, "Jan": 3}
    assert "to play" in phone.get(table).text


def test_the_placed_tiles_are_marked_on_the_photo(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    page = phone.get(shoot(app, table, SECOND, where=Placement(3, (0, 0)))).text
    photo = page[page.index('class="view view-photo"') : page.index('class="view view-plan"')]
    assert photo.count("cell filled fresh") == 2


def test_an_illegal_turn_says_why_and_scores_nothing(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    page = phone.get(shoot(app, table, "0,0:RoRsRdRo")).text
    assert "Not a legal turn" in page
    assert "comes 2 times in one line" in page
    assert totals(phone, table) == {"Ola": 3, "Jan": 0}


def test_a_changed_tile_is_shown_before_and_now_and_not_overwritten(
    app: Flask, phone: Phone, table: str
) -> None:
    shoot(app, table, OPENING)
    board = shoot(app, table, "0,0:RoBsRdRt", where=Placement(1, (2, 2)))
    page = phone.get(board).text
    assert "The photo contradicts the table" in page
    section = page[page.index("contradictions") : page.index('class="doubts"')]
    assert section.count('class="crop"') == 2
    assert "red square" in section
    assert "blue square" in section
    assert phone.get(f"{table}/export.json").get_json()["rounds"][0]["players"][1]["doubts"]
    # The table says: it is still the red square. Then the turn counts four red ones.
    assert phone.post(f"{board}/cell", {"at": "0,1", "tile": "red square"}).status_code == 303
    assert "contradicts" not in phone.get(board).text
    assert totals(phone, table) == {"Ola": 3, "Jan": 4}


def test_a_photo_of_another_table_is_refused_in_words(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    page = phone.get(shoot(app, table, "0,0:GxGtGo;1,0:BxBc")).text
    assert "does not show the table" in page
    assert totals(phone, table) == {"Ola": 3, "Jan": 0}


def test_an_earlier_turn_is_corrected_and_everything_after_is_rescored(
    app: Flask, phone: Phone, table: str
) -> None:
    """Turn 1 was misread: the diamond is a circle's rival; every later photo repeats the mistake."""
    first = shoot(app, table, "0,0:RoRsRd")
    shoot(app, table, "0,0:RoRsRd;1,2:GdBd", where=Placement(1, (0, 0)))
    last = shoot(app, table, "-1,2:Yd;0,0:RoRsRd;1,2:GdBd", where=Placement(2, (1, 1)))
    assert totals(phone, table) == {"Ola": 6, "Jan": 4}
    assert phone.post(f"{first}/cell", {"at": "0,2", "tile": "red star"}).status_code == 303
    # With a star there, neither the column of diamonds nor its extension is legal.
    assert totals(phone, table) == {"Ola": 3, "Jan": 0}
    page = phone.get(last).text
    assert "Not a legal turn" in page
    assert "contradicts" not in page  # the same misreading again is no news
    assert phone.post(f"{first}/undo").status_code == 303
    assert totals(phone, table) == {"Ola": 6, "Jan": 4}


def test_an_exchange_scores_nothing_and_passes_the_turn(app: Flask, phone: Phone, table: str) -> None:
    assert phone.post(f"{table}/turns/exchange").status_code == 409
    shoot(app, table, OPENING)
    assert phone.post(f"{table}/turns/exchange").status_code == 303
    shoot(app, table, SECOND)
    assert totals(phone, table) == {"Ola": 6, "Jan": 0}


def test_a_turn_taken_back_can_be_brought_back(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    board = shoot(app, table, SECOND, weak={(2, 1): ("blue square", "blue circle")})
    phone.post(f"{board}/cell", {"at": "2,1", "tile": "blue square"})
    assert totals(phone, table) == {"Ola": 3, "Jan": 3}
    assert phone.post(f"{table}/turns/undo").status_code == 303
    assert totals(phone, table) == {"Ola": 3, "Jan": 0}
    assert "Bring the turn back" in phone.get(table).text
    back = phone.post(f"{table}/turns/redo")
    assert back.status_code == 303
    assert totals(phone, table) == {"Ola": 3, "Jan": 3}
    assert "tiles to check" not in phone.get(back.location).text
    assert phone.post(f"{table}/turns/redo").status_code == 409


def test_a_turn_played_in_its_place_replaces_it(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    shoot(app, table, SECOND)
    phone.post(f"{table}/turns/undo")
    shoot(app, table, "0,0:RoRsRdRt")
    assert "Bring the turn back" not in phone.get(table).text
    assert phone.post(f"{table}/turns/redo").status_code == 409


def test_two_turns_in_one_photo_are_split_between_the_players(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    board = shoot(app, table, THIRD, where=Placement(3, (5, 5)))
    page = phone.get(board).text
    assert "Two turns in one photo?" in page
    assert totals(phone, table) == {"Ola": 3, "Jan": 0}
    assert phone.post(f"{table}/turns/2/split", {"cells": "1,1 2,1"}).status_code == 303
    assert totals(phone, table) == {"Ola": 7, "Jan": 3}
    shown = phone.get(f"{table}/export.json").get_json()["rounds"][0]["players"]
    assert [one["name"] for one in shown] == ["Ola", "Jan", "Ola"]


def test_a_split_needs_some_but_not_all_of_the_new_tiles(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    shoot(app, table, SECOND)
    for cells in ("", "1,1 2,1", "0,0", "nonsense"):
        assert phone.post(f"{table}/turns/2/split", {"cells": cells}).status_code in (400, 422)


def test_the_last_tile_is_worth_six_and_ends_the_game(app: Flask, phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    board = shoot(app, table, SECOND)
    assert "last tile" in phone.get(board).text
    assert phone.post(f"{table}/turns/2/last").status_code == 303
    assert totals(phone, table) == {"Ola": 3, "Jan": 9}
    assert "Final ranking" in phone.get(table).text
    assert phone.post(f"{table}/turns/1/last").status_code == 409
    assert phone.post(f"{table}/turns/2/last", {"again": "1"}).status_code == 303
    assert totals(phone, table) == {"Ola": 3, "Jan": 3}


def trio(app: Flask, table: str, notation: str, **more: object) -> str:
    reading = reading_of("trio", tiles("trio", notation), **more)  # type: ignore[arg-type]
    return f"{table}/boards/{photograph(app, key_of(table), reading)}"


def test_trio_the_start_tile_is_nobodys_turn(app: Flask, phone: Phone) -> None:
    table = phone.open_table("trio", ("Ola", "Jan"))
    trio(app, table, "0,0:Rh")
    trio(app, table, "0,0:RhRt")
    trio(app, table, "0,0:RhRtRu", where=Placement(2, (3, 3)))
    assert totals(phone, table) == {"Ola": 0, "Jan": 1}


def test_trio_the_first_photo_may_show_the_start_tile_and_the_first_turn(app: Flask, phone: Phone) -> None:
    table = phone.open_table("trio", ("Ola", "Jan"))
    assert "A legal turn" in phone.get(trio(app, table, "0,0:RhRt")).text
    trio(app, table, "0,0:RhRtRu")
    assert totals(phone, table) == {"Ola": 0, "Jan": 1}


def test_trio_with_four_is_played_in_teams(app: Flask, phone: Phone) -> None:
    table = phone.open_table("trio", ("Ola", "Jan", "Ela", "Piotr"))
    trio(app, table, "0,0:RhRt")
    trio(app, table, "0,0:RhRtRu")
    trio(app, table, "0,0:RhRtRu;1,1:Bt")
    trio(app, table, "0,0:RhRtRu;1,1:Bt;2,1:Yt", where=Placement(1, (0, 0)))
    assert totals(phone, table) == {"Jan + Piotr": 2, "Ola + Ela": 0}


def test_trio_the_tokens_are_held_to_the_table(app: Flask, phone: Phone, find: object) -> None:
    table = phone.open_table("trio", ("Ola", "Jan"))
    trio(app, table, "0,0:RhRt")
    trio(app, table, "0,0:RhRtRu")
    assert phone.post(f"{table}/turns/exchange").status_code == 409
    page = phone.get(f"{table}/turns/tokens?tokens-1=0&tokens-2=1").text
    assert "The tokens fit the table" in page
    page = phone.get(f"{table}/turns/tokens?tokens-1=1&tokens-2=1").text
    assert "The tokens do not fit" in page
    assert "tokens add up to 2" in page
    assert "Ola has 1, the turns say 0." in page


def test_an_onlooker_plays_no_turn(app: Flask, phone: Phone, other_phone: Phone, table: str) -> None:
    shoot(app, table, OPENING)
    code = phone.get(table).text.split('class="code">')[1][:6]
    other_phone.post(other_phone.post("/join", {"code": code}).location, {"seat": ""})
    for action in ("exchange", "undo", "redo", "2/split", "1/last"):
        assert other_phone.post(f"{table}/turns/{action}").status_code in (403, 404, 409)
    assert totals(phone, table) == {"Ola": 3, "Jan": 0}


def test_the_record_of_a_game_of_turns_plays_back(app: Flask, phone: Phone, table: str) -> None:
    first = shoot(app, table, OPENING)
    shoot(app, table, THIRD, where=Placement(3, (5, 5)))
    phone.post(f"{table}/turns/2/split", {"cells": "1,1 2,1"})
    phone.post(f"{table}/turns/exchange")
    phone.post(f"{table}/turns/undo")
    phone.post(f"{table}/turns/redo")
    phone.post(f"{first}/cell", {"at": "0,0", "tile": "red clover"})
    page = phone.get(f"{table}/record").text
    assert "The record fits" in page
    assert f"Ola {totals(phone, table)['Ola']}" in page


def test_a_doubted_tile_is_first_taken_for_what_makes_the_turn_legal_and_still_asked_about(
    app: Flask, phone: Phone, table: str
) -> None:
    shoot(app, table, OPENING)
    board = shoot(app, table, "0,0:RoRsRdRt", weak={(0, 3): ("red circle", "red star")})
    page = phone.get(board).text
    assert "A legal turn" in page
    assert 'class="card doubt"' in page
    assert totals(phone, table) == {"Ola": 3, "Jan": 4}
    phone.post(f"{board}/cell", {"at": "0,3", "tile": "red circle"})
    assert "Not a legal turn" in phone.get(board).text
    assert totals(phone, table) == {"Ola": 3, "Jan": 0}


def test_a_doubt_a_later_photo_settles_is_no_changed_tile(app: Flask, phone: Phone, table: str) -> None:
    """Nobody answered; the next photo plainly shows the other tile: that is what lay there all along."""
    shoot(app, table, OPENING, weak={(0, 2): ("red clover", "red diamond")})
    page = phone.get(shoot(app, table, SECOND)).text
    assert "A legal turn" in page
    assert totals(phone, table) == {"Ola": 3, "Jan": 3}


def test_a_tile_that_was_only_doubted_and_is_gone_was_never_there(
    app: Flask, phone: Phone, table: str
) -> None:
    shoot(app, table, "0,0:RoRsRdRc", weak={(0, 3): ("red clover", None)})
    assert "A legal turn" in phone.get(shoot(app, table, SECOND)).text
