"""Editions as data: what each kind of tile of one copy of a game looks like.

Built-in looks are prototypes in the tile net's own feature space. A taught edition holds what one photo of
a copy shows beyond doubt: its inks, its drawings as stencils, and facts (which tile carries a sun, how large
the ramp is). None of that depends on the nets' weights, so a taught edition outlives them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Per aspect: the kinds there are, a unit vector for each, and how sharply likeness tells them apart."""

    kinds: Mapping[str, tuple[str, ...]]
    prototypes: Mapping[str, Floats]
    """(kinds, size)."""
    sharpness: Mapping[str, float]
    """What a cosine of one is worth against a cosine of zero, in nats; found on held-out renders."""


def save_looks(path: Path, looks: Looks) -> None:
    """As a small text file, one aspect after the other."""
    aspects = {
        name: {
            "kinds": list(looks.kinds[name]),
            "sharpness": round(looks.sharpness[name], 2),
            "prototypes": [[round(float(x), 4) for x in row] for row in rows],
        }
        for name, rows in looks.prototypes.items()
    }
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(aspects) + "\n", encoding="utf-8")
    temporary.replace(path)


def load_looks(path: Path) -> Looks:
    """What `save_looks` wrote."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Looks(
        {name: tuple(aspect["kinds"]) for name, aspect in data.items()},
        {name: np.array(aspect["prototypes"], np.float32) for name, aspect in data.items()},
        {name: float(aspect["sharpness"]) for name, aspect in data.items()},
    )


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A tile as the teaching photo showed it."""

    tile: str
    mark: str | None
    crop: npt.NDArray[np.uint8]
    """(px, px, 3) BGR, upright."""


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One copy of a game, as it was taught. What a game has no use for stays empty."""

    game: str
    name: str
    colours: tuple[str, ...] = ()
    """Names of the inks: Trio's, Qwirkle's and Bits' colours, the values of Mi pasuje!'s lines."""
    inks: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    """(colours, 3) BGR levels in the teaching photo."""
    ground: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    """(3,) what they are painted on."""
    shapes: tuple[str, ...] = ()
    drawings: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    """Per shape (k, px, px) stencils."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """Mi pasuje!: which tile carries a sun or a moon; a tile that is not named carries none."""
    marked: bool = False
    """Whether `marks` is known at all."""
    board: str | None = None
    """Mi pasuje!: which of the four valve boards this copy has."""
    size: tuple[int, int] | None = None
    """Bits: rows and columns of the ramp."""
    tiles: tuple[str, ...] = ()
    """Bits: one player's dominoes, as the rules write them."""
    cards: Mapping[str, Any] = field(default_factory=dict)
    """Bits: task cards by name."""
    examples: tuple[Example, ...] = ()
    """Mi pasuje!: the tiles themselves, to find their prototypes again whenever the net changes."""
    corrections: tuple[tuple[str, tuple[float, ...]], ...] = ()
    """(colour, BGR) of cells that people corrected, oldest first."""
    known_shapes: bool = False
    """Trio, Qwirkle: whether all shapes are built-in ones, which the net reads without being taught."""


class BadEdition(Exception):
    """A file or a name that cannot be used; the message is one line for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def checked_name(name: object) -> str:
    """The name of an edition, tidied."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadEdition("name-wrong", f"the name of an edition has 1 to {LONGEST_NAME} printable characters")
    return " ".join(name.split())
