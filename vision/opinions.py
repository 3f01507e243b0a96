"""What several photographs say about one cell, weighed together.

An opinion is what one source holds possible: named tiles with their probabilities, and a little left over for
everything it does not name. Sources are taken to err independently of one another, so their probabilities
multiply; none is ever so sure that it could not be outvoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from vision.beliefs import MOST_NAMED, WORTH_NAMING
from vision.reading import Alternative, Cell, CellReading, Doubt, Polygon, Reading
from vision.settings import ReaderSettings


class Kind(NamedTuple):
    """What a cell may be; no tile: nothing lies there."""

    tile: str | None
    mark: str | None = None


NOTHING = Kind(None)
UNNAMED_KINDS = 30
"""Roughly how many kinds of tile share what an opinion leaves unnamed."""
LEAST = 2e-4
"""No photo rules anything out further than this: some misreadings are sure of themselves."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One source's view of one cell."""

    named: Mapping[Kind, float]
    rest: float
    """For each kind that is not named."""

    def p(self, kind: Kind) -> float:
        return self.named.get(kind, self.rest)

    @property
    def best(self) -> Kind:
        return max(self.named, key=self.named.__getitem__)


def opinion(alternatives: Iterable[Alternative]) -> Opinion:
    """What these alternatives say, likeliest or not."""
    named: dict[Kind, float] = {}
    for one in alternatives:
        kind = Kind(one.tile, one.mark)
        named[kind] = named.get(kind, 0.0) + max(one.p, LEAST)
    return Opinion(named, max((1.0 - sum(named.values())) / UNNAMED_KINDS, LEAST))


def sure(tile: str | None, mark: str | None = None) -> Opinion:
    """Somebody looked, and says so."""
    return Opinion({Kind(tile, mark): 1.0}, 1e-9)


def seen_nothing(p_tile: float) -> Opinion:
    """The reader does not mention the cell: it found it empty, a tile there at most this likely."""
    return Opinion({NOTHING: 1.0 - p_tile}, max(p_tile / UNNAMED_KINDS, LEAST))


def opinions_of(reading: Reading) -> dict[Cell, Opinion]:
    """Every cell the reading mentions, whether it holds a tile or is only asked about."""
    found = {doubt.at: opinion(doubt.alternatives) for doubt in reading.doubts}
    found.update({cell.at: opinion(alternatives_of(cell)) for cell in reading.cells})
    return found


def alternatives_of(cell: CellReading) -> tuple[Alternative, ...]:
    return (Alternative(cell.tile, cell.p, cell.mark), *cell.alternatives)


def together(opinions: Sequence[Opinion]) -> dict[Kind, float]:
    """Probabilities under all of them, likeliest first."""
    kinds = {kind for one in opinions for kind in one.named}
    weights = {kind: prod(one.p(kind) for one in opinions) for kind in kinds}
    total = sum(weights.values()) + UNNAMED_KINDS * prod(one.rest for one in opinions)
    return {kind: weights[kind] / total for kind in sorted(kinds, key=lambda kind: -weights[kind])}


def agreement(one: Opinion, other: Opinion) -> float:
    """How likely it is that both mean the same thing."""
    return sum(p * other.p(kind) for kind, p in one.named.items())


def as_alternatives(p: Mapping[Kind, float]) -> tuple[Alternative, ...]:
    """The ones worth naming; the first is always worth it."""
    ranked = sorted(p.items(), key=lambda pair: -pair[1])[:MOST_NAMED]
    return tuple(
        Alternative(kind.tile, value, kind.mark)
        for index, (kind, value) in enumerate(ranked)
        if index == 0 or value >= WORTH_NAMING
    )


def told(
    at: Cell, alternatives: tuple[Alternative, ...], polygon: Polygon, asked: bool, settings: ReaderSettings
) -> tuple[CellReading | None, Doubt | None]:
    """What is read in the cell and what is asked about it; `asked`: whatever the probabilities say."""
    first = alternatives[0]
    tile = None
    if first.tile is not None:
        tile = CellReading(at, first.tile, first.p, alternatives[1:], polygon, first.mark)
        asked = asked or first.p < settings.doubt_below
    else:
        asked = asked or 1 - first.p > settings.doubt_empty_above
    return tile, Doubt(at, alternatives, polygon) if asked else None
