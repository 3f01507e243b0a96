"""Several phones at one table: what one does, the others see; and nobody's photo is lost."""

from __future__ import annotations

import time
from typing import Any

import pytest
from browsing import A_TABLE, SAMPLES, open_table, watched
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

SEEN_WITHIN_MS = 3000


def join_by_code(page: Any, base: str, code: str, name: str) -> None:
    page.goto(base)
    page.locator("#code").fill(code.lower())
    page.locator("form.join button").click()
    page.get_by_role("button", name=name).click()
    page.wait_for_url(A_TABLE)


def test_what_one_phone_does_appears_on_the_other(a_phone: Any, base: str) -> None:
    host, guest = a_phone(), a_phone("pl")
    complaints = (watched(host), watched(guest))
    open_table(host, base, "mipasuje", ("Ola", "Jan"))
    join_by_code(guest, base, host.locator(".share .code").inner_text(), "Jan")
    own, others = guest.locator(".player-card").nth(1), guest.locator(".player-card").nth(0)
    expect(own.locator("input[capture]")).to_have_count(1)
    expect(others.locator("input[capture]")).to_have_count(0)  # a player acts for himself only

    # The host enters Ola's first tile; Jan's phone shows it.
    host.locator(".player-card").nth(0).get_by_role("button", name="Enter by hand").click()
    host.wait_for_url("**/boards/*")
    expect(others).to_contain_text("w trakcie", timeout=SEEN_WITHIN_MS)
    host.locator('.cell[data-at="0,0"]').click()
    host.locator('#picker button[value="9-7-3"]').click()
    expect(others).to_contain_text("1 płytka", timeout=SEEN_WITHIN_MS)

    # Jan opens Ola's board and watches it being corrected there, too.
    others.get_by_role("link").click()
    guest.wait_for_url("**/boards/*")
    host.locator("#picker [data-close]").click()
    host.get_by_role("button", name="Undo").click()
    expect(guest.locator(".cell.filled")).to_have_count(0, timeout=SEEN_WITHIN_MS)
    assert complaints == ([], [])


def test_a_change_between_page_and_first_question_is_not_missed(a_phone: Any, base: str) -> None:
    host, other = a_phone(), a_phone()
    table = open_table(host, base, "mipasuje", ("Ola", "Jan"))
    code = host.locator(".share .code").inner_text()
    join_by_code(other, base, code, "Jan")
    # The page arrives, but its script is held back while the host renames a player.
    held: list[Any] = []
    other.route("**/kibic.js", lambda route: held.append(route))
    other.goto(table, wait_until="commit")
    end = time.monotonic() + 10
    while not held and time.monotonic() < end:
        other.wait_for_timeout(50)
    host.goto(f"{table}/settings")
    host.locator("input[name^=name-]").first.fill("Aleksandra")
    host.locator("button.big").click()
    host.wait_for_url(table)
    held[0].continue_()
    expect(other.locator(".player-card").first).to_contain_text("Aleksandra", timeout=SEEN_WITHIN_MS)


def test_six_phones_send_photos_at_the_same_moment(a_phone: Any, base: str) -> None:
    """Six real browsers press the button at once; each ends on its own player's board, read or refused."""
    names = ("Ala", "Bea", "Cyd", "Dan", "Ewa", "Fil")
    host = a_phone()
    table = open_table(host, base, "mipasuje", names)
    code = host.locator(".share .code").inner_text()
    phones = [host] + [a_phone() for _ in names[1:]]
    for phone, name in zip(phones[1:], names[1:], strict=True):
        join_by_code(phone, base, code, name)
    for index, phone in enumerate(phones):
        photo = SAMPLES / f"mipasuje-{index % 3 + 1}.jpg"
        phone.locator(".player-card").nth(index).locator("input[capture]").set_input_files(photo)
    for phone, name in zip(phones, names, strict=True):
        phone.wait_for_url("**/boards/*", timeout=40_000)
        expect(phone.locator("h1")).to_contain_text(name)
        expect(phone.locator(".state-reading")).to_have_count(0, timeout=60_000)
    shown = host.request.get(f"{table}/export.json").json()
    boards = shown["rounds"][0]["players"]
    assert [one["name"] for one in boards] == list(names)
    assert len({one["id"] for one in boards}) == 6
    # The same photo sent by two players is read alike for both.
    for first, second in zip(boards[:3], boards[3:], strict=True):
        assert first["cells"] == second["cells"]
        assert first["state"] == second["state"]
