"""What was read against what lies there, cell by cell.

Boards are compared as far as the photo can tell:

- Mi pasuje!: cells as they stand, on the same board. Where the truth names a cell's sun or moon, a cell is
  right only with it; a truth without symbols asks for none.
- Qwirkle, Trio: under the shift and quarter turn that make most tiles agree (then: most cells coincide).
- Bits: cells as they stand (which way is down is part of the reading), colours under the one-to-one renaming
  that makes most cells agree.

A cell counts if a tile lies there in truth or in the reading. It is right if both agree, doubted if the
reading lists it among its doubts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

from scoring.core import Malformed
from scoring.registry import find_game
from vision.board_file import board_file
from vision.reading import Cell, CellReading, Reading

Tiles: TypeAlias = Mapping[Cell, str]


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies in the photo, by tile names, and what it scores."""

    game: str
    tiles: Tiles
    marks: Mapping[Cell, str]
    layout: str = ""
    size: tuple[int, int] | None = None
    aside: tuple[str, ...] = ()
    total: int | None = None
    """None where the game is scored by turns."""
    no_board: bool = False
    """The photo shows no board of this game (`"cells": null`): whatever is read from it is made up."""


class CellOutcome(NamedTuple):
    """One cell, in the reading's own coordinates; tile None: nothing there."""

    at: Cell
    truth: str | None
    read: str | None
    right: bool
    doubted: bool
    p: float | None
    """How sure the reader was of the tile it named."""

    @property
    def text(self) -> str:
        """ "(0, −1): 9-7-3 read as 9-7-8, doubted"."""
        where = f"({self.at[0]}, {self.at[1]})"
        if self.truth is None:
            what = f"{self.read} read, nothing there"
        elif self.read is None:
            what = f"{self.truth} missed"
        elif self.truth == self.read:
            what = f"{self.truth} with the wrong symbol"
        else:
            what = f"{self.truth} read as {self.read}"
        return f"{where}: {what}{', doubted' if self.doubted else ''}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How one reading stands against its truth."""

    cells: tuple[CellOutcome, ...]
    same_frame: bool
    """Same layout and size."""
    aside_right: bool
    """Same tiles set aside, where the truth names any."""
    marks: int
    """Symbols the truth names on tiles that were read."""
    marks_right: int
    score_right: bool
    total: int | None

    @property
    def right(self) -> int:
        return sum(cell.right for cell in self.cells)

    @property
    def wrong(self) -> tuple[CellOutcome, ...]:
        """Every wrong, missing or extra cell."""
        return tuple(cell for cell in self.cells if not cell.right)

    @property
    def board_right(self) -> bool:
        return self.same_frame and self.aside_right and not self.wrong

    @property
    def silent_error(self) -> bool:
        """Something is wrong that nobody was asked about.

        A wrong layout or size cannot be doubted, so it is silent even if every tile agrees by chance.
        """
        return not self.same_frame or any(not cell.doubted for cell in self.wrong)


def compare(reading: Reading, truth: Truth, total: int | None) -> Comparison:
    """`reading` against `truth`; `total` is what the reading scores under the truth's own options."""
    expected = in_reading_terms(reading, truth)
    marks = truth.marks if truth.game == "mipasuje" else {}
    seen = {cell.at: cell for cell in reading.cells}
    doubted = {doubt.at for doubt in reading.doubts}
    cells = tuple(
        _outcome(at, expected.get(at), seen.get(at), marks.get(at), at in doubted)
        for at in sorted(expected.keys() | seen.keys())
    )
    named = [(at, mark) for at, mark in marks.items() if at in seen]
    compared = Comparison(
        cells,
        same_frame=reading.layout == truth.layout and reading.size == truth.size,
        aside_right=not truth.aside or Counter(reading.aside) == Counter(truth.aside),
        marks=len(named),
        marks_right=sum(seen[at].mark == mark for at, mark in named),
        score_right=total == truth.total,
        total=total,
    )
    by_turns = find_game(truth.game).by_turns
    return replace(compared, score_right=compared.board_right) if by_turns else compared


def score(reading: Reading, options: object) -> int | None:
    """What the reading scores under a game's parsed options; None if it is no board of that game at all."""
    game = find_game(reading.game)
    try:
        return game.score(game.parse_board(board_file(reading)), options).total
    except Malformed:
        return None


def _outcome(
    at: Cell, truth: str | None, seen: CellReading | None, mark: str | None, doubted: bool
) -> CellOutcome:
    read = seen.tile if seen else None
    right = truth == read and (mark is None or seen is None or seen.mark == mark)
    return CellOutcome(at, truth, read, right, doubted, seen.p if seen else None)


def in_reading_terms(reading: Reading, truth: Truth) -> dict[Cell, str]:
    """The truth's tiles in the reading's coordinates and colour names, chosen in the reading's favour."""
    tiles = {cell.at: cell.tile for cell in reading.cells}
    if truth.game == "bits":
        return renamed(truth.tiles, tiles)
    if find_game(truth.game).by_turns:
        return aligned(truth.tiles, tiles)
    return dict(truth.tiles)


def aligned(truth: Tiles, read: Tiles) -> dict[Cell, str]:
    """`truth` turned by quarters and shifted so that most tiles agree with `read`, then most cells coincide.

    Ties go to the fewest turns and the smallest shift, so that the answer never depends on chance.
    """
    best: tuple[tuple[int, int, int, tuple[int, int]], dict[Cell, str]] | None = None
    turned = dict(truth)
    for turns in range(4):
        agree: Counter[tuple[int, int]] = Counter()
        coincide: Counter[tuple[int, int]] = Counter()
        for (row, column), tile in turned.items():
            for at, seen in read.items():
                shift = (at[0] - row, at[1] - column)
                coincide[shift] += 1
                agree[shift] += tile == seen
        shift = max(
            coincide, key=lambda s: (agree[s], coincide[s], -abs(s[0]) - abs(s[1]), s), default=(0, 0)
        )
        merit = (agree[shift], coincide[shift], -turns, shift)
        if best is None or merit > best[0]:
            best = (
                merit,
                {(row + shift[0], column + shift[1]): tile for (row, column), tile in turned.items()},
            )
        turned = {(column, -row): tile for (row, column), tile in turned.items()}
    return best[1] if best else dict(truth)


def renamed(truth: Tiles, read: Tiles) -> dict[Cell, str]:
    """`truth` with its colours renamed, one to one, so that most cells agree with `read`.

    A colour without a partner keeps its name behind a dash, so that it agrees with nothing.
    """
    ours, theirs = sorted(set(truth.values())), sorted(set(read.values()))
    shared = Counter((tile, read[at]) for at, tile in truth.items() if at in read)
    counts = np.array([[shared[one, other] for other in theirs] for one in ours]).reshape(
        len(ours), len(theirs)
    )
    names = {one: f"–{one}" for one in ours}
    for row, column in zip(*linear_sum_assignment(counts, maximize=True), strict=True):
        if counts[row, column]:
            names[ours[row]] = theirs[column]
    return {at: names[tile] for at, tile in truth.items()}
