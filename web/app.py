"""The page. For now it shows one thing and says so: the breakdown of a board, a round or a move in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, render_template, request

from scoring.core import Malformed
from scoring.strictjson import loads
from web.commands import move, score
from web.terminal import one_line

MAX_REQUEST_BYTES = 512 * 1024

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The web application."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=MAX_REQUEST_BYTES, MAX_FORM_MEMORY_SIZE=MAX_REQUEST_BYTES)
    app.config.update(config or {})
    app.add_url_rule("/", "board", show_board, methods=["GET", "POST"])
    app.after_request(_guarded)
    return app


def show_board() -> tuple[str, int]:
    """A field for a board file and, once it is sent, every point and why."""
    text = request.form.get("board", "")
    if request.method == "GET" or not text.strip():
        return render_template("board.html", text=text), 200
    try:
        return render_template("board.html", text=text, answer=_answer(text)), 200
    except (Malformed, RecursionError) as error:
        reason = str(error) if isinstance(error, Malformed) else "nested too deeply"
        return render_template("board.html", text=text, problem=one_line(reason)), 422


def _answer(text: str) -> str:
    value = loads(text)
    turn = isinstance(value, dict) and "before" in value
    answered = move.answer(value, {}) if turn else score.answer(value, {})
    return answered.as_text("your board")


def _guarded(response: Response) -> Response:
    response.headers.update(HEADERS)
    return response
