"""Stage 5b: from aspects to tiles, per game: what each cell could be, and how likely by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scoring.mipasuje.tiles import TILES
from vision.classify import Floats
from vision.families import Family
from vision.settings import ReaderSettings


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The tiles of a game, as the aspects they consist of."""

    names: tuple[str, ...]
    aspects: tuple[str, ...]
    answers: tuple[tuple[int, ...], ...]
    """Per tile, which kind of each aspect."""
    copies: int

    def log_p(self, aspects: Mapping[str, Floats]) -> Floats:
        """(n, tiles) from each aspect's own log-probabilities: they are seen independently of each other."""
        parts = [aspects[aspect] for aspect in self.aspects]
        chosen = np.array(self.answers)
        return sum(part[:, chosen[:, index]] for index, part in enumerate(parts))  # type: ignore[return-value]


def hex_kinds(family: Family) -> Kinds:
    """27 + 4 tiles of three lines each."""
    lines = ("vertical", "rising", "falling")
    kinds = {aspect.name: aspect.kinds for aspect in family.aspects}
    answers = tuple(
        tuple(kinds[line].index(value) for line, value in zip(lines, name.split("-"), strict=True))
        for name in TILES
    )
    return Kinds(tuple(TILES), lines, answers, copies=1)


def square_kinds(family: Family, copies: int) -> Kinds:
    """Every colour with every shape."""
    aspects = {aspect.name: aspect.kinds for aspect in family.aspects}
    pairs = [
        (colour, shape) for colour in range(len(aspects["colour"])) for shape in range(len(aspects["shape"]))
    ]
    names = tuple(f"{aspects['colour'][colour]} {aspects['shape'][shape]}" for colour, shape in pairs)
    return Kinds(names, ("colour", "shape"), tuple(pairs), copies)


def one_of_two(log_p: Floats, kinds: Kinds, two: tuple[str, str], settings: ReaderSettings) -> Floats:
    """A set prints one of two colours, never both: the photo as a whole says which."""
    masks = [np.array([name.startswith(colour + " ") for name in kinds.names]) for colour in two]
    support = []
    for mask in masks:
        without = np.where(mask[None], log_p - settings.other_edition_cost, log_p)
        support.append(without.max(axis=1).sum())
    # Leaving out the colour that costs the photo less.
    absent = masks[int(np.argmax(support))]
    return np.where(absent[None], log_p - settings.other_edition_cost, log_p)
