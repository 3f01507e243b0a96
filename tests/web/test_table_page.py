"""People at a table: opening it, filling boards in, correcting, rounds, the ranking."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from at_the_table import GAME_BOARDS, Phone, give_reading
from flask import Flask

from scoring.registry import GAMES
from web import samples
from web.network import for_others, own_address
from web.storage.models import BoardRow, Correction, Table


def sample(number: int) -> dict[tuple[int, int], Any]:
    board = GAMES["mipasuje"].from_notation(GAME_BOARDS[number])
    return {cell: (tile.name, tile.mark) for cell, tile in board.cells.items()}


def fill(phone: Phone, address: str, seat: int, cells: dict[tuple[int, int], Any], number: int = 1) -> str:
    board = phone.post(f"{address}/rounds/{number}/seats/{seat}/board").location
    for (a, b), (tile, mark) in cells.items():
        assert (
            phone.post(f"{board}/cell", {"at": f"{a},{b}", "tile": tile, "mark": mark or ""}).status_code
            == 303
        )
    return board


@pytest.mark.parametrize(("game", "names"), [("mipasuje", 6), ("qwirkle", 4), ("trio", 4), ("bits", 4)])
def test_every_game_opens_with_as_many_players_as_it_has(phone: Phone, game: str, names: int) -> None:
    everybody = tuple(f"Gracz {number}" for number in range(names))
    page = phone.get(phone.open_table(game, everybody)).text
    assert all(name in page for name in everybody)
    assert phone.post("/tables", {"game": game, "name": [*everybody, "Za dużo"]}).status_code == 422


def test_a_round_by_hand_scores_itself_and_ranks(phone: Phone) -> None:
    address = phone.open_table(scoring="rays")
    fill(phone, address, 1, sample(0))
    assert 'id="result-h"' not in phone.get(address).text
    fill(phone, address, 2, sample(1))
    page = phone.get(address).text
    assert "Final ranking" in page
    game = GAMES["mipasuje"]
    for notation in GAME_BOARDS[:2]:
        total = game.score(game.from_notation(notation), game.parse_options({"scoring": "rays"})).total
        assert f'data-total="{total}"' in page


def test_same_tiles_are_compared_when_the_round_is_complete(phone: Phone) -> None:
    address = phone.open_table()
    fill(phone, address, 1, sample(0))
    other = sample(1)
    cell = next(iter(other))
    other[cell] = ("9-7-8", None)  # nobody called this one
    fill(phone, address, 2, other)
    page = phone.get(address).text
    assert "Only Jan has 9-7-8" in page or "9-7-8" in page.split("The referee says")[1]


def test_a_correction_rescores_and_its_undo_restores(phone: Phone, find: Any) -> None:
    address = phone.open_table()
    board = fill(phone, address, 1, sample(0))
    before = total(phone.get(board).text)
    phone.post(f"{board}/cell", {"at": "0,0", "tile": "9-7-3"})
    assert total(phone.get(board).text) != before
    phone.post(f"{board}/undo")
    assert total(phone.get(board).text) == before
    kept = find(Correction)
    assert len(kept) == 20
    assert kept[-1].undone is not None
    assert kept[-1].who == kept[-1].undone_by == "host"


def total(page: str) -> int:
    found = re.search(r'class="total".*?<b>(−?\d+)</b>', page, re.S)
    assert found
    return int(found[1].replace("−", "-"))


def test_doubts_come_first_with_what_each_answer_is_worth(phone: Phone, app: Flask) -> None:
    address = phone.open_table()
    cells = sample(0)
    board_id = give_reading(app, address.rsplit("/", 1)[1], 0, cells, {(0, 0): "9-7-3"})
    board = f"{address}/boards/{board_id}"
    page = phone.get(board).text
    assert page.index("One tile to check") < page.index("Where the points come from")
    assert "what lies here?" in page
    game = GAMES["mipasuje"]
    right = game.score(game.from_notation(GAME_BOARDS[0]), game.parse_options({})).total
    assert f"total {right}" in page
    tile, mark = cells[0, 0]
    phone.post(f"{board}/cell", {"at": "0,0", "choice": f"{tile}|{mark}"})
    settled = phone.get(board).text
    assert "what lies here?" not in settled
    assert total(settled) == right


def test_three_rounds_of_bits_with_their_cards(phone: Phone) -> None:
    address = phone.open_table(
        "bits", ("Ola",), card2=["I"], **{"card3-shape": ["O"], "card3-points": ["-2"]}
    )
    column = {(row, 0): ("red", None) for row in range(2, 6)}
    square = {(row, col): ("blue", None) for row in (4, 5) for col in (1, 2)}
    for number, expected in ((1, 2), (2, 5), (3, 6)):  # 2, then 2 + 1, then 2 + 1 − 2
        board = fill(phone, address, 1, {**column, **square}, number)
        assert phone.post(f"{board}/complete").status_code == 303
        assert f'data-total="{expected}"' in phone.get(address).text
        if number < 3:
            assert phone.post(f"{address}/rounds").status_code == 303
    page = phone.get(address).text
    assert "Final ranking" in page
    assert "Zdobywca Barw" in page
    assert phone.post(f"{address}/rounds").status_code == 409


def test_cards_are_kept_by_name_for_the_next_table(phone: Phone, other_phone: Phone) -> None:
    cards = {"card3-shape": ["O", "XX/.X"], "card3-points": ["-2", "-1"], "card2": ["I", "L"]}
    phone.open_table("bits", ("Ola",), **cards, **{"cards-name": "Z pudełka"})
    page = phone.get("/tables/new?game=bits").text
    place = re.search(r'href="(/tables/new\?[^"]+)"[^>]*>Z pudełka', page)
    assert place
    filled = phone.get(place[1].replace("&amp;", "&")).text
    assert re.findall(r'name="card2" value="(\w)" checked', filled) == ["I", "L"]
    assert filled.count('value="-2" selected') == 1
    assert 'value="XX/.X"' in filled
    # The same name is written over; another phone sees nothing of it.
    phone.open_table("bits", ("Ola",), card2=["T"], **{"cards-name": "Z pudełka"})
    again = phone.get("/tables/new?game=bits").text
    assert again.count("Z pudełka") == 1
    assert "Z pudełka" not in other_phone.get("/tables/new?game=bits").text
    assert "Z pudełka" not in other_phone.get(place[1].replace("&amp;", "&")).text


def test_turns_of_qwirkle_are_scored_one_by_one(phone: Phone) -> None:
    address = phone.open_table("qwirkle")
    first = fill(phone, address, 1, {(0, 0): ("red star", None), (0, 1): ("red circle", None)})
    phone.post(f"{first}/complete")
    assert phone.post(f"{address}/rounds/1/seats/1/board").status_code == 409  # Jan's turn
    second = fill(phone, address, 2, {(0, 2): ("red square", None), (1, 0): ("blue star", None)})
    page = phone.get(second).text
    assert total(page) == 0  # not in one line: refused by the rules, and said
    assert "do not lie in one row or column" in page
    phone.post(f"{second}/undo")
    assert total(phone.get(second).text) == 3
    # An earlier turn corrected: everything after it follows.
    phone.post(f"{first}/cell", {"at": "0,2", "tile": "red clover"})
    assert total(phone.get(first).text) == 3


def test_partners_at_trio_add_up(phone: Phone) -> None:
    page = phone.get(phone.open_table("trio", ("A", "B", "C", "D"))).text
    assert page.count("team 1") == page.count("team 2") == 2


def test_phones_ask_only_for_news(phone: Phone, other_phone: Phone, find: Any) -> None:
    address = phone.open_table()
    table = find(Table)[0]
    other_phone.post(f"/j/{table.token}", {"seat": "2"})
    first = other_phone.get(f"{address}/live")
    tag = {"If-None-Match": first.headers["ETag"]}
    assert other_phone.get(f"{address}/live", headers=tag).status_code == 304
    board = phone.post(f"{address}/rounds/1/seats/1/board").location
    news = other_phone.get(f"{address}/live", headers=tag)
    assert news.status_code == 200
    assert "being filled in" in news.text
    assert other_phone.get(board).status_code == 200


def test_scripts_travel_compressed_and_pages_do_not(phone: Phone) -> None:
    asked = {"Accept-Encoding": "gzip, br"}
    with phone.client.get("/static/vendor/htmx.min.js") as plain:
        with phone.client.get("/static/vendor/htmx.min.js", headers=asked) as small:
            assert gzip.decompress(small.data) == plain.data
            assert len(small.data) < len(plain.data) / 2
            assert "Accept-Encoding" in small.headers["Vary"]
            tag = {"If-None-Match": small.headers["ETag"], **asked}
        with phone.client.get("/static/vendor/htmx.min.js", headers=tag) as again:
            assert (again.status_code, again.data) == (304, b"")
    assert "Content-Encoding" not in phone.get("/", headers=asked).headers


def test_every_change_moves_the_version(phone: Phone, find: Any) -> None:
    address = phone.open_table()
    seen = [find(Table)[0].version]
    board = phone.post(f"{address}/rounds/1/seats/1/board").location
    for path, data in (
        ("/cell", {"at": "0,0", "tile": "9-7-3"}),
        ("/undo", {}),
        ("/complete", {}),
        ("/clear", {}),
    ):
        phone.post(board + path, data)
        seen.append(find(Table)[0].version)
    assert seen == sorted(set(seen))
    assert find(BoardRow) == []


def test_renaming_and_the_end(phone: Phone, find: Any) -> None:
    address = phone.open_table()
    phone.post(f"{address}/settings", {"name-1": "Żaneta", "name-2": "Łukasz"})
    assert "Żaneta" in phone.get(address).text
    assert phone.post(f"{address}/settings", {"name-1": "X", "name-2": "x"}).status_code == 422
    phone.post(f"{address}/finish")
    assert "finished" in phone.get("/").text
    phone.post(f"{address}/delete")
    assert find(Table) == []
    assert phone.get(address).status_code == 404


def test_polish_for_a_polish_browser_and_by_choice(phone: Phone) -> None:
    polish = {"Accept-Language": "pl-PL,pl;q=0.9,en;q=0.5"}
    assert "Otwórz stół" in phone.get("/", headers=polish).text
    assert "Open a table" in phone.get("/", headers={"Accept-Language": "de"}).text
    phone.post("/language", {"language": "en", "back": "//elsewhere.example/"})
    assert "Open a table" in phone.get("/", headers=polish).text


def test_language_never_sends_people_elsewhere(phone: Phone) -> None:
    for back in ("//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example"):
        assert phone.post("/language", {"language": "pl", "back": back}).location == "/"


def test_exports_can_be_scored_again(phone: Phone) -> None:
    address = phone.open_table(names=("=cmd()", "Jan"))
    fill(phone, address, 1, sample(0))
    data = phone.get(f"{address}/export.json").get_json()
    board = data["rounds"][0]["players"][0]
    game = GAMES["mipasuje"]
    assert game.score(game.parse_board(board), game.parse_options({})).total == board["total"]
    lines = list(csv.reader(io.StringIO(phone.get(f"{address}/export.csv").text.lstrip("\ufeff"))))
    assert lines[1][2] == "'=cmd()"
    assert sum(int(line[6]) for line in lines[1:]) == board["total"]
    assert phone.get(f"{address}/print").status_code == 200


def test_the_play_goes_to_bg_stats(phone: Phone) -> None:
    address = phone.open_table(names=("Ola & Co", "Jan"))
    for seat in (1, 2):
        fill(phone, address, seat, sample(seat - 1))
    found = re.search(r'href="(bgstats://[^"]+)"', phone.get(address).text)
    assert found
    link = urlsplit(html.unescape(found[1]))
    assert (link.netloc, link.path) == ("app.bgstatsapp.com", "/createPlay.html")
    play = json.loads(parse_qs(link.query)["data"][0])
    assert (play["game"]["name"], play["game"]["bggId"]) == ("Mi pasuje!", 128)
    assert play["game"]["highestWins"] is True
    ranks = {one["name"]: (one["rank"], one["score"], one["winner"]) for one in play["players"]}
    assert ranks == {"Ola & Co": (1, 254, True), "Jan": (2, 186, False)}


def test_phones_are_sent_where_they_can_go(phone: Phone) -> None:
    assert for_others("http://192.168.1.20:8000/j/x") == "http://192.168.1.20:8000/j/x"
    assert for_others("https://kibic.example/j/x") == "https://kibic.example/j/x"
    for mine in ("localhost", "127.0.0.1", "[::1]"):
        assert for_others(f"http://{mine}:8000/j/x") == f"http://{own_address()}:8000/j/x"
    page = phone.get(phone.open_table()).text
    assert own_address() in page


def test_the_sample_table_can_be_played_at_once(phone: Phone) -> None:
    page = phone.post("/tables/sample", follow_redirects=True).text
    assert page.count("See the board") + page.count("Check the tiles") == 2
    assert page.count("Use the sample photo") == 1


def test_a_sample_table_without_photos_has_boards_entered_by_hand(
    phone: Phone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(samples, "PHOTOS", tmp_path)
    page = phone.post("/tables/sample", follow_redirects=True).text
    assert page.count("this round:") == 2
    assert "Go on filling in" in page


def test_sample_photos_are_for_sample_tables(phone: Phone) -> None:
    address = phone.open_table()
    assert phone.post(f"{address}/rounds/1/seats/1/sample-photo").status_code == 404


def test_solo_remembers_the_record(phone: Phone) -> None:
    for number, words in ((1, "Your first result"), (0, "A new record"), (2, "Your record: 254")):
        address = phone.open_table(names=("Ola",))
        fill(phone, address, phone_seat(phone, address), sample(number))
        assert words in phone.get(address).text


def phone_seat(phone: Phone, address: str) -> int:
    found = re.search(r'data-seat="(\d+)"', phone.get(address).text)
    assert found
    return int(found[1])
