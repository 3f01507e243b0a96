"""Qwirkle and Trio: whatever lies on the lattice of an open table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
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
from vision.layout import (
    place_open,
)
from vision.look import Look, no_board
from vision.novelty import colourless, strangeness
from vision.reading import Reading
from vision.recall import (
    fitting_edition,
    recall_squares,
    taught_kinds,
)
from vision.rectify import rectify
from vision.settings import ReaderSettings
from vision.stages import Clock, finished, looked
from vision.strays import hands, left_out, which_table
from vision.symbols import Parts, taken_apart
from vision.tiles import Kinds, one_of_two, square_kinds


def read_open(game: str, family: Family, copies: int) -> Callable[..., Reading]:
    """Qwirkle and Trio: whatever lies on the lattice."""
    kinds = square_kinds(family, copies)

    def read_table(
        photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock
    ) -> Reading:
        seen = looked(photo, game, SQUARE, options, settings)
        clock.lap("detect")
        hints = _hints(photo, seen, settings)
        hidden = np.concatenate(
            [hidden_by_glare(photo, seen.lattice, settings), left_out(seen.lattice, settings)]
        )
        placed = place_open(seen.lattice, np.unique(np.concatenate([hints, hidden]), axis=0))
        if not len(placed.cells):
            raise no_board()
        crops = rectify(photo.image, placed, family)
        evidence = classify(crops, family)
        clock.lap("classify")
        p_tile = sigmoid(tile_odds(seen, placed, evidence, settings))
        likely = p_tile > 0.5
        if not likely.any():
            raise no_board()
        refuse_thin_table(found_heat(placed)[likely], settings)
        refuse_cut_table(photo, placed, likely, settings)
        edition = options.get("edition")
        unknown = False
        if edition is None:
            parts = taken_apart(crops[likely], family.crop_span)
            names, log_p, odd = _built_in(game, kinds, evidence, parts, likely, settings)
            colours = [names[index].split(" ")[0] for index in log_p[likely].argmax(axis=1).tolist()]
            sure = np.exp(log_p[likely].max(axis=1))
            plain = float(np.median(found_heat(placed)[likely])) > settings.plain_tiles
            unknown = plain and strangeness(parts.ink, colours, sure, settings) > 1
        if unknown:
            if colourless(parts, settings):
                raise no_board()
            edition = fitting_edition(game, crops, evidence, likely, family, settings)
            unknown = edition is None
            odd = odd | (likely & unknown)
        if edition is not None:
            names, log_p, odd = _taught(copies, family, crops, evidence, likely, edition, settings)
        outlines = polygons(photo, placed)
        origin = placed.cells[likely].min(axis=0)
        washed = (placed.cells[:, None] == hidden[None]).all(axis=2).any(axis=1)
        alone = _alone(placed.cells, likely)
        if likely.sum() > settings.few_tiles:
            # Beside a table lie coins and spare tiles; a tile of the table touches another.
            p_tile = np.where(alone, np.minimum(p_tile, settings.alone_at_most), p_tile)
        shown = np.flatnonzero((p_tile > settings.doubt_empty_above) | washed)
        suspect = alone | odd | washed | displaced(placed, settings.doubt_displaced)
        suspect |= hands(placed.cells, likely, settings)
        reasons = [unknown_edition()] if unknown else []
        if which_table(seen.lattice, settings):
            suspect |= likely
            reasons.append(several_tables())
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


def _built_in(
    game: str, kinds: Kinds, evidence: Evidence, parts: Parts, likely: Mask, settings: ReaderSettings
) -> tuple[tuple[str, ...], Floats, Mask]:
    """Names, (n, names) log-posteriors and suspicious cells by the looks that training found."""
    aspects = photo_looks(evidence, kinds.aspects, likely, settings)
    together = colours_together(parts, evidence.log_p("colour")[likely])
    aspects["colour"][likely] = log_softmax(settings.own_colour * aspects["colour"][likely] + together)
    log_p = kinds.log_p(aspects)
    if game == "qwirkle":
        log_p[likely] = one_of_two(log_p[likely], kinds, ("purple", "white"), settings)
    log_p = settled(log_p, likely, kinds, settings)
    return kinds.names, log_p, unlike(evidence, kinds, log_p, likely, settings)


def _taught(
    copies: int,
    family: Family,
    crops: npt.NDArray[np.uint8],
    evidence: Evidence,
    likely: Mask,
    edition: Edition,
    settings: ReaderSettings,
) -> tuple[tuple[str, ...], Floats, Mask]:
    """The same by what people taught."""
    kinds = taught_kinds(edition, copies)
    recalled = recall_squares(crops, evidence, likely, edition, family, settings)
    return kinds.names, settled(kinds.log_p(recalled.aspects), likely, kinds, settings), recalled.suspect


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
