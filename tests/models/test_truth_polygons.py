"""Polygons back into the photograph: where a hexagon or a cell of a ramp is said to lie, its colours are."""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np
import pytest

from models.studio import hexes
from models.studio.scene import Scene, render

SIZE = (1000, 750)


def lab_at(scene: Scene, points: np.ndarray, radius: int = 2) -> np.ndarray:
    """Median Lab colour of the pixels around each point."""
    lab = cv2.cvtColor(scene.image, cv2.COLOR_BGR2LAB)
    found = []
    for x, y in np.round(points).astype(int):
        patch = lab[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
        found.append(np.median(patch.reshape(-1, 3), axis=0))
    return np.array(found)


def share_nearest_to_their_own(colours: dict[str, list[np.ndarray]]) -> list[bool]:
    """For every sample: is the median of its own name the nearest of all names' medians?"""
    medians = {name: np.median(samples, axis=0) for name, samples in colours.items() if len(samples) >= 3}
    return [
        min(medians, key=lambda other: float(np.linalg.norm(medians[other] - sample))) == name
        for name in medians
        for sample in colours[name]
    ]


def test_cells_of_a_ramp_show_their_colour() -> None:
    right: list[bool] = []
    for seed in range(16):
        scene = render("bits", seed, style="calm", size=SIZE)
        seen = [cell for cell in scene.cells if cell.tile and cell.visibility > 0.95]
        colours: dict[str, list[np.ndarray]] = defaultdict(list)
        for cell, colour in zip(
            seen, lab_at(scene, np.array([c.polygon.mean(0) for c in seen])), strict=True
        ):
            colours[str(cell.tile)].append(colour[1:])
        right += share_nearest_to_their_own(colours)
    assert len(right) > 150
    assert np.mean(right) > 0.95


@pytest.mark.parametrize("edition", ["ravensburger-2005", "older"])
@pytest.mark.parametrize("way", [0, 1, 2])
def test_lines_of_a_hexagon_show_their_value(edition: str, way: int) -> None:
    """Sampled on each line's far end, where these editions print no digit."""
    direction = hexes.DIRECTIONS[way]
    end = -0.7 * np.array(hexes.TOWARDS[direction])
    upright = hexes.hexagon((0.0, 0.0)).astype(np.float32)
    right: list[bool] = []
    for seed in range(10):
        scene = render("mipasuje", seed, edition=edition, style="calm", size=SIZE)
        seen = [cell for cell in scene.cells if cell.tile and cell.visibility > 0.95]
        points = []
        for cell in seen:
            onto, _ = cv2.findHomography(upright, cell.polygon.astype(np.float32))
            points.append(cv2.perspectiveTransform(end.reshape(1, 1, 2), onto).ravel())
        colours: dict[str, list[np.ndarray]] = defaultdict(list)
        for cell, colour in zip(seen, lab_at(scene, np.array(points)), strict=True):
            colours[str(cell.tile).split("-")[way]].append(colour)
        right += share_nearest_to_their_own(colours)
    assert len(right) > 100
    # A lattice half a tile off would show the neighbour's lines: about a third right.
    assert np.mean(right) > 0.9
