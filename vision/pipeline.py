"""A photograph becomes a reading: every stage in order, top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from scoring.mipasuje.layouts import LAYOUTS
from vision.beliefs import Belief, polygons, ranked, told
from vision.classify import Evidence, classify, log_softmax
from vision.decode import Photo, decode
from vision.editions import Edition
from vision.families import BITS, HEX, QWIRKLE, RAMP, TRIO, Family
from vision.findings import (
    displaced,
    empty_board,
    glaring,
    half_outside,
    hidden_by_glare,
    photo_findings,
    refuse_cut_board,
    refuse_cut_table,
    refuse_far,
    refuse_misfit,
    refuse_oblique,
    refuse_other_game,
    refuse_thin,
    refuse_thin_table,
    refuse_unclear,
    unknown_edition,
)
from vision.geometry import HEXAGONAL, SQUARE, Floats, Grid, Ints, through
from vision.ground import bare_odds
from vision.joint import settle
from vision.layout import (
    BITS_COLUMNS,
    BITS_ROWS,
    Placed,
    corner_places,
    place_hex,
    place_open,
    place_ramp,
)
from vision.look import Look, look, no_board, pointed_look
from vision.novelty import strangeness
from vision.palette import (
    alike,
    groups_of_colours,
    one_look_each,
    shared_opinion,
    unlike_their_kind,
)
from vision.reading import Doubt, Reading, Unreadable
from vision.recall import (
    chosen_edition,
    fitting_edition,
    hex_looks,
    known_marks,
    recall_bits,
    recall_hexes,
    recall_squares,
    taught_kinds,
)
from vision.rectify import rectify
from vision.settings import SETTINGS, ReaderSettings
from vision.symbols import taken_apart
from vision.tiles import Kinds, hex_kinds, one_of_two, square_kinds

Mask: TypeAlias = npt.NDArray[np.bool_]
NO_CELLS: Ints = np.zeros((0, 2), np.int64)


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

    `options` may name the `board` (Mi pasuje!) or `size` (Bits) where people know it, and `corners` in the
    full photo where they pointed at the board. `edition`: a taught `Edition` or an installed one's name.
    """
    clock = Clock()
    given = dict(options or {})
    given["edition"] = chosen_edition(game, given)
    photo = decode(data, longest=SETTINGS.decode_px)
    clock.lap("decode")
    return _READERS[game](photo, given, SETTINGS, clock)


def read_hexes(photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock) -> Reading:
    """Mi pasuje!: the digits say which way is up, the lattice which board it is."""
    seen = _looked(photo, "mipasuje", HEXAGONAL, options, settings)
    clock.lap("detect")
    tiles = place_open(seen.lattice, NO_CELLS)
    if not len(tiles.cells):
        raise empty_board()
    turns = classify(rectify(photo.image, _some(tiles), HEX), HEX).log_p("turn").sum(axis=0)
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
    if edition is not None:
        recalled = recall_hexes(crops, aspects, likely, edition)
        aspects, odd = dict(recalled.aspects), recalled.suspect
    log_p = kinds.log_p(aspects) - settings.joker_cost * np.array(["*" in name for name in kinds.names])
    log_p = settled(log_p, likely, kinds, settings)
    suspect = odd if edition is not None else unlike(evidence, kinds, log_p, likely, settings)
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
    return _reading("mipasuje", photo, placed, beliefs, crops, settings, clock, edition)


def printed_marks(log_p: Floats, tiles: Mask, settings: ReaderSettings) -> Floats:
    """(n, 3) log-probabilities of none, sun and moon: a copy prints them on all of its tiles or on none."""
    some = np.logaddexp(log_p[:, 1], log_p[:, 2])
    lead = float(np.clip(some[tiles] - log_p[tiles, 0], -4, 4).sum())
    cost = min(settings.other_print_cost, abs(lead) / 2)
    return log_softmax(log_p - cost * np.array([lead > 0, lead <= 0, lead <= 0], float))


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


def read_open(game: str, family: Family, copies: int) -> Callable[..., Reading]:
    """Qwirkle and Trio: whatever lies on the lattice."""
    kinds = square_kinds(family, copies)

    def read_table(
        photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock
    ) -> Reading:
        seen = _looked(photo, game, SQUARE, options, settings)
        clock.lap("detect")
        hints = _hints(photo, seen, settings)
        hidden = hidden_by_glare(photo, seen.lattice, settings)
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
            names, log_p, odd = _built_in(game, kinds, evidence, likely, settings)
            colours = [names[index].split(" ")[0] for index in log_p[likely].argmax(axis=1).tolist()]
            ink = taken_apart(crops[likely], family.crop_span).ink
            sure = np.exp(log_p[likely].max(axis=1))
            plain = float(np.median(found_heat(placed)[likely])) > settings.plain_tiles
            unknown = plain and strangeness(ink, colours, sure, settings) > 1
        if unknown:
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
        return _reading(game, photo, table, beliefs, crops[shown], settings, clock, edition, unknown)

    return read_table


def _built_in(
    game: str, kinds: Kinds, evidence: Evidence, likely: Mask, settings: ReaderSettings
) -> tuple[tuple[str, ...], Floats, Mask]:
    """Names, (n, names) log-posteriors and suspicious cells by the looks that training found."""
    log_p = kinds.log_p(photo_looks(evidence, kinds.aspects, likely, settings))
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


