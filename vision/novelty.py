"""Tiles of a copy nobody has seen: told by inks that fit no edition under any light, and by much doubt.

Likeness to the nets' prototypes does not tell: unknown tiles lie in the same narrow cone as known ones. But a
photo's inks, named as the net names them, must be the colours people call so, seen under one light.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.lessons import REFERENCE, colour_gap
from vision.settings import ReaderSettings
from vision.symbols import Parts

Floats = npt.NDArray[np.float64]

GAINS = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6)
BENDS = (0.8, 1.0, 1.3)
CHANNEL_PRIOR, VEIL_PRIOR, NOISE, GAIN_PRIOR = 0.35, 25.0, 25.0, 0.5
MOST_VOTES = 3


def strangeness(ink: Floats, named: Sequence[str], sure: Floats, settings: ReaderSettings) -> float:
    """Above one: these tiles are rather of a copy that was never seen.

    `ink` (n, 3) BGR of the symbols, `named` their colours as read, `sure` (n,) how sure each tile is.
    """
    if len(ink) < settings.least_strange_tiles:
        return 0.0
    words = np.array(named)
    colours = sorted(set(named))
    shown = np.stack([np.median(ink[words == colour], axis=0) for colour in colours])
    votes = np.minimum([int((words == colour).sum()) for colour in colours], MOST_VOTES).astype(float)
    known = np.array([REFERENCE[colour] for colour in colours], float)[:, ::-1]
    away = float((_misfit(shown, known, votes) * votes).sum() / votes.sum())
    unsure = float((sure < settings.doubt_below).mean())
    return (away / settings.strange_ink + unsure / settings.strange_doubts) / settings.most_strange


def _misfit(shown: Floats, known: Floats, votes: Floats) -> Floats:
    """(colours,) levels by which each is off under the light that explains all of them best."""
    best, least = np.zeros(len(shown)), np.inf
    weight = votes[:, None] / NOISE**2
    for gain0 in GAINS:
        loose = 1 / (CHANNEL_PRIOR * gain0) ** 2
        for bend in BENDS:
            bent = 255 * (known / 255) ** bend
            xx, sx = (weight * bent**2).sum(axis=0) + loose, (weight * bent).sum(axis=0)
            s = weight.sum() + 1 / VEIL_PRIOR**2
            xy, sy = (weight * bent * shown).sum(axis=0) + loose * gain0, (weight * shown).sum(axis=0)
            det = xx * s - sx**2
            gain, veil = (xy * s - sx * sy) / det, (xx * sy - sx * xy) / det
            away = colour_gap(shown, np.clip(gain * bent + veil, 0, 255))
            cost = float((votes * away**2).sum()) / NOISE**2 + (np.log(gain0) / GAIN_PRIOR) ** 2
            cost += float(
                (((gain / gain0 - 1) / CHANNEL_PRIOR) ** 2).sum() + ((veil / VEIL_PRIOR) ** 2).sum()
            )
            if cost < least:
                best, least = away, cost
    return best


def colourless(parts: Parts, settings: ReaderSettings) -> bool:
    """Print rather than tiles: hardly anything is of another colour than what it stands on.

    Calendars and timetables have cells too, but black ink on paper.
    """
    gap = np.abs(_chroma(parts.ink) - _chroma(parts.ground)).sum(axis=1)
    return float((gap > settings.coloured).mean()) < settings.least_coloured


def _chroma(levels: Floats) -> Floats:
    """Shares of blue, green and red, steadied where it is dark."""
    return (levels + 8) / (levels + 8).sum(axis=1, keepdims=True)
