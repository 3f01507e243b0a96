"""Stage 6b: which colour each tile is painted in, seen beside all other tiles of the photo.

A pale red in warm light is an orange until one sees the orange beside it. One small net looks at all tiles
of an open table at once: at the ink and the ground of each, and at what the tile net thinks of each alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.classify import log_softmax
from vision.networks import run
from vision.symbols import Parts

Floats = npt.NDArray[np.float64]

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white")
"""What the net answers; Trio calls purple violet and has no white."""
TOKEN_WIDTH = 3 + 3 + 3 + len(COLOURS)
PLAINLY_NOT = -10.0
"""Nats below which the tile net's opinion says no more."""


def tokens(ink: Floats, ground: Floats, log_p: Floats) -> Floats:
    """(n, width) what the net is told of each tile: BGR levels of ink and ground, and (n, kinds) nats."""
    levels = np.concatenate([ink, ground], axis=1) / 255
    chroma = np.log((ink + 12) / (ink + 12).sum(axis=1, keepdims=True))
    told = np.full((len(ink), len(COLOURS)), PLAINLY_NOT)
    told[:, : log_p.shape[1]] = np.maximum(log_p, PLAINLY_NOT)
    return np.concatenate([2 * levels - 1, chroma + 1.1, told / 5 + 1], axis=1)


def colours_together(parts: Parts, log_p: Floats) -> Floats:
    """(n, kinds) log-probabilities of the colours of one photo's tiles, `log_p` those of each alone."""
    seen = tokens(parts.ink, parts.ground, log_p).astype(np.float32)
    logits = run("inks", seen[None])[0].astype(np.float64)
    return log_softmax(logits[:, : log_p.shape[1]])
