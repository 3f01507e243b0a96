"""Stage 3: the lattice behind the detections, and which detection sits on which of its cells.

Neighbours find each other by the steps the network saw at each of them; a chain of neighbours gets whole
coordinates, the homography is fitted to those, and then whatever else sits on the same lattice joins, nearest
first. What lies askew stays out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from vision.decode import Picture
from vision.detect import Detections
from vision.geometry import (
    Floats,
    Grid,
    Ints,
    direction,
    fit_homography,
    rotations,
    steps_at,
    through,
)
from vision.settings import ReaderSettings
from vision.sketches import sketch

STEADYING = 12
CORNER_WEIGHT = 0.15
"""A tile's seen steps weigh less than its centre, but they are what a single tile's lattice stands on."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Detections on a common lattice."""

    grid: Grid
    homography: Floats
    """Lattice coordinates → picture pixels."""
    found: Detections
    """Those that sit on it."""
    at: Ints
    """(n, 2) lattice coordinates of `found`, each once."""
    askew: Detections
    """Those that do not."""

    def turned(self, steps: int) -> Lattice:
        """The same lattice with its axes turned clockwise by so many of its turns."""
        turn = self.grid.turned(steps)
        matrix = np.eye(3)
        matrix[:2, :2] = turn
        back = np.rint(np.linalg.inv(turn)).astype(np.int64)
        return replace(self, homography=self.homography @ matrix, at=self.at @ back.T)

    def shifted(self, origin: Ints) -> Lattice:
        """The same lattice counted from another cell."""
        matrix = np.eye(3)
        matrix[:2, 2] = origin
        moved = self.homography @ matrix
        return replace(self, homography=moved / moved[2, 2], at=self.at - origin)

    def steps(self, at: Floats | Ints) -> Floats:
        """(n, 2, 2) plane steps at lattice coordinates, in pixels."""
        return steps_at(self.homography, at) @ np.linalg.inv(self.grid.to_plane)


def fit_lattice(image: Picture, found: Detections, grid: Grid, settings: ReaderSettings) -> Lattice | None:
    """The lattice of the board in the middle, or None where there is nothing to fit one to."""
    if not len(found):
        return None
    steps = found.root @ rotations(found.fold)
    main, *others = _chains(image, found, steps, grid, settings)
    at, frames = _coordinates(found, steps, main, grid)
    lattice = _fitted(found, grid, main, at, frames)
    for chain in others:
        lattice = _with_group(lattice, found, chain, *_coordinates(found, steps, chain, grid), settings)
    lattice = _joined(lattice, settings)
    sketch("lattice", lambda: drawn(image, lattice))
    return lattice


def pointed_lattice(found: Detections, grid: Grid, places: Floats, corners: Floats) -> Lattice:
    """The lattice that somebody pointed at: `corners` of the picture lie at lattice coordinates `places`."""
    homography = fit_homography(places, corners, np.ones(len(places)))
    place = through(np.linalg.inv(homography).astype(float), found.centre)
    at = np.rint(place).astype(np.int64)
    near = np.linalg.norm((place - at) @ grid.to_plane.T, axis=1) < 0.4 * grid.pitch
    near[near] = _unique(at[near], found.heat[near])
    return Lattice(grid, homography, found.only(near), at[near], found.only(~near))


def _edges(found: Detections, steps: Floats, grid: Grid, settings: ReaderSettings) -> tuple[Ints, Ints]:
    """Pairs that each see the other one step away, in steps of about the same size."""
    offsets = grid.neighbours @ grid.to_plane.T
    expected = found.centre[:, None] + np.einsum("nij,kj->nki", steps, offsets)
    gap = found.centre[None, None] - expected[:, :, None]
    local = np.einsum("nij,nkmj->nkmi", np.linalg.inv(steps), gap)
    sees = (np.linalg.norm(local, axis=3) < settings.neighbour_slack * grid.pitch).any(axis=1)
    size = np.log(found.size)
    alike = np.abs(size[:, None] - size[None]) < settings.neighbour_size
    first, second = np.nonzero(sees & sees.T & alike)
    return first, second


