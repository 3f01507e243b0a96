"""What the boards lie on. A texture is grey and gets its colours per scene, so few give many tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.studio.paint import Rgb, hsv, noise

Texture = npt.NDArray[np.uint8]
SIDE = 1024
VARIANTS = 5
"""Textures of each kind kept in memory; a megabyte each."""


def _grey(field: npt.NDArray[np.floating[Any]], contrast: float = 40.0, middle: float = 128.0) -> Texture:
    return np.asarray(np.clip(field * contrast + middle, 0, 255), np.uint8)


def _veneer(rng: np.random.Generator) -> Texture:
    """Long fibres that wave a little, with broad light and dark bands."""
    rows = np.arange(SIDE, dtype=np.float32)
    bend = np.cumsum(rng.normal(0, 0.25, SIDE)).astype(np.float32)
    y = rows[:, None] + bend[None, :] * 0.6 + noise(rng, "cloud", SIDE, SIDE) * 6
    bands = np.interp(
        np.arange(-200, SIDE + 200), np.arange(-200, SIDE + 200), rng.standard_normal(SIDE + 400)
    )
    broad = np.asarray(cv2.GaussianBlur(bands.astype(np.float32)[None], (0, 0), rng.uniform(4, 25))).ravel()
    broad /= broad.std() + 1e-6
    field = broad[np.clip(y.astype(int) + 200, 0, SIDE + 399)]
    pores = np.minimum(noise(rng, "streak", SIDE, SIDE) + 1.2, 0)
    return _grey(field * 0.55 + noise(rng, "streak", SIDE, SIDE) * 0.45 + pores * 0.7)


def _planks(rng: np.random.Generator) -> Texture:
    """Butcher-block staves: each its own piece of veneer and tone, thin dark joints."""
    board = np.zeros((SIDE, SIDE), np.float32)
    stave = int(rng.integers(50, 170))
    tone = float(rng.uniform(8, 30))
    piece = _veneer(rng).astype(np.float32)
    y = -int(rng.integers(0, stave))
    while y < SIDE:
        x = -int(rng.integers(0, 500))
        while x < SIDE:
            length = int(rng.integers(220, 800))
            y0, y1, x0, x1 = max(y, 0), min(y + stave, SIDE), max(x, 0), min(x + length, SIDE)
            if y1 > y0 and x1 > x0:
                sy, sx = (
                    int(rng.integers(0, SIDE - (y1 - y0) + 1)),
                    int(rng.integers(0, SIDE - (x1 - x0) + 1)),
                )
                cut = piece[sy : sy + y1 - y0, sx : sx + x1 - x0]
                board[y0:y1, x0:x1] = (cut - 128) * rng.uniform(0.4, 1.0) + rng.normal(0, tone)
                if rng.random() < 0.8:
                    board[y0:y1, x0 : x0 + 1] -= 30
            x += length
        if 0 <= y < SIDE:
            board[y : y + 1] -= 22
        y += stave
    return _grey(board / 40)


def _cloth(rng: np.random.Generator) -> Texture:
    """Woven threads across and along."""
    pitch = float(rng.uniform(3, 8))
    grid = np.arange(SIDE, dtype=np.float32)
    warp, weft = np.sin(grid * 2 * np.pi / pitch)[None, :], np.sin(grid * 2 * np.pi / pitch)[:, None]
    threads = noise(rng, "streak", SIDE, SIDE) * 0.5 + noise(rng, "streak", SIDE, SIDE).T * 0.5
    folds = noise(rng, "cloud", SIDE, SIDE) * float(rng.uniform(0.1, 0.9))
    return _grey(warp * weft * 0.6 + threads * 0.6 + folds, float(rng.uniform(10, 35)))


def _checks(rng: np.random.Generator) -> Texture:
    """Gingham: two tones and their mixture."""
    pitch = int(rng.integers(40, 200))
    bars = ((np.arange(SIDE) // pitch) % 2).astype(np.float32)
    mixed = (bars[None, :] + bars[:, None]) - 1
    if rng.random() < 0.3:
        mixed = np.abs(mixed) * 2 - 1
    return _grey(
        mixed * 2 + noise(rng, "soft", SIDE, SIDE) * 0.1 + noise(rng, "cloud", SIDE, SIDE) * 0.15, 55
    )


def _stripes(rng: np.random.Generator) -> Texture:
    """Stripes of unequal widths."""
    edges = np.cumsum(rng.integers(8, 140, 80))
    tones = rng.normal(0, 1.5, 81)
    across = tones[np.searchsorted(edges, np.arange(SIDE))].astype(np.float32)
    return _grey(across[:, None] + noise(rng, "soft", SIDE, SIDE) * 0.15)


def _plain(rng: np.random.Generator) -> Texture:
    """Laminate or paint: hardly anything to see."""
    return _grey(noise(rng, "fine", SIDE, SIDE) * 0.25 + noise(rng, "cloud", SIDE, SIDE) * 0.35, 22)


def _stone(rng: np.random.Generator) -> Texture:
    """Speckled granite."""
    specks = np.clip(noise(rng, "soft", SIDE, SIDE) - 1.0, 0, 2) - np.clip(
        -noise(rng, "soft", SIDE, SIDE) - 1.3, 0, 2
    )
    mix = specks * 1.2 + noise(rng, "blotch", SIDE, SIDE) * 0.3 + noise(rng, "fine", SIDE, SIDE) * 0.3
    return _grey(mix, float(rng.uniform(20, 50)))


def _marble(rng: np.random.Generator) -> Texture:
    """Clouds with thin veins where a folded field crosses zero."""
    field = noise(rng, "cloud", SIDE, SIDE) + noise(rng, "blotch", SIDE, SIDE) * 0.25
    veins = np.exp(-np.abs(field) * float(rng.uniform(6, 20)))
    return _grey(0.5 * noise(rng, "cloud", SIDE, SIDE) - 2.2 * veins, float(rng.uniform(20, 45)), 150)


def _felt(rng: np.random.Generator) -> Texture:
    """Short fibres in all directions."""
    return _grey(
        noise(rng, "soft", SIDE, SIDE) * 0.6 + noise(rng, "fine", SIDE, SIDE) * 0.5, float(rng.uniform(8, 22))
    )


def _dots(rng: np.random.Generator) -> Texture:
    """A printed oilcloth: dots or flowers of unlike sizes on one ground."""
    sheet = np.full((SIDE, SIDE), 60, np.uint8)
    for _ in range(int(rng.integers(60, 300))):
        x, y = (int(part) for part in rng.integers(0, SIDE, 2))
        cv2.circle(sheet, (x, y), int(rng.integers(6, 46)), int(rng.integers(90, 250)), -1, cv2.LINE_AA)
    return sheet


def _herringbone(rng: np.random.Generator) -> Texture:
    """Parquet laid in a zigzag."""
    wide = int(rng.integers(40, 80))
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    zig = (columns // (wide * 3)) % 2
    slant = np.where(zig == 0, rows + columns, rows - columns)
    piece = (slant // wide) * 7 + (columns // (wide * 3)) * 13
    tones = rng.normal(0, 0.8, 4096)
    joints = np.where((slant % wide) < 2, -1.5, 0) + np.where((columns % (wide * 3)) < 2, -1.5, 0)
    return _grey((tones[piece % 4096] + joints + noise(rng, "streak", SIDE, SIDE) * 0.4).astype(np.float32))


def _terrazzo(rng: np.random.Generator) -> Texture:
    """Chips of stone in cement."""
    sheet = np.full((SIDE, SIDE), 170, np.uint8)
    for _ in range(1400):
        centre = rng.integers(0, SIDE, 2)
        corners = centre + rng.normal(0, rng.uniform(3, 16), (6, 2))
        cv2.fillConvexPoly(
            sheet, cv2.convexHull(corners.astype(np.int32)), int(rng.integers(20, 250)), cv2.LINE_AA
        )
    return sheet


def _tartan(rng: np.random.Generator) -> Texture:
    """A plaid blanket with fine lines between broad ones."""
    one = _stripes(rng).astype(np.float32)
    period = int(rng.integers(160, 320))
    tile = one[:period, :period]
    across = np.tile(tile, (SIDE // period + 1, SIDE // period + 1))[:SIDE, :SIDE]
    twill = ((np.add.outer(np.arange(SIDE), np.arange(SIDE)) // 3) % 2) * 16
    return np.asarray(np.clip((across + across.T) / 2 + twill, 0, 255), np.uint8)


KINDS: dict[str, Callable[[np.random.Generator], Texture]] = {
    "planks": _planks,
    "veneer": _veneer,
    "cloth": _cloth,
    "checks": _checks,
    "stripes": _stripes,
    "plain": _plain,
    "stone": _stone,
    "marble": _marble,
    "felt": _felt,
    "dots": _dots,
}
LIKELY = (0.22, 0.2, 0.14, 0.06, 0.05, 0.14, 0.07, 0.05, 0.04, 0.03)
EXAM_KINDS: dict[str, Callable[[np.random.Generator], Texture]] = {
    "herringbone": _herringbone,
    "terrazzo": _terrazzo,
    "tartan": _tartan,
}


@lru_cache(maxsize=80)
def texture(kind: str, variant: int) -> Texture:
    """(1024, 1024) uint8, always the same one for a kind and a variant."""
    make = KINDS.get(kind) or EXAM_KINDS[kind]
    return make(np.random.default_rng([11, variant, *kind.encode()]))


def tones(rng: np.random.Generator, kind: str) -> tuple[Rgb, Rgb, Rgb]:
    """Dark, middle and light colour of one table."""
    if kind in ("planks", "veneer", "herringbone") and rng.random() < 0.85:
        hue, saturation = rng.uniform(12, 38), rng.uniform(0.2, 0.68)
        value = rng.uniform(0.25, 0.9)
        spread = rng.uniform(0.08, 0.3)
    elif kind in ("plain", "marble", "stone", "terrazzo") and rng.random() < 0.7:
        hue, saturation, value = rng.uniform(0, 360), rng.uniform(0, 0.15), rng.uniform(0.2, 0.97)
        spread = rng.uniform(0.05, 0.25)
    else:
        hue, saturation, value = rng.uniform(0, 360), rng.uniform(0, 0.85), rng.uniform(0.15, 0.95)
        spread = rng.uniform(0.05, 0.4)
    drift = (
        rng.uniform(-8, 8) if kind not in ("checks", "stripes", "dots", "tartan") else rng.uniform(-120, 120)
    )
    dark = hsv(float(hue - drift), float(min(1, saturation * 1.15)), float(max(0.04, value - spread)))
    light = hsv(float(hue + drift), float(saturation * 0.85), float(min(1.0, value + spread)))
    if kind in ("checks", "dots") and rng.random() < 0.6:
        light = hsv(40.0, 0.05, 0.93)
    middle = tuple((a + b) // 2 for a, b in zip(dark, light, strict=True))
    return dark, middle, light  # type: ignore[return-value]


def coloured(grey: Texture, palette: tuple[Rgb, Rgb, Rgb]) -> npt.NDArray[np.uint8]:
    """(h, w, 3): grey 0 becomes the dark colour, 128 the middle, 255 the light one."""
    steps = np.arange(256)
    table = np.stack(
        [np.interp(steps, (0, 128, 255), [colour[channel] for colour in palette]) for channel in range(3)], 1
    )
    return np.asarray(cv2.LUT(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), table[None].astype(np.uint8)))
