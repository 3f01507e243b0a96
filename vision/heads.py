"""What the detector's channels mean; shared by training and reading.

Heat maps say "the centre of such a cell is here"; the regressions hold at a centre. All lengths are in pixels
of the detector's input divided by `LENGTH_UNIT`.
"""

from __future__ import annotations

from typing import NamedTuple

STRIDE = 4
"""Input pixels per output pixel."""
LENGTH_UNIT = 16.0
"""Input pixels per unit of a regressed length."""

HEAT = ("qwirkle", "trio", "mipasuje", "bits", "mipasuje-empty", "bits-empty")
"""Tiles of each game, then the visible empty cells of the games that have a board."""

TURNS = {"qwirkle": 4, "trio": 4, "mipasuje": 6, "bits": 4}
"""How many turns bring a game's lattice onto itself."""


class Channels(NamedTuple):
    """Slices of the output, in order."""

    heat: int
    offset: int
    """(x, y): from the output pixel's centre to the cell's centre."""
    shape: int
    """(xx, xy, yy) of S, the symmetric root of A·Aᵀ; A's columns are the lattice steps at this cell."""
    fold: int
    """cos and sin of turns · φ, where A = S · rotation(φ): the lattice direction up to its symmetry."""
    up: int
    """cos and sin of φ itself, where the game's tiles or board show which way is up."""

    @property
    def total(self) -> int:
        return sum(self)


DETECTOR_CHANNELS = Channels(heat=len(HEAT), offset=2, shape=3, fold=2, up=2)
