"""The record: everything that happens is in it, it plays back to the same totals, no byte flips unseen."""

from __future__ import annotations

import hashlib
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from at_the_table import GAME_BOARDS, Phone, give_reading
from flask import Flask
from sqlalchemy import select, update

from scoring.registry import GAMES
from web.cli import main
from web.record_chain import START, check_chain, seal
from web.record_file import read_record, write_record
from web.record_replay import verify
from web.storage.desk_models import RecordEntry


def lines(app: Flask) -> list[str]:
    with app.extensions["kibic_database"].session(writing=False) as session:
        return list(session.scalars(select(RecordEntry.line).order_by(RecordEntry.number)))


def kinds(app: Flask) -> list[str]:
    return [json.loads(line)["kind"] for line in lines(app)]


def key_of(table: str) -> str:
    return table.rsplit("/", 1)[1]


def board_cells(index: int) -> dict[tuple[int, int], tuple[str, str | None]]:
    board = GAMES["mipasuje"].from_notation(GAME_BOARDS[index])
    return {at: (tile.name, tile.mark) for at, tile in board.cells.items()}


@pytest.fixture
def played(app: Flask, phone: Phone) -> str:
    """A photograph read with one doubt, settled, corrected and undone: a small record with everything."""
    table = phone.open_table("mipasuje", ("Ola", "Zażółć"))
    board = give_reading(app, key_of(table), 0, board_cells(0), {(0, 0): "9-7-8"})
    phone.get(f"{table}/boards/{board}")
    for tile in ("9-7-8", "9-6-3"):
        assert phone.post(f"{table}/boards/{board}/cell", {"at": "0,0", "tile": tile}).status_code == 303
    assert phone.post(f"{table}/boards/{board}/undo").status_code == 303
    return table


def test_everything_that_happens_is_recorded_in_order(app: Flask, played: str) -> None:
    assert kinds(app) == [
        "table", "round", "score",
        "photo", "board",
        "board-changed", "reading", "score",
        "correction", "score",
        "correction",  # as many points as before: no new score
        "correction-undone",
    ]  # fmt: skip


def test_the_record_plays_back_to_the_same_totals(app: Flask, phone: Phone, played: str) -> None:
    entries, flaw = check_chain(lines(app))
    assert flaw is None
    verdict = verify(entries, None, {})
    assert verdict.flaw is None
    shown = phone.get(f"{played}/export.json").get_json()
    assert verdict.totals == {one["name"]: one["total"] for one in shown["ranking"]}
    assert verdict.totals["Ola"] > 0


def test_a_reading_is_recorded_with_probabilities_and_networks(app: Flask, played: str) -> None:
    (reading,) = (json.loads(line)["body"] for line in lines(app) if '"kind":"reading"' in line)
    assert set(reading["models"]) == {"detector", "mipasuje"}
    assert all(len(digest) == 16 for digest in reading["models"].values())
    assert {cell["p"] for cell in reading["reading"]["cells"]} == {0.98}


def test_a_changed_total_is_found_at_its_entry(app: Flask, played: str) -> None:
    """Somebody who can compute hashes lies about one score: the chain fits, the replay does not."""
    sealed = [json.loads(line) for line in lines(app)]
    forged, previous = [], START
    for entry in sealed:
        body = entry["body"]
        if entry["number"] == 8:
            body = {**body, "totals": {seat: total + 1 for seat, total in body["totals"].items()}}
        made = seal(entry["number"], entry["made"], entry["kind"], body, previous)
        forged.append(made)
        previous = made.hash
    verdict = verify(forged, check_chain([entry.line for entry in forged])[1], {})
    assert verdict.flaw is not None
    assert verdict.flaw.number == 8
    assert "played again" in verdict.flaw.message


def test_an_entry_removed_or_two_swapped_is_found(app: Flask, played: str) -> None:
    whole = lines(app)
    for index in range(len(whole) - 1):
        missing = whole[:index] + whole[index + 1 :]
        assert check_chain(missing)[1] is not None
        swapped = [*whole[:index], whole[index + 1], whole[index], *whole[index + 2 :]]
        _, flaw = check_chain(swapped)
        assert flaw is not None
        assert flaw.number == index + 1


def test_the_last_entry_removed_from_a_file_is_found(app: Flask, played: str) -> None:
    held = write_record(lines(app), {}).decode().splitlines(keepends=True)
    assert read_record("".join(held).encode()).flaw is None
    assert read_record("".join(held[:-1]).encode()).flaw is not None


