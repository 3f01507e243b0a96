"""Teaching: one photo of a copy's tiles, laid out as asked, becomes an edition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from vision.decode import decode
from vision.editions import checked_name
from vision.lessons import Lesson
from vision.settings import SETTINGS
from vision.teach_squares import square_lesson

Answers = Mapping[str, str]


def learn(photos: Sequence[bytes], game: str, name: str, answers: Answers | None = None) -> Lesson:
    """What the layout photos of a copy teach; of several photos the one with the fewest problems counts.

    Raises `Unreadable` where none of them shows tiles of the game, `BadEdition` for a name that will not do.
    """
    called = checked_name(name)
    found = [
        (number, _TEACHERS[game](decode(data, longest=SETTINGS.decode_px), called, answers or {}))
        for number, data in enumerate(photos)
    ]
    number, best = min(found, key=lambda one: (len(one[1].problems), len(one[1].questions), one[0]))
    return Lesson(
        best.game, best.tiles, best.questions, best.problems, best.edition, best.names, photo=number
    )


_TEACHERS: dict[str, Callable[..., Lesson]] = {
    "trio": lambda photo, name, answers: square_lesson(photo, "trio", name, answers),
    "qwirkle": lambda photo, name, answers: square_lesson(photo, "qwirkle", name, answers),
}
