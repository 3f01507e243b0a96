"""How sharply likeness tells kinds apart: found on renders that training never saw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from models.studio.crops import cells_of
from models.studio.scene import render
from models.training.ramps import ramp_views
from models.training.shelf import crop_labels
from vision.classify import classify, log_softmax
from vision.editions import load_looks, save_looks
from vision.families import HEX, RAMP, Family

HELD_OUT_SEED = 5_000_000
SCENES = 120
SIZES = ((1600, 1200), (1200, 1600))
WEIGHTS = Path(__file__).parent.parent


def photographed(family: Family) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
    """Crops and labels as they come out of whole photographs, not out of training's small ones."""
    rng = np.random.default_rng(HELD_OUT_SEED)
    images, labels = [], []
    for number in range(SCENES):
        scene = render(family.name, HELD_OUT_SEED + number, size=SIZES[number % 2])
        cut, found = cells_of(rng, scene, family.crop_px, turns=family is not HEX, per_cell=1)
        images.append(cut)
        labels.append(crop_labels(family, found))
    return np.concatenate(images), np.concatenate(labels)


def calibrate(family: Family) -> dict[str, tuple[float, float]]:
    """Per aspect (share right, sharpness); the sharpness is written to the family's looks."""
    images, labels = ramp_views(family, HELD_OUT_SEED, 1000) if family is RAMP else photographed(family)
    path = WEIGHTS / f"{family.name}.looks.json"
    looks = load_looks(path)
    evidence = classify(images, family, looks)
    found = {}
    for index, aspect in enumerate(family.aspects):
        asked = labels[:, index] >= 0
        cosine, truth = evidence.cosine[aspect.name][asked], labels[asked, index].astype(int)

        def wrongness(sharpness: float, cosine=cosine, truth=truth) -> float:  # type: ignore[no-untyped-def]
            return -float(log_softmax(sharpness * cosine)[np.arange(len(truth)), truth].mean())

        best = minimize_scalar(wrongness, bounds=(6, 80), method="bounded")
        found[aspect.name] = (float((cosine.argmax(axis=1) == truth).mean()), float(best.x))
    save_looks(path, replace(looks, sharpness={name: value for name, (_, value) in found.items()}))
    return found
