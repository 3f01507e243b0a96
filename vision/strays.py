"""What lies beside an open table: hands, racks and spare tiles that may or may not be part of it.

A table has no frame that says where it ends. What touches it belongs to it, what lies askew and far away does
not; in between people have to be asked.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from vision.geometry import Ints
from vision.lattice import Lattice
from vision.settings import ReaderSettings

Mask = npt.NDArray[np.bool_]


def hands(cells: Ints, tiles: Mask, settings: ReaderSettings) -> Mask:
    """(m,) tiles of a short straight row that lies well away from a larger group: rather somebody's hand."""
    at = cells[tiles]
    found = np.zeros(len(cells), bool)
    if len(at) < 2:
        return found
    gap = np.abs(at[:, None] - at[None]).max(axis=2)
    a, b = np.nonzero(gap <= settings.hand_gap)
    count, group = connected_components(coo_matrix((np.ones(len(a)), (a, b)), (len(at), len(at))))
    sizes = np.bincount(group)
    odd = np.zeros(len(at), bool)
    for index in range(count):
        own = at[group == index]
        straight = (own == own[0]).all(axis=0).any()
        if sizes[index] < sizes.max() and sizes[index] <= settings.hand_tiles and straight:
            odd |= group == index
    found[tiles] = odd
    return found


def left_out(lattice: Lattice, settings: ReaderSettings) -> Ints:
    """(n, 2) free cells of the table beside which a tile was seen that would not fit on the lattice."""
    rest = lattice.askew.only(~lattice.askew.empty & (lattice.askew.heat > settings.stray_heat))
    on = lattice.found.only(~lattice.found.empty)
    if not len(rest) or not len(on):
        return np.zeros((0, 2), np.int64)
    gap = np.linalg.norm(rest.centre[:, None] - on.centre[None], axis=2)
    nearest = gap.argmin(axis=1)
    alike = np.abs(np.log(rest.size / on.size[nearest])) < settings.neighbour_size
    touching = gap.min(axis=1) < settings.stray_reach * on.size[nearest] * lattice.grid.pitch
    near = rest.only(alike & touching)
    inverse = np.linalg.inv(lattice.homography)
    homogeneous = np.concatenate([near.centre, np.ones((len(near), 1))], axis=1) @ inverse.T
    cells = np.unique(np.rint(homogeneous[:, :2] / homogeneous[:, 2:]).astype(np.int64), axis=0)
    taken = {(int(x), int(y)) for x, y in lattice.at}
    free = np.array([(int(x), int(y)) not in taken for x, y in cells], bool)
    return cells[free] if len(cells) else np.zeros((0, 2), np.int64)


def which_table(lattice: Lattice, settings: ReaderSettings) -> bool:
    """Whether so many tiles lie beside the one group that was read that another may be meant."""
    on = int((~lattice.found.empty).sum())
    rest = lattice.askew.only(~lattice.askew.empty & (lattice.askew.heat > settings.stray_heat))
    alike = np.abs(np.log(rest.size / np.median(lattice.found.size))) < settings.neighbour_size
    return int(alike.sum()) >= max(2, settings.rival_share * on)
