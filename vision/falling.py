"""Bits: tiles are dominoes that fell until they met something. What cannot have fallen so is seen again.

This is evidence, not a law: people do lay tiles as they should not. What dominoes cannot have made is changed
only where what was seen is nearly open anyway, and otherwise asked about.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from vision.cellwise import Mask
from vision.geometry import Floats
from vision.settings import ReaderSettings

MOST_CHANGED = 3
LEAST_SURE = 9
"""Cells among which a change of several is looked for: those seen least plainly."""


def could_have_fallen(filled: npt.NDArray[np.bool_]) -> bool:
    """Whether dominoes, each resting on the bottom or on another, fill just these cells (rows, columns)."""
    if filled.sum() % 2:
        return False
    rests = np.ones_like(filled)
    rests[:-1] = filled[1:]
    cells = np.argwhere(filled)
    number = np.full(filled.shape, -1)
    number[filled] = np.arange(len(cells))
    dark = (cells.sum(axis=1) % 2).astype(bool)
    pairs = []
    for row, column in cells:
        # Lying, one half that rests is enough; standing, the lower half must.
        if filled[row, column + 1 : column + 2].any() and rests[row, column : column + 2].any():
            pairs.append((number[row, column], number[row, column + 1]))
        if filled[row + 1 : row + 2, column].any() and rests[row + 1, column]:
            pairs.append((number[row, column], number[row + 1, column]))
    if not len(cells):
        return True
    if not pairs or dark.sum() * 2 != len(cells):
        return False
    ends = np.array([(a, b) if dark[a] else (b, a) for a, b in pairs])
    graph = csr_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(len(cells), len(cells)))
    partner = maximum_bipartite_matching(graph, perm_type="column")
    return bool((partner[dark] >= 0).all())


def reconsidered(cells: npt.NDArray[np.int64], odds: Floats, settings: ReaderSettings) -> tuple[Floats, Mask]:
    """(m,) log-odds that a tile lies in each of the (m, 2) cells (column, row), and (m,) where to ask.

    If dominoes cannot have made what is likeliest, the cheapest change after which they can is asked about,
    and made where it costs less than people laying tiles against the rules.
    """
    shape = (int(cells[:, 1].max()) + 1, int(cells[:, 0].max()) + 1)
    ask = np.zeros(len(cells), bool)

    def grid(likely: Mask) -> npt.NDArray[np.bool_]:
        filled = np.zeros(shape, bool)
        filled[cells[:, 1], cells[:, 0]] = likely
        return filled

    likely = odds > 0
    if could_have_fallen(grid(likely)):
        return odds, ask
    order = np.argsort(np.abs(odds), kind="stable").tolist()
    tried: list[tuple[int, ...]] = [(index,) for index in order]
    for count in range(2, MOST_CHANGED + 1):
        tried += combinations(order[:LEAST_SURE], count)
    changes = [(float(np.abs(odds[list(some)]).sum()), some) for some in tried]
    for cost, some in sorted(changes):
        if cost > settings.fall_most:
            break
        changed = likely.copy()
        changed[list(some)] ^= True
        if could_have_fallen(grid(changed)):
            ask[list(some)] = True
            if cost < settings.fall_cost:
                odds = odds.copy()
                odds[list(some)] *= -0.5
            break
    return odds, ask
