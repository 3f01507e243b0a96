"""Reading with a taught edition: its inks under this photo's light, its drawings as stencils."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.classify import Evidence, Floats, log_softmax
from vision.edition_files import EditionStore
from vision.editions import BadEdition, Edition
from vision.families import Family
from vision.palette import one_look_each
from vision.reading import Unreadable
from vision.settings import ReaderSettings
from vision.symbols import Stencils, stencils, taken_apart
from vision.tiles import Kinds
from vision.tint import Palette, tinted

Mask = npt.NDArray[np.bool_]
Crops = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """How far from what was taught a tile may look."""

    stencil_sharpness: float = 110.0
    """Nats per unit of likeness by which a drawing is preferred."""
    least_likeness: float = 0.62
    """A symbol that fits no stencil better than this is asked about."""
    most_misfit: float = 3.2
    """An ink further from the one it is taken for, in deviations, is asked about."""
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


@lru_cache(maxsize=8)
def _stencils(edition: Edition) -> Stencils | None:
    if not edition.drawings:
        return None
    return stencils([edition.drawings[shape] for shape in edition.shapes])


def recall_squares(
    crops: Crops, evidence: Evidence, likely: Mask, edition: Edition, family: Family, settings: ReaderSettings
) -> Recalled:
    """Trio and Qwirkle: the ink says the colour, the stencil (or the net, if it knows them) the shape."""
    parts = taken_apart(crops[likely], family.crop_span)
    ink = tinted(parts.ink, parts.ground, palette_of(edition))
    known = _stencils(edition)
    suspect = (ink.misfit > RECALL.most_misfit) | (parts.contrast < RECALL.least_contrast)
    if known is None:
        shapes = next(aspect.kinds for aspect in family.aspects if aspect.name == "shape")
        order = [shapes.index(shape) for shape in edition.shapes]
        own = evidence.log_p("shape")[likely]
        shape = log_softmax(one_look_each(evidence.features["shape"][likely], own, settings)[:, order])
        likeness = evidence.cosine["shape"][likely].max(axis=1)
    else:
        likeness_to = known.likeness(parts.stencil)
        shape = log_softmax(RECALL.stencil_sharpness * likeness_to)
        likeness = likeness_to.max(axis=1)
        suspect |= likeness < RECALL.least_likeness
    fit = float(np.median(likeness)) - 0.1 * float(np.median(ink.misfit))
    return Recalled(
        {"colour": _spread(ink.log_p, likely), "shape": _spread(shape, likely)},
        _spread_mask(suspect, likely),
        fit,
    )


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
