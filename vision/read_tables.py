"""Qwirkle and Trio: whatever lies on the lattice of an open table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.beliefs import Belief, polygons, ranked
from vision.cellwise import Mask, found_heat, photo_looks, settled, sigmoid, tile_odds, unlike
from vision.classify import Evidence, classify, log_softmax
from vision.decode import Photo
from vision.editions import Edition
from vision.families import Family
from vision.findings import (
    displaced,
    half_outside,
    hidden_by_glare,
    refuse_cut_table,
    refuse_thin_table,
    several_tables,
    unknown_edition,
)
from vision.geometry import SQUARE, Floats, Ints, through
from vision.inks import colours_together
from vision.layout import Placed, place_open
from vision.look import Look, no_board
from vision.novelty import colourless, strangeness
from vision.presence import like_the_tiles
from vision.reading import Reading
from vision.recall import (
    fitting_edition,
    recall_squares,
    taught_kinds,
    tiles_there,
)
from vision.rectify import rectify
from vision.settings import ReaderSettings
from vision.stages import Clock, finished, looked
from vision.strays import hands, left_out, which_table
from vision.symbols import Parts, in_even_light, taken_apart
from vision.tiles import Kinds, one_of_two, square_kinds


def read_open(game: str, family: Family, copies: int) -> Callable[..., Reading]:
    """Qwirkle and Trio: whatever lies on the lattice."""
    kinds = square_kinds(family, copies)

    def read_table(
        photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock
    ) -> Reading:
        seen = looked(photo, game, SQUARE, options, settings)
        clock.lap("detect")
        hidden = np.concatenate(
            [hidden_by_glare(photo, seen.lattice, settings), left_out(seen.lattice, settings)]
        )
        hints = np.concatenate([_hints(photo, seen, settings), hidden])
        edition = options.get("edition")
        if edition is not None:
            hints = np.concatenate([hints, like_the_tiles(photo, seen.lattice)])
        cut = _cut(photo, seen, hints, edition, family, settings)
        clock.lap("classify")
        refuse_thin_table(found_heat(cut.placed)[cut.likely], settings)
        refuse_cut_table(photo, cut.placed, cut.likely, settings)
        unknown = False
        if edition is None:
            names, log_p, odd, unknown = _built_in(game, kinds, cut, family, settings)
        if unknown:
            if colourless(taken_apart(cut.crops[cut.likely], family.crop_span), settings):
                raise no_board()
            parts = in_even_light(cut.crops, family.crop_span)
            edition = fitting_edition(game, parts, cut.evidence, cut.likely, family, settings)
            unknown = edition is None
            # What the nets make of an unknown look they also miss: more may lie where the ground goes on.
            alike = like_the_tiles(photo, seen.lattice)
            cut = _cut(photo, seen, np.concatenate([hints, alike]), edition, family, settings)
            if unknown:
                names, log_p, odd, _ = _built_in(game, kinds, cut, family, settings)
                odd = odd | cut.likely | _among(cut.placed.cells, alike)
        placed, crops, p_tile, likely = cut.placed, cut.crops, cut.p_tile, cut.likely
        if edition is not None:
            names, log_p, odd = _taught(copies, family, cut, edition, settings)
        outlines = polygons(photo, placed)
        origin = placed.cells[likely].min(axis=0)
        washed = _among(placed.cells, hidden)
        alone = _alone(placed.cells, likely)
        if likely.sum() > settings.few_tiles:
            # Beside a table lie coins and spare tiles; a tile of the table touches another.
            p_tile = np.where(alone, np.minimum(p_tile, settings.alone_at_most), p_tile)
        shown = np.flatnonzero((p_tile > settings.doubt_empty_above) | washed | (odd & ~likely))
        suspect = alone | odd | washed | displaced(placed, settings.doubt_displaced)
        suspect |= hands(placed.cells, likely, settings)
        reasons = [unknown_edition()] if unknown else []
        if which_table(seen.lattice, settings):
            suspect |= likely
            # Lukewarm things that lie about in numbers are no tables, and refused as unclear.
            reasons += [several_tables()] if _plain(placed, likely, settings) else []
        beliefs = [
            Belief(
                (int(placed.cells[index, 1] - origin[1]), int(placed.cells[index, 0] - origin[0])),
                float(p_tile[index]),
                ranked(names, log_p[index]),
                outlines[index],
                suspect=bool(suspect[index]),
            )
            for index in shown
        ]
        clock.lap("decide")
        counted = placed.lattice.shifted(origin)
        table = replace(
            placed, lattice=counted, cells=placed.cells[shown] - origin, detected=placed.detected[shown]
        )
        return finished(game, photo, table, beliefs, crops[shown], settings, clock, edition, tuple(reasons))

    return read_table


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """The cells that may hold tiles, cut out and looked at."""

    placed: Placed
    crops: npt.NDArray[np.uint8]
    evidence: Evidence
    p_tile: Floats
    likely: Mask
    parts: Parts | None
    """By the light of a taught edition."""


def _cut(
    photo: Photo, seen: Look, hints: Ints, edition: Edition | None, family: Family, settings: ReaderSettings
) -> _Cut:
    """Everything on the lattice and the cells of `hints`."""
    placed = place_open(seen.lattice, np.unique(hints, axis=0))
    if not len(placed.cells):
        raise no_board()
    crops = rectify(photo.image, placed, family)
    evidence = classify(crops, family)
    odds = tile_odds(seen, placed, evidence, settings)
    parts = None if edition is None else in_even_light(crops, family.crop_span)
    if edition is None or parts is None:
        p_tile = sigmoid(odds)
    else:
        p_tile = tiles_there(parts, placed.cells, odds, edition)
    likely = p_tile > 0.5
    if not likely.any():
        raise no_board()
    return _Cut(placed, crops, evidence, p_tile, likely, parts)


def _built_in(
    game: str, kinds: Kinds, cut: _Cut, family: Family, settings: ReaderSettings
) -> tuple[tuple[str, ...], Floats, Mask, bool]:
    """By the looks that training found: names, (n, names) log-posteriors, suspicious cells.

    And whether the tiles are rather of a copy that training never saw.
    """
    evidence, likely = cut.evidence, cut.likely
    parts = taken_apart(cut.crops[likely], family.crop_span)
    aspects = photo_looks(evidence, kinds.aspects, likely, settings)
    together = colours_together(parts, evidence.log_p("colour")[likely])
    aspects["colour"][likely] = log_softmax(settings.own_colour * aspects["colour"][likely] + together)
    log_p = kinds.log_p(aspects)
    if game == "qwirkle":
        log_p[likely] = one_of_two(log_p[likely], kinds, ("purple", "white"), settings)
    log_p = settled(log_p, likely, kinds, settings)
    colours = [kinds.names[index].split(" ")[0] for index in log_p[likely].argmax(axis=1).tolist()]
    sure = np.exp(log_p[likely].max(axis=1))
    plain = _plain(cut.placed, likely, settings)
    unknown = plain and strangeness(parts.ink, colours, sure, settings) > 1
    return kinds.names, log_p, unlike(evidence, kinds, log_p, likely, settings), unknown


def _plain(placed: Placed, likely: Mask, settings: ReaderSettings) -> bool:
    """Whether these are tiles beyond doubt, of whatever edition."""
    return float(np.median(found_heat(placed)[likely])) > settings.plain_tiles


def _taught(
    copies: int, family: Family, cut: _Cut, edition: Edition, settings: ReaderSettings
) -> tuple[tuple[str, ...], Floats, Mask]:
    """The same by what people taught."""
    kinds = taught_kinds(edition, copies)
    parts = cut.parts if cut.parts is not None else in_even_light(cut.crops, family.crop_span)
    recalled = recall_squares(parts, cut.evidence, cut.likely, edition, family, settings)
    log_p = settled(kinds.log_p(recalled.aspects), cut.likely, kinds, settings)
    return kinds.names, log_p, recalled.suspect


def _among(cells: Ints, some: Ints) -> Mask:
    """(m,) which of the cells are among `some`."""
    found: Mask = (cells[:, None] == some[None]).all(axis=2).any(axis=1)
    return found


def _alone(cells: Ints, likely: Mask) -> Mask:
    """(m,) tiles that touch no other, not even by a corner: perhaps one that lies beside the table."""
    apart = np.abs(cells[:, None] - cells[likely][None]).max(axis=2)
    touching = (apart == 1).any(axis=1)
    found: Mask = likely & ~touching & (int(likely.sum()) > 1)
    return found


def _hints(photo: Photo, seen: Look, settings: ReaderSettings) -> Ints:
    """Cells in and around the table where nothing was detected, but not quite nothing either."""
    lattice = seen.lattice
    low, top = lattice.at.min(axis=0) - 1, lattice.at.max(axis=0) + 2
    x, y = np.meshgrid(np.arange(low[0], top[0]), np.arange(low[1], top[1]))
    cells = np.stack([x.ravel(), y.ravel()], axis=1)
    taken = {(int(x), int(y)) for x, y in lattice.at}
    free = np.array([(int(x), int(y)) not in taken for x, y in cells], bool)
    cells = cells[free]
    warm = seen.heat.at(through(lattice.homography, cells)) > settings.hint_heat
    return cells[warm | half_outside(photo, lattice, cells)]
