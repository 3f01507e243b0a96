"""How a photograph of a known table lies on it: of all shifts and quarter turns, the one its tiles fit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

import numpy as np

from vision.geometry import through
from vision.opinions import Kind, Opinion, agreement, alternatives_of, opinion, opinions_of, sure
from vision.reading import Alternative, Cell, Polygon, Reading


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """The thresholds of matching."""

    candidates: int = 8
    """So many placements of the photo on the known table are looked at closely."""
    least_found: float = 0.6
    """Share of the old tiles that must be found again, or it is another table."""
    missing: float = 0.01
    """How likely an old tile is not seen by the reader though it still lies there."""
    contradiction_below: float = 0.03
    """Old and new agree with less than this probability: they contradict each other."""
    rival_nats: float = 4.0
    """Another placement that explains the photo almost as well is a rival."""
    unmentioned_tile: float = 0.02
    """How likely a tile lies where the reader mentions nothing."""
    new_tile_odds: float = 0.15
    """How much less likely a mere hint of a new tile is one: a turn brings few, free cells are many."""
    settled_empty: float = 0.1
    """What is left of a faint hint of a tile where people have already said that nothing lies."""


MATCH = MatchSettings()


@dataclass(frozen=True, slots=True)
class KnownCell:
    """What is believed to lie in a cell, before the new photo."""

    alternatives: tuple[Alternative, ...]
    told: bool = False
    """A person said so."""
    doubted: bool = False
    """It was asked about and nobody has answered."""
    misread: tuple[str | None, ...] = ()
    """What photos showed here while people said otherwise: the same again is no news."""


@dataclass(frozen=True, slots=True)
class Known:
    """A table as it is known before the new photo."""

    game: str
    cells: tuple[tuple[Cell, KnownCell], ...] = ()
    empties: tuple[tuple[Cell, float], ...] = ()
    """Cells people said are empty, and how likely a tile had seemed there."""


class Placement(NamedTuple):
    """How the photo lies on the known table: first turned clockwise, then shifted."""

    turns: int
    shift: Cell

    def known(self, cell: Cell) -> Cell:
        """The known table's cell under a cell of the photo."""
        row, column = turned(cell, self.turns)
        return row + self.shift[0], column + self.shift[1]

    def seen(self, cell: Cell) -> Cell:
        """The photo's cell over a cell of the known table."""
        return turned((cell[0] - self.shift[0], cell[1] - self.shift[1]), -self.turns)


def turned(cell: Cell, quarters: int) -> Cell:
    """The cell after so many clockwise quarter turns of the table around (0, 0)."""
    row, column = cell
    match quarters % 4:
        case 0:
            return row, column
        case 1:
            return column, -row
        case 2:
            return -row, -column
        case _:
            return -column, row


def known_from(reading: Reading) -> Known:
    """What one photo says, as a beginning."""
    doubted = {doubt.at for doubt in reading.doubts}
    return Known(
        reading.game,
        tuple(
            (cell.at, KnownCell(alternatives_of(cell), doubted=cell.at in doubted)) for cell in reading.cells
        ),
    )


def known_tiles(game: str, tiles: Mapping[Cell, str]) -> Known:
    """A table somebody vouches for."""
    return Known(
        game, tuple((at, KnownCell((Alternative(tile, 1.0),), told=True)) for at, tile in tiles.items())
    )


def place(before: Known, reading: Reading, settings: MatchSettings = MATCH) -> Placement | None:
    """How the photo lies on the known table; None if it shows another one."""
    old, new = views_of(before), opinions_of(reading)
    ranked = ranked_placements(old, new, reading, settings)
    if not ranked or found_again(old, new, reading, ranked[0][1]) < settings.least_found:
        return None
    return ranked[0][1]


def turned_reading(reading: Reading, where: Placement) -> Reading:
    """The same reading in the known table's coordinates."""
    return replace(
        reading,
        cells=tuple(replace(cell, at=where.known(cell.at)) for cell in reading.cells),
        doubts=tuple(replace(doubt, at=where.known(doubt.at)) for doubt in reading.doubts),
        findings=tuple(
            replace(one, cells=tuple(where.known(cell) for cell in one.cells)) for one in reading.findings
        ),
        homography=_homography(reading, where),
    )


