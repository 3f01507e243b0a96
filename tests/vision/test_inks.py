"""Colours told together: the same ink is another colour beside other inks."""

from __future__ import annotations

import numpy as np
import pytest

from vision.inks import COLOURS, TOKEN_WIDTH, colours_together, tokens
from vision.novelty import colourless
from vision.settings import SETTINGS
from vision.symbols import Parts

LACQUER = {
    "red": (45, 30, 222),
    "orange": (30, 88, 228),
    "yellow": (15, 205, 220),
    "green": (42, 118, 18),
    "blue": (205, 95, 20),
    "purple": (150, 55, 120),
}
UNDECIDED = np.log(np.full(len(COLOURS), 1 / len(COLOURS)))


def parts(names: list[str], gain: tuple[float, float, float]) -> Parts:
    """Tiles painted so, on black, under light of this BGR gain."""
    ink = np.array([LACQUER[name] for name in names], float) * gain
    ground = np.full((len(names), 3), 22.0) * gain
    return Parts(ground, np.clip(ink, 0, 255), np.zeros((len(names), 1, 1), np.float32), np.ones(len(names)))


@pytest.mark.parametrize("gain", [(1.0, 1.0, 1.0), (0.75, 0.95, 1.1), (1.1, 1.0, 0.85), (0.6, 0.6, 0.6)])
def test_whole_palettes_are_named_whatever_the_light(gain: tuple[float, float, float]) -> None:
    names = [name for name in LACQUER for _ in range(3)]
    log_p = colours_together(parts(names, gain), np.tile(UNDECIDED, (len(names), 1)))
    assert [COLOURS[index] for index in log_p.argmax(axis=1)] == names


def test_the_order_of_the_tiles_does_not_matter() -> None:
    names = ["red", "orange", "yellow", "blue", "green", "red"]
    alone = np.log(np.random.default_rng(0).dirichlet(np.ones(len(COLOURS)), len(names)))
    table = parts(names, (1.0, 1.0, 1.0))
    order = np.array([3, 0, 5, 1, 4, 2])
    turned = Parts(table.ground[order], table.ink[order], table.stencil[order], table.contrast[order])
    expected = colours_together(table, alone)[order]
    np.testing.assert_allclose(colours_together(turned, alone[order]), expected, atol=1e-4)


def test_a_game_without_white_is_never_told_white() -> None:
    table = parts(["red", "blue"], (1.0, 1.0, 1.0))
    log_p = colours_together(table, np.log(np.full((2, 6), 1 / 6)))
    assert log_p.shape == (2, 6)
    np.testing.assert_allclose(np.exp(log_p).sum(axis=1), 1.0)


def test_tokens_have_the_width_the_net_was_built_for() -> None:
    assert tokens(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 6))).shape == (2, TOKEN_WIDTH)


def test_black_print_on_paper_is_no_game_of_colours() -> None:
    names = ["red", "orange", "yellow", "green", "blue", "purple"]
    table = parts(names, (1.0, 1.0, 1.0))
    assert not colourless(table, SETTINGS)
    paper, ink = np.full((6, 3), (190.0, 205.0, 215.0)), np.full((6, 3), (52.0, 58.0, 60.0))
    assert colourless(Parts(paper, ink, table.stencil, table.contrast), SETTINGS)
