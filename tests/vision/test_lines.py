"""Lines of one colour are of one number: what is plain on some tiles is told to the others."""

from __future__ import annotations

import numpy as np

from vision.classify import log_softmax
from vision.lines import told_by_colour

LAB = np.array([[80.0, 10, 70], [45, 55, 30], [60, -50, 30]])
"""A yellow, a red and a green."""


def lines(values: list[int], noise: float = 3.0) -> np.ndarray:
    return LAB[values] + np.random.default_rng(0).normal(0, noise, (len(values), 3))


def digits(values: list[int], sure: list[float]) -> np.ndarray:
    """(n, 4) log-probabilities that lead for the value by so many nats."""
    log_p = np.zeros((len(values), 4))
    log_p[:, 3] = -4
    log_p[np.arange(len(values)), values] += sure
    return log_softmax(log_p)


def test_a_misread_digit_is_outvoted_by_lines_of_its_colour() -> None:
    truth = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    seen = digits([1, 0, 0, 0, 1, 1, 1, 2, 2, 2], [1.0] + [4.0] * 9)
    found = told_by_colour(lines(truth), seen)
    assert found.argmax(axis=1).tolist() == truth
    assert np.exp(found[0, 0]) > 0.9


def test_digits_that_nobody_can_read_are_told_by_their_colours() -> None:
    truth = [0, 1, 2] * 5
    seen = digits(truth, [4.0] * 6 + [0.0] * 9)
    found = told_by_colour(lines(truth), seen)
    assert found.argmax(axis=1).tolist() == truth
    assert np.exp(found.max(axis=1)).min() > 0.9


def test_what_two_colours_mean_stays_open_where_no_digit_says() -> None:
    truth = [0] * 4 + [1] * 4 + [2] * 4
    seen = digits(truth, [5.0] * 4 + [0.0] * 8)
    found = told_by_colour(lines(truth), seen)
    assert np.exp(found[:4, 0]).min() > 0.95
    assert np.exp(found[4:].max(axis=1)).max() < 0.7


def test_a_plain_digit_in_the_shade_is_believed_more_than_its_colour() -> None:
    truth = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    lab = lines(truth)
    lab[0] = LAB[1] + (-8, 4, 2)
    found = told_by_colour(lab, digits(truth, [9.0] + [4.0] * 8))
    assert found[0].argmax() == 0


def test_colours_that_cannot_be_told_apart_change_nothing() -> None:
    grey = np.full((6, 3), 50.0)
    seen = digits([0, 1, 2, 0, 1, 2], [2.0] * 6)
    assert told_by_colour(grey, seen).argmax(axis=1).tolist() == [0, 1, 2, 0, 1, 2]


def test_a_single_line_has_only_its_digit() -> None:
    seen = digits([2], [1.0])
    np.testing.assert_array_equal(told_by_colour(lines([2]), seen), seen)
