"""A photograph becomes a reading: every stage in order, top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from scoring.mipasuje.layouts import LAYOUTS
from vision.beliefs import Belief, polygons, ranked, told
from vision.classify import Evidence, classify, log_softmax
from vision.decode import Photo, decode
from vision.families import BITS, HEX, QWIRKLE, RAMP, TRIO, Family
from vision.geometry import HEXAGONAL, SQUARE, Floats, Ints, through
from vision.joint import settle
from vision.layout import BITS_COLUMNS, BITS_ROWS, Placed, place_hex, place_open, place_ramp
from vision.look import Look, look
from vision.palette import groups_of_colours, shared_opinion
from vision.reading import PhotoFinding, Reading
from vision.rectify import rectify
from vision.settings import SETTINGS, ReaderSettings
from vision.tiles import Kinds, hex_kinds, one_of_two, square_kinds


class Clock:
    """Milliseconds per stage."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, stage: str) -> None:
        now = perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + (now - self._last) * 1000
        self._last = now


def read(data: bytes, game: str, options: Mapping[str, Any] | None = None) -> Reading:
    """What lies on the board of `game` in this photo; raises `Unreadable` where that cannot be told.

    `options` may name the `board` (Mi pasuje!) or `size` (Bits) where people know it.
    """
    clock = Clock()
    photo = decode(data, longest=SETTINGS.decode_px)
    clock.lap("decode")
    return _READERS[game](photo, dict(options or {}), SETTINGS, clock)


def read_hexes(photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock) -> Reading:
    """Mi pasuje!: the digits say which way is up, the lattice which board it is."""
    seen = look(photo.image, "mipasuje", HEXAGONAL, settings)
    clock.lap("detect")
    lattice = seen.lattice
    some = place_open(lattice, np.zeros((0, 2), np.int64))
    votes = classify(rectify(photo.image, some, HEX), HEX).log_p("turn").sum(axis=0)
    # A crop that looks turned clockwise by so many steps: the lattice has to turn along.
    upright = lattice.turned(int(np.argmax(votes)))
    layouts = [options["board"]] if "board" in options else list(LAYOUTS)
    placed = place_hex(upright, layouts, settings)
    clock.lap("layout")
    evidence = classify(rectify(photo.image, placed, HEX), HEX)
    clock.lap("classify")
    kinds = hex_kinds(HEX)
    log_p = kinds.log_p(evidence)
    log_p = log_p - settings.joker_cost * np.array(["*" in name for name in kinds.names])
    p_tile = tile_probability(seen, placed, evidence, settings)
    log_p = settled(log_p, p_tile, kinds, settings)
    marks = np.exp(evidence.log_p("mark"))
    outlines = polygons(photo, placed)
    beliefs = [
        Belief(
            (int(q), int(r)),
            float(p_tile[index]),
            ranked(kinds.names, log_p[index]),
            outlines[index],
            marks=_marks(marks[index]),
        )
        for index, (q, r) in enumerate(placed.cells)
    ]
    clock.lap("decide")
    return _reading("mipasuje", photo, placed, beliefs, (), settings, clock)


def _marks(p: Floats) -> tuple[tuple[str | None, float], ...]:
    names: tuple[str | None, ...] = (None, "sun", "moon")
    return tuple((names[int(index)], float(p[index])) for index in np.argsort(-p, kind="stable"))


def read_open(game: str, family: Family, copies: int) -> Callable[..., Reading]:
    """Qwirkle and Trio: whatever lies on the lattice."""
    kinds = square_kinds(family, copies)

    def read_table(
        photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock
    ) -> Reading:
        seen = look(photo.image, game, SQUARE, settings)
        clock.lap("detect")
        placed = place_open(seen.lattice, _hints(seen, settings))
        evidence = classify(rectify(photo.image, placed, family), family)
        clock.lap("classify")
        p_tile = tile_probability(seen, placed, evidence, settings)
        log_p = kinds.log_p(evidence)
        likely = p_tile > 0.5
        if game == "qwirkle":
            log_p[likely] = one_of_two(log_p[likely], kinds, ("purple", "white"), settings)
        log_p = settled(log_p, p_tile, kinds, settings)
        outlines = polygons(photo, placed)
        origin = placed.cells[likely].min(axis=0) if likely.any() else np.zeros(2, int)
        beliefs = [
            Belief(
                (int(y - origin[1]), int(x - origin[0])),
                float(p_tile[index]),
                ranked(kinds.names, log_p[index]),
                outlines[index],
            )
            for index, (x, y) in enumerate(placed.cells)
            if p_tile[index] > settings.doubt_empty_above
        ]
        clock.lap("decide")
        return _reading(game, photo, placed, beliefs, (), settings, clock)

    return read_table