def read_ramp(photo: Photo, options: Mapping[str, Any], settings: ReaderSettings, clock: Clock) -> Reading:
    """Bits: the ramp's print and fallen tiles say which way is down; colours are groups of alike cells."""
    seen = _looked(photo, "bits", SQUARE, options, settings)
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
    p_tile = sigmoid(shared_opinion(both, odds, settings))
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
    suspect |= unlike_their_kind(both / np.sqrt(2), taken_for, settings.empty_margin) | torn
    if edition is not None:
        ramp = recall_bits(crops, p_tile, edition, BITS)
        names, log_p, p_tile, suspect = edition.colours, ramp.colour, ramp.p_tile, ramp.suspect
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
    return _reading("bits", photo, placed, beliefs, crops, settings, clock, edition)


def _looked(
    photo: Photo, game: str, grid: Grid, options: Mapping[str, Any], settings: ReaderSettings
) -> Look:
    """The lattice of the board that is meant, if it can be read at all."""
    if options.get("corners") is None:
        seen = look(photo.image, game, grid, settings)
    else:
        corners = (np.array(options["corners"], float) + 0.5) / photo.scale - 0.5
        size = tuple(options["size"]) if "size" in options else None
        places = corner_places(game, len(corners), size, corners)
        if places is None:
            seen = look(photo.image, game, grid, settings, inside=corners)
        else:
            seen = pointed_look(photo.image, game, grid, places, corners, settings)
            if not len(seen.lattice.at):
                raise no_board()
    refuse_other_game(seen.lattice, settings)
    refuse_far(photo, seen.lattice, settings)
    refuse_oblique(seen.lattice, settings)
    return seen


def _some(placed: Placed, most: int = 9) -> Placed:
    """A few of the surest tiles: enough to tell which way is up."""
    best = np.argsort(-placed.lattice.found.heat[placed.detected], kind="stable")[:most]
    return replace(placed, cells=placed.cells[best], detected=placed.detected[best])


def _whole_ramp(placed: Placed) -> Placed:
    """The ramp as one big cell around its middle."""
    middle = (placed.cells.max(axis=0) + placed.cells.min(axis=0)) / 2
    return Placed(placed.lattice, middle[None], np.array([-1]), "", None, 1.0, np.inf)


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


def unlike(evidence: Evidence, kinds: Kinds, log_p: Floats, likely: Mask, settings: ReaderSettings) -> Mask:
    """(m,) cells that in some aspect look hardly like the others they are taken for the same as."""
    found = np.zeros(len(likely), bool)
    chosen = np.array(kinds.answers)[log_p[likely].argmax(axis=1)]
    for index, aspect in enumerate(kinds.aspects):
        features = evidence.features[aspect][likely]
        found[likely] |= unlike_their_kind(features, chosen[:, index], settings.unlike_margin)
    return found


def settled(log_p: Floats, likely: Mask, kinds: Kinds, settings: ReaderSettings) -> Floats:
    """Joint decoding of the cells where something lies; the others by themselves."""
    found = log_softmax(log_p)
    found[likely] = settle(log_p[likely], kinds.copies, settings.extra_copy_cost)
    return found


def _reading(
    game: str,
    photo: Photo,
    placed: Placed,
    beliefs: list[Belief],
    crops: npt.NDArray[np.uint8],
    settings: ReaderSettings,
    clock: Clock,
    edition: Edition | None = None,
    unknown: bool = False,
) -> Reading:
    """`beliefs` and `crops` are those of the cells of `placed`, in order."""
    refuse_misfit(placed, settings)
    beliefs = [
        replace(belief, suspect=belief.suspect or bool(washed))
        for belief, washed in zip(beliefs, glaring(crops, settings, settings.glare_doubt), strict=True)
    ]
    below = settings.doubt_hex_below if game == "mipasuje" else settings.doubt_below
    cells, doubts = told(beliefs, settings, below)
    asked = _asked(beliefs, doubts)
    if not unknown:  # of an unknown copy everything is asked, and another photo would not help
        refuse_unclear(asked, settings)
    if len(asked) >= settings.unclear_cells and asked.mean() > settings.uneasy_share:
        # Where much is unclear, the rest is less clear than it seems.
        cells, doubts = told(beliefs, settings, settings.uneasy_below)
        asked = _asked(beliefs, doubts)
    findings = photo_findings(photo, placed, [belief.at for belief in beliefs], crops, asked, settings)
    if unknown:
        findings = (*findings, unknown_edition())
    clock.lap("findings")
    half = (photo.scale - 1) / 2
    to_full = np.array([[photo.scale, 0, half], [0, photo.scale, half], [0, 0, 1]])
    homography = to_full @ placed.lattice.homography
    return Reading(
        game,
        cells,
        doubts,
        findings,
        layout=placed.layout,
        size=placed.size,
        edition=edition.name if edition is not None else None,
        homography=tuple(tuple(float(x) for x in row) for row in homography),
        photo_size=photo.full_size,
        ms=clock.ms,
    )


def _asked(beliefs: list[Belief], doubts: tuple[Doubt, ...]) -> Mask:
    """(n,) which of the beliefs are among the doubts."""
    doubted = {doubt.at for doubt in doubts}
    return np.array([belief.at in doubted for belief in beliefs], bool)


_READERS: dict[str, Callable[..., Reading]] = {
    "mipasuje": read_hexes,
    "qwirkle": read_open("qwirkle", QWIRKLE, copies=3),
    "trio": read_open("trio", TRIO, copies=1),
    "bits": read_ramp,
}