def _chains(
    image: Picture, found: Detections, steps: Floats, grid: Grid, settings: ReaderSettings
) -> list[Ints]:
    """The connected groups, each a walk of (member, the one it was reached from).

    First the one that is meant: many, warm and near the middle of the photo; then the others that are large
    enough to bring a shape of their own, nearest first.
    """
    first, second = _edges(found, steps, grid, settings)
    count = len(found)
    graph = coo_matrix((np.ones(len(first)), (first, second)), shape=(count, count)).tocsr()
    groups, group = connected_components(graph, directed=False)
    high, wide = image.shape[:2]
    away = np.linalg.norm((found.centre - (wide / 2, high / 2)) / (wide / 2, high / 2), axis=1)
    worth = found.heat * (1.3 - np.clip(away, 0, 1)) * np.where(found.empty, 0.6, 1.0)
    meant = int(np.argmax([worth[group == index].sum() for index in range(groups)]))
    sizes = np.bincount(group, minlength=groups)
    gaps = np.linalg.norm(found.centre[:, None] - found.centre[group == meant][None], axis=2).min(axis=1)
    large = [index for index in range(groups) if index != meant and sizes[index] >= settings.group_tiles]
    large.sort(key=lambda index: float(gaps[group == index].min()))
    chains = []
    for index in [meant, *large]:
        members = np.flatnonzero(group == index)
        seed = int(members[np.argmax(worth[members])])
        order, parents = breadth_first_order(graph, seed, directed=False)
        chains.append(np.array([(member, max(parents[member], -1)) for member in order], np.int64))
        chains[-1][0, 1] = seed
    return chains


def _coordinates(found: Detections, steps: Floats, chain: Ints, grid: Grid) -> tuple[Ints, Floats]:
    """Whole coordinates along the chain, and each member's steps turned into the common frame."""
    frames = np.zeros_like(steps)
    coordinates = np.zeros((len(found), 2), np.int64)
    turns = rotations(2 * np.pi * np.arange(grid.turns) / grid.turns)
    from_plane = np.linalg.inv(grid.to_plane)
    for child, parent in chain:
        if child == parent:
            frames[child] = steps[child]
            continue
        options = steps[child] @ turns
        frames[child] = options[np.argmin(np.abs(options - frames[parent]).sum(axis=(1, 2)))]
        both = (frames[child] + frames[parent]) / 2
        offset = from_plane @ np.linalg.solve(both, found.centre[child] - found.centre[parent])
        nearest = np.argmin(np.linalg.norm((grid.neighbours - offset) @ grid.to_plane.T, axis=1))
        coordinates[child] = coordinates[parent] + grid.neighbours[nearest]
    members = chain[:, 0]
    return coordinates[members], frames[members]


def _fitted(found: Detections, grid: Grid, chain: Ints, at: Ints, frames: Floats) -> Lattice:
    """The homography of the chain, without the members it finds far from their cells."""
    members = chain[:, 0]
    keep = _unique(at, found.heat[members])
    for _ in range(3):
        homography = _homography(found.only(members[keep]), grid, at[keep], frames[keep])
        away = _away(homography, grid, found.centre[members], at)
        again = keep & (away < 0.4 * grid.pitch)
        if again.sum() < 0.6 * keep.sum() or (again == keep).all():
            break
        keep = again
    rest = np.ones(len(found), bool)
    rest[members[keep]] = False
    return Lattice(grid, homography, found.only(members[keep]), at[keep], found.only(rest))


