"""Teaching Kibic one's own copy: how to lay the tiles out, one photo, what was understood, kept or not."""

from __future__ import annotations

import re
import secrets
import time
from concurrent.futures import TimeoutError as TooSlow
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, send_from_directory, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from werkzeug.exceptions import ServiceUnavailable

from scoring.registry import GAMES
from vision.edition_files import parsed, written
from vision.editions import BadEdition
from vision.lessons import Lesson
from vision.reading import Unreadable
from web.photos import cleaned, done, pool, sent_photo
from web.reading_pool import Full, Job
from web.tables import game_or_404, settings
from web.teaching_store import store
from web.teaching_words import line, say_lesson_problem, say_question, say_refusal

pages = Blueprint("teaching", __name__, url_prefix="/editions")

DRAFT = re.compile(r"[A-Za-z0-9_-]{16,40}")
DRAFT_SECONDS = 24 * 3600
"""A teaching photo that nobody accepts is forgotten after a day."""
LARGEST_EDITION = 256 * 1024


@pages.get("")
def index(problem: str = "") -> str:
    return render_template("editions.html", games=GAMES, editions=store().all(), problem=problem)


@pages.get("/teach/<game>")
def teach(game: str) -> str:
    return render_template("teach.html", game=game_or_404(game))


@pages.post("/teach/<game>")
def upload(game: str) -> ResponseReturnValue:
    """The teaching photo: cleaned and put aside; nothing is learnt before people have looked."""
    game_or_404(game)
    clean, _job = cleaned(Job(sent_photo(), game, {"lesson": {"name": "?", "answers": {}}}))
    token = secrets.token_urlsafe(18)
    folder = drafts()
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    (folder / f"{token}.jpg").write_bytes(clean.jpeg)
    return done(url_for("teaching.show", game=game, token=token))


def drafts() -> Path:
    return settings().data_folder / "lessons"


def sweep(folder: Path) -> None:
    for path in folder.glob("*.jpg"):
        if time.time() - path.stat().st_mtime > DRAFT_SECONDS:
            path.unlink(missing_ok=True)


def draft(token: str) -> Path:
    path = drafts() / f"{token}.jpg"
    if not DRAFT.fullmatch(token) or not path.exists():
        abort(404)
    return path


@pages.get("/lessons/<token>.jpg")
def photo(token: str) -> Response:
    draft(token)
    return send_from_directory(drafts().absolute(), f"{token}.jpg", mimetype="image/jpeg", max_age=3600)


@pages.get("/teach/<game>/<token>")
def show(game: str, token: str) -> ResponseReturnValue:
    return lesson_page(game, token, "", {})


@pages.post("/teach/<game>/<token>")
def answer(game: str, token: str) -> ResponseReturnValue:
    """What people say about the photo; with a name and no question left, the edition is kept."""
    name = request.form.get("name", "")
    prefix = "answer-"
    answers = {
        key.removeprefix(prefix): value for key, value in request.form.items() if key.startswith(prefix)
    }
    return lesson_page(game, token, name, answers, accept="accept" in request.form)


def lesson_page(
    game: str, token: str, name: str, answers: dict[str, str], accept: bool = False
) -> ResponseReturnValue:
    path = draft(token)
    title = game_or_404(game).title
    said = ""
    found: Lesson | None = None
    try:
        found = learnt(path.read_bytes(), game, name or _("Our copy"), answers)
        if accept and found.edition is not None:
            store().keep(found.edition)
            path.unlink(missing_ok=True)
            return redirect(url_for("teaching.index", _anchor=game), 303)
    except (Unreadable, BadEdition) as error:
        said = say_refusal(error.code, str(error), title)
    unfinished = accept and (found is None or found.edition is None or bool(said))
    body = render_template(
        "lesson.html",
        game=GAMES[game],
        token=token,
        lesson=found,
        refused=said,
        name=name,
        size=photo_size(path),
        problems=[say_lesson_problem(problem) for problem in found.problems] if found else [],
        questions=[(question, say_question(question)) for question in found.questions] if found else [],
        lines=lines_of(found) if found else [],
        line_name=line,
    )
    return body, 422 if unfinished or said else 200


def learnt(data: bytes, game: str, name: str, answers: dict[str, str]) -> Lesson:
    """In a reading process, like every other picture."""
    options: dict[str, Any] = {"lesson": {"name": name, "answers": answers}}
    try:
        job = pool().submit(Job(data, game, options, is_clean=True))
        lesson: Any = job.reading.result(timeout=settings().reading_seconds * settings().reading_queue)
    except (Full, TooSlow):
        raise ServiceUnavailable(retry_after=settings().retry_after_seconds) from None
    return lesson  # type: ignore[no-any-return]  # the pool's other kind of answer


def photo_size(path: Path) -> tuple[int, int]:
    from PIL import Image

    with Image.open(path) as picture:
        return picture.size


def lines_of(lesson: Lesson) -> list[tuple[str, str]]:
    """(key, name) of everything that has a name people may change, rows first."""
    asked = {question.key for question in lesson.questions}
    return [(key, name) for key, name in sorted(lesson.names.items()) if key not in asked]


@pages.post("/<game>/rename")
def rename(game: str) -> ResponseReturnValue:
    return managed(lambda: store().rename(game, request.form.get("name", ""), request.form.get("new", "")))


@pages.post("/<game>/delete")
def delete(game: str) -> ResponseReturnValue:
    return managed(lambda: store().delete(game, request.form.get("name", "")))


@pages.post("/import")
def take_in() -> ResponseReturnValue:
    sent = request.files.get("file")
    data = sent.read(LARGEST_EDITION) if sent is not None else b""
    return managed(lambda: store().keep(parsed(data)))


def managed(change: Any) -> ResponseReturnValue:
    """Make the change and show the list; a refusal is one line above it."""
    try:
        change()
    except BadEdition as error:
        return index(say_refusal(error.code, str(error), "")), 422
    return redirect(url_for("teaching.index"), 303)


@pages.get("/<game>/export")
def export(game: str) -> Response:
    try:
        edition = store().get(game_or_404(game).id, request.args.get("name", ""))
    except BadEdition:
        abort(404)
    answer = Response(written(edition), mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}.edition.json"'
    return answer
