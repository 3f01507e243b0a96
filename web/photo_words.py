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
    "no-board": _l("No whole board of this game was found. Show all of it, from above."),
    "cut-off": _l("Part of the board is cut off. Step back and show all of it."),
    "other-game": _l("These look like tiles of another game. Pick that game."),
    "empty-board": _l("The board is empty; there is nothing to score."),
    "too-unclear": _l("Most tiles cannot be made out. Take the photo closer, sharper or in better light."),
    "too-far": _l("The tiles are too small in the photo. Come closer."),
    "far": _l("The tiles are small in the photo; closer would be surer."),
    "too-oblique": _l("The photo is taken from too low. Hold the phone above the board."),
    "oblique": _l("The photo is taken from low; from above would be surer."),
    "glare": _l("Light is reflected over some cells; shade the lamp or tilt the phone."),
    "blurred": _l("The photo is blurred; hold still and let the phone focus."),
    "displaced": _l("Some tiles lie beside their cells; push them into place."),
    "several-boards": _l("Several boards are in the photo; the one in the middle was read."),
    "several-tables": _l("Several groups of tiles are in the photo; show only the table."),
    "which-way": _l("It cannot be told which way the ramp lies. Photograph all of it from in front."),
    "corners-wrong": _l("These corners make no board. Put each one at a corner of the board."),
    "another-table": _l("This photo does not show the table as it stood before. Photograph the whole table."),
    "different-boards": _l("These photos do not show the same board. Photograph it once more."),
    "photos-differ": _l("The photos show different tiles here."),
    "unknown-edition": _l("These tiles look like no known edition. Teach Kibic your copy."),
    "interrupted": _l("Reading was interrupted. Take the photo again."),
}


def say_problem(code: str, message: str) -> str:
    """One clear sentence; what has no translation is said as vision says it."""
    said = str(UNREADABLE.get(code, message))
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")