def _with_group(
    lattice: Lattice, found: Detections, chain: Ints, at: Ints, frames: Floats, settings: ReaderSettings
) -> Lattice:
    """Takes in another group with a shape of its own, where one shift fits clearly best."""
    grid = lattice.grid
    members = chain[:, 0]
    keep = _unique(at, found.heat[members])
    members, at, frames = members[keep], at[keep], frames[keep]
    group = found.only(members)
    places = _places(lattice, group, settings)
    cells = np.rint(places).astype(np.int64)
    gap = np.linalg.norm(group.centre[:, None] - lattice.found.centre[None], axis=2).min(axis=1)
    near = int(np.argmin(gap))
    # The group's own axes, turned into the lattice's.
    there = lattice.steps(cells[near : near + 1])[0]
    turns = rotations(2 * np.pi * np.arange(grid.turns) / grid.turns)
    turn = int(np.argmin(np.abs(frames[near] @ turns - there).sum(axis=(1, 2))))
    if np.abs(frames[near] @ turns[turn] - there).max() > settings.group_unlike * np.abs(there).max():
        return lattice
    at = at @ np.rint(np.linalg.inv(grid.turned(turn))).astype(np.int64).T
    frames = frames @ turns[turn]
    everyone = _concatenated(lattice.found, group)
    own = lattice.steps(lattice.at)
    tried = []
    for shift in np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1]), axis=-1).reshape(-1, 2):
        if np.abs(cells[near] + shift - places[near]).max() > settings.group_reach:
            continue
        moved = at - at[near] + cells[near] + shift
        both = np.concatenate([lattice.at, moved])
        if len({(int(x), int(y)) for x, y in both}) < len(both):
            continue
        homography = _homography(everyone, grid, both, np.concatenate([own, frames]))
        away = _away(homography, grid, everyone.centre, both)
        tried.append((float(np.sqrt((away**2).mean())), tuple(int(x) for x in shift), homography, both))
    tried.sort(key=lambda one: one[:2])
    if not tried or tried[0][0] > settings.group_slack * grid.pitch:
        return lattice
    if len(tried) > 1 and tried[1][0] < settings.group_clear * tried[0][0]:
        return lattice
    _, _, homography, both = tried[0]
    taken = {tuple(centre) for centre in group.centre}
    rest = np.array([tuple(centre) not in taken for centre in lattice.askew.centre], bool)
    return Lattice(grid, homography, everyone, both, lattice.askew.only(rest))


def _unique(at: Ints, heat: Floats) -> np.ndarray:
    """Of several on one cell, the warmest."""
    keep = np.zeros(len(at), bool)
    taken: set[tuple[int, int]] = set()
    for index in np.argsort(-heat, kind="stable"):
        cell = (int(at[index, 0]), int(at[index, 1]))
        keep[index] = cell not in taken
        taken.add(cell)
    return keep


