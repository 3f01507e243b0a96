"""Bits: the ramp's print and fallen tiles say which way is down; colours are groups of alike cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vision.beliefs import Belief, polygons, ranked
from vision.cellwise import sigmoid, tile_odds
from vision.classify import classify
from vision.decode import Photo
from vision.falling import reconsidered
from vision.families import BITS, RAMP
from vision.findings import (
    empty_board,
    refuse_cut_board,
    refuse_thin,
)
from vision.geometry import SQUARE
from vision.ground import bare_odds
from vision.layout import (
    BITS_COLUMNS,
    BITS_ROWS,
    Placed,
    place_ramp,
)
from vision.palette import (
    alike,
    groups_of_colours,
    shared_opinion,
    unlike_their_kind,
)
from vision.reading import Reading, Unreadable
from vision.recall import (
    recall_bits,
)
from vision.rectify import rectify
from vision.settings import ReaderSettings
from vision.stages import Clock, finished, looked


def read_ramp(photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock) -> Reading:
    """Bits: the ramp's print and fallen tiles say which way is down; colours are groups of alike cells."""
    seen = looked(photo, "bits", SQUARE, options, settings)
    clock.lap("detect")
    sizes = [tuple(options["size"])] if "size" in options else [(BITS_ROWS, n) for n in BITS_COLUMNS]
    edition = options.get("edition")
    if edition is not None and edition.size is not None and "size" not in options:
        sizes = [edition.size]
    first = place_ramp(seen.lattice, sizes, np.zeros(4), settings)
    turn = classify(rectify(photo.image, _whole_ramp(first), RAMP), RAMP).log_p("turn")[0]
    placed = place_ramp(first.lattice, sizes, settings.print_weight * np.maximum(turn, -8.0), settings)
    if placed.seen >= settings.least_seen and placed.turn_margin < settings.ramp_margin:
        raise Unreadable(
            "which-way", "it cannot be told which way the ramp lies; photograph it from in front, all of it"
        )
    refuse_thin(placed, settings)
    refuse_cut_board(photo, placed)
    clock.lap("layout")
    crops = rectify(photo.image, placed, BITS)
    evidence = classify(crops, BITS)
    clock.lap("classify")
    opinion = tile_odds(seen, placed, evidence, settings)
    bare = bare_odds(photo.image, placed, crops, settings)
    odds = opinion + bare
    torn = (opinion * bare < 0) & (np.minimum(np.abs(opinion), np.abs(bare)) > settings.torn)
    both = np.concatenate([evidence.features["present"], evidence.features["colour"]], axis=1)
    odds, unfallen = reconsidered(placed.cells, shared_opinion(both, odds, settings), settings)
    p_tile = sigmoid(odds)
    likely = p_tile > 0.5
    if not likely.any():
        raise empty_board()
    if (
        edition is None
        and likely.sum() >= settings.plain_cells
        and alike(both[likely], settings.colour_apart).max() == 0
    ):
        # Dominoes of one colour only are rarer than a bare ramp of a colour nobody has seen.
        raise empty_board()
    names = BITS.aspects[1].kinds
    log_p = evidence.log_p("colour")
    most = settings.colours_of_ramp[len(placed.cells) > 24]
    seen_colours = evidence.features["colour"][likely]
    suspect = np.zeros(len(likely), bool)
    log_p[likely], suspect[likely] = groups_of_colours(seen_colours, log_p[likely], most, settings)
    colours = log_p[likely].argmax(axis=1)
    suspect[likely] |= unlike_their_kind(seen_colours, colours, settings.colour_margin)
    taken_for = np.zeros(len(likely), np.intp)
    taken_for[likely] = colours + 1
    suspect |= unlike_their_kind(both / np.sqrt(2), taken_for, settings.empty_margin) | torn | unfallen
    if edition is not None:
        ramp = recall_bits(crops, p_tile, edition, BITS)
        names, log_p, p_tile = edition.colours, ramp.colour, ramp.p_tile
        suspect = ramp.suspect | unfallen
    outlines = polygons(photo, placed)
    beliefs = [
        Belief(
            (int(y), int(x)),
            float(p_tile[index]),
            ranked(names, log_p[index]),
            outlines[index],
            suspect=bool(suspect[index]),
        )
        for index, (x, y) in enumerate(placed.cells)
    ]
    clock.lap("decide")
    return finished("bits", photo, placed, beliefs, crops, settings, clock, edition)


def _whole_ramp(placed: Placed) -> Placed:
    """The ramp as one big cell around its middle."""
    middle = (placed.cells.max(axis=0) + placed.cells.min(axis=0)) / 2
    return Placed(placed.lattice, middle[None], np.array([-1]), "", None, 1.0, np.inf)
