"""Editions as data: what each kind of tile looks like, as prototypes in the tile net's own feature space."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def save_prototypes(path: Path, prototypes: Mapping[str, Floats]) -> None:
    """Per aspect (kinds, size) unit vectors, as a small text file."""
    rounded = {name: [[round(float(x), 4) for x in row] for row in rows] for name, rows in prototypes.items()}
    path.write_text(json.dumps(rounded) + "\n", encoding="utf-8")


def load_prototypes(path: Path) -> dict[str, Floats]:
    """What `save_prototypes` wrote."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return {name: np.array(rows, np.float32) for name, rows in data.items()}
