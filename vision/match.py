"""A photograph of a table that was known before: the same tiles found again, and what is new.

Photos of a growing table are taken by hand from wherever somebody sits, so nothing is compared by pixels. The
tiles themselves say how the two lattices lie on each other: of all shifts and quarter turns, the one under
which the old tiles are found again. What lay there before is the strongest evidence for what lies there now;
where the photo plainly contradicts it, the old tile stays, the cell is asked about, and the contradiction is
named.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import exp, log
from typing import NamedTuple

import numpy as np

from scoring.registry import find_game
from vision.geometry import through
from vision.opinions import (
    NOTHING,
    Kind,
    Opinion,
    agreement,
    alternatives_of,
    as_alternatives,
    opinion,
    opinions_of,
    seen_nothing,
    sure,
    together,
    told,
)
from vision.reading import Alternative, Cell, CellReading, Doubt, Polygon, Reading, Unreadable
from vision.settings import SETTINGS, ReaderSettings


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


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An old tile that the photo shows otherwise: `changed`, `vanished` or `moved` (to another cell)."""

    kind: str
    at: Cell
    was: str
    now: str | None = None
    to: Cell | None = None


@dataclass(frozen=True, slots=True)
class Matched:
    """The photo on the known table."""

    reading: Reading
    """In the known table's coordinates, both sources weighed together."""
    placed: tuple[Cell, ...]
    """Cells that hold a tile now and did not before."""
    contradictions: tuple[Contradiction, ...]
    unseen: tuple[Cell, ...]
    """Old tiles outside the picture: they are taken to lie where they lay."""
    placement: Placement
    rivals: tuple[Placement, ...]
    """Other ways to lay the photo on the table that leave other tiles as the new ones."""


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


def match(
    before: Known,
    reading: Reading,
    settings: MatchSettings = MATCH,
    reader: ReaderSettings = SETTINGS,
) -> Matched:
    """The photo laid on the known table; raises `Unreadable` where it plainly shows another one."""
    if not before.cells:
        placed = tuple(cell.at for cell in reading.cells)
        return Matched(reading, placed, (), (), Placement(0, (0, 0)), ())
    old = {at: sure(one.alternatives[0].tile) if one.told else opinion(one.alternatives)
           for at, one in before.cells}  # fmt: skip
    new = opinions_of(reading)
    ranked = sorted(
        ((_support(old, new, reading, where, settings), -index, where)
         for index, where in enumerate(_candidates(old, new, settings))),
        reverse=True,
    )  # fmt: skip
    if not ranked:
        raise another_table()
    best_support, _, best = ranked[0]
    if _found_again(old, new, reading, best) < settings.least_found:
        raise another_table()
    fresh = _fresh(old, reading, best)
    rivals = tuple(
        where
        for support, _, where in ranked[1:]
        if best_support - support < settings.rival_nats and _fresh(old, reading, where) != fresh
    )
    return _combined(before, old, new, reading, best, rivals, settings, reader)


def another_table() -> Unreadable:
    return Unreadable(
        "another-table", "this photo does not show the table as it stood before; photograph the whole table"
    )


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
        elif not _outside(reading, cell):
            support += log(settings.missing)
    return support


def _found_again(
    old: Mapping[Cell, Opinion], new: Mapping[Cell, Opinion], reading: Reading, where: Placement
) -> float:
    inside = [at for at in old if not _outside(reading, where.seen(at))]
    found = sum(where.seen(at) in new and new[where.seen(at)].p(old[at].best) > 0.02 for at in inside)
    return found / max(1, len(inside))


def _fresh(old: Mapping[Cell, Opinion], reading: Reading, where: Placement) -> frozenset[Cell]:
    """The photo's own cells that would hold new tiles."""
    return frozenset(cell.at for cell in reading.cells if where.known(cell.at) not in old)


def _outside(reading: Reading, cell: Cell) -> bool:
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


def _outline(reading: Reading, cell: Cell) -> Polygon:
    if not reading.homography:
        return ()
    return tuple((round(x, 1), round(y, 1)) for x, y in _points(reading, cell, CORNERS))


