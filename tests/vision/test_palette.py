"""One photo, one look per kind: groups of alike cells settle each other's doubts, and never what is plain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.classify import log_softmax
from vision.palette import (
    PLAINLY_NOT,
    alike,
    groups_of_colours,
    merged,
    one_look_each,
    shared_opinion,
    unlike_their_kind,
)
from vision.settings import SETTINGS

APART = 0.1
LOOKS = replace(
    SETTINGS, look_apart=APART, look_votes=3, second_look_cost=4.0, look_pull=12.0, colour_apart=APART
)


def directions(groups: list[int], size: int = 12, spread: float = 0.02, seed: int = 0) -> np.ndarray:
    """(n, size) unit vectors: cells of one group point almost the same way, groups at right angles."""
    rng = np.random.default_rng(seed)
    found = np.eye(size)[groups] + rng.normal(0, spread, (len(groups), size))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def partition(groups: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(groups == group).tolist()) for group in set(groups.tolist())}


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30), st.integers(0, 1000))
@settings(deadline=None, max_examples=40)
def test_cells_that_look_alike_are_one_group(groups: list[int], seed: int) -> None:
    assert partition(alike(directions(groups, seed=seed), APART)) == partition(np.array(groups))


@pytest.mark.parametrize("count", [0, 1])
def test_groups_of_nothing_and_of_one(count: int) -> None:
    assert alike(np.ones((count, 4)), APART).tolist() == [0] * count


def test_a_doubtful_group_is_settled_by_a_plain_one() -> None:
    """Orange or red? The other group is plainly red, and looks different."""
    features = directions([0, 0, 0, 1, 1, 1])
    log_p = np.log([[0.998, 0.001, 0.001]] * 3 + [[0.52, 0.45, 0.03]] * 3)
    found = np.exp(one_look_each(features, log_p, LOOKS))
    assert found.argmax(axis=1).tolist() == [0, 0, 0, 1, 1, 1]
    assert found[3:, 1].min() > 0.8
    assert found[:3, 0].min() > 0.99


def test_two_groups_that_are_plainly_the_same_kind_stay_it() -> None:
    """A set with two printings of red: likeness is evidence, not a law."""
    features = directions([0, 0, 1, 1])
    log_p = log_softmax(np.array([[30.0, 0, 0]] * 4))
    assert one_look_each(features, log_p, LOOKS).argmax(axis=1).tolist() == [0, 0, 0, 0]


def test_a_group_does_not_become_what_it_plainly_is_not() -> None:
    features = directions([0, 0, 1, 1])
    nats = PLAINLY_NOT + 2
    log_p = log_softmax(np.array([[nats, 0, 0]] * 2 + [[nats, 0, 0]] * 2))
    assert one_look_each(features, log_p, LOOKS).argmax(axis=1).tolist() == [0, 0, 0, 0]


def test_many_alike_cells_say_little_more_than_a_few() -> None:
    """Alike cells err alike: twenty half-hearted opinions are not one certainty."""
    rng = np.random.default_rng(2)
    log_p = log_softmax(np.array([[1.0, 0.0, -4.0]] * 20) + rng.normal(0, 0.1, (20, 3)))
    found = np.exp(one_look_each(directions([0] * 20), log_p, LOOKS))
    assert found[:, 0].max() < 0.99


def test_a_lone_cell_keeps_its_opinion() -> None:
    log_p = np.log([[0.6, 0.4]])
    np.testing.assert_array_equal(one_look_each(np.ones((1, 4)), log_p, LOOKS), log_p)


def test_probabilities_stay_probabilities() -> None:
    rng = np.random.default_rng(3)
    features = directions(rng.integers(0, 6, 25).tolist(), spread=0.2)
    found = one_look_each(features, rng.normal(0, 3, (25, 6)), LOOKS)
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1)


def test_each_group_of_bits_cells_has_a_name_of_its_own() -> None:
    """Blue and teal that both look most like blue: scoring only needs to know that they differ."""
    groups = [0] * 6 + [1] * 6 + [2] * 4
    log_p = np.log(
        [[0.7, 0.2, 0.05, 0.05]] * 6 + [[0.6, 0.3, 0.05, 0.05]] * 6 + [[0.02, 0.03, 0.05, 0.9]] * 4
    )
    found, moved = groups_of_colours(directions(groups), log_p, 4, LOOKS)
    assert partition(found.argmax(axis=1)) == partition(np.array(groups))
    assert not moved.any()


def test_bits_cells_between_two_groups_are_unsure() -> None:
    features = directions([0] * 12 + [1] * 12, spread=0.0)
    features[0] = (features[0] + 0.98 * features[-1]) / np.linalg.norm(features[0] + 0.98 * features[-1])
    log_p = np.log([[0.9, 0.05, 0.05]] * 12 + [[0.05, 0.9, 0.05]] * 12)
    loose = replace(LOOKS, colour_apart=0.35, likeness_sharpness=30.0)
    found = np.exp(groups_of_colours(features, log_p, 4, loose)[0])
    assert found[0].max() < 0.9
    assert found[1:].max(axis=1).min() > 0.99


def test_alike_cells_lend_each_other_their_opinion_on_emptiness() -> None:
    features = directions([0, 0, 0, 1, 1])
    odds = np.array([6.0, 6.0, -1.0, -5.0, -5.0])
    found = shared_opinion(features, odds, replace(LOOKS, cell_apart=APART, shared_share=0.7))
    assert found[2] > 0
    np.testing.assert_allclose(found[3:], -5.0)
    np.testing.assert_allclose(found[:3].mean(), odds[:3].mean())


def test_more_looks_than_the_game_has_colours_are_merged_smallest_first() -> None:
    """A washed out corner of the red ones is no fifth colour; but it is asked about."""
    features = directions([0] * 6 + [1] * 5 + [2] * 4 + [3] * 4 + [0] * 2, spread=0.0)
    features[-2:] = features[-2:] * 0.9 + 0.43 * np.eye(12)[7]
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    group, moved = merged(features, alike(features, 0.05), 4)
    assert partition(group) == partition(np.array([0] * 6 + [1] * 5 + [2] * 4 + [3] * 4 + [0] * 2))
    assert moved.nonzero()[0].tolist() == [19, 20]


def test_groups_within_the_number_of_colours_are_left_alone() -> None:
    groups = np.array([0, 0, 1, 1, 2])
    group, moved = merged(directions(groups.tolist()), groups, 4)
    assert partition(group) == partition(groups)
    assert not moved.any()


def test_a_cell_that_looks_like_another_kind_than_it_was_read_as_is_suspect() -> None:
    features = directions([0, 0, 0, 1, 1, 1])
    taken_for = np.array([0, 0, 1, 1, 1, 1])
    assert unlike_their_kind(features, taken_for, 0.05).tolist() == [False, False, True, False, False, False]
    assert not unlike_their_kind(features, np.array([0, 0, 0, 1, 1, 1]), 0.05).any()


def test_the_only_one_of_its_kind_has_nobody_to_be_compared_with() -> None:
    assert not unlike_their_kind(directions([0, 1, 2]), np.array([0, 1, 2]), 0.05).any()
    assert not unlike_their_kind(np.zeros((0, 4)), np.zeros(0, np.intp), 0.05).any()
