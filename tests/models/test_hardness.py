"""How hard a photograph is for anybody: colours that a light brings together, print that gets small."""

from __future__ import annotations

import json

import numpy as np
import pytest

from models.studio.painters import GAMES, painter
from models.studio.plan import Plan
from models.studio.scene import _apart, render
from models.studio.sets import details

STRAIGHT = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)


def inked(*inks: tuple[int, int, int]) -> Plan:
    return Plan("bits", "", {}, (), (), (0, 0, 1, 1), inks=inks)


def test_the_closest_pair_counts_and_a_light_can_bring_it_together() -> None:
    red, orange, blue = (30, 30, 220), (30, 120, 230), (220, 60, 20)
    assert _apart(inked(red, orange, blue), STRAIGHT) == _apart(inked(red, orange), STRAIGHT)
    assert _apart(inked(red, orange), STRAIGHT) < _apart(inked(red, blue), STRAIGHT)
    without_green = STRAIGHT.copy()
    without_green[..., 1] = 60
    assert _apart(inked(red, orange), without_green) < 8 < _apart(inked(red, orange), STRAIGHT)
    assert _apart(inked(red), STRAIGHT) == float("inf")


def test_print_shrinks_with_the_picture() -> None:
    large, small = (render("mipasuje", 4, style="crops", size=size) for size in ((1200, 900), (600, 450)))
    assert large.print_px == pytest.approx(2 * small.print_px, rel=0.05)


@pytest.mark.parametrize("game", GAMES)
def test_inks_are_those_on_the_board(game: str) -> None:
    for seed in range(6):
        plan = painter(game).plan(np.random.default_rng(seed), pixels_per_unit=16)
        colours = {cell["tile"].split(" ")[0] for cell in plan.truth["cells"]}
        assert len(plan.inks) == (0 if game == "mipasuje" else len(colours))


@pytest.mark.parametrize("game", GAMES)
def test_both_are_written_down(game: str) -> None:
    scene = render(game, 1, size=(480, 360))
    written = json.loads(json.dumps(details(scene), allow_nan=False))
    colours = {cell["tile"].split(" ")[0] for cell in scene.truth["cells"]}
    assert written["print_px"] > 3
    assert (written["apart"] is None) == (game == "mipasuje" or len(colours) < 2)
