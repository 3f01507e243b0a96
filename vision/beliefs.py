"""Stage 7: what is believed about every cell, as a reading that says where it doubts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.decode import Photo
from vision.geometry import Floats, through
from vision.layout import Placed
from vision.reading import Alternative, Cell, CellReading, Doubt, Polygon
from vision.rectify import centre_shift
from vision.settings import ReaderSettings

WORTH_NAMING = 0.004
"""Alternatives less likely than this are not mentioned."""
MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Belief:
    """One cell: whether something lies there, and if so what."""

    at: Cell
    p_tile: float
    tiles: tuple[tuple[str, float], ...]
    """(name, probability if a tile lies there), likeliest first."""
    polygon: Polygon
    marks: tuple[tuple[str | None, float], ...] = ((None, 1.0),)
    facts: Mapping[str, tuple[tuple[str | None, float], ...]] | None = None
    """By tile, where it is known which tile carries which symbol; then `marks` does not count."""
    suspect: bool = False
    """Something about the cell (glare, an unknown look, a displaced tile) says: better ask."""

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """Everything the cell may be, likeliest first."""
        found = [Alternative(None, 1 - self.p_tile)]
        found += [
            Alternative(tile, self.p_tile * p * mark_p, mark)
            for tile, p in self.tiles
            for mark, mark_p in (self.facts[tile] if self.facts is not None else self.marks)
        ]
        found.sort(key=lambda one: -one.p)
        return tuple(one for one in found[:MOST_NAMED] if one.p >= WORTH_NAMING)


def told(
    beliefs: Iterable[Belief], settings: ReaderSettings, below: float | None = None
) -> tuple[tuple[CellReading, ...], tuple[Doubt, ...]]:
    """What is read, and what is asked: tiles less likely than `below`, and cells that may not be empty."""
    below = settings.doubt_below if below is None else below
    cells, doubts = [], []
    for belief in sorted(beliefs, key=lambda one: one.at):
        first, *others = belief.alternatives
        if first.tile is not None:
            cells.append(
                CellReading(belief.at, first.tile, first.p, tuple(others), belief.polygon, first.mark)
            )
            doubted = first.p < below or belief.suspect
        else:
            doubted = belief.p_tile > settings.doubt_empty_above or belief.suspect
        if doubted:
            doubts.append(Doubt(belief.at, belief.alternatives, belief.polygon))
    return tuple(cells), tuple(doubts)


def ranked(names: Sequence[str], log_p: Floats) -> tuple[tuple[str, float], ...]:
    """The likeliest names with their probabilities."""
    order = np.argsort(-log_p, kind="stable")[: MOST_NAMED + 1]
    return tuple((names[index], float(np.exp(log_p[index]))) for index in order)


def polygons(photo: Photo, placed: Placed) -> list[Polygon]:
    """The outline of every cell's tile, in pixels of the full photo."""
    lattice = placed.lattice
    corners = lattice.grid.outline @ np.linalg.inv(lattice.grid.to_plane).T
    outline = through(lattice.homography, placed.cells[:, None] + corners) + centre_shift(placed)[:, None]
    full = to_full(photo, outline)
    return [tuple((round(float(x), 1), round(float(y), 1)) for x, y in cell) for cell in full]


def to_full(photo: Photo, points: Floats) -> Floats:
    """Pixels of the decoded picture → pixels of the full photo."""
    return (points + 0.5) * photo.scale - 0.5
