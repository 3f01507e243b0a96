"""Mi pasuje!: the digits say which way is up, the lattice which board it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.mipasuje.layouts import LAYOUTS
from vision.beliefs import Belief, polygons, ranked
from vision.cellwise import Mask, photo_looks, settled, sigmoid, tile_odds, unlike
from vision.classify import classify, log_softmax
from vision.decode import Photo
from vision.editions import Edition
from vision.families import HEX
from vision.findings import (
    empty_board,
    refuse_cut_board,
    refuse_thin,
)
from vision.geometry import HEXAGONAL, Floats, Ints
from vision.layout import (
    Placed,
    place_hex,
    place_open,
)
from vision.lines import lines_together
from vision.reading import Reading
from vision.recall import (
    hex_looks,
    known_marks,
    recall_hexes,
)
from vision.rectify import rectify
from vision.settings import ReaderSettings
from vision.stages import Clock, finished, looked
from vision.tiles import hex_kinds

NO_CELLS: Ints = np.zeros((0, 2), np.int64)
ONE_GLANCE = replace(HEX, views=())
"""Nine tiles that all stand the same way need no second look."""


def read_hexes(photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock) -> Reading:
    """Mi pasuje!: the digits say which way is up, the lattice which board it is."""
    seen = looked(photo, "mipasuje", HEXAGONAL, options, settings)
    clock.lap("detect")
    tiles = place_open(seen.lattice, NO_CELLS)
    if not len(tiles.cells):
        raise empty_board()
    turns = classify(rectify(photo.image, _some(tiles), HEX), ONE_GLANCE).log_p("turn").sum(axis=0)
    # A crop that looks turned clockwise by so many steps: the lattice has to turn along.
    upright = seen.lattice.turned(int(np.argmax(turns)))
    layouts = [options["board"]] if "board" in options else list(LAYOUTS)
    placed = place_hex(upright, layouts, settings)
    refuse_thin(placed, settings)
    refuse_cut_board(photo, placed)
    clock.lap("layout")
    crops = rectify(photo.image, placed, HEX)
    edition = options.get("edition")
    evidence = classify(crops, HEX, hex_looks(edition) if edition is not None else None)
    clock.lap("classify")
    kinds = hex_kinds(HEX)
    p_tile = sigmoid(tile_odds(seen, placed, evidence, settings))
    likely = p_tile > 0.5
    if not likely.any():
        raise empty_board()
    aspects = photo_looks(evidence, kinds.aspects, likely, settings)
    odd = np.zeros(len(likely), bool)
    if edition is None:
        together = lines_together(crops[likely], {name: log_p[likely] for name, log_p in aspects.items()})
        for name, log_p in together.items():
            aspects[name][likely] = log_p
    if edition is not None:
        recalled = recall_hexes(crops, aspects, likely, edition)
        aspects, odd = dict(recalled.aspects), recalled.suspect
    log_p = kinds.log_p(aspects) - settings.joker_cost * np.array(["*" in name for name in kinds.names])
    log_p = settled(log_p, likely, kinds, settings)
    suspect = (
        odd if edition is not None else unlike(evidence, kinds, log_p, likely, settings, settings.few_unlike)
    )
    marks = np.exp(printed_marks(evidence.log_p("mark"), likely, settings))
    outlines = polygons(photo, placed)
    beliefs = [
        Belief(
            (int(q), int(r)),
            float(p_tile[index]),
            ranked(kinds.names, log_p[index]),
            outlines[index],
            marks=_marks(marks[index]),
            facts=_facts(edition, ranked(kinds.names, log_p[index]), marks[index]),
            suspect=bool(suspect[index]),
        )
        for index, (q, r) in enumerate(placed.cells)
    ]
    clock.lap("decide")
    return finished("mipasuje", photo, placed, beliefs, crops, settings, clock, edition)


def printed_marks(log_p: Floats, tiles: Mask, settings: ReaderSettings) -> Floats:
    """(n, 3) log-probabilities of none, sun and moon.

    A copy prints them on all of its tiles or on none; and if it does, on some a sun and on some a moon.
    """
    some = np.logaddexp(log_p[:, 1], log_p[:, 2])
    lead = float(np.clip(some[tiles] - log_p[tiles, 0], -4, 4).sum())
    cost = min(settings.other_print_cost, abs(lead) / 2)
    found = log_softmax(log_p - cost * np.array([lead > 0, lead <= 0, lead <= 0], float))
    seen = found[tiles].argmax(axis=1)
    if lead > 0 and len(seen) >= settings.only_one_mark and (seen == seen[0]).all():
        # Suns alone on so many tiles: rather this copy's moons look like suns.
        found[:, 1:] = np.logaddexp(found[:, 1:], found[:, :0:-1]) - np.log(2)
    return found


def _facts(
    edition: Edition | None, likeliest: tuple[tuple[str, float], ...], seen: Floats
) -> dict[str, tuple[tuple[str | None, float], ...]] | None:
    """What each tile carries, where this copy was taught."""
    if edition is None or not edition.marked:
        return None
    names = tuple(name for name, _ in likeliest)
    known = known_marks(edition, names, seen)
    return {name: _marks(p) for name, p in zip(names, known, strict=True)}


def _marks(p: Floats) -> tuple[tuple[str | None, float], ...]:
    names: tuple[str | None, ...] = (None, "sun", "moon")
    return tuple((names[int(index)], float(p[index])) for index in np.argsort(-p, kind="stable"))


def _some(placed: Placed, most: int = 9) -> Placed:
    """A few of the surest tiles: enough to tell which way is up."""
    best = np.argsort(-placed.lattice.found.heat[placed.detected], kind="stable")[:most]
    return replace(placed, cells=placed.cells[best], detected=placed.detected[best])
