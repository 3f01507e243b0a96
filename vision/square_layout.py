"""The layout that teaches Trio and Qwirkle: 36 places in six rows, and which line of them shares a colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.classify import Evidence
from vision.geometry import Ints
from vision.lattice import Lattice
from vision.layout import Placed
from vision.reading import Cell
from vision.symbols import Parts

SIDE = 6


@dataclass(frozen=True, slots=True)
class LessonSettings:
    """Inks in 8-bit levels, likeness −1 … 1."""

    least_tiles: int = 24
    """With fewer of the 36 the photo shows no layout."""
    wrong_ink: float = 14.0
    """An ink that is so much closer to another line's is of that colour."""
    foreign_ink: float = 0.75
    """An ink further from its line's than this share of the gap to the next line's is nobody's."""
    least_ink: float = 26.0
    """Below so many levels an ink is never called wrong."""
    wrong_shape: float = 0.07
    """A symbol that is so much more like another line's has that shape."""
    foreign_shape: float = 0.18
    """A symbol that is so much less like its line's than others are is nobody's."""
    stray_shape: float = 0.05
    """The same for a symbol that is more like another line's than its own."""
    washed: float = 0.22
    """Share of a tile that is white beyond what its neighbours are: a reflection."""
    faint: float = 0.45
    """Share of the contrast its line has, below which a symbol cannot be learnt from."""
    sure_name: float = 0.8
    """Mean probability from which on a line's shape needs no question."""
    dark: float = 95.0
    """Brightest level of ground and inks below which the photo is too dark to learn colours from."""


LESSON = LessonSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The 36 places, with colours along the rows and shapes along the columns."""

    placed: Placed
    crops: npt.NDArray[np.uint8]
    evidence: Evidence
    there: npt.NDArray[np.bool_]
    """(36,) whether a tile lies there."""
    parts: Parts
    row: npt.NDArray[np.intp]
    """(36,) which colour each place should show."""
    column: npt.NDArray[np.intp]
    """(36,) which shape."""
    turned: bool
    """Whether the colours lie along the photo's columns."""
    besides: int
    """Tiles on the same lattice that are no part of it."""

    def key(self, aspect: str, index: int) -> str:
        """How people call a line: row-1 from the top, column-1 from the left."""
        along_rows = (aspect == "colour") != self.turned
        return f"{'row' if along_rows else 'column'}-{index + 1}"

    def cells(self, chosen: Sequence[int] | npt.NDArray[np.intp]) -> tuple[Cell, ...]:
        return tuple((int(i) // SIDE, int(i) % SIDE) for i in chosen)


def upright(lattice: Lattice) -> Lattice:
    """Turned so that its rows run from left to right in the photo."""
    ways = [lattice.turned(turn) for turn in range(4)]
    return max(ways, key=lambda one: float(one.steps(np.median(one.at, axis=0)[None])[0, 0, 0]))


def window(lattice: Lattice) -> tuple[Placed, int, int]:
    """The 6 × 6 cells that hold most tiles, how many they hold, and how many lie outside."""
    tiles = np.flatnonzero(~lattice.found.empty)
    at = lattice.at[tiles]
    best: tuple[int, int, int] = (-1, 0, 0)
    for x in range(int(at[:, 0].min()) - SIDE + 1, int(at[:, 0].max()) + 1):
        for y in range(int(at[:, 1].min()) - SIDE + 1, int(at[:, 1].max()) + 1):
            low = np.array([x, y])
            count = int(((at >= low) & (at < low + SIDE)).all(axis=1).sum())
            best = max(best, (count, -x, -y))
    count, x, y = best[0], -best[1], -best[2]
    cells: Ints = np.array([(x + column, y + row) for row in range(SIDE) for column in range(SIDE)])
    where = {(int(cx), int(cy)): int(index) for index, (cx, cy) in zip(tiles, at, strict=True)}
    detected = np.array([where.get((int(cx), int(cy)), -1) for cx, cy in cells])
    return Placed(lattice, cells, detected, "", None, 1.0, np.inf), count, len(tiles) - count


def lines() -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    number = np.arange(SIDE * SIDE)
    return number // SIDE, number % SIDE


def sorted_lines(layout: Layout) -> Layout:
    """Colours may lie along the columns: then rows and columns change places."""
    ink = layout.parts.ink
    row, column = lines()
    spread = []
    for line in (row, column):
        inside = [ink[layout.there & (line == k)] for k in range(SIDE)]
        spread.append(np.mean([np.abs(one - np.median(one, axis=0)).mean() for one in inside if len(one)]))
    return layout if spread[0] <= spread[1] else replace(layout, row=column, column=row, turned=True)
