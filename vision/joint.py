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
Ints = npt.NDArray[np.intp]


def settle(log_p: Floats, copies: int, extra_cost: float) -> Floats:
    """(n, kinds) log-posteriors from each cell's own log-probabilities, under `copies` of every kind.

    How likely a cell is of a kind is how much better the best account of all cells is that has it so, against
    those that have it otherwise.
    """
    n, kinds = log_p.shape
    if not n:
        return log_p
    own = log_softmax(log_p)
    popular = int(np.bincount(own.argmax(axis=1)).max())
    most = max(copies + 2, popular, -(-n // kinds))
    # What the first, second, … cell of one kind pays: nothing while the set has copies left.
    price = extra_cost * np.maximum(np.arange(1, most + 2) - copies, 0)
    cost = (-own[:, None, :] + price[None, :most, None]).reshape(n, -1)
    settled: Ints = linear_sum_assignment(cost)[1] % kinds
    # What each cell gives up by being of another kind than it was settled to be.
    loss = own[np.arange(n), settled][:, None] - own
    return log_softmax(-loss - _makes_room(loss, settled, price)[:, settled].T)


def _makes_room(loss: Floats, settled: Ints, price: Floats) -> Floats:
    """(to, from) what it costs everybody else that one more cell is `to`, and one less `from`.

    One that was `to` gives way to another kind, one of that kind to a third, and so on: a cheapest chain over
    kinds. It ends in the place that was left; or it ends where one more copy is paid for, while another chain
    fills the place that was left.
    """
    kinds = loss.shape[1]
    chain = np.full((kinds, kinds), np.inf)
    np.minimum.at(chain, settled, loss)
    np.fill_diagonal(chain, 0.0)
    for via in range(kinds):
        chain = np.minimum(chain, chain[:, via, None] + chain[None, via])
    used = np.bincount(settled, minlength=kinds)
    paid = (chain + price[used]).min(axis=1)
    held = np.flatnonzero(used)
    saved = (price[used[held] - 1][:, None] - chain[held]).max(axis=0)
    return np.minimum(chain, paid[:, None] - saved)
