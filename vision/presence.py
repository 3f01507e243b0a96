"""Which cells of an open table hold a tile, told by the tiles' own ground.

Detector and tile net were trained on built-in looks: of a copy they have never seen they miss tiles with pale
symbols, and see some where the table's pattern has corners. But all tiles of one copy are painted on one
ground, and the table is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.decode import Photo
from vision.geometry import Floats, Ints, through
from vision.lattice import Lattice

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PresenceSettings:
    """Gaps are differences of logarithms of levels; evidence is in nats."""

    dark_levels: float = 12.0
    """Levels below which darker is not much different."""
    brighter: float = 0.4
    """What a difference of brightness counts against one of colour: shadows fall on tables."""
    usual_gap: float = 0.02
    """Tiles' grounds differ at least so much from their neighbours'."""
    widest_gap: float = 0.8
    """A table differs from the tiles on it by anything up to this."""
    most_ground: float = 7.0
    """What a ground can say at most against a tile,"""
    least_shape: float = -5.0
    most_shape: float = 5.0
    """and a drawing against and for one."""
    shape_slack: float = 0.12
    """How much less a symbol may fit its drawing than the photo's others before it speaks against a tile."""
    shape_sharpness: float = 40.0
    """Nats per unit of likeness."""
    most_nets: float = 4.0
    """What detector and tile net together may say about the tiles of a taught copy."""
    asked: float = 0.06
    """How likely a tile is left to be where one source plainly saw one and another did not."""


PRESENCE = PresenceSettings()
REACHES = (0.31, 0.27)
"""How far from a tile's middle its ground is sampled, along and across, in pitches."""


def ground_gaps(ground: Floats, cells: Ints, core: Mask) -> Floats:
    """(n,) how far each cell's (n, 3) ground is from that of the nearest `core` tiles, itself left out."""
    log = np.log(ground + PRESENCE.dark_levels)
    others = np.flatnonzero(core)
    if len(others) < 2:
        return np.zeros(len(ground))
    steps = np.abs(cells[:, None] - cells[None, others]).max(axis=2)
    weight = np.where(steps == 0, 0.0, 1 / (0.5 + steps) ** 2)
    expected = np.empty_like(log)
    for channel in range(3):
        order = np.argsort(log[others, channel])
        reached = np.cumsum(weight[:, order], axis=1)
        middle = (reached >= reached[:, -1:] / 2).argmax(axis=1)
        expected[:, channel] = log[others[order[middle]], channel]
    gap = log - expected
    lighter = gap.mean(axis=1)
    across = ((gap - lighter[:, None]) ** 2).sum(axis=1)
    return np.asarray(np.sqrt(across + (PRESENCE.brighter * lighter) ** 2))


def ground_nats(gap: Floats, core: Mask) -> Floats:
    """(n,) evidence for a tile; what is usual among the `core` tiles of this photo is the measure."""
    usual = max(PRESENCE.usual_gap, float(np.median(gap[core]))) if core.any() else PRESENCE.usual_gap
    scale = 1.5 * usual
    # Student's t with three degrees of freedom against "anything": some tiles do lie under a reflection.
    tile = 0.735 / scale / (1 + (gap / scale) ** 2 / 3) ** 2
    return np.maximum(np.log(tile * PRESENCE.widest_gap), -PRESENCE.most_ground)


def shape_nats(likeness: Floats, core: Mask) -> Floats:
    """(n,) evidence for a tile by how well (n,) its symbol fits any drawing of the copy."""
    usual = float(np.median(likeness[core])) if core.any() else 1.0
    found = PRESENCE.shape_sharpness * (likeness - usual + PRESENCE.shape_slack)
    return np.clip(found, PRESENCE.least_shape, PRESENCE.most_shape)


def like_the_tiles(photo: Photo, lattice: Lattice) -> Ints:
    """(m, 2) free cells that touch a tile and have the tiles' ground where a tile has nothing printed."""
    tiles = lattice.at[~lattice.found.empty]
    low, top = tiles.min(axis=0) - 1, tiles.max(axis=0) + 2
    x, y = np.meshgrid(np.arange(low[0], top[0]), np.arange(low[1], top[1]))
    cells = np.stack([x.ravel(), y.ravel()], axis=1)
    apart = np.abs(cells[:, None] - tiles[None]).max(axis=2).min(axis=1)
    free = cells[apart == 1]
    every = np.concatenate([tiles, free])
    core = np.arange(len(every)) < len(tiles)
    ground, inside = _sampled(photo, lattice, every)
    if core.sum() < 2:
        return free[:0]
    nats = ground_nats(ground_gaps(ground, every, core), core)
    found: Ints = every[~core & inside & (nats > 0)]
    return found


def _sampled(photo: Photo, lattice: Lattice, cells: Ints) -> tuple[Floats, Mask]:
    """(n, 3) BGR near the corners of each cell's tile, and (n,) whether all of them are in the photo."""
    long, short = REACHES
    corners = np.array([(long, long), (long, short), (short, long)])
    offsets = np.concatenate([corners * signs for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1))])
    high, wide = photo.image.shape[:2]
    x, y = np.moveaxis(through(lattice.homography, cells[:, None] + offsets), -1, 0)
    inside = (x >= 0) & (y >= 0) & (x <= wide - 1) & (y <= high - 1)
    columns, rows = (np.rint(np.where(inside, side, 0)).astype(int) for side in (x, y))
    return np.median(photo.image[rows, columns], axis=1).astype(np.float64), inside.all(axis=1)