@pytest.fixture
def small_file() -> bytes:
    """Three entries and a tiny photograph; letters beyond ASCII included."""
    made, previous = [], START
    for number, (kind, body) in enumerate(
        [("table", {"players": ["Zażółć"]}), ("photo", {"sha256": "x"}), ("score", {"totals": {"1": -2}})], 1
    ):
        entry = seal(number, "2025-01-01T12:00:00Z", kind, body, previous)
        made.append(entry.line)
        previous = entry.hash
    picture = b"\xff\xd8\xff\xe0 not much of a picture \xff\xd9"
    return write_record(made, {hashlib.sha256(picture).hexdigest(): picture})


def test_whatever_byte_flips_is_found(small_file: bytes) -> None:
    assert read_record(small_file).flaw is None
    for place in range(len(small_file)):
        for bit in range(8):
            changed = bytearray(small_file)
            changed[place] ^= 1 << bit
            assert read_record(bytes(changed)).flaw is not None, (place, bit)


def test_whatever_byte_goes_or_comes_is_found(small_file: bytes) -> None:
    for place in range(len(small_file)):
        assert read_record(small_file[:place] + small_file[place + 1 :]).flaw is not None
        assert read_record(small_file[:place] + b" " + small_file[place:]).flaw is not None
    assert read_record(small_file + b"\n").flaw is not None
    assert read_record(b"").flaw is not None


def test_verify_answers_for_a_file_a_key_and_a_code(
    app: Flask, phone: Phone, played: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.setenv("KIBIC_DATA", str(app.extensions["kibic_settings"].data_folder))
    answer = phone.get(f"{played}/record.kibic")
    path = tmp_path / "game.kibic"
    path.write_bytes(answer.data)
    assert main(["verify", "--no-photos", str(path)]) == 0
    assert "fits, 12 entries, Ola " in capsys.readouterr().out
    assert main(["verify", "--no-photos", "--json", key_of(played)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fits"]
    assert told["entries"] == 12
    assert main(["verify", "nothing-like-this"]) == 2
    assert "neither a file nor a table" in capsys.readouterr().err


def test_verify_shows_the_first_entry_that_does_not_fit(
    app: Flask, played: str, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.setenv("KIBIC_DATA", str(app.extensions["kibic_settings"].data_folder))
    with app.extensions["kibic_database"].session() as session:
        line = session.scalar(select(RecordEntry.line).where(RecordEntry.number == 9))
        assert line is not None
        changed = line.replace('"tile":"9-7-8"', '"tile":"9-7-4"')
        assert changed != line
        session.execute(update(RecordEntry).where(RecordEntry.number == 9).values(line=changed))
        session.commit()
    assert main(["verify", "--no-photos", key_of(played)]) == 1
    assert "entry 9 has been changed" in capsys.readouterr().out


def test_a_photograph_swapped_on_disk_is_found(app: Flask, phone: Phone, played: str) -> None:
    folder = app.extensions["kibic_settings"].photo_folder
    (photo,) = folder.glob("*.jpg")
    photo.write_bytes(photo.read_bytes() + b"\0")
    assert "The record does not fit" in phone.get(f"{played}/record").text


def test_the_page_shows_the_record_and_that_it_fits(phone: Phone, played: str) -> None:
    page = phone.get(f"{played}/record").text
    assert "The record fits" in page
    assert "Zażółć" in page


def test_a_stranger_sees_no_record(other_phone: Phone, played: str) -> None:
    assert other_phone.get(f"{played}/record").status_code == 404
    assert other_phone.get(f"{played}/record.kibic").status_code == 404


def test_the_record_goes_with_its_table(app: Flask, phone: Phone, played: str) -> None:
    assert phone.post(f"{played}/delete").status_code == 303
    assert lines(app) == []


@pytest.mark.slow
def test_a_photograph_read_again_gives_the_same_reading(
    app: Flask, phone: Phone, monkeypatch: Any, capsys: Any
) -> None:
    """A real photo through the page, then `kibic verify` with everything."""
    monkeypatch.setenv("KIBIC_DATA", str(app.extensions["kibic_settings"].data_folder))
    table = phone.open_table("trio", ("Ola", "Jan"))
    photo = (Path(__file__).parents[2] / "samples" / "trio-1.jpg").read_bytes()
    answer = phone.post(f"{table}/rounds/1/seats/1/photo", {"photo": (io.BytesIO(photo), "photo.jpg")})
    assert answer.status_code == 303
    deadline = time.monotonic() + 60
    while kinds(app)[-1] not in ("reading", "score") and time.monotonic() < deadline:
        time.sleep(0.2)
    assert main(["verify", "--json", key_of(table)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fits"]
    assert (told["photos_read"], told["photos_skipped"]) == (1, 0)
