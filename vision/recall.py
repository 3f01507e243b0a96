"""Reading with a taught edition: its inks under this photo's light, its drawings as stencils."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.cellwise import sigmoid
from vision.classify import Evidence, Floats, classify, log_softmax
from vision.edition_files import EditionStore
from vision.editions import BadEdition, Edition, Looks
from vision.families import HEX, Family
from vision.geometry import Ints
from vision.hexlines import VALUES, grounds, line_inks
from vision.networks import built_in_looks
from vision.palette import one_look_each
from vision.presence import PRESENCE, ground_gaps, ground_nats, shape_nats
from vision.reading import Unreadable
from vision.settings import ReaderSettings
from vision.symbols import Parts, Stencils, in_even_light, stencils
from vision.tiles import Kinds
from vision.tint import PASTEL_TINT, QUICK_TINT, Palette, tinted

Mask = npt.NDArray[np.bool_]
Crops = npt.NDArray[np.uint8]

MOST_SHIFT = 40.0
"""Levels by which one corrected cell may move an ink at most."""
MOST_CORRECTIONS = 60


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """How far from what was taught a tile may look."""

    independent: float = 28.0
    """So many pixels' worth of a symbol err independently of each other."""
    rough: float = 0.01
    """Share of a symbol that differs from its drawing however sharp the photo is."""
    most_shape: float = 8.0
    """Nats at most that the net may hold against a shape."""
    less_alike: float = 0.09
    """How much less than the photo's other tiles a symbol may fit its stencil."""
    least_likeness: float = 0.62
    """A symbol that fits no stencil better than this is asked about."""
    most_misfit: float = 3.2
    """An ink further from the one it is taken for, in deviations, is asked about."""
    own_print: float = 1.5
    """What this copy's own tiles weigh against the net's prototypes."""
    most_net: float = 6.0
    most_ink: float = 8.0
    """Nats at most that the net, and the colours, may hold against a value."""
    other_mark: float = 0.002
    """How likely a tile carries another symbol than it was taught with."""
    least_contrast: float = 18.0
    """Levels between symbol and ground below which there is nothing to see."""


RECALL = RecallSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Recalled:
    """What an edition makes of the cells where something lies."""

    aspects: Mapping[str, Floats]
    """Per aspect (n, kinds) log-probabilities; even where nothing lies."""
    suspect: Mask
    """(n,) better ask: fits nothing that was taught."""
    fit: float
    """−1 … 1, how well the photo as a whole looks like this edition."""


def chosen_edition(game: str, options: Mapping[str, Any]) -> Edition | None:
    """The edition that `options` hold or name."""
    given = options.get("edition")
    if given is None:
        return None
    if isinstance(given, Edition):
        edition = given
    else:
        try:
            edition = EditionStore().get(game, given)
        except BadEdition as error:
            raise Unreadable(error.code, str(error)) from None
    if edition.game != game:
        raise Unreadable("other-edition", f"{edition.name} is an edition of another game")
    return edition


def taught_kinds(edition: Edition, copies: int) -> Kinds:
    """Every colour of the edition with every shape."""
    pairs = [
        (colour, shape) for colour in range(len(edition.colours)) for shape in range(len(edition.shapes))
    ]
    names = tuple(f"{edition.colours[colour]} {edition.shapes[shape]}" for colour, shape in pairs)
    return Kinds(names, ("colour", "shape"), tuple(pairs), copies)


def fitting_edition(
    game: str, parts: Parts, evidence: Evidence, likely: Mask, family: Family, settings: ReaderSettings
) -> Edition | None:
    """The installed edition that these tiles clearly are of, if there is one."""
    fits = [
        (recall_squares(parts, evidence, likely, edition, family, settings).fit, edition)
        for edition in EditionStore().all(game)
    ]
    fits.sort(key=lambda one: -one[0])
    if not fits or fits[0][0] < settings.least_fit:
        return None
    return fits[0][1]


@lru_cache(maxsize=8)
def _stencils(edition: Edition) -> Stencils | None:
    if not edition.drawings:
        return None
    return stencils([edition.drawings[shape] for shape in edition.shapes])


