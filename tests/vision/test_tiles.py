"""From aspects to tiles: every tile of a game is there once, and made of the right aspects."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.registry import find_game
from vision.classify import log_softmax
from vision.families import HEX, QWIRKLE, TRIO, Family
from vision.read_hexes import printed_marks
from vision.settings import SETTINGS
from vision.tiles import Kinds, hex_kinds, one_of_two, square_kinds

ALL = [(hex_kinds(HEX), HEX, 31), (square_kinds(QWIRKLE, 3), QWIRKLE, 42), (square_kinds(TRIO, 1), TRIO, 36)]


@pytest.mark.parametrize(("kinds", "family", "count"), ALL, ids=["mipasuje", "qwirkle", "trio"])
def test_every_tile_the_rules_know_can_be_read(kinds: Kinds, family: Family, count: int) -> None:
    assert len(set(kinds.names)) == len(kinds.names) == count
    game = find_game(family.name)
    assert {game.tile_name(tile) for tile in game.kinds()} <= set(kinds.names)


@pytest.mark.parametrize(("kinds", "family", "count"), ALL, ids=["mipasuje", "qwirkle", "trio"])
def test_a_tile_is_as_likely_as_its_aspects_together(kinds: Kinds, family: Family, count: int) -> None:
    rng = np.random.default_rng(0)
    aspects = {
        aspect.name: log_softmax(rng.normal(0, 1, (5, len(aspect.kinds)))) for aspect in family.aspects
    }
    found = kinds.log_p(aspects)
    assert found.shape == (5, count)
    named = {aspect.name: aspect.kinds for aspect in family.aspects}
    for index, name in enumerate(kinds.names):
        values = name.split("-") if family is HEX else name.split(" ")
        expected = sum(
            aspects[aspect][:, named[aspect].index(value)]
            for aspect, value in zip(kinds.aspects, values, strict=True)
        )
        np.testing.assert_allclose(found[:, index], expected)


@pytest.mark.parametrize("printed", ["purple", "white"])
def test_the_photo_as_a_whole_says_which_of_two_colours_its_set_has(printed: str) -> None:
    kinds = square_kinds(QWIRKLE, 3)
    other = {"purple": "white", "white": "purple"}[printed]
    log_p = np.full((6, len(kinds.names)), -12.0)
    for cell in range(5):
        log_p[cell, kinds.names.index(f"{printed} star")] = np.log(0.95)
        log_p[cell, kinds.names.index(f"{other} star")] = np.log(0.05)
    log_p[5, kinds.names.index(f"{printed} cross")] = np.log(0.4)
    log_p[5, kinds.names.index(f"{other} cross")] = np.log(0.6)
    found = one_of_two(log_p, kinds, ("purple", "white"), SETTINGS)
    assert {kinds.names[index].split()[0] for index in found.argmax(axis=1)} == {printed}


def test_a_table_with_neither_colour_is_left_alone() -> None:
    kinds = square_kinds(QWIRKLE, 3)
    log_p = np.full((3, len(kinds.names)), -12.0)
    log_p[:, kinds.names.index("red star")] = -0.01
    found = one_of_two(log_p, kinds, ("purple", "white"), SETTINGS)
    np.testing.assert_array_equal(found[:, kinds.names.index("red star")], -0.01)


def mark_nats(*seen: tuple[float, float, float]) -> np.ndarray:
    """(n, 3) log-probabilities of none, sun and moon."""
    return np.log(np.array(seen))


def test_symbols_are_printed_on_all_tiles_or_on_none() -> None:
    seen = mark_nats((0.02, 0.97, 0.01), (0.02, 0.01, 0.97), (0.5, 0.3, 0.2))
    found = np.exp(printed_marks(seen, np.ones(3, bool), SETTINGS))
    assert found[2, 0] < 0.1
    assert found[:2].argmax(axis=1).tolist() == [1, 2]


def test_suns_alone_on_many_tiles_are_asked_about() -> None:
    suns = mark_nats(*[(0.01, 0.97, 0.02)] * SETTINGS.only_one_mark)
    found = np.exp(printed_marks(suns, np.ones(len(suns), bool), SETTINGS))
    assert found[:, 1:].max() < 0.6
    fewer = np.exp(printed_marks(suns[1:], np.ones(len(suns) - 1, bool), SETTINGS))
    assert fewer[:, 1].min() > 0.9
    both = suns.copy()
    both[0] = both[0][[0, 2, 1]]
    assert np.exp(printed_marks(both, np.ones(len(both), bool), SETTINGS)).max(axis=1).min() > 0.9