def _combined(
    before: Known,
    old: Mapping[Cell, Opinion],
    new: Mapping[Cell, Opinion],
    reading: Reading,
    where: Placement,
    rivals: tuple[Placement, ...],
    settings: MatchSettings,
    reader: ReaderSettings,
) -> Matched:
    polygons = {doubt.at: doubt.polygon for doubt in reading.doubts}
    polygons.update({cell.at: cell.polygon for cell in reading.cells})
    known = dict(before.cells)
    cells: list[CellReading] = []
    doubts: list[Doubt] = []
    disputed: list[Contradiction] = []
    unseen: list[Cell] = []

    def keep(at: Cell, p: Mapping[Kind, float], polygon: Polygon, asked: bool) -> None:
        tile, doubt = told(at, as_alternatives(p), polygon, asked, reader)
        if tile is not None:
            cells.append(tile)
        if doubt is not None:
            doubts.append(doubt)

    for at, one in old.items():
        seen = where.seen(at)
        polygon = polygons.get(seen) or _outline(reading, seen)
        if seen not in new and _outside(reading, seen):
            unseen.append(at)
            keep(at, together([one]), polygon, False)
            continue
        now = new.get(seen) or seen_nothing(settings.unmentioned_tile)
        shown = now.best
        expected = known[at].told and shown.tile in known[at].misread
        if expected:
            keep(at, together([one]), polygon, False)
            continue
        if agreement(one, now) >= settings.contradiction_below:
            p = together([one, now])
            keep(at, p, polygon, not _vouched(next(iter(p)), known[at], now, reader))
            continue
        was = one.best.tile or ""
        disputed.append(Contradiction("vanished" if shown == NOTHING else "changed", at, was, shown.tile))
        # The old tile stays until somebody has looked; the photo's claim stands right behind it.
        keep(at, {one.best: 0.5, shown: 0.49}, polygon, True)

    fresh = {where.known(cell): (cell, view) for cell, view in new.items() if where.known(cell) not in old}
    copies = {find_game(before.game).tile_name(tile): n for tile, n in find_game(before.game).kinds().items()}
    lying: Counter[str | None] = Counter(cell.tile for cell in cells)
    lying.update(view.best.tile for _, view in fresh.values() if view.best.tile is not None)
    empties = dict(before.empties)
    asked = {doubt.at for doubt in reading.doubts}
    for at, (cell, view) in fresh.items():
        p = dict(_within_set(view, lying, copies, reader))
        hint = empties.get(at)
        if hint is not None and view.best == NOTHING and 1 - view.p(NOTHING) < 2 * hint + 0.1:
            p = {
                kind: value * (1 if kind == NOTHING else settings.settled_empty) for kind, value in p.items()
            }
            p = {kind: value / sum(p.values()) for kind, value in p.items()}
            keep(at, p, polygons[cell], False)
            continue
        if 1 - view.p(NOTHING) < reader.doubt_below:
            p = _less_tile(p, settings.new_tile_odds)
        keep(at, p, polygons[cell], cell in asked)
    placed = tuple(sorted(cell.at for cell in cells if cell.at not in old))
    moved = _moved(disputed, {cell.at: cell.tile for cell in cells if cell.at in placed})
    return Matched(
        replace(
            reading,
            cells=tuple(sorted(cells, key=lambda one: one.at)),
            doubts=tuple(sorted(doubts, key=lambda one: one.at)),
            findings=tuple(
                replace(one, cells=tuple(where.known(cell) for cell in one.cells)) for one in reading.findings
            ),
            homography=_homography(reading, where),
        ),
        placed,
        tuple(moved),
        tuple(unseen),
        where,
        rivals,
    )


def _less_tile(p: Mapping[Kind, float], odds: float) -> dict[Kind, float]:
    """The same view of a cell where a tile is this much less likely from the start."""
    weights = {kind: value * (1 if kind == NOTHING else odds) for kind, value in p.items()}
    weights.setdefault(NOTHING, odds * (1 - sum(p.values())))
    total = sum(weights.values())
    return {kind: value / total for kind, value in sorted(weights.items(), key=lambda one: -one[1])}


def _vouched(kind: Kind, was: KnownCell, now: Opinion, reader: ReaderSettings) -> bool:
    """Whether one source by itself is sure of this.

    Two photos that both hesitate mostly hesitate for the same reason (a print on the mat, a worn tile): their
    probabilities together say more than they know.
    """
    first = was.alternatives[0]
    before = first.tile == kind.tile and (was.told or (first.p >= reader.doubt_below and not was.doubted))
    return before or now.p(kind) >= reader.doubt_below


def _within_set(
    view: Opinion, lying: Mapping[str | None, int], copies: Mapping[str, int], reader: ReaderSettings
) -> dict[Kind, float]:
    """A new tile's probabilities, given how many of its kind the old tiles have already used up."""
    weights = {}
    for kind, p in view.named.items():
        others = lying.get(kind.tile, 0) - (kind == view.best)
        full = kind.tile is not None and others >= copies.get(kind.tile, 1_000)
        weights[kind] = p * (exp(-reader.extra_copy_cost) if full else 1.0)
    # What is plainly seen stays, with one copy too many: only doubt is settled by the set.
    if view.p(view.best) >= reader.doubt_below:
        return dict(view.named)
    total = sum(weights.values())
    return {kind: weight / total for kind, weight in weights.items()}


def _moved(disputed: list[Contradiction], placed: Mapping[Cell, str]) -> Iterator[Contradiction]:
    """A tile that vanished here and turned up there has moved."""
    free = dict(placed)
    for one in disputed:
        near = [
            (abs(cell[0] - one.at[0]) + abs(cell[1] - one.at[1]), cell)
            for cell, tile in free.items()
            if tile == one.was
        ]
        if one.kind == "vanished" and near:
            _, to = min(near)
            del free[to]
            yield replace(one, kind="moved", to=to)
        else:
            yield one


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