def recall_squares(
    parts: Parts, evidence: Evidence, likely: Mask, edition: Edition, family: Family, settings: ReaderSettings
) -> Recalled:
    """Trio and Qwirkle: the ink says the colour; stencil, and net if it knows them, the shape."""
    parts = parts.only(likely)
    ink = tinted(parts.ink, parts.ground, palette_of(edition))
    known = _stencils(edition)
    suspect = (ink.misfit > RECALL.most_misfit) | (parts.contrast < RECALL.least_contrast)
    shape = np.zeros((len(parts.ink), len(edition.shapes)))
    if edition.known_shapes or known is None:
        shapes = next(aspect.kinds for aspect in family.aspects if aspect.name == "shape")
        order = [shapes.index(shape) for shape in edition.shapes]
        own = evidence.log_p("shape")[likely]
        shape += one_look_each(evidence.features["shape"][likely], own, settings)[:, order]
        likeness = evidence.cosine["shape"][likely].max(axis=1)
    if known is not None:
        likeness_to = known.likeness(parts.stencil)
        shape = np.maximum(shape, -RECALL.most_shape) + shape_fit(likeness_to)
        likeness = likeness_to.max(axis=1)
        # Tiles of one photo are equally sharp: one that fits much less well than the others is half hidden.
        usual = float(np.median(likeness)) - RECALL.less_alike
        suspect |= likeness < max(RECALL.least_likeness, usual)
    fit = float(np.median(likeness)) - 0.1 * float(np.median(ink.misfit))
    return Recalled(
        {"colour": _spread(ink.log_p, likely), "shape": _spread(log_softmax(shape), likely)},
        _spread_mask(suspect, likely),
        fit,
    )


def shape_fit(likeness: Floats) -> Floats:
    """(n, kinds) nats: how probable what is left over is, if the symbol is each kind's drawing.

    A sharp photo leaves little over and decides sharply; a blurred one leaves much over whatever it shows.
    """
    left = 1 - np.maximum(likeness, 0) ** 2 + RECALL.rough
    return np.asarray(-0.5 * RECALL.independent * np.log(left))


def tiles_there(parts: Parts, cells: Ints, odds: Floats, edition: Edition) -> Floats:
    """(n,) how likely a tile of this copy lies in each cell, `odds` being what detector and net say.

    Where they and the copy's own ground and drawings contradict each other, some doubt is left.
    """
    nets = np.clip(odds, -PRESENCE.most_nets, PRESENCE.most_nets)
    core = odds > PRESENCE.most_nets
    if core.sum() < 2:
        return sigmoid(odds)
    known = _stencils(edition)
    found = nets + ground_nats(ground_gaps(parts.ground, cells, core), core)
    if known is not None:
        found = found + shape_nats(known.likeness(parts.stencil).max(axis=1), core)
    alone, p = sigmoid(odds), sigmoid(found)
    torn = (np.abs(alone - p) > 0.5) | (np.minimum(alone, 1 - alone) > PRESENCE.asked)
    return np.where(torn, np.clip(p, PRESENCE.asked, 1 - PRESENCE.asked), p)


@dataclass(frozen=True, slots=True, eq=False)
class RecalledHexes:
    """What an edition makes of a board's cells."""

    aspects: Mapping[str, Floats]
    """Per direction (n, values and joker) log-probabilities."""
    suspect: Mask


@lru_cache(maxsize=8)
def hex_looks(edition: Edition) -> Looks:
    """The net's prototypes, moved to where this copy's own tiles are."""
    built_in = built_in_looks(HEX.name)
    if not edition.examples:
        return built_in
    shown = [_lit(one.crop, light) for light in LIGHTS for one in edition.examples]
    tiles = [one for _ in LIGHTS for one in edition.examples]
    evidence = classify(np.stack(shown), HEX)
    prototypes = dict(built_in.prototypes)
    for position, aspect in enumerate(("vertical", "rising", "falling", "mark")):
        own = [(one.mark or "none") if aspect == "mark" else one.tile.split("-")[position] for one in tiles]
        moved = built_in.prototypes[aspect].astype(np.float64).copy()
        for index, kind in enumerate(built_in.kinds[aspect]):
            members = np.array([word == kind for word in own])
            if members.any():
                moved[index] += RECALL.own_print * evidence.features[aspect][members].mean(axis=0)
        prototypes[aspect] = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    return Looks(built_in.kinds, prototypes, built_in.sharpness)


LIGHTS = ((1.0, 1.0), (0.7, 1.0), (1.2, 1.0), (1.0, 0.8), (1.0, 1.25))
"""(brightness, tone curve) in which the taught tiles are looked at."""


def _lit(crop: Crops, light: tuple[float, float]) -> Crops:
    gain, curve = light
    return (np.clip(crop / 255 * gain, 0, 1) ** curve * 255).astype(np.uint8)


def recall_hexes(
    crops: Crops, aspects: Mapping[str, Floats], likely: Mask, edition: Edition
) -> RecalledHexes:
    """Mi pasuje!: what the net reads, weighed with the colours that this copy's lines have."""
    if not len(edition.inks):
        return RecalledHexes(aspects, np.zeros(len(likely), bool))
    inks = line_inks(crops[likely])
    n = len(inks)
    ground = np.repeat(grounds(crops[likely]), 3, axis=0)
    ways = ("vertical", "rising", "falling")
    prior = np.full((3 * n, len(VALUES)), -50.0)
    for way, name in enumerate(ways):
        prior[way::3, 3 * way : 3 * way + 3] = np.maximum(aspects[name][likely][:, :3], -RECALL.most_net)
    seen = tinted(inks.reshape(-1, 3), ground, palette_of(edition), prior, QUICK_TINT)
    found = {}
    misfit = seen.misfit.reshape(n, 3)
    for way, name in enumerate(ways):
        whole = aspects[name].copy()
        colour = np.maximum(seen.log_p[way::3, 3 * way : 3 * way + 3], -RECALL.most_ink)
        joker = whole[likely][:, 3:]
        # The colours were weighed in the light of what the net said, so they count by half beside it.
        plain = log_softmax(whole[likely][:, :3] + 0.5 * colour) + np.log1p(-np.exp(joker).clip(0, 0.999))
        whole[likely] = log_softmax(np.concatenate([plain, joker], axis=1))
        found[name] = whole
    return RecalledHexes(found, _spread_mask((misfit > 2 * RECALL.most_misfit).sum(axis=1) > 1, likely))


