"""Several photographs read as one: of the same board, or of a whole round that holds the same tiles.

Glare, a hand or a lamp's shadow lies elsewhere in the next photo, so two views of one board settle most of
what each alone doubts. And in Mi pasuje! everybody places the tiles that were called: what the others' boards
plainly show says what can lie where one's own photo is washed out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from scoring.mipasuje.tiles import TILES
from vision.joint import settle
from vision.match import MATCH, known_from, place, turned_reading
from vision.opinions import (
    LEAST,
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
from vision.reading import Alternative, Cell, CellReading, Doubt, PhotoFinding, Polygon, Reading, Unreadable
from vision.settings import SETTINGS, ReaderSettings

OPEN = ("qwirkle", "trio")
PASSES = 3
RIVAL = 0.03
"""What a doubted cell holds this possible must have been ruled out before the doubt is settled."""
NOT_CALLED = 0.05
"""A tile this unlikely to have been called is ruled out."""
SURELY_CALLED = 2.0
"""Log-odds, over the other boards, from which on a tile counts as called."""
UNEASY = 0.5
"""A photo that doubts more of its cells than this keeps its doubts: others cannot vouch for what it saw."""
SEEN_MARK = 0.9
"""A symbol that is this likely is not asked of the other boards."""
SEEMING = 0.2
"""What is left of an empty look where another player has placed one tile more."""


@dataclass(frozen=True, slots=True)
class JoiningSettings:
    """The thresholds of joining."""

    least_alike: float = 0.6
    """Share of the cells in which two photos must agree to be of one board."""
    differ_below: float = 0.02
    """Two photos agree about a cell with less than this probability: they say different things."""
    sureness: float = 0.998
    """How sure the other boards can make us that a tile was, or was not, called."""


JOINING = JoiningSettings()


def join(
    readings: Sequence[Reading], settings: JoiningSettings = JOINING, reader: ReaderSettings = SETTINGS
) -> Reading:
    """One reading of photos of the same board, in the first one's coordinates and picture."""
    first, *others = readings
    joined = first
    for other in others:
        joined = _two(joined, _on(joined, other, settings), settings, reader)
    return joined


def _on(first: Reading, other: Reading, settings: JoiningSettings) -> Reading:
    """The other photo in the first one's coordinates and colour names."""
    if first.game != other.game or first.layout != other.layout or first.size != other.size:
        raise different_boards()
    if first.game in OPEN:
        where = place(known_from(first), other, MATCH)
        if where is None:
            raise different_boards()
        other = turned_reading(other, where)
    elif first.game == "bits":
        other = _renamed(first, other)
    one, two = opinions_of(first), opinions_of(other)
    common = one.keys() & two.keys()
    alike = sum(agreement(one[at], two[at]) > settings.differ_below for at in common)
    if alike < settings.least_alike * len(one.keys() | two.keys()):
        raise different_boards()
    return other


def different_boards() -> Unreadable:
    return Unreadable("different-boards", "these photos do not show the same board; photograph it once more")


def _two(first: Reading, other: Reading, settings: JoiningSettings, reader: ReaderSettings) -> Reading:
    one, two = opinions_of(first), opinions_of(other)
    polygons = {cell.at: cell.polygon for cell in _mentioned(other)}
    polygons.update({cell.at: cell.polygon for cell in _mentioned(first)})
    asked = [{doubt.at for doubt in reading.doubts} for reading in (first, other)]
    cells: list[CellReading] = []
    doubts: list[Doubt] = []
    differ: list[Cell] = []
    for at in sorted(one.keys() | two.keys()):
        views = [
            one.get(at) or seen_nothing(MATCH.unmentioned_tile),
            two.get(at) or seen_nothing(MATCH.unmentioned_tile),
        ]
        p = together(_unhidden(views, reader))
        best = next(iter(p))
        # One photo that sees it plainly is enough; two that both hesitate remain a question.
        plainly = any(
            _whole(view, best, reader) and at not in doubted
            for view, doubted in zip(views, asked, strict=True)
        )
        if agreement(*views) < settings.differ_below:
            differ.append(at)
            plainly = False
        tile, doubt = told(at, as_alternatives(p), polygons[at], not plainly, reader)
        if tile is not None:
            cells.append(tile)
        if doubt is not None:
            doubts.append(doubt)
    findings = tuple(finding for finding in first.findings if finding in other.findings or not finding.cells)
    if differ:
        findings += (PhotoFinding("photos-differ", "the photos show different tiles here", tuple(differ)),)
    return replace(first, cells=tuple(cells), doubts=tuple(doubts), findings=findings)


