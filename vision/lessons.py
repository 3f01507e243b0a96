"""What a teaching photo was understood to show: tile by tile, with what is asked and what is wrong.

Nothing here is stored: a lesson is shown to people, who answer, take another photo, or accept its edition.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.classify import Floats
from vision.editions import Edition
from vision.reading import Cell, Polygon

WORD = re.compile(r"[\w'’-]{1,40}")
"""What may name a colour or a shape: one word, as board files write it."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile of the layout and what it was taken for."""

    at: Cell
    """(row, column) of the layout from the top left, or (number, 0) where tiles lie about."""
    tile: str
    polygon: Polygon
    mark: str | None = None
    note: str = ""
    """Code of what is odd about it, if anything."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something only people can say; answered by `key`."""

    key: str
    code: str
    message: str
    cells: tuple[Cell, ...]
    choices: tuple[str, ...] = ()
    """Empty: any word will do."""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why this photo cannot teach, in one clear line; `facts` are the words in it, for translations."""

    code: str
    message: str
    cells: tuple[Cell, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one layout photo taught. `edition` is there once nothing is asked and nothing is wrong."""

    game: str
    tiles: tuple[SeenTile, ...]
    questions: tuple[Question, ...]
    problems: tuple[Problem, ...]
    edition: Edition | None
    names: Mapping[str, str] = field(default_factory=dict)
    """By key, every name that was given or told from the photo, so that people can change it."""
    photo: int = 0
    """Which of the photos it is."""


REFERENCE: Mapping[str, tuple[int, int, int]] = {
    "red": (210, 30, 40),
    "orange": (245, 130, 30),
    "yellow": (250, 215, 40),
    "green": (40, 150, 60),
    "blue": (40, 100, 210),
    "purple": (120, 50, 150),
    "pink": (245, 145, 195),
    "teal": (20, 160, 155),
    "white": (248, 248, 246),
    "grey": (140, 142, 146),
    "black": (25, 25, 28),
    "brown": (120, 75, 45),
    "silver": (180, 184, 190),
    "turquoise": (75, 200, 200),
    "cream": (245, 230, 190),
    "lime": (180, 215, 50),
    "mint": (150, 225, 195),
    "navy": (30, 40, 105),
    "olive": (135, 140, 45),
    "violet": (150, 90, 200),
    "beige": (215, 190, 150),
    "sky": (140, 200, 240),
}
"""RGB of what people would call so in white light."""


def colour_names(inks: Floats, ground: Floats, allowed: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A different everyday name for each of (n, 3) BGR inks; `allowed` are preferred where they are close."""
    from scipy.optimize import linear_sum_assignment
    from skimage.color import deltaE_ciede2000, rgb2lab

    white = ground if float(ground.mean()) > 130 else np.full(3, max(float(inks.max()), 60.0))
    balanced = np.clip(inks / np.maximum(white, 1) * 238, 0, 255)
    names = list(REFERENCE)
    seen = rgb2lab(balanced[None, :, ::-1] / 255)[0]
    known = rgb2lab(np.array([list(REFERENCE.values())], float) / 255)[0]
    cost = deltaE_ciede2000(seen[:, None], known[None])
    cost = cost - 6.0 * np.isin(names, allowed)[None]
    rows, columns = linear_sum_assignment(cost)
    found = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    return tuple(names[found[index]] for index in range(len(inks)))


LIGHTER = 0.45
"""What a level of brightness counts against a level of colour."""


def colour_gap(ink: Floats, other: Floats) -> Floats:
    """Levels between inks; lighter or darker counts less than another colour, for a lamp lights unevenly."""
    gap = ink - other
    towards = other / np.maximum(np.linalg.norm(other, axis=-1, keepdims=True), 1.0)
    along = (gap * towards).sum(axis=-1)
    across = np.maximum((gap**2).sum(axis=-1) - along**2, 0)
    return np.asarray(np.sqrt(across + (LIGHTER * along) ** 2))
