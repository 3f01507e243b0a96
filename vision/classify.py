"""Stage 5: what the tile net makes of every crop, as probabilities per aspect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.editions import Looks
from vision.families import Family
from vision.networks import built_in_looks, run

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What each crop looks like."""

    features: Mapping[str, Floats]
    """Per aspect (n, size) unit vectors."""
    cosine: Mapping[str, Floats]
    """Per aspect (n, kinds) likeness to each kind of the edition."""
    looks: Looks

    def log_p(self, aspect: str) -> Floats:
        """(n, kinds) log-probabilities of one aspect by itself."""
        return log_softmax(self.looks.sharpness[aspect] * self.cosine[aspect])


def classify(crops: npt.NDArray[np.uint8], family: Family, looks: Looks | None = None) -> Evidence:
    """One batch through the family's net, compared with an edition's prototypes."""
    features = _features(crops, family)
    for view in family.views:
        features = features + _features(glanced(crops, *view), family)
    size = features.shape[1] // len(family.aspects)
    if family.views:
        apart = features.reshape(len(features), len(family.aspects), size)
        features = (apart / np.linalg.norm(apart, axis=2, keepdims=True)).reshape(features.shape)
    looks = looks or built_in_looks(family.name)
    parts = {
        aspect.name: features[:, index * size : (index + 1) * size]
        for index, aspect in enumerate(family.aspects)
    }
    cosine = {name: part @ looks.prototypes[name].T.astype(np.float64) for name, part in parts.items()}
    return Evidence(parts, cosine, looks)


def _features(crops: Sequence[npt.NDArray[np.uint8]] | npt.NDArray[np.uint8], family: Family) -> Floats:
    """(n, aspects · size) what the net makes of the crops."""
    batch = cv2.dnn.blobFromImages(list(crops), 1 / 255, swapRB=True)
    return run(family.name, batch).astype(np.float64)


def glanced(
    crops: npt.NDArray[np.uint8], zoom: float, degrees: float, shift: float
) -> list[npt.NDArray[np.uint8]]:
    """The crops as a lattice fitted a little differently would have cut them."""
    px = crops.shape[1]
    matrix = cv2.getRotationMatrix2D(((px - 1) / 2, (px - 1) / 2), degrees, zoom)
    matrix[0, 2] += shift * px
    border = cv2.BORDER_REPLICATE
    return [np.asarray(cv2.warpAffine(crop, matrix, (px, px), borderMode=border), np.uint8) for crop in crops]


def log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
