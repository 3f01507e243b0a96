"""Stage 6a: in one photo one kind has one look.

Cells that look alike are grouped, and two groups that look different cannot both be red: what is plain about
one group settles what is doubtful about another.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage

from vision.classify import log_softmax
from vision.joint import settle
from vision.settings import ReaderSettings

Floats = npt.NDArray[np.float64]

PLAINLY_NOT = 8.0
"""Kinds further behind a group's likeliest than this, in nats."""


def alike(features: Floats, apart: float) -> npt.NDArray[np.intp]:
    """(n,) the group of each cell; cells of one group differ by less than `apart` (1 − cosine) on average."""
    if len(features) < 2:
        return np.zeros(len(features), np.intp)
    tree = linkage(features, "average", metric="cosine")
    return fcluster(tree, apart, "distance").astype(np.intp) - 1


def one_look_each(features: Floats, log_p: Floats, settings: ReaderSettings) -> Floats:
    """(n, kinds) log-probabilities after every group of alike cells had to be another kind."""
    if len(features) < 2:
        return log_p
    group = alike(features, settings.look_apart)
    count = int(group.max()) + 1
    own = np.zeros((count, log_p.shape[1]))
    for index in range(count):
        members = log_p[group == index]
        # Alike cells err alike: many of them say little more than a few.
        own[index] = members.mean(axis=0) * min(len(members), settings.look_votes)
    own = log_softmax(own)
    pull = settle(own, 1, settings.second_look_cost) - own
    # Others only settle what is open: a group does not become what it plainly is not.
    pull[own.max(axis=1, keepdims=True) - own > PLAINLY_NOT] = 0.0
    return log_softmax(log_p + np.maximum(pull, -settings.look_pull)[group])


def groups_of_colours(
    features: Floats, log_p: Floats, most: int, settings: ReaderSettings
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """(n, names) log-probabilities where only likeness counts: each group of alike cells has its own name.

    Also (n,) the cells that `merged` had to move, so that there are at most `most` colours. How sure a cell
    is of its name says how much more it looks like its own group than like any other.
    """
    n, names = log_p.shape
    if n < 2:
        return log_p, np.zeros(n, bool)
    group, moved = merged(features, alike(features, settings.colour_apart), most)
    count = int(group.max()) + 1
    own = np.stack([log_p[group == index].mean(axis=0) for index in range(count)])
    named = np.argmax(settle(log_softmax(own), 1, settings.same_name_cost), axis=1)
    middles = np.stack([features[group == index].mean(axis=0) for index in range(count)])
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    likeness = np.full((n, names), -1.0)
    for index in range(count):
        likeness[:, named[index]] = np.maximum(likeness[:, named[index]], features @ middles[index])
    return log_softmax(settings.likeness_sharpness * likeness), moved


def merged(
    features: Floats, group: npt.NDArray[np.intp], most: int
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """The groups, no more than `most` of them, and (n,) which cells had to change theirs for that.

    Where there are more looks than the game has colours, light has split one: the smallest group is rather a
    washed out part of the group it looks most like.
    """
    group = group.copy()
    moved = np.zeros(len(group), bool)
    while len(kinds := np.unique(group)) > most:
        counts = [int((group == kind).sum()) for kind in kinds]
        least = kinds[int(np.argmin(counts))]
        others = [kind for kind in kinds if kind != least]
        small = features[group == least].mean(axis=0)
        nearest = others[
            int(np.argmax([small @ _direction(features[group == kind].mean(axis=0)) for kind in others]))
        ]
        moved |= group == least
        group[group == least] = nearest
    return np.unique(group, return_inverse=True)[1], moved


def _direction(vector: Floats) -> Floats:
    return vector / np.linalg.norm(vector)


def shared_opinion(features: Floats, odds: Floats, settings: ReaderSettings) -> Floats:
    """(n,) log-odds where cells that look alike lend each other theirs."""
    if len(features) < 2:
        return odds
    group = alike(features, settings.cell_apart)
    means = np.array([odds[group == index].mean() for index in range(int(group.max()) + 1)])
    return (1 - settings.shared_share) * odds + settings.shared_share * means[group]


def unlike_their_kind(features: Floats, kinds: npt.NDArray[np.intp], margin: float) -> npt.NDArray[np.bool_]:
    """(n,) cells that look hardly more like the others read as the same kind than like those of another.

    The nearest two of each kind in this photo are what a person would hold beside it to compare.
    """
    n = len(features)
    likeness = features @ features.T
    np.fill_diagonal(likeness, -np.inf)
    nearest = np.full((n, int(kinds.max(initial=0)) + 1), -np.inf)
    for kind in np.unique(kinds):
        others = np.sort(likeness[:, kinds == kind], axis=1)[:, ::-1][:, :2]
        counted = np.maximum(np.isfinite(others).sum(axis=1), 1)
        mean = np.where(np.isfinite(others), others, 0.0).sum(axis=1) / counted
        nearest[:, kind] = np.where(np.isfinite(others).any(axis=1), mean, -np.inf)
    own = nearest[np.arange(n), kinds]
    nearest[np.arange(n), kinds] = -np.inf
    return np.isfinite(own) & (nearest.max(axis=1) > own - margin)
