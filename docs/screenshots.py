"""Takes the pictures of the table page anew: `.venv/bin/python docs/screenshots.py` (wants Chromium)."""

from __future__ import annotations

import io
import shutil
import tempfile
import threading
from pathlib import Path

import waitress
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from web.app import create_app

TARGET = Path(__file__).parent / "table-page"
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}


def keep(page: Page, name: str, width: int) -> None:
    """A picture small enough to live in the repository."""
    with Image.open(io.BytesIO(page.screenshot())) as shot:
        small = shot.convert("RGB").resize(
            (width, round(shot.height * width / shot.width)), Image.Resampling.LANCZOS
        )
        small.save(TARGET / f"{name}.webp", quality=78, method=6)


def settle(page: Page) -> None:
    while page.locator(".doubt button[name=choice]").count():
        left = page.locator(".doubt").count()
        page.locator(".doubt button[name=choice]").first.click()
        page.wait_for_function("(left) => document.querySelectorAll('.doubt').length < left", arg=left)


def tour(page: Page, base: str) -> None:
    page.goto(base)
    page.locator('form[action="/tables/sample"] button').click()
    page.wait_for_url(lambda url: "/tables/" in url)
    table = page.url
    page.locator(".busy").first.wait_for(state="detached", timeout=60_000)
    page.wait_for_timeout(1500)
    page.reload()
    boards = [link.get_attribute("href") for link in page.locator(".player-card a.button").all()]
    page.goto(base + str(boards[1]))
    page.wait_for_timeout(600)
    if page.locator(".doubt").count():  # a reader that doubts nothing here leaves the earlier picture
        keep(page, "doubts", 300)
        settle(page)
    keep(page, "read", 300)
    page.locator("button.item").nth(1).click()
    page.wait_for_timeout(500)
    keep(page, "why", 300)
    page.set_viewport_size(WIDE)
    page.locator("button.item[aria-pressed]").click()
    page.evaluate("window.scrollTo(0, 0)")
    page.wait_for_timeout(400)
    keep(page, "laptop", 760)
    page.set_viewport_size(PHONE)
    page.goto(base + str(boards[0]))
    settle(page)
    page.goto(table)
    page.locator('form[action$="/sample-photo"] button').click()
    page.wait_for_url("**/boards/*")
    page.locator(".state-reading").wait_for(state="detached", timeout=60_000)
    settle(page)
    page.goto(table)
    page.wait_for_timeout(400)
    keep(page, "table", 300)


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = create_app({"data_folder": Path(folder)})
        server = waitress.create_server(app, host="127.0.0.1", port=0)
        threading.Thread(target=server.run, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        phone = browser.new_context(viewport=PHONE, locale="en-GB", device_scale_factor=2)
        tour(phone.new_page(), f"http://127.0.0.1:{server.effective_port}")
        browser.close()
        app.extensions["kibic_pool"].close()


if __name__ == "__main__":
    main()