def _unhidden(views: Sequence[Opinion], reader: ReaderSettings) -> list[Opinion]:
    """A lamp or a hand makes a tile disappear, never appear: one photo that plainly shows it is believed."""
    shown = next((one.best for one in views if one.best.tile and one.p(one.best) >= reader.doubt_below), None)
    if shown is None:
        return list(views)
    return [Opinion({NOTHING: 0.4, shown: 0.4}, one.rest) if one.best == NOTHING else one for one in views]


def _mentioned(reading: Reading) -> Iterator[CellReading | Doubt]:
    yield from reading.doubts
    yield from reading.cells


def _whole(view: Opinion, best: Kind, reader: ReaderSettings) -> bool:
    """Whether this view alone is sure of it."""
    if best == NOTHING:
        return 1 - view.p(NOTHING) <= reader.doubt_empty_above
    return view.p(best) >= reader.doubt_below


def _renamed(first: Reading, other: Reading) -> Reading:
    """Bits: colours are only alike or not; the other photo's names become the first one's."""
    mine = sorted({cell.tile for cell in first.cells})
    theirs = sorted({cell.tile for cell in other.cells})
    seen = {cell.at: cell.tile for cell in first.cells}
    together_ = np.zeros((len(theirs), len(mine)))
    for cell in other.cells:
        if cell.at in seen:
            together_[theirs.index(cell.tile), mine.index(seen[cell.at])] += 1
    rows, columns = linear_sum_assignment(-together_)
    names: dict[str, str] = {
        theirs[row]: mine[column]
        for row, column in zip(rows, columns, strict=True)
        if together_[row, column] > 0
    }

    def said(tile: str) -> str:
        return names.get(tile, tile)

    def all_said(alternatives: Sequence[Alternative]) -> tuple[Alternative, ...]:
        return tuple(replace(one, tile=said(one.tile)) if one.tile else one for one in alternatives)

    return replace(
        other,
        cells=tuple(
            replace(cell, tile=said(cell.tile), alternatives=all_said(cell.alternatives))
            for cell in other.cells
        ),
        doubts=tuple(replace(one, alternatives=all_said(one.alternatives)) for one in other.doubts),
    )


def join_round(
    readings: Sequence[Reading], settings: JoiningSettings = JOINING, reader: ReaderSettings = SETTINGS
) -> tuple[Reading, ...]:
    """Everybody's Mi pasuje! boards of one round, each read in the light of the others."""
    views = [opinions_of(reading) for reading in readings]
    names = tuple(TILES)
    printed = _printed(views)
    found = list(readings)
    # What the first pass makes clear on one board tells the second what was called for all of them.
    for _ in range(PASSES):
        on_board = np.array([_on_board(opinions_of(reading), names) for reading in found])
        found = [
            _in_the_light(reading, views[index], names, _called(on_board, index, settings), printed, reader)
            for index, reading in enumerate(readings)
        ]
    return tuple(found)


class Called(NamedTuple):
    """What the other boards say was called."""

    log_p: np.ndarray
    """(tiles,) log-probabilities."""
    tiles: int
    """How many surely were; glare may have hidden one on every board, each time another."""


def _called(on_board: np.ndarray, index: int, settings: JoiningSettings) -> Called:
    others = np.delete(on_board, index, axis=0)
    odds = np.log(others / (1 - others)).sum(axis=0)
    limit = log(settings.sureness / (1 - settings.sureness))
    log_p = -np.log1p(np.exp(-np.clip(odds, -limit, limit)))
    return Called(log_p, int((odds > SURELY_CALLED).sum()))


def _on_board(view: Mapping[Cell, Opinion], names: Sequence[str]) -> list[float]:
    """How likely each tile lies somewhere on this board."""
    missing = dict.fromkeys(names, 1.0)
    for one in view.values():
        share: dict[str, float] = {}
        for kind, p in one.named.items():
            if kind.tile is not None:
                share[kind.tile] = share.get(kind.tile, 0.0) + p
        for name in names:
            missing[name] *= 1 - min(share.get(name, one.rest), 0.999)
    return [float(np.clip(1 - missing[name], 0.02, 0.98)) for name in names]


