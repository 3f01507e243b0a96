"""Teaching: one photo of a copy's tiles, laid out as asked, becomes an edition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scoring.registry import GAMES
from vision.decode import Photo, decode
from vision.detect import detect
from vision.editions import checked_name
from vision.lessons import Lesson
from vision.reading import Unreadable
from vision.settings import SETTINGS
from vision.teach_bits import bits_lesson
from vision.teach_hexes import hex_lesson
from vision.teach_squares import square_lesson

Answers = Mapping[str, str]
LEAST_WARMTH = 4.0
"""Heat of all tiles together from which on a photo is one of a game."""


def learn(photos: Sequence[bytes], game: str, name: str, answers: Answers | None = None) -> Lesson:
    """What the layout photos of a copy teach; of several photos the one with the fewest problems counts.

    Raises `Unreadable` where none of them shows tiles of the game, `BadEdition` for a name that will not do.
    """
    called = checked_name(name)
    found = [(number, _lesson(data, game, called, answers or {})) for number, data in enumerate(photos)]
    number, best = min(found, key=lambda one: (len(one[1].problems), len(one[1].questions), one[0]))
    return Lesson(
        best.game, best.tiles, best.questions, best.problems, best.edition, best.names, photo=number
    )


def _lesson(data: bytes, game: str, name: str, answers: Answers) -> Lesson:
    photo = decode(data, longest=SETTINGS.decode_px)
    try:
        return _TEACHERS[game](photo, name, answers)
    except Unreadable as error:
        if error.code not in ("no-board", "other-game"):
            raise
        rival = _game_in(photo)
        if rival is None or rival == game:
            raise Unreadable("no-tiles", "no tiles of this game were found; lay them out as shown") from None
        titles = GAMES[rival].title, GAMES[game].title
        raise Unreadable("other-game", f"these are tiles of {titles[0]}, not of {titles[1]}") from None


def _game_in(photo: Photo) -> str | None:
    """The game whose tiles the detector sees most of, if any."""
    warmth = {}
    for game in GAMES:
        found, _ = detect(photo.image, game)
        tiles = found.only(~found.empty)
        own = tiles.heat > tiles.rivals
        warmth[game] = float(tiles.heat[own].sum())
    best = max(warmth, key=lambda game: warmth[game])
    return best if warmth[best] > LEAST_WARMTH else None


_TEACHERS: dict[str, Callable[..., Lesson]] = {
    "trio": lambda photo, name, answers: square_lesson(photo, "trio", name, answers),
    "bits": bits_lesson,
    "mipasuje": hex_lesson,
    "qwirkle": lambda photo, name, answers: square_lesson(photo, "qwirkle", name, answers),
}
