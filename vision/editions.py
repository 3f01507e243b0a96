"""Editions as data: what each kind of tile looks like, as prototypes in the tile net's own feature space."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Per aspect: the kinds there are, a unit vector for each, and how sharply likeness tells them apart."""

    kinds: Mapping[str, tuple[str, ...]]
    prototypes: Mapping[str, Floats]
    """(kinds, size)."""
    sharpness: Mapping[str, float]
    """What a cosine of one is worth against a cosine of zero, in nats; found on held-out renders."""


def save_looks(path: Path, looks: Looks) -> None:
    """As a small text file, one aspect after the other."""
    aspects = {
        name: {
            "kinds": list(looks.kinds[name]),
            "sharpness": round(looks.sharpness[name], 2),
            "prototypes": [[round(float(x), 4) for x in row] for row in rows],
        }
        for name, rows in looks.prototypes.items()
    }
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(aspects) + "\n", encoding="utf-8")
    temporary.replace(path)


def load_looks(path: Path) -> Looks:
    """What `save_looks` wrote."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Looks(
        {name: tuple(aspect["kinds"]) for name, aspect in data.items()},
        {name: np.array(aspect["prototypes"], np.float32) for name, aspect in data.items()},
        {name: float(aspect["sharpness"]) for name, aspect in data.items()},
    )