def _printed(views: Sequence[Mapping[Cell, Opinion]]) -> dict[str, dict[str | None, float]]:
    """Which symbol each tile carries: every player's set is printed alike."""
    weights: dict[str, dict[str | None, float]] = {}
    for view in views:
        for one in view.values():
            tile = one.best.tile
            if tile is None or one.p(one.best) < 0.5:
                continue
            mine = weights.setdefault(tile, {None: 1.0, "sun": 1.0, "moon": 1.0})
            whole = sum(p for kind, p in one.named.items() if kind.tile == tile)
            for mark in mine:
                mine[mark] *= max(one.named.get(Kind(tile, mark), 0.0) / whole, 0.002)
    return {
        tile: {mark: value / sum(mine.values()) for mark, value in mine.items()}
        for tile, mine in weights.items()
    }


def _in_the_light(
    reading: Reading,
    view: Mapping[Cell, Opinion],
    names: Sequence[str],
    called: Called,
    printed: Mapping[str, Mapping[str | None, float]],
    reader: ReaderSettings,
) -> Reading:
    """One board, given what was called; cells that only seem empty are filled up to that, and asked about."""
    filled = [at for at, one in view.items() if one.best != NOTHING]
    faint = sorted((at for at in view if at not in filled), key=lambda at: view[at].p(NOTHING))
    seeming = faint[: max(0, called.tiles - len(filled))]
    filled = sorted([*filled, *seeming])
    log_p = np.full((len(filled), len(names)), -np.inf)
    for row, at in enumerate(filled):
        one = view[at]
        for column, name in enumerate(names):
            named = [p for kind, p in one.named.items() if kind.tile == name]
            log_p[row, column] = log(max(sum(named) if named else one.rest, LEAST)) + called.log_p[column]
    tiles = np.exp(settle(log_p, 1, reader.extra_copy_cost))
    cells: list[CellReading] = []
    doubts: list[Doubt] = []
    polygons: dict[Cell, Polygon] = {cell.at: cell.polygon for cell in _mentioned(reading)}
    doubted = {doubt.at for doubt in reading.doubts}
    uneasy = len(doubted) > UNEASY * len(view)
    for row, at in enumerate(filled):
        one = view[at]
        nothing = one.p(NOTHING) if NOTHING in one.named else 0.0
        nothing *= SEEMING if at in seeming else 1.0
        p: dict[Kind, float] = {NOTHING: nothing} if nothing else {}
        for column in np.argsort(-tiles[row])[:5]:
            name = names[column]
            for mark, share in _marks(one, name, printed).items():
                p[Kind(name, mark)] = float(tiles[row, column]) * share * (1 - nothing)
        # What this photo says plainly is never overruled by other photos without a word.
        overruled = one.best != NOTHING and max(p, key=p.__getitem__).tile != one.best.tile
        open_still = at in doubted and (uneasy or not _settled(one, names, called.log_p, p))
        asked = at in seeming or overruled or open_still
        tile, doubt = told(at, as_alternatives(p), polygons[at], asked, reader)
        if tile is not None:
            cells.append(tile)
        if doubt is not None:
            doubts.append(doubt)
    doubts += [doubt for doubt in reading.doubts if doubt.at not in filled]
    cells.sort(key=lambda cell: cell.at)
    return replace(reading, cells=tuple(cells), doubts=tuple(sorted(doubts, key=lambda one: one.at)))


def _settled(one: Opinion, names: Sequence[str], called: np.ndarray, p: Mapping[Kind, float]) -> bool:
    """Whether the other boards answer what this one doubts: everything else it might be was never called."""
    best = max(p, key=p.__getitem__).tile
    if best != one.best.tile:
        return False
    rivals = {kind.tile for kind, share in one.named.items() if share >= RIVAL and kind.tile != best}
    return NOTHING.tile not in rivals and all(
        np.exp(called[names.index(tile)]) < NOT_CALLED for tile in rivals if tile is not None
    )


def _marks(
    one: Opinion, tile: str, printed: Mapping[str, Mapping[str | None, float]]
) -> Mapping[str | None, float]:
    """The symbol on this tile here: as plainly seen in this cell, else as on all boards together."""
    seen: dict[str | None, float] = {}
    for kind, p in one.named.items():
        if kind.tile is not None:
            seen[kind.mark] = seen.get(kind.mark, 0.0) + p
    total = sum(seen.values())
    if tile in printed and (not total or max(seen.values()) < SEEN_MARK * total):
        return printed[tile]
    return {mark: p / total for mark, p in seen.items()} if total else {None: 1.0}
