"""How sharply likeness tells kinds apart: found on renders that training never saw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize_scalar

from models.studio.crops import crops
from models.training.ramps import ramp_views
from models.training.shelf import CROP_ZOOMS, crop_labels
from vision.classify import classify, log_softmax
from vision.editions import load_looks, save_looks
from vision.families import HEX, RAMP, Family

HELD_OUT_SEED = 5_000_000
CROPS = 4000
WEIGHTS = Path(__file__).parent.parent


def calibrate(family: Family) -> dict[str, tuple[float, float]]:
    """Per aspect (share right, sharpness); the sharpness is written to the family's looks."""
    if family is RAMP:
        images, labels = ramp_views(family, HELD_OUT_SEED, CROPS // 4)
    else:
        zooms = CROP_ZOOMS[family.name]
        upright = crops(
            family.name, HELD_OUT_SEED, CROPS, family.crop_px, turns=family is not HEX, zooms=zooms
        )
        images, labels = upright.images, crop_labels(family, upright.labels)
    path = WEIGHTS / f"{family.name}.looks.json"
    looks = load_looks(path)
    evidence = classify(images, family, looks)
    found = {}
    for index, aspect in enumerate(family.aspects):
        asked = labels[:, index] >= 0
        cosine, truth = evidence.cosine[aspect.name][asked], labels[asked, index].astype(int)

        def wrongness(sharpness: float, cosine=cosine, truth=truth) -> float:  # type: ignore[no-untyped-def]
            return -float(log_softmax(sharpness * cosine)[np.arange(len(truth)), truth].mean())

        best = minimize_scalar(wrongness, bounds=(6, 60), method="bounded")
        found[aspect.name] = (float((cosine.argmax(axis=1) == truth).mean()), float(best.x))
    save_looks(path, replace(looks, sharpness={name: value for name, (_, value) in found.items()}))
    return found
