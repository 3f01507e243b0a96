"""Stages 2 and 3 in one go: the photo's cells and the lattice they lie on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.decode import Picture
from vision.detect import Detections, HeatMap, detect
from vision.geometry import Floats, Grid
from vision.lattice import Lattice, fit_lattice, pointed_lattice
from vision.reading import Unreadable
from vision.settings import ReaderSettings


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the detector found, on its lattice."""

    lattice: Lattice
    heat: HeatMap
    found: Detections


def look(
    image: Picture, game: str, grid: Grid, settings: ReaderSettings, inside: Floats | None = None
) -> Look:
    """The whole photo first; if the tiles are small in it, their surroundings again from closer by.

    `inside`: only what lies within these corners counts, because somebody pointed at it.
    """
    found, heat = detect(image, game, settings)
    found = _within(found, inside)
    lattice = _lattice(image, found, grid, settings)
    zoom = settings.detect_px / max(image.shape[:2])
    pitch = float(np.median(lattice.found.size)) * grid.pitch
    hexagonal = grid.turns == 6
    if zoom < 1 and pitch * zoom < settings.closer_px[hexagonal]:
        closer, offset = _surroundings(image, lattice, found, settings)
        longest = round(max(closer.shape[:2]) * min(1.0, settings.closer_aim[hexagonal] / pitch))
        longest = int(np.clip(longest, settings.detect_px, settings.closer_longest))
        if longest / max(closer.shape[:2]) > 1.15 * zoom:
            found, heat = detect(closer, game, settings, longest)
            found = _within(replace(found, centre=found.centre + offset), inside)
            heat = replace(heat, origin=(float(offset[0]), float(offset[1])))
            lattice = _lattice(image, found, grid, settings)
    return Look(lattice, heat, found)


def pointed_look(
    image: Picture, game: str, grid: Grid, places: Floats, corners: Floats, settings: ReaderSettings
) -> Look:
    """As `look`, but the lattice is where people put it: `corners` lie at lattice coordinates `places`."""
    found, heat = detect(image, game, settings)
    return Look(pointed_lattice(found, grid, places, corners), heat, found)


def _lattice(image: Picture, found: Detections, grid: Grid, settings: ReaderSettings) -> Lattice:
    lattice = fit_lattice(image, found, grid, settings)
    if lattice is None:
        raise no_board()
    return lattice


def no_board() -> Unreadable:
    return Unreadable("no-board", "no board of this game was found; show all of it, from above")


def _within(found: Detections, corners: Floats | None) -> Detections:
    if corners is None:
        return found
    outline = corners.astype(np.float32)
    return found.only(
        np.array(
            [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in found.centre], bool
        )
    )


def _surroundings(
    image: Picture, lattice: Lattice, found: Detections, settings: ReaderSettings
) -> tuple[Picture, Floats]:
    """The part of the picture around everything that may belong to the table, and where it starts."""
    high, wide = image.shape[:2]
    pitch = float(np.median(lattice.found.size)) * lattice.grid.pitch
    alike = np.abs(np.log(found.size * lattice.grid.pitch / pitch)) < settings.neighbour_size
    centres = np.concatenate([lattice.found.centre, found.centre[alike & (found.heat > 0.5)]])
    margin = settings.closer_margin * pitch
    low = np.clip(centres.min(axis=0) - margin, 0, (wide - 1, high - 1)).astype(int)
    top = np.clip(centres.max(axis=0) + margin, low + 16, (wide, high)).astype(int)
    return image[low[1] : top[1], low[0] : top[0]], low.astype(float)
