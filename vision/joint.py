"""Stage 6: all cells decided together, because a set holds only so many tiles of a kind.

The set is strong evidence, not a law: one more copy than the set has is possible at a price, so that what is
plainly seen stays, and only doubt is settled.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from vision.classify import log_softmax

Floats = npt.NDArray[np.float64]

LOG_SURE = float(np.log(0.9995))
"""Cells surer than this are not asked what else they could be."""
WORTH_ASKING = 8.0
"""Kinds further behind than this, in nats, are not asked about."""
IMPOSSIBLE = 1e6


def settle(log_p: Floats, copies: int, extra_cost: float) -> Floats:
    """(n, kinds) log-posteriors from each cell's own log-probabilities, under `copies` of every kind."""
    n, kinds = log_p.shape
    if not n:
        return log_p
    own = log_softmax(log_p)
    columns = np.concatenate([np.full(copies, 0.0), extra_cost * np.arange(1, 3)])
    while len(columns) * kinds < n:
        columns = np.append(columns, columns[-1] + extra_cost)
    cost = (-own[:, None, :] + columns[None, :, None]).reshape(n, -1)
    best = _solve(cost)
    settled = best % kinds
    total = cost[np.arange(n), best].sum()
    used = np.bincount(settled, minlength=kinds)
    free = bool(np.all(own[np.arange(n), settled] >= own.max(axis=1)) and used.max() <= copies)
    posterior = own.copy()
    for cell in range(n):
        if free and own[cell].max() > LOG_SURE:
            continue
        behind = own[cell].max() - own[cell]
        for kind in np.flatnonzero((behind < WORTH_ASKING) | (np.arange(kinds) == settled[cell])).tolist():
            # While all have their first choice and a copy is left, nobody else would have to give way.
            if free and (kind == settled[cell] or used[kind] < copies):
                continue
            posterior[cell, kind] = own[cell].max() * free + total - _total_if(cost, cell, kind, kinds)
    return log_softmax(posterior)


def _solve(cost: Floats) -> npt.NDArray[np.intp]:
    return linear_sum_assignment(cost)[1]


def _total_if(cost: Floats, cell: int, kind: int, kinds: int) -> float:
    """What the best assignment costs if this cell is of this kind."""
    forced = cost.copy()
    forced[cell] = IMPOSSIBLE
    forced[cell, kind::kinds] = cost[cell, kind::kinds]
    columns = _solve(forced)
    return float(forced[np.arange(len(cost)), columns].sum())
