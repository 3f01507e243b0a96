"""The table page: `create_app` puts storage, safety, language and the pages together."""

from __future__ import annotations

import atexit
import hashlib
import logging
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from flask_babel import gettext as _
from sqlalchemy import select
from werkzeug.exceptions import HTTPException

from web import (
    api,
    boards,
    calls,
    disputes,
    drawing,
    exports,
    grids,
    home,
    photos,
    record_pages,
    second_photos,
    tables,
    teaching,
    turns,
)
from web.auth import WrongCodes
from web.language import speak
from web.looks import LOOKS
from web.photo_words import say_problem
from web.reading_pool import ReadingPool
from web.record_keeping import keep_record
from web.safety import protect
from web.settings import secret_key, settings_from
from web.small import compress_static
from web.storage import photo_files
from web.storage.current import close_after_requests
from web.storage.database import open_database
from web.storage.models import Photo

log = logging.getLogger(__name__)


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The web application. `config` may hold any field of `Settings`, and Flask's own upper-case settings."""
    settings = settings_from(config)
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=secret_key(settings.data_folder),
        SESSION_COOKIE_NAME="kibic_session",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure_cookies,
        PERMANENT_SESSION_LIFETIME=timedelta(days=365),
        MAX_CONTENT_LENGTH=settings.upload_bytes,
        MAX_FORM_MEMORY_SIZE=settings.form_memory_bytes,
        MAX_FORM_PARTS=settings.form_fields,
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(hours=1),
    )
    app.config.update({key: value for key, value in (config or {}).items() if key.isupper()})
    opened = open_database(settings.database)
    if opened.set_aside is not None:
        log.error("the database was damaged; it was moved to %s and a new one was made", opened.set_aside)
    keep_record()
    pool = ReadingPool(settings.reading_workers, settings.reading_queue, settings.reading_seconds)
    atexit.register(pool.close)
    app.extensions.update(
        kibic_settings=settings,
        kibic_database=opened,
        kibic_pool=pool,
        kibic_wrong_codes=WrongCodes(settings),
        kibic_build=build(),
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        tile_picture=drawing.picture,
        draw_tile=drawing.tile,
        polyomino=drawing.polyomino,
        looks=LOOKS,
        say_problem=say_problem,
    )
    speak(app)
    protect(app, settings)
    compress_static(app)
    close_after_requests(app)
    for module in (
        home,
        tables,
        boards,
        calls,
        photos,
        second_photos,
        grids,
        exports,
        record_pages,
        turns,
        disputes,
        teaching,
        api,
    ):
        app.register_blueprint(module.pages)
    app.register_blueprint(photos.opening)
    app.register_error_handler(HTTPException, show_error)
    with opened.session() as session:
        photo_files.sweep(settings.photo_folder, session.scalars(select(Photo.file)))
    photos.resume(app)
    return app


def build() -> str:
    """Changes when this program does: pages made by another copy of it are not "unchanged"."""
    here = Path(__file__).parent
    files = sorted(
        file
        for kind in ("*.py", "templates/*.html", "static/*.*", "translations/*/*/*.mo")
        for file in here.glob(kind)
    )
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def show_error(error: HTTPException) -> Response | tuple[Response | str, int, dict[str, str]]:
    """One clear line, as a page, a fragment or JSON, whichever was asked for."""
    code = error.code or 500
    if 300 <= code < 400:
        return error.get_response()  # type: ignore[return-value]  # werkzeug's own response type
    words = {
        400: _("That did not make sense. Reload the page and try again."),
        401: _("This key is not valid."),
        403: _("Only the host, or the player whose board it is, may do that."),
        404: _("There is nothing here, or this phone has not joined that table."),
        405: _("That cannot be done here."),
        413: _("That is too big. A photo may have up to 25 MB."),
        421: _("This address is not one this server answers to."),
        429: _("Too many wrong codes. Wait a moment and try again."),
        503: _("Many photos are being read right now. Try again in a few seconds."),
    }
    own = error.description if code in (400, 409, 422) and error.description else None
    said = (
        own
        if own and own != type(error).description
        else words.get(code, _("Something went wrong. Try again."))
    )
    wait = getattr(error, "retry_after", None)
    headers = {"Retry-After": str(wait)} if wait else {}
    if request.path.startswith("/api/") or request.accept_mimetypes.best == "application/json":
        return jsonify(error={"code": code, "message": said}), code, headers
    return render_template("error.html", code=code, said=said), code, headers
