"""A photograph of a table that was known before: the same tiles found again, and what is new.

Photos of a growing table are taken by hand from wherever somebody sits, so nothing is compared by pixels. The
tiles themselves say how the two lattices lie on each other: of all shifts and quarter turns, the one under
which the old tiles are found again. What lay there before is the strongest evidence for what lies there now;
where the photo plainly contradicts it, the old tile stays, the cell is asked about, and the contradiction is
named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import exp

from scoring.registry import find_game
from vision.opinions import (
    NOTHING,
    Kind,
    Opinion,
    agreement,
    as_alternatives,
    opinions_of,
    seen_nothing,
    together,
    told,
)
from vision.placement import (
    MATCH,
    Known,
    KnownCell,
    MatchSettings,
    Placement,
    found_again,
    fresh_cells,
    known_from,
    known_tiles,
    outline,
    outside,
    place,
    ranked_placements,
    turned,
    turned_reading,
    views_of,
)
from vision.reading import Cell, CellReading, Doubt, Polygon, Reading, Unreadable
from vision.settings import SETTINGS, ReaderSettings

__all__ = [
    "MATCH",
    "Contradiction",
    "Known",
    "KnownCell",
    "MatchSettings",
    "Matched",
    "Placement",
    "known_from",
    "known_tiles",
    "match",
    "place",
    "turned",
    "turned_reading",
]


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


def match(
    before: Known,
    reading: Reading,
    settings: MatchSettings = MATCH,
    reader: ReaderSettings = SETTINGS,
    only: Placement | None = None,
) -> Matched:
    """The photo laid on the known table; raises `Unreadable` where it plainly shows another one.

    `only`: laid so, because somebody knows better (one of the `rivals` of an earlier answer).
    """
    if not before.cells:
        placed = tuple(cell.at for cell in reading.cells)
        return Matched(reading, placed, (), (), Placement(0, (0, 0)), ())
    old, new = views_of(before), opinions_of(reading)
    if only is not None:
        return _combined(before, old, new, reading, only, (), settings, reader)
    ranked = ranked_placements(old, new, reading, settings)
    if not ranked or found_again(old, new, reading, ranked[0][1]) < settings.least_found:
        raise another_table()
    best_support, best = ranked[0]
    fresh = fresh_cells(old, reading, best)
    rivals = tuple(
        where
        for support, where in ranked[1:]
        if best_support - support < settings.rival_nats and fresh_cells(old, reading, where) != fresh
    )
    return _combined(before, old, new, reading, best, rivals, settings, reader)


def another_table() -> Unreadable:
    return Unreadable(
        "another-table", "this photo does not show the table as it stood before; photograph the whole table"
    )


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
        polygon = polygons.get(seen) or outline(reading, seen)
        if seen not in new and outside(reading, seen):
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
    apart = _apart(old, {at for at, (_, view) in fresh.items() if view.best != NOTHING})
    for at, (cell, view) in fresh.items():
        p = dict(_within_set(view, lying, copies, reader))
        if at in apart:
            # Tiles beside the table, in a hand or left over: no part of it until somebody says so.
            if at not in empties:
                keep(at, {NOTHING: 0.5, view.best: 0.49}, polygons[cell], True)
            continue
        if at in empties and 1 - view.p(NOTHING) < min(2 * empties[at] + 0.1, reader.doubt_below):
            keep(at, _less_tile(p, settings.settled_empty), polygons[cell], view.best != NOTHING)
            continue
        if 1 - view.p(NOTHING) < reader.doubt_below:
            p = _less_tile(p, settings.new_tile_odds)
        keep(at, p, polygons[cell], cell in asked)
    placed = tuple(sorted(cell.at for cell in cells if cell.at not in old))
    moved = _moved(disputed, {cell.at: cell.tile for cell in cells if cell.at in placed})
    return Matched(
        replace(
            turned_reading(reading, where),
            cells=tuple(sorted(cells, key=lambda one: one.at)),
            doubts=tuple(sorted(doubts, key=lambda one: one.at)),
        ),
        placed,
        tuple(moved),
        tuple(unseen),
        where,
        rivals,
    )


def _apart(old: Mapping[Cell, Opinion], fresh: set[Cell]) -> set[Cell]:
    """New tiles that touch the table not even by a corner, nor through one another."""
    left = set(fresh)
    todo = list(old)
    while todo:
        row, column = todo.pop()
        near = {(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & left
        left -= near
        todo += near
    return left


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
