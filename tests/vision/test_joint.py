"""Deciding all cells together: exactly the best account of everything, and nothing plain is argued away."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.classify import log_softmax
from vision.joint import settle
from vision.settings import SETTINGS

EXTRA = SETTINGS.extra_copy_cost
SEEDS = st.integers(0, 2**32 - 1)


def by_trying_everything(log_p: np.ndarray, copies: int, extra: float) -> np.ndarray:
    """(n, kinds) log-posteriors: for each cell and kind the best of all assignments that have it so."""
    own = log_softmax(log_p)
    n, kinds = own.shape
    best = np.full((n, kinds), -np.inf)
    for chosen in product(range(kinds), repeat=n):
        worth = own[np.arange(n), chosen].sum()
        for kind in range(kinds):
            over = max(0, chosen.count(kind) - copies)
            # The second copy too many costs twice as much as the first, and so on.
            worth -= extra * over * (over + 1) / 2
        for cell, kind in enumerate(chosen):
            best[cell, kind] = max(best[cell, kind], worth)
    return log_softmax(best)


@given(SEEDS, st.integers(1, 4), st.integers(2, 4), st.integers(1, 2), st.floats(0.5, 12), st.floats(1, 9))
@settings(deadline=None, max_examples=80)
def test_the_same_as_trying_every_assignment(
    seed: int, n: int, kinds: int, copies: int, contrast: float, extra: float
) -> None:
    log_p = np.random.default_rng(seed).normal(0, contrast, (n, kinds))
    np.testing.assert_allclose(
        settle(log_p, copies, extra), by_trying_everything(log_p, copies, extra), atol=1e-9
    )


@given(SEEDS, st.integers(2, 4), st.integers(2, 4))
@settings(deadline=None, max_examples=80)
def test_no_cell_is_surer_than_the_set_allows(seed: int, n: int, kinds: int) -> None:
    """Also where every cell by itself is all but certain: two that want the same tile are both open."""
    rng = np.random.default_rng(seed)
    log_p = rng.normal(0, 1, (n, kinds))
    log_p[np.arange(n), rng.integers(0, kinds, n)] += rng.uniform(5, 11, n)
    exact = by_trying_everything(log_p, 1, EXTRA)
    found = settle(log_p, 1, EXTRA)
    asked = np.exp(exact.max(axis=1)) < SETTINGS.doubt_below
    assert (np.exp(found.max(axis=1)) < SETTINGS.doubt_below)[asked].all()


def peaked(kinds: int, chosen: list[int], nats: float) -> np.ndarray:
    """(n, kinds) log-probabilities: every cell prefers its chosen kind to any other by so many nats."""
    found = np.full((len(chosen), kinds), -nats)
    found[np.arange(len(chosen)), chosen] = 0.0
    return log_softmax(found)


def test_two_plainly_equal_tiles_stay_equal() -> None:
    log_p = peaked(27, [5, 5, 9], 20)
    found = np.exp(settle(log_p, 1, EXTRA))
    assert found.argmax(axis=1).tolist() == [5, 5, 9]
    assert found.max(axis=1).min() > SETTINGS.doubt_below


@pytest.mark.parametrize("equal", [2, 3, 4, 6])
def test_many_plainly_equal_tiles_stay_equal_too(equal: int) -> None:
    log_p = peaked(27, [5] * equal, 60)
    assert settle(log_p, 1, EXTRA).argmax(axis=1).tolist() == [5] * equal


def test_the_doubtful_one_of_two_gives_way() -> None:
    log_p = np.log(np.array([[0.998, 0.001, 0.001], [0.55, 0.4, 0.05]]))
    found = np.exp(settle(log_p, 1, EXTRA))
    assert found.argmax(axis=1).tolist() == [0, 1]
    # What is left of the doubt: that both are kind 0 after all, or that the second is kind 2.
    assert found[0, 0] > 0.99
    assert 0.8 < found[1, 1] < 0.95


def test_three_copies_are_as_good_as_one() -> None:
    log_p = peaked(6, [2, 2, 2], 4)
    np.testing.assert_allclose(settle(log_p, 3, EXTRA), log_p, atol=1e-9)


def test_more_cells_than_the_set_has_tiles_are_still_settled() -> None:
    rng = np.random.default_rng(1)
    found = settle(rng.normal(0, 1, (30, 4)), 1, EXTRA)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1)


def test_cells_that_do_not_compete_keep_their_own_opinion() -> None:
    log_p = np.log(np.array([[0.7, 0.3, 1e-9, 1e-9], [1e-9, 1e-9, 0.6, 0.4]]))
    np.testing.assert_allclose(np.exp(settle(log_p, 1, EXTRA)), np.exp(log_p), atol=1e-6)


def test_nothing_to_settle() -> None:
    assert settle(np.zeros((0, 36)), 1, EXTRA).shape == (0, 36)


@given(SEEDS)
@settings(deadline=None, max_examples=20)
def test_the_order_of_cells_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    log_p = rng.normal(0, 3, (8, 9))
    order = rng.permutation(8)
    np.testing.assert_allclose(settle(log_p, 1, EXTRA)[order], settle(log_p[order], 1, EXTRA), atol=1e-9)
