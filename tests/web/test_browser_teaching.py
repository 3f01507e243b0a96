"""A family teaches Kibic its own Trio on a phone, in Polish, and scores a table with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsing import watched
from playwright.sync_api import Page, expect

from models.studio.taught import square_shot, trio_copy

pytestmark = pytest.mark.slow

COPY = 0
LESSON, TABLE = 60, 1000
NAMES = {"leaf": "listek", "cloud": "chmura", "drop": "kropla"}


BEFORE = {(0, 0): ("navy", "leaf"), (0, 1): ("navy", "heart")}
AFTER = BEFORE | {(0, 2): ("navy", "cloud")}


@pytest.fixture
def photos(tmp_path: Path) -> list[Path]:
    """The layout, a table after the first turn, and after the second, which makes three in a row."""
    copy = trio_copy(COPY)
    scenes = [copy.lesson(LESSON), square_shot(copy, BEFORE, TABLE), square_shot(copy, AFTER, TABLE + 1)]
    paths = [tmp_path / f"{number}.jpg" for number in range(len(scenes))]
    for path, scene in zip(paths, scenes, strict=True):
        path.write_bytes(scene.jpeg)
    return paths


def answer_questions(page: Page) -> int:
    """Gives every asked shape a name of its own."""
    fields = page.locator("fieldset input[name^=answer-]")
    for index, name in enumerate([*NAMES.values(), "gwiazdka", "kwiatek", "serduszko"][: fields.count()]):
        fields.nth(index).fill(name)
    return fields.count()


def test_a_trio_set_is_taught_and_then_scored(a_phone: Any, base: str, photos: list[Path]) -> None:
    lesson, before, after = photos
    page: Page = a_phone("pl")
    complaints = watched(page)
    page.goto(base)
    page.get_by_role("link", name="Naucz Kibica swojej gry").click()
    expect(page.locator(".edition")).to_have_count(0)
    page.locator(".game", has_text="Trio").click()
    expect(page.locator("main")).to_contain_text("sześciu rzędach po sześć")

    page.locator("input[capture]").set_input_files(lesson)
    page.wait_for_url("**/teach/trio/*")
    expect(page.locator("h1")).to_have_text("Co Kibic zrozumiał")
    expect(page.locator(".lesson-svg polygon")).to_have_count(36)
    assert answer_questions(page) > 0
    page.locator("input[name=name]").fill("Trio babci")
    page.locator("button[name=accept]").click()
    expect(page.locator('[data-edition="Trio babci"]')).to_be_visible()

    page.goto(f"{base}/tables/new?game=trio")
    for index, name in enumerate(("Ola", "Jan")):
        page.locator("input[name=name]").nth(index).fill(name)
    page.locator("select[name=edition]").select_option("Trio babci")
    page.locator("#new-table button.big").click()
    page.wait_for_url("**/tables/*")
    table = page.url
    for number, photo in enumerate((before, after)):
        page.goto(table)
        page.locator("input[capture]").first.set_input_files(photo)
        page.wait_for_url("**/boards/*")
        expect(page.locator(".state-reading")).to_have_count(0, timeout=40_000)
        while page.locator(".doubt").count():
            remaining = page.locator(".doubt").count()
            page.locator(".doubt button[name=choice]").first.click()
            expect(page.locator(".doubt")).to_have_count(remaining - 1)
        cells = page.request.get(f"{table}/export.json").json()["rounds"][0]["players"][number]["cells"]
        assert len(cells) == 2 + number
        assert len({cell["tile"].split()[0] for cell in cells}) == 1
        assert len({cell["tile"].split()[1] for cell in cells} & {"listek", "chmura", "kropla"}) >= 1
    # Three navy tiles in a row: one point for Jan.
    expect(page.locator(".total b")).to_have_text("1")
    # At phone size nothing is wider than the screen.
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert complaints == []
