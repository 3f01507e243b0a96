"""What every game's reader begins and ends with: the lattice that is meant, the reading that is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.beliefs import Belief, told
from vision.cellwise import Mask
from vision.decode import Photo
from vision.editions import Edition
from vision.findings import (
    glaring,
    photo_findings,
    refuse_far,
    refuse_misfit,
    refuse_oblique,
    refuse_other_game,
    refuse_unclear,
)
from vision.geometry import Grid
from vision.layout import (
    Placed,
    corner_places,
)
from vision.look import Look, look, no_board, pointed_look
from vision.reading import Doubt, PhotoFinding, Reading
from vision.settings import ReaderSettings


class Clock:
    """Milliseconds per stage."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, stage: str) -> None:
        now = perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + (now - self._last) * 1000
        self._last = now


def looked(photo: Photo, game: str, grid: Grid, options: Mapping[str, Any], settings: ReaderSettings) -> Look:
    """The lattice of the board that is meant, if it can be read at all."""
    if options.get("corners") is None:
        seen = look(photo.image, game, grid, settings)
    else:
        corners = (np.array(options["corners"], float) + 0.5) / photo.scale - 0.5
        size = tuple(options["size"]) if "size" in options else None
        places = corner_places(game, len(corners), size, corners)
        if places is None:
            seen = look(photo.image, game, grid, settings, inside=corners)
        else:
            seen = pointed_look(photo.image, game, grid, places, corners, settings)
            if not len(seen.lattice.at):
                raise no_board()
    refuse_other_game(seen.lattice, settings)
    refuse_far(photo, seen.lattice, settings)
    refuse_oblique(seen.lattice, settings)
    return seen


def finished(
    game: str,
    photo: Photo,
    placed: Placed,
    beliefs: list[Belief],
    crops: npt.NDArray[np.uint8],
    settings: ReaderSettings,
    clock: Clock,
    edition: Edition | None = None,
    reasons: tuple[PhotoFinding, ...] = (),
) -> Reading:
    """`beliefs` and `crops` are those of the cells of `placed`, in order.

    `reasons`: why everything is asked about, where that is known already.
    """
    refuse_misfit(placed, settings)
    beliefs = [
        replace(belief, suspect=belief.suspect or bool(washed))
        for belief, washed in zip(beliefs, glaring(crops, settings, settings.glare_doubt), strict=True)
    ]
    below = {"mipasuje": settings.doubt_hex_below, "bits": settings.doubt_below}.get(
        game, settings.doubt_open_below
    )
    cells, doubts = told(beliefs, settings, below)
    asked = _asked(beliefs, doubts)
    if not reasons:  # another photo would not help
        refuse_unclear(asked, settings)
    if len(asked) >= settings.unclear_cells and asked.mean() > settings.uneasy_share:
        # Where much is unclear, the rest is less clear than it seems.
        cells, doubts = told(beliefs, settings, settings.uneasy_below)
        asked = _asked(beliefs, doubts)
    findings = photo_findings(photo, placed, [belief.at for belief in beliefs], crops, asked, settings)
    findings = (*findings, *reasons)
    clock.lap("findings")
    half = (photo.scale - 1) / 2
    to_full = np.array([[photo.scale, 0, half], [0, photo.scale, half], [0, 0, 1]])
    homography = to_full @ placed.lattice.homography
    return Reading(
        game,
        cells,
        doubts,
        findings,
        layout=placed.layout,
        size=placed.size,
        edition=edition.name if edition is not None else None,
        homography=tuple(tuple(float(x) for x in row) for row in homography),
        photo_size=photo.full_size,
        ms=clock.ms,
    )


def _asked(beliefs: list[Belief], doubts: tuple[Doubt, ...]) -> Mask:
    """(n,) which of the beliefs are among the doubts."""
    doubted = {doubt.at for doubt in doubts}
    return np.array([belief.at in doubted for belief in beliefs], bool)
