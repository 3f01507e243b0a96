"""Colours of print and plastic, and how they vary from one print run to the next."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from models.studio.hexes import DIRECTIONS, VALUES

Colour = tuple[float, float, float]
"""BGR, 0 … 1."""


def rgb(text: str) -> Colour:
    """A colour from its RRGGBB digits."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return blue, green, red


def rgbs(text: str) -> tuple[Colour, ...]:
    """Colours from RRGGBB words."""
    return tuple(rgb(word) for word in text.split())


REBEL = dict(enumerate(rgbs("1b1b1d f4f2ee f291bd 2f6fd0 8b8d90 dd2026 5db93a f58220 fddb16"), start=1))
RAVENSBURGER = dict(
    enumerate(rgbs("b9bcbe f7cfd6 ef83b4 56b4ec 109c9f e5322b b4d334 f6a01e fbe93b"), start=1)
)
OLDER = dict(enumerate(rgbs("b4b6ba f4b3d2 dc3e96 a4dcf4 129ea2 e2333a b4cf35 ee8030 fbe522"), start=1))
PLAYERS = rgbs("8c1d3a 0f6d78 6b4226 22683a 4a2366 14343f 1d2f6f 3b3b42 a05a12 7d1f1f")
RAVENSBURGER_BACKS = rgbs("6e2a1c 1d1a1c 0d6a63 1c2350 123c2b 5c2318")
OLDER_BACKS = rgbs("173c4e 14455a 123a40 1b3350")
INKS = rgbs(
    "e6261f f58a1f ffd91a 8ccb3c 1f9e4a 14a3a0 58c0ee 1f62c4 6b3fa0 c22f8e f48fb5 f9cfd8 ffffff bfc3c7 "
    "808489 1a1a1c 7a4a2a d9b48a 0b3c5d 9be0c8"
)
EXAM_INKS = rgbs(
    "b3121d ff5a36 f2b705 d6e03a 55a630 006d5b 2ec4d6 3a86ff 3d2c8d 9d4edd ff5d9e e8b4bc efe9d9 "
    "a3a9a0 5c6470 0f0f12 a0522d"
)
BACKS = rgbs(
    "12343b 0f6d78 22683a 4a2366 8c1d3a 1d2f6f 6b4226 2a2a2e f1ede2 e6d3a8 c9d6df 8d99ae 101014 9c6b3f "
    "b33951 3f7d20 ffffff 355070"
)
EXAM_BACKS = rgbs("2d4739 54122b 223a5e 4b4453 d8d4c4 6f5e3c 0b5563 7b2d8b")
WHITE, BLACK = (1.0, 1.0, 1.0), (0.04, 0.04, 0.05)


def jitter(rng: np.random.Generator, colour: Colour, amount: float = 0.05) -> Colour:
    """The same colour from another print run."""
    shift = rng.normal(0, amount, 3) + rng.normal(0, amount)
    b, g, r = np.clip(np.array(colour) + shift, 0, 1)
    return float(b), float(g), float(r)


def lab(colours: Sequence[Colour]) -> np.ndarray:
    """(n, 3) CIE Lab of BGR colours."""
    pixels = np.array([colours], np.float32)
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB)[0])


def luma(colour: Colour) -> float:
    """Brightness, 0 … 1."""
    b, g, r = colour
    return 0.11 * b + 0.59 * g + 0.3 * r


def random_palette(rng: np.random.Generator, exam: bool, back: Colour) -> dict[int, Colour]:
    """Nine colours: those of one direction easy to tell apart, all of them different, none the background."""
    inks = EXAM_INKS if exam else INKS
    for _ in range(200):
        chosen = [jitter(rng, inks[i], 0.05) for i in rng.permutation(len(inks))[:9]]
        points = lab([*chosen, back])
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + 99 * np.eye(10)
        triples = [gaps[np.ix_(range(k, k + 3), range(k, k + 3))].min() for k in (0, 3, 6)]
        if min(triples) > 38 and gaps[:9, :9].min() > 13 and gaps[9].min() > 22:
            break
    values = [value for way in DIRECTIONS for value in VALUES[way]]
    return dict(zip(values, chosen, strict=True))


def byte(colour: Sequence[float], tone: float = 1.0) -> tuple[int, int, int]:
    """A BGR colour for OpenCV, lightened or darkened by `tone`."""
    b, g, r = (round(255 * min(1.0, max(0.0, float(c) * tone))) for c in colour)
    return b, g, r
