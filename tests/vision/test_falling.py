"""What dominoes can have made, and what is done about a ramp that they cannot have made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.studio.bits import ROWS, drop_dominoes
from vision.falling import could_have_fallen, reconsidered
from vision.settings import SETTINGS

CELLS = np.array([(column, row) for row in range(6) for column in range(4)])


def filled(text: str) -> np.ndarray:
    return np.array([[letter == "#" for letter in line] for line in text.split()])


def odds_of(board: np.ndarray, sure: float = 8.0) -> np.ndarray:
    return np.where(board[CELLS[:, 1], CELLS[:, 0]], sure, -sure)


@given(st.integers(0, 2**32 - 1), st.sampled_from([(4, 4), (6, 5)]), st.integers(1, 20))
def test_whatever_was_dropped_could_have_fallen(seed: int, size: tuple[int, int], count: int) -> None:
    board = np.zeros((ROWS, size[0]), bool)
    for drop in drop_dominoes(np.random.default_rng(seed), *size, count):
        for cell in drop.cells:
            board[cell] = True
    assert could_have_fallen(board)


@pytest.mark.parametrize(
    "board",
    [
        ".... .... #...",  # half a domino
        ".... ##.. ....",  # in the air
        "#... #... ....",  # standing on nothing
        ".... #..# ....",
        "#.#. .... .... ##..",
        "#... .#.. ####",  # two halves that do not touch
    ],
)
def test_what_could_not(board: str) -> None:
    assert not could_have_fallen(filled(board))


def test_a_half_may_hang_over() -> None:
    assert could_have_fallen(filled(".... ##.. .##."))
    assert could_have_fallen(filled(".##. .#.. .#.."))


def test_a_reading_that_fits_stays_as_it_is() -> None:
    odds = odds_of(filled(".... .... .... .... ##.. ####"))
    changed, ask = reconsidered(CELLS, odds, SETTINGS)
    np.testing.assert_array_equal(changed, odds)
    assert not ask.any()


def test_an_open_cell_is_settled_by_the_domino_it_completes_and_asked_about() -> None:
    odds = odds_of(filled(".... .... .... .... #... ####"))
    odds[4 * 4 + 1] = -0.8
    changed, ask = reconsidered(CELLS, odds, SETTINGS)
    assert changed[17] > 0
    assert np.flatnonzero(ask).tolist() == [17]


def test_what_is_plainly_seen_is_not_argued_away_but_asked_about() -> None:
    odds = odds_of(filled(".... .... .... .... #... ####"), sure=6.0)
    changed, ask = reconsidered(CELLS, odds, SETTINGS)
    np.testing.assert_array_equal(changed, odds)
    assert ask.any()
