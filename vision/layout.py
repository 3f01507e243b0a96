"""Stage 3b: which cells of the lattice make the board, and which way it is read.

Fixed boards are laid on the lattice where the most of them is seen; an open table is whatever lies on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.mipasuje.layouts import LAYOUTS
from vision.geometry import Floats, Ints
from vision.lattice import Lattice
from vision.settings import ReaderSettings

BITS_ROWS = 6
BITS_COLUMNS = (4, 6)


TIPS = np.array([(0, -2), (2, -2), (2, 0), (0, 2), (-2, 2), (-2, 0)])
"""The corner cells of the standard hexagonal board, from the top, clockwise."""
TIP_TO_EDGE = 1.22
"""From the board's middle: the board's corner against the middle of its corner cell."""


def corner_places(game: str, count: int, size: tuple[int, int] | None, corners: Floats) -> Floats | None:
    """Where on the lattice the corners are that people drag; None where they only say which part is meant."""
    if game == "mipasuje" and count == len(TIPS):
        return TIPS * TIP_TO_EDGE
    if game == "bits" and count == 4 and size is not None:
        # People drag the corners of what they see; which side is the long one shows in the photo.
        long, short = max(size), min(size)
        across = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
        down = np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])
        columns, rows = (long, short) if across > down else (short, long)
        return np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)]) - 0.5
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A board on its lattice: upright, and counted as its game counts."""

    lattice: Lattice
    cells: Ints
    """(m, 2) lattice coordinates of the board's cells, or of everything that may lie on an open table."""
    detected: Ints
    """(m,) which detection of the lattice sits there, −1 for none."""
    layout: str
    size: tuple[int, int] | None
    seen: float
    """Share of the board's cells that were detected at all."""
    margin: float
    """How much worse the next best place for the board is, in cells."""
    turn_margin: float = np.inf
    """How much worse the next best way up is, in nats of the ramp net and cells."""


def place_hex(upright: Lattice, layouts: Sequence[str], settings: ReaderSettings) -> Placed:
    """The Mi pasuje! board that fits best on a lattice whose tiles stand upright."""
    shapes = [(name, None, np.array(LAYOUTS[name].cells)) for name in layouts]
    return _best([(upright, 0.0)], shapes, settings)


def place_ramp(
    lattice: Lattice, sizes: Iterable[tuple[int, int]], votes: Floats, settings: ReaderSettings
) -> Placed:
    """The Bits ramp that fits best; `votes` are nats for each way up, and tiles rest on each other."""
    shapes = [
        ("", size, np.array([(column, row) for row in range(size[0]) for column in range(size[1])]))
        for size in sizes
    ]
    ways = []
    for turn in range(lattice.grid.turns):
        turned = lattice.turned(turn)
        ways.append((turned, float(votes[turn]) - settings.float_cost * _floating(turned)))
    return _best(ways, shapes, settings)


def place_open(lattice: Lattice, hints: Ints) -> Placed:
    """Everything on the lattice, and the cells where something more may lie."""
    tiles = np.flatnonzero(~lattice.found.empty)
    cells = np.concatenate([lattice.at[tiles], hints.reshape(-1, 2)])
    detected = np.concatenate([tiles, np.full(len(cells) - len(tiles), -1)])
    return Placed(lattice, cells, detected, "", None, 1.0, np.inf)


def _floating(lattice: Lattice) -> float:
    """How many tiles have a seen, empty cell right under them."""
    empty = {(int(x), int(y)) for x, y in lattice.at[lattice.found.empty]}
    return sum((int(x), int(y) + 1) in empty for x, y in lattice.at[~lattice.found.empty])


def _best(
    ways: Sequence[tuple[Lattice, float]],
    shapes: Sequence[tuple[str, tuple[int, int] | None, Ints]],
    settings: ReaderSettings,
) -> Placed:
    """Every shape tried at every shift that has at least one cell on a detection."""
    scores: list[Floats] = []
    tried = []
    for way, (lattice, bonus) in enumerate(ways):
        weight = np.where(lattice.found.empty, settings.empty_weight, 1.0) * lattice.found.heat
        for name, size, cells in shapes:
            shifts = np.unique((lattice.at[:, None] - cells[None]).reshape(-1, 2), axis=0)
            inside = _indices(lattice.at, shifts[:, None] + cells[None])
            support = np.zeros(len(shifts))
            for cell in inside.T:
                support += np.where(cell >= 0, weight[cell], 0.0)
            # Every cell has to earn its place, so that a larger board is not laid over its surroundings.
            scores.append(bonus + 2 * support - settings.cell_cost * len(cells))
            tried += [(way, name, size, cells, shift, own) for shift, own in zip(shifts, inside, strict=True)]
    score = np.concatenate(scores)
    order = np.argsort(-score, kind="stable")
    way, name, size, cells, shift, detected = tried[order[0]]
    elsewhere = [index for index in order if tried[index][0] == way and index != order[0]]
    turned = [index for index in order if tried[index][0] != way]
    margin = float(score[order[0]] - score[elsewhere[0]]) if elsewhere else np.inf
    turn_margin = float(score[order[0]] - score[turned[0]]) if turned else np.inf
    seen = float((detected >= 0).mean())
    return Placed(ways[way][0].shifted(shift), cells, detected, name, size, seen, margin, turn_margin)


def _indices(at: Ints, places: Ints) -> Ints:
    """(…,) which of `at` each of the (…, 2) places is, −1 for none."""
    low = np.minimum(at.min(axis=0), places.reshape(-1, 2).min(axis=0))
    top = np.maximum(at.max(axis=0), places.reshape(-1, 2).max(axis=0))
    table = np.full(top - low + 1, -1, np.int64)
    table[tuple((at - low).T)] = np.arange(len(at))
    found: Ints = table[tuple(np.moveaxis(places - low, -1, 0))]
    return found
