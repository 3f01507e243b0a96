"""What the detector, the tile nets and the other tiles of the photo think of each cell, put together."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from vision.classify import Evidence, log_softmax
from vision.geometry import Floats, through
from vision.joint import settle
from vision.layout import (
    Placed,
)
from vision.look import Look
from vision.palette import (
    one_look_each,
    unlike_their_kind,
)
from vision.settings import ReaderSettings
from vision.tiles import Kinds

Mask: TypeAlias = npt.NDArray[np.bool_]


def found_heat(placed: Placed) -> Floats:
    """(m,) how warm the detection in each cell is; 0 where there is none."""
    own = placed.detected >= 0
    heat = np.zeros(len(placed.cells))
    heat[own] = placed.lattice.found.heat[placed.detected[own]]
    return heat


def tile_odds(seen: Look, placed: Placed, evidence: Evidence, settings: ReaderSettings) -> Floats:
    """(m,) log-odds that something lies in each cell: the tile net's opinion and the detector's."""
    present = evidence.log_p("present")
    centres = through(placed.lattice.homography, placed.cells)
    tile, empty = seen.heat.at(centres), seen.heat.at(centres, empty=True)
    own = placed.detected >= 0
    found = seen.lattice.found
    heat = found.heat[placed.detected[own]]
    is_empty = found.empty[placed.detected[own]]
    tile[own] = np.where(is_empty, tile[own], np.maximum(tile[own], heat))
    seen_odds = _logit(tile) - (_logit(empty) if seen.heat.knows_empty else _logit(settings.even_heat))
    odds = present[:, 1] - present[:, 0] + settings.heat_weight * seen_odds
    # Whoever looked for tiles and saw none here was mostly right.
    return odds - settings.undetected_cost * ~own


def sigmoid(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-odds))


def _logit(p: Floats | float) -> Floats:
    clipped = np.clip(p, 0.01, 0.99)
    return np.log(clipped / (1 - clipped))


def photo_looks(
    evidence: Evidence, aspects: tuple[str, ...], likely: Mask, settings: ReaderSettings
) -> dict[str, Floats]:
    """Each aspect's log-probabilities, once cells that look alike in this photo had their say."""
    found = {}
    for aspect in aspects:
        log_p = evidence.log_p(aspect)
        log_p[likely] = one_look_each(evidence.features[aspect][likely], log_p[likely], settings)
        found[aspect] = log_p
    return found


def unlike(
    evidence: Evidence,
    kinds: Kinds,
    log_p: Floats,
    likely: Mask,
    settings: ReaderSettings,
    few: float = 0.0,
) -> Mask:
    """(m,) cells that in some aspect look hardly like the others they are taken for the same as.

    Where no more than a share of `few` do in one aspect, something else may speak for them.
    """
    found = np.zeros(len(likely), bool)
    chosen = np.array(kinds.answers)[log_p[likely].argmax(axis=1)]
    for index, aspect in enumerate(kinds.aspects):
        features = evidence.features[aspect][likely]
        odd = unlike_their_kind(features, chosen[:, index], settings.unlike_margin)
        if odd.mean() > few:
            found[likely] |= odd
    return found


def settled(log_p: Floats, likely: Mask, kinds: Kinds, settings: ReaderSettings) -> Floats:
    """Joint decoding of the cells where something lies; the others by themselves."""
    found = log_softmax(log_p)
    found[likely] = settle(log_p[likely], kinds.copies, settings.extra_copy_cost)
    return found
