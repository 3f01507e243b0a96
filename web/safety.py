"""What every answer and every change must pass: known host, CSRF token, strict headers."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from hmac import compare_digest

from flask import Flask, Response, abort, request, session
from flask_babel import gettext as _

from web.settings import Settings

PHOTO_ENDPOINTS = {
    "photos.upload",
    "photos.upload_again",
    "second_photos.add",
    "api.put_photo",
    "teaching.upload",
}
CHANGING = {"POST", "PUT", "PATCH", "DELETE"}

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=()",
}


def protect(app: Flask, settings: Settings) -> None:
    names = own_names() | set(settings.hosts)

    @app.before_request
    def known_host() -> None:
        # A page elsewhere can point its own name at this machine; our address or own name it cannot fake.
        if not is_known_host(request.host, names):
            abort(421)

    @app.before_request
    def small_unless_a_photo() -> None:
        if request.endpoint not in PHOTO_ENDPOINTS:
            request.max_content_length = settings.form_bytes

    @app.before_request
    def token_on_changes() -> None:
        if request.method not in CHANGING or request.headers.get("Authorization", "").startswith("Bearer "):
            return  # a bearer key is never sent by a browser on its own
        if request.path.startswith("/api/") and "session" not in str(request.cookies):
            return  # no cookie, nothing to abuse: the API answers for itself
        sent = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
        if not compare_digest(sent.encode(), csrf_token().encode()):
            abort(400, _("This page is too old. Go back, reload it and try again."))

    @app.after_request
    def strict_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    app.jinja_env.globals["csrf_token"] = csrf_token


def csrf_token() -> str:
    """This browser's token, made at its first page."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
        session.permanent = True
    return str(session["csrf"])


def own_names() -> set[str]:
    name = socket.gethostname().lower()
    return {"localhost", name, f"{name.split('.')[0]}.local"}


def is_known_host(host: str, names: set[str]) -> bool:
    """Whether a Host header names this machine: an IP address, localhost, or one of `names`."""
    if host.startswith("["):
        bare = host[1:].partition("]")[0]
    else:
        bare = host.rpartition(":")[0] if ":" in host else host
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        return bare.lower().rstrip(".") in names
    return True