def _homography(found: Detections, grid: Grid, at: Ints, frames: Floats) -> Floats:
    """Through the centres, steadied by the steps seen at each."""
    # Tiny steps from each centre carry the seen steps; a full half step would bend under perspective.
    reach = 0.5
    arms = np.array([[reach, 0], [-reach, 0], [0, reach], [0, -reach]])
    from_plane = np.linalg.inv(grid.to_plane)
    # A dozen tiles' steps steady a lattice as well as all of them, and cost less.
    some = np.arange(0, len(at), -(-len(at) // STEADYING))
    source = [at.astype(float)] + [at[some] + from_plane @ arm for arm in arms]
    target = [found.centre] + [found.centre[some] + frames[some] @ arm for arm in arms]
    share = CORNER_WEIGHT / max(1.0, len(at) / 6) * len(at) / len(some)
    weights = [found.heat] + [found.heat[some] * share] * len(arms)
    return fit_homography(np.concatenate(source), np.concatenate(target), np.concatenate(weights))


def _away(homography: Floats, grid: Grid, centres: Floats, at: Ints) -> Floats:
    """Plane distance of each centre from the middle of its cell."""
    local = through(np.linalg.inv(homography).astype(float), centres) - at
    return np.linalg.norm(local @ grid.to_plane.T, axis=1)


def _joined(lattice: Lattice, settings: ReaderSettings) -> Lattice:
    """Takes in what else sits on the lattice, in growing rings, refitting after each."""
    grid = lattice.grid
    steps = [(ring, settings.joining_slack) for ring in settings.joining_rings]
    # Last, what lies loosely right beside the rest, tile by tile: better asked about than left out.
    steps += [(1, settings.loose_slack)] * settings.loose_steps
    for ring, slack in steps:
        if not len(lattice.askew):
            break
        rest = lattice.askew
        at, away = _beside(lattice, rest, settings)
        local = lattice.steps(at)
        size = np.sqrt(np.abs(np.linalg.det(local)))
        turn = (rest.fold - direction(local)) * grid.turns
        slanted = np.abs(np.arctan2(np.sin(turn), np.cos(turn))) / grid.turns
        distance = np.abs(at[:, None] - lattice.at[None]).max(axis=2).min(axis=1)
        fits = (
            (away < slack * grid.pitch)
            & (np.abs(np.log(rest.size / np.maximum(size, 1e-6))) < settings.joining_size)
            & (slanted < settings.joining_turn)
            & (distance <= ring)
            & (distance > 0)
        )
        fits[fits] = _unique(at[fits], rest.heat[fits])
        if not fits.any():
            continue
        everyone = _concatenated(lattice.found, rest.only(fits))
        cells = np.concatenate([lattice.at, at[fits]])
        frames = lattice.steps(cells)
        homography = _homography(everyone, grid, cells, frames)
        lattice = Lattice(grid, homography, everyone, cells, rest.only(~fits))
    return lattice


def _beside(lattice: Lattice, rest: Detections, settings: ReaderSettings) -> tuple[Ints, Floats]:
    """For each that is not on the lattice: its cell, and how far from the middle of it, in the plane."""
    place = _places(lattice, rest, settings)
    at = np.rint(place).astype(np.int64)
    return at, np.linalg.norm((place - at) @ lattice.grid.to_plane.T, axis=1)


def _places(lattice: Lattice, rest: Detections, settings: ReaderSettings) -> Floats:
    """(n, 2) lattice coordinates of what is not on the lattice.

    Counted from the nearest that is: over a gap of a few cells the steps seen at both ends are a better ruler
    than a homography that was fitted to tiles on one side of it only.
    """
    grid = lattice.grid
    nearest = np.argmin(np.linalg.norm(rest.centre[:, None] - lattice.found.centre[None], axis=2), axis=1)
    frames = lattice.steps(lattice.at[nearest])
    turns = rotations(2 * np.pi * np.arange(grid.turns) / grid.turns)
    options = (rest.root @ rotations(rest.fold))[:, None] @ turns[None]
    best = np.argmin(np.abs(options - frames[:, None]).sum(axis=(2, 3)), axis=1)
    own = options[np.arange(len(options)), best]
    seen = lattice.found.centre[nearest]
    offset = np.linalg.solve((own + frames) / 2, (rest.centre - seen)[..., None])[..., 0]
    place = lattice.at[nearest] + offset @ np.linalg.inv(grid.to_plane).T
    drift = through(np.linalg.inv(lattice.homography).astype(float), rest.centre)
    far = np.abs(place - lattice.at[nearest]).max(axis=1) > settings.ruler_cells
    place[far] = drift[far]
    found: Floats = place
    return found


def _concatenated(first: Detections, second: Detections) -> Detections:
    return Detections(
        *(np.concatenate([getattr(first, name), getattr(second, name)]) for name in first.__slots__)
    )


def drawn(image: Picture, lattice: Lattice) -> Picture:
    """The cells that detections sit on, and what was left out."""
    picture = image.copy()
    width = max(1, max(image.shape) // 600)
    corners = lattice.grid.outline @ np.linalg.inv(lattice.grid.to_plane).T
    for at, empty in zip(lattice.at, lattice.found.empty, strict=True):
        outline = np.rint(through(lattice.homography, at + corners)).astype(np.int32)
        cv2.polylines(picture, [outline], True, (255, 160, 0) if empty else (0, 255, 0), width, cv2.LINE_AA)
        x, y = through(lattice.homography, at).round().astype(int)
        cv2.putText(picture, f"{at[0]},{at[1]}", (x - 14 * width, y), 0, 0.35 * width, (255, 255, 255), width)
    for x, y in lattice.askew.centre.round().astype(int):
        cv2.circle(picture, (int(x), int(y)), 6 * width, (0, 0, 255), 2 * width, cv2.LINE_AA)
    return picture
