"""Why a photograph could not be used, in the reader's language, by the code vision gives."""

from __future__ import annotations

from typing import Any

from flask_babel import lazy_gettext as _l

UNREADABLE: dict[str, Any] = {
    "damaged-file": _l("The picture is damaged or incomplete. Send it again."),
    "empty-file": _l("The file is empty. Send a photo."),
    "file-too-big": _l("The file is too big. Send a smaller photo."),
    "not-a-picture": _l("That is not a photo. Send a JPEG, PNG, WebP or HEIC picture."),
    "too-many-pixels": _l("The picture has too many pixels. Send a smaller photo."),
    "animated": _l("The picture moves. Send a still photo."),
    "too-complex": _l("This picture is stored in an unusual way. Take a plain photo."),
    "too-slow": _l("Reading this photo took too long. Take it again, a bit closer."),
    "reader-crashed": _l("This picture broke the reader. Take the photo again."),
    "no-reader": _l("This copy of Kibic cannot read photos yet. Enter the board by hand."),
    "corners-wrong": _l("These corners make no board. Put each one at a corner of the board."),
    "interrupted": _l("Reading was interrupted. Take the photo again."),
}


def say_problem(code: str, message: str) -> str:
    """One clear sentence; what has no translation is said as vision says it."""
    said = str(UNREADABLE.get(code, message))
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")
