"""What a reading process does with one photograph. Only imported there: it pulls in the networks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import vision
from vision.corners import read_within
from vision.corrected import learnt_from
from vision.editions import BadEdition
from vision.lessons import Lesson
from vision.reading import Reading, Unreadable
from vision.reencode import reencode
from vision.teach import learn
from web.reading_pool import CleanPhoto


def clean_photo(data: bytes) -> CleanPhoto:
    return CleanPhoto(*reencode(data))


def read_photo(data: bytes, game: str, options: Mapping[str, Any]) -> Any:
    """What lies in the photo; where the options ask for a lesson, what it teaches."""
    if "lesson" in options:
        return lesson(data, game, options["lesson"])
    if "learn" in options:
        return learnt_from(data, **options["learn"])
    return read_board(data, game, options)


def lesson(data: bytes, game: str, asked: Mapping[str, Any]) -> Lesson:
    try:
        return learn([data], game, asked["name"], asked["answers"])
    except BadEdition as error:
        raise Unreadable(error.code, str(error)) from None


def read_board(data: bytes, game: str, options: Mapping[str, Any]) -> Reading:
    read = getattr(vision, "read", None)
    if read is None:
        raise Unreadable("no-reader", "This copy of Kibic cannot read photos yet. Enter the board by hand.")
    known = {key: value for key, value in options.items() if key != "corners"}
    if options.get("corners"):
        return read_within(read, data, game, known, options["corners"])
    reading: Reading = read(data, game, known)
    return reading
