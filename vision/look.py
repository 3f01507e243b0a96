"""Stages 1 to 3 in one go: the photo's cells and the lattice they lie on."""

from __future__ import annotations

from dataclasses import dataclass

from vision.decode import Picture
from vision.detect import Detections, HeatMap, detect
from vision.geometry import Grid
from vision.lattice import Lattice, fit_lattice
from vision.reading import Unreadable
from vision.settings import ReaderSettings


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the detector found, on its lattice."""

    lattice: Lattice
    heat: HeatMap
    found: Detections


def look(image: Picture, game: str, grid: Grid, settings: ReaderSettings) -> Look:
    """The whole photo first; if the tiles are small in it, their surroundings again from closer by."""
    found, heat = detect(image, game, settings)
    lattice = fit_lattice(image, found, grid, settings)
    if lattice is None:
        raise Unreadable(
            "no-board", "No board of this game was found in the photo: show all of it, from above."
        )
    return Look(lattice, heat, found)