def known_marks(edition: Edition, names: tuple[str, ...], seen: Floats) -> Floats:
    """(names, 3) probabilities of no symbol, sun and moon on each tile: a fact once it was taught.

    `seen` (3,) is what the photo says; a symbol that is plainly another than taught leaves a doubt.
    """
    found = np.zeros((len(names), 3))
    for index, name in enumerate(names):
        fact = np.full(3, RECALL.other_mark)
        fact[("none", "sun", "moon").index(edition.marks.get(name, "none"))] = 1.0
        joint = fact * np.maximum(seen, 0.02)
        found[index] = joint / joint.sum()
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RecalledRamp:
    """What an edition makes of a ramp's cells."""

    p_tile: Floats
    """(n,) whether something lies there: a bare cell shows the taught print."""
    colour: Floats
    """(n, colours) log-probabilities if it does."""
    suspect: Mask


def recall_bits(crops: Crops, p_tile: Floats, edition: Edition, family: Family) -> RecalledRamp:
    """Bits: which of the copy's colours each cell has, or the bare ramp's, all under one light."""
    px = family.crop_px
    reach = round(px * 0.2 / family.crop_span)
    middle = slice(px // 2 - reach, px // 2 + reach)
    inks = np.median(crops[:, middle, middle].reshape(len(crops), -1, 3), axis=1).astype(np.float64)
    taught = palette_of(edition)
    palette = Palette(np.concatenate([taught.inks, taught.ground[None]]), taught.ground)
    sure = np.clip(p_tile, np.exp(-RECALL.most_net), 1 - np.exp(-RECALL.most_net))
    prior = np.repeat(np.log(sure)[:, None] - np.log(len(taught.inks)), len(palette.inks), axis=1)
    prior[:, -1] = np.log(1 - sure)
    bare = inks[p_tile < 0.5]
    ground = np.median(bare, axis=0) if len(bare) > 1 else edition.ground
    seen = tinted(inks, np.repeat(ground[None], len(inks), axis=0), palette, prior, PASTEL_TINT)
    filled = 1 - np.exp(seen.log_p[:, -1])
    return RecalledRamp(filled, log_softmax(seen.log_p[:, :-1]), seen.misfit > RECALL.most_misfit)


def palette_of(edition: Edition) -> Palette:
    """The inks as taught, moved a little towards what people corrected since."""
    inks = edition.inks.copy()
    for colour, ink in edition.corrections:
        index = edition.colours.index(colour)
        inks[index] += 0.15 * (np.array(ink) - inks[index])
    return Palette(inks, edition.ground)


def _spread(values: Floats, likely: Mask) -> Floats:
    whole = np.full((len(likely), values.shape[1]), -np.log(values.shape[1]))
    whole[likely] = values
    return whole


def _spread_mask(values: Mask, likely: Mask) -> Mask:
    whole = np.zeros(len(likely), bool)
    whole[likely] = values
    return whole


def with_corrections(
    edition: Edition, crops: Crops, family: Family, read_as: list[str], corrected: Mapping[int, str]
) -> Edition:
    """The edition with what people corrected as evidence: what these inks were, had the teaching light shone.

    `crops` are all tiles of one photo, `read_as` their colours as they stand after correction, `corrected`
    the few of them that people put right.
    """
    known = [index for index, colour in enumerate(read_as) if colour in edition.colours]
    if not known or not corrected:
        return edition
    parts = in_even_light(crops[known], family.crop_span)
    truth = np.array([edition.colours.index(read_as[index]) for index in known])
    prior = np.full((len(known), len(edition.colours)), -50.0)
    prior[np.arange(len(known)), truth] = 0.0
    seen = tinted(parts.ink, parts.ground, palette_of(edition), prior)
    shift = np.clip(parts.ink - seen.inks[truth], -MOST_SHIFT, MOST_SHIFT)
    added = tuple(
        (read_as[index], tuple(float(x) for x in edition.inks[truth[place]] + shift[place]))
        for place, index in enumerate(known)
        if index in corrected
    )
    return replace(edition, corrections=(*edition.corrections, *added)[-MOST_CORRECTIONS:])
