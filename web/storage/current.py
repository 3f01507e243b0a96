"""The database session of the request at hand."""

from __future__ import annotations

from typing import cast

from flask import Flask, current_app, g, request
from sqlalchemy.orm import Session

from web.storage.database import Database

READING = {"GET", "HEAD", "OPTIONS"}


def database() -> Database:
    return cast(Database, current_app.extensions["kibic_database"])


def db() -> Session:
    """One session per request; requests that only look never hold up those that change something."""
    if "db" not in g:
        g.db = database().session(writing=request.method not in READING)
    return cast(Session, g.db)


def close_after_requests(app: Flask) -> None:
    @app.teardown_appcontext
    def close(_error: BaseException | None) -> None:
        session: Session | None = g.pop("db", None)
        if session is not None:
            session.close()