def _hints(seen: Look, settings: ReaderSettings) -> Ints:
    """Cells in and around the table where nothing was detected, but not quite nothing either."""
    lattice = seen.lattice
    low, top = lattice.at.min(axis=0) - 1, lattice.at.max(axis=0) + 2
    x, y = np.meshgrid(np.arange(low[0], top[0]), np.arange(low[1], top[1]))
    cells = np.stack([x.ravel(), y.ravel()], axis=1)
    taken = {(int(x), int(y)) for x, y in lattice.at}
    free = np.array([(int(x), int(y)) not in taken for x, y in cells], bool)
    cells = cells[free]
    warm = seen.heat.at(through(lattice.homography, cells)) > settings.hint_heat
    return cells[warm]


def read_ramp(photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock) -> Reading:
    """Bits: the ramp's print and fallen tiles say which way is down; colours are groups of alike cells."""
    seen = look(photo.image, "bits", SQUARE, settings)
    clock.lap("detect")
    sizes = [tuple(options["size"])] if "size" in options else [(BITS_ROWS, n) for n in BITS_COLUMNS]
    first = place_ramp(seen.lattice, sizes, np.zeros(4), settings)
    whole = _whole_ramp(first)
    turn = classify(rectify(photo.image, whole, RAMP), RAMP).log_p("turn")[0]
    votes = settings.print_weight * np.maximum(turn, -8.0)
    placed = place_ramp(first.lattice, sizes, votes, settings)
    clock.lap("layout")
    evidence = classify(rectify(photo.image, placed, BITS), BITS)
    clock.lap("classify")
    odds = tile_odds(seen, placed, evidence, settings)
    both = np.concatenate([evidence.features["present"], evidence.features["colour"]], axis=1)
    p_tile = _sigmoid(shared_opinion(both, odds, settings))
    names = BITS.aspects[1].kinds
    log_p = log_softmax(evidence.log_p("colour"))
    tiles = p_tile > 0.5
    log_p[tiles] = groups_of_colours(evidence.features["colour"][tiles], log_p[tiles], settings)
    outlines = polygons(photo, placed)
    beliefs = [
        Belief((int(y), int(x)), float(p_tile[index]), ranked(names, log_p[index]), outlines[index])
        for index, (x, y) in enumerate(placed.cells)
    ]
    clock.lap("decide")
    return _reading("bits", photo, placed, beliefs, (), settings, clock)


def _whole_ramp(placed: Placed) -> Placed:
    """The ramp as one big cell around its middle."""
    middle = (placed.cells.max(axis=0) + placed.cells.min(axis=0)) / 2
    return Placed(placed.lattice, middle[None], np.array([-1]), "", None, 1.0, np.inf)


def tile_probability(seen: Look, placed: Placed, evidence: Evidence, settings: ReaderSettings) -> Floats:
    """(m,) how likely something lies in each cell."""
    return _sigmoid(tile_odds(seen, placed, evidence, settings))


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
    return present[:, 1] - present[:, 0] + settings.heat_weight * seen_odds


def _sigmoid(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-odds))


def _logit(p: Floats | float) -> Floats:
    clipped = np.clip(p, 0.01, 0.99)
    return np.log(clipped / (1 - clipped))


def settled(log_p: Floats, p_tile: Floats, kinds: Kinds, settings: ReaderSettings) -> Floats:
    """Joint decoding of the cells where something lies; the others by themselves."""
    found = log_softmax(log_p)
    likely = p_tile > 0.5
    found[likely] = settle(log_p[likely], kinds.copies, settings.extra_copy_cost)
    return found


def _reading(
    game: str,
    photo: Photo,
    placed: Placed,
    beliefs: list[Belief],
    findings: tuple[PhotoFinding, ...],
    settings: ReaderSettings,
    clock: Clock,
) -> Reading:
    cells, doubts = told(beliefs, settings)
    scale = np.array(
        [[photo.scale, 0, (photo.scale - 1) / 2], [0, photo.scale, (photo.scale - 1) / 2], [0, 0, 1]]
    )
    homography = scale @ placed.lattice.homography
    return Reading(
        game,
        cells,
        doubts,
        findings,
        layout=placed.layout,
        size=placed.size,
        homography=tuple(tuple(float(x) for x in row) for row in homography),
        photo_size=photo.full_size,
        ms=clock.ms,
    )


_READERS: dict[str, Callable[..., Reading]] = {
    "mipasuje": read_hexes,
    "qwirkle": read_open("qwirkle", QWIRKLE, copies=3),
    "trio": read_open("trio", TRIO, copies=1),
    "bits": read_ramp,
}
