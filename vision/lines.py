"""Stage 6 for Mi pasuje!: in one photo one number has one colour, so tiles vote on their numbers together.

Editions print the nine numbers in nine colours, but which colour means which number differs from copy to
copy. Digits are small; the lines are not: the photo's lines of one direction fall into three colours, and
every tile whose digit can be read says what its colour means for all the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage

from vision.classify import log_softmax
from vision.hexlines import line_inks

Floats = npt.NDArray[np.float64]
Crops = npt.NDArray[np.uint8]

DIRECTIONS = ("vertical", "rising", "falling")
"""The aspects of a hexagon that are lines, in the order of `line_inks`."""
VALUES = 3
"""Values of one direction; a joker's line, the fourth answer, shows all three of their colours."""


@dataclass(frozen=True, slots=True)
class LineSettings:
    """Colours are told in CIE Lab units."""

    least_spread: tuple[float, float, float] = (6.0, 4.0, 4.0)
    """Lines of one number differ in lightness and in the two colours by this much at least,"""
    most_spread: tuple[float, float, float] = (16.0, 8.0, 8.0)
    """and at most, where it is not two numbers."""
    stray: float = 6
    """Nats at most that a line's colour says against a number: shadows and glare change colours, too."""
    votes: float = 3.0
    """Digits of one number are printed alike and misread alike: many say little more than so many."""
    rounds: int = 10
    apart: float = 14.0
    """Distance in Lab from which on two groups of lines are of two colours, to begin with."""


LINES = LineSettings()


def lines_together(
    crops: Crops, aspects: Mapping[str, Floats], settings: LineSettings = LINES
) -> dict[str, Floats]:
    """Each direction's (n, 4) log-probabilities once the colours of all n upright tiles had their say."""
    inks = line_inks(crops)
    lab = cv2.cvtColor((inks / 255).astype(np.float32), cv2.COLOR_BGR2LAB).astype(np.float64)
    found = dict(aspects)
    for index, direction in enumerate(DIRECTIONS):
        found[direction] = told_by_colour(lab[:, index], aspects[direction], settings)
    return found


def told_by_colour(lab: Floats, log_p: Floats, settings: LineSettings = LINES) -> Floats:
    """(n, 4) log-probabilities of n lines of one direction, from their (n, 3) colours and each one's digit.

    Several accounts of the photo are tried: one that starts from the digits, and for every way in which the
    three main colours could mean the three numbers one that starts from that. Each is improved in turns (what
    colour has each number, which number has each line), and all are believed as far as they explain digits
    and colours.
    """
    n = len(lab)
    if n < 2:
        return log_p
    digits = log_softmax(log_p)
    share = np.exp(np.stack([digits, *_guesses(lab, settings)]))
    tame = min(1.0, settings.votes * VALUES / n)
    for _ in range(settings.rounds):
        colour = _colour_nats(lab, share, settings)
        joint = digits[None] + colour
        share = np.exp(log_softmax(joint))
    explained = _log_sum(tame * digits[None] + colour).sum(axis=1)
    belief = explained - explained.max()
    mixed = _log_sum((log_softmax(joint) + belief[:, None, None]).transpose(1, 2, 0))
    return log_softmax(mixed)


def _guesses(lab: Floats, settings: LineSettings) -> list[Floats]:
    """(n, 4) log-shares: the three largest groups of alike colours, in every order."""
    group = fcluster(linkage(lab, "average"), settings.apart, "distance").astype(np.intp) - 1
    count = np.bincount(group)
    main = np.argsort(-count, kind="stable")[:VALUES]
    found = []
    for order in permutations(range(VALUES), len(main)):
        share = np.full((len(lab), VALUES + 1), -2.0)
        for which, value in zip(main, order, strict=True):
            share[group == which] = -4.0
            share[group == which, value] = 0.0
        found.append(log_softmax(share))
    return found


def _colour_nats(lab: Floats, share: Floats, settings: LineSettings) -> Floats:
    """(accounts, n, 4) what each line's colour says about its number, by the colours of all *other* lines."""
    # Lines that may as well be of another number say little about this one's colour.
    plain = share[:, :, :VALUES] ** 2
    total = plain.sum(axis=1)
    summed = np.einsum("anv,nc->avc", plain, lab)
    others = total[:, None] - plain
    middle = (summed[:, None] - plain[..., None] * lab[None, :, None]) / np.maximum(others, 1e-6)[..., None]
    gap = lab[None, :, None] - middle
    # How much colours of one number vary in this photo, per account and axis.
    weight = (plain * np.minimum(others, 1.0))[..., None]
    spread = np.sqrt((weight * gap**2).sum(axis=(1, 2)) / np.maximum(weight.sum(axis=(1, 2)), 1e-6))
    spread = np.clip(spread, settings.least_spread, settings.most_spread)
    nats = -0.5 * ((gap / spread[:, None, None]) ** 2).sum(axis=3)
    # A number that no other line shows yet may have any colour.
    known = np.minimum(others, 1.0)
    nats = known * np.maximum(nats, -settings.stray) - (1 - known) * settings.stray / 2
    joker = np.full((*nats.shape[:2], 1), -settings.stray / 2)
    return np.concatenate([nats, joker], axis=2)


def _log_sum(values: Floats) -> Floats:
    top = values.max(axis=-1, keepdims=True)
    found: Floats = (top + np.log(np.exp(values - top).sum(axis=-1, keepdims=True)))[..., 0]
    return found