def views_of(before: Known) -> dict[Cell, Opinion]:
    return {
        at: sure(one.alternatives[0].tile) if one.told else opinion(one.alternatives)
        for at, one in before.cells
    }


def ranked_placements(
    old: Mapping[Cell, Opinion], new: Mapping[Cell, Opinion], reading: Reading, settings: MatchSettings
) -> list[tuple[float, Placement]]:
    """The likeliest placements with their support, best first; of equals, the least turned and shifted."""
    tried = [
        (_support(old, new, reading, where, settings), where) for where in _candidates(old, new, settings)
    ]
    return sorted(tried, key=lambda one: -round(one[0], 6))


def _candidates(
    old: Mapping[Cell, Opinion], new: Mapping[Cell, Opinion], settings: MatchSettings
) -> Iterator[Placement]:
    """Placements under which most old tiles find one of their kind; unturned and unshifted ones first."""
    where: dict[Kind, list[tuple[Cell, float]]] = defaultdict(list)
    for at, one in new.items():
        for kind, p in one.named.items():
            if kind.tile is not None and p > 0.05:
                where[kind].append((at, p))
    votes: Counter[Placement] = Counter()
    for at, one in old.items():
        kind = one.best
        for cell, p in where[kind]:
            for turns in range(4):
                row, column = turned(cell, turns)
                votes[Placement(turns, (at[0] - row, at[1] - column))] += p  # type: ignore[assignment]
    ranked = sorted(
        votes.items(),
        key=lambda pair: (-round(pair[1], 3), pair[0].turns, abs(pair[0].shift[0]) + abs(pair[0].shift[1])),
    )
    for place, _ in ranked[: settings.candidates]:
        yield place


def _support(
    old: Mapping[Cell, Opinion],
    new: Mapping[Cell, Opinion],
    reading: Reading,
    where: Placement,
    settings: MatchSettings,
) -> float:
    """Log-likelihood of the photo if it lies so; what is outside the picture says nothing."""
    support = 0.0
    for at, one in old.items():
        cell = where.seen(at)
        if cell in new:
            support += log(agreement(one, new[cell]) + settings.missing / 10)
        elif not outside(reading, cell):
            support += log(settings.missing)
    return support


def found_again(
    old: Mapping[Cell, Opinion], new: Mapping[Cell, Opinion], reading: Reading, where: Placement
) -> float:
    inside = [at for at in old if where.seen(at) in new or not outside(reading, where.seen(at))]
    found = sum(where.seen(at) in new and new[where.seen(at)].p(old[at].best) > 0.02 for at in inside)
    return found / max(1, len(inside))


def fresh_cells(old: Mapping[Cell, Opinion], reading: Reading, where: Placement) -> frozenset[Cell]:
    """The photo's own cells that would hold new tiles."""
    return frozenset(cell.at for cell in reading.cells if where.known(cell.at) not in old)


def outside(reading: Reading, cell: Cell) -> bool:
    """Whether the middle of a cell of the photo lies outside the picture."""
    width, height = reading.photo_size
    if not reading.homography or not width:
        return False
    x, y = _points(reading, cell, ((0.0, 0.0),))[0]
    return not (0 <= x < width and 0 <= y < height)


CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


def _points(reading: Reading, cell: Cell, offsets: Iterable[tuple[float, float]]) -> Polygon:
    at = np.array([[cell[1] + x, cell[0] + y] for x, y in offsets])
    return tuple((float(x), float(y)) for x, y in through(np.array(reading.homography), at))


def outline(reading: Reading, cell: Cell) -> Polygon:
    if not reading.homography:
        return ()
    return tuple((round(x, 1), round(y, 1)) for x, y in _points(reading, cell, CORNERS))


def _homography(reading: Reading, where: Placement) -> tuple[tuple[float, ...], ...]:
    """From the known table's lattice to the photo: through the photo's own lattice."""
    if not reading.homography:
        return ()
    columns = [where.seen(cell) for cell in ((0, 0), (0, 1), (1, 0))]
    start, right, down = (np.array([column, row], float) for row, column in columns)
    back = np.eye(3)
    back[:2, 0], back[:2, 1], back[:2, 2] = right - start, down - start, start
    moved = np.array(reading.homography) @ back
    return tuple(tuple(float(x) for x in row) for row in moved)
