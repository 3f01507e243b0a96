"""A square tile taken apart: the ground it is painted on, the ink of its symbol, and the symbol's shape.

A copy of a game prints the same few drawings on every tile, so one photo of each is a stencil for all others.
Only within one copy: two publishers' stars have different stencils.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Crops = npt.NDArray[np.uint8]

STENCIL_PX = 16
REACH = 0.38
"""How far from the tile's middle a symbol may reach, in pitches."""
CORNER = (0.40, 0.33)
"""Ground is looked for beyond the first (Euclidean) and within the second (along the sides), in pitches."""
INKED = 0.75
"""Share of the strongest contrast from which on a pixel is plainly ink."""
SHIFTS_PX = (-1.6, -0.8, 0.0, 0.8, 1.6)
"""Where a stencil is tried; what lies between, and small turns and zooms, is found from there."""
STEADY = 0.03
"""How little a stencil is willing to be shifted, turned or zoomed from where it was tried."""
LIGHT_PRIOR, LEVEL_NOISE = 0.25, 6.0
"""Share by which light differs within one tile, and levels by which a pixel is off."""
PALE = 120.0
"""Mean level from which on a ground shows shadows; a darker one shows reflections, which look like print."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What (n, px, px, 3) BGR crops consist of."""

    ground: Floats
    """(n, 3) BGR."""
    ink: Floats
    """(n, 3) BGR."""
    stencil: npt.NDArray[np.float32]
    """(n, STENCIL_PX, STENCIL_PX) coverage of the symbol, about 0 … 1."""
    contrast: Floats
    """(n,) levels between ground and ink."""

    def only(self, chosen: npt.NDArray[np.bool_]) -> Parts:
        """Those of some crops."""
        return Parts(self.ground[chosen], self.ink[chosen], self.stencil[chosen], self.contrast[chosen])


def taken_apart(crops: Crops, span: float) -> Parts:
    """`span`: side of a crop in pitches."""
    px = crops.shape[1]
    line = ((np.arange(px) + 0.5) / px - 0.5) * span
    x, y = np.meshgrid(line, line)
    radius, side = np.hypot(x, y), np.maximum(np.abs(x), np.abs(y))
    corner, inside = (radius > CORNER[0]) & (side < CORNER[1]), radius < REACH
    pixels = crops.astype(np.float32)
    ground = np.median(pixels[:, corner], axis=1)
    away = np.linalg.norm(pixels - ground[:, None, None], axis=3)
    within = away[:, inside]
    strong = INKED * np.quantile(within, 0.9, axis=1)
    ink = np.stack(
        [
            np.median(crop[inside][far >= least], axis=0)
            for crop, far, least in zip(pixels, within, strong, strict=True)
        ]
    )
    axis = ink - ground
    contrast = np.linalg.norm(axis, axis=1)
    cover = ((pixels - ground[:, None, None]) * axis[:, None, None]).sum(axis=3)
    cover = np.clip(cover / np.maximum(contrast, 1.0)[:, None, None] ** 2, -0.2, 1.2)
    cover *= radius < 1.1 * REACH
    stencil = _reduced(cover.astype(np.float32), span)
    return Parts(ground.astype(np.float64), ink.astype(np.float64), stencil, contrast.astype(np.float64))


def in_even_light(crops: Crops, span: float) -> Parts:
    """As `taken_apart`, but on pale tiles a shadow's edge or a lamp's rim is told from print.

    A pixel is ground and ink in some proportion, in more or less light: two unknowns and three channels. Only
    where ink and ground are of one colour, light and print cannot be told apart; then it is called print.
    """
    parts = taken_apart(crops, span)
    if not len(crops) or float(np.median(parts.ground)) < PALE:
        return parts
    _, ink = _lit_cover(crops, parts, span)
    # The ink is taken once more from where the print is, now that light is not mistaken for it.
    again = replace(parts, ink=ink, contrast=np.linalg.norm(ink - parts.ground, axis=1))
    cover, _ = _lit_cover(crops, again, span)
    return replace(again, stencil=_reduced(cover, span))


def _lit_cover(crops: Crops, parts: Parts, span: float) -> tuple[npt.NDArray[np.float32], Floats]:
    """(n, px, px) share of ink in each pixel whatever its light, and (n, 3) the ink as the ground is lit."""
    n, px = crops.shape[:2]
    radius = np.hypot(*np.meshgrid(*2 * [((np.arange(px) + 0.5) / px - 0.5) * span])).ravel()
    pixels = crops.reshape(n, -1, 3).astype(np.float32)
    light = np.maximum(parts.ground, 1.0)
    basis = np.stack([light, parts.ink - parts.ground], axis=1)
    gram = basis @ basis.transpose(0, 2, 1)
    gram += np.diag([(LEVEL_NOISE / LIGHT_PRIOR) ** 2, 1.0])
    solved = np.linalg.solve(gram, basis).astype(np.float32)
    more, share = np.moveaxis(
        (pixels - parts.ground[:, None].astype(np.float32)) @ solved.transpose(0, 2, 1), 2, 0
    )
    lit = np.maximum(1 + more, 0.3)
    share = np.clip(share / lit, -0.2, 1.2)
    inside = radius < REACH
    inks = np.empty((n, 3))
    for index in range(n):
        within = share[index, inside]
        inked = np.flatnonzero(inside)[within >= INKED * np.quantile(within, 0.9)]
        inks[index] = np.median(pixels[index, inked] / lit[index, inked, None], axis=0)
    share = share * (radius < 1.1 * REACH)
    return share.reshape(n, px, px), np.clip(inks, 0, 255)


def _reduced(cover: npt.NDArray[np.float32], span: float) -> npt.NDArray[np.float32]:
    """The part of (n, px, px) where symbols are, as stencils."""
    px = cover.shape[1]
    low = round(px * (0.5 - 1.1 * REACH / span))
    size = (STENCIL_PX, STENCIL_PX)
    window = cover[:, low : px - low, low : px - low]
    return np.stack([cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in window])


@dataclass(frozen=True, slots=True, eq=False)
class Stencils:
    """Every known drawing, turned and shifted as tiles on a table are."""

    rows: npt.NDArray[np.float32]
    """(m, STENCIL_PX²) of unit length and without mean."""
    moves: npt.NDArray[np.float32]
    """(m, 4, STENCIL_PX²) how each row changes when shifted by a pixel, turned or zoomed a little."""
    kind: npt.NDArray[np.intp]
    """(m,) which kind each row shows, in ascending order."""
    kinds: int

    def likeness(self, stencil: npt.NDArray[np.float32]) -> Floats:
        """(n, kinds) −1 … 1: how well each cell's symbol fits each kind, moved to where it fits best."""
        shown = even(stencil)
        tried = shown @ self.rows.T
        found = np.empty((len(shown), self.kinds))
        for index in range(self.kinds):
            low, top = np.searchsorted(self.kind, (index, index + 1))
            best = low + tried[:, low:top].argmax(axis=1)
            basis = np.concatenate([self.rows[best][:, None], self.moves[best]], axis=1)
            gram = basis @ basis.transpose(0, 2, 1) + np.diag([0.0] + 4 * [STEADY])
            onto = basis @ shown[:, :, None]
            fit = (np.linalg.solve(gram, onto) * onto).sum(axis=(1, 2))
            found[:, index] = np.sqrt(np.clip(fit, 0, 1)) * np.sign(tried[:, low:top].max(axis=1))
        return found


def even(stencil: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(n, STENCIL_PX²) rows without mean, of unit length."""
    rows = stencil.reshape(len(stencil), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    found: npt.NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return found


def stencils(examples: list[npt.NDArray[np.float32]]) -> Stencils:
    """From each kind's (k, STENCIL_PX, STENCIL_PX) examples."""
    varied = [np.stack([one for example in shown for one in _varied(example)]) for shown in examples]
    kind = np.repeat(np.arange(len(varied)), [len(one) for one in varied])
    every = np.concatenate(varied)
    rows = every.reshape(len(every), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    length = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    moves = _moves(every) / length[:, None]
    return Stencils(
        (rows / length).astype(np.float32),
        (moves - moves.mean(axis=2, keepdims=True)).astype(np.float32),
        kind,
        len(varied),
    )


def _varied(stencil: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
    found = []
    for quarter in range(4):
        turned = np.ascontiguousarray(np.rot90(stencil, quarter))
        for x, y in product(SHIFTS_PX, SHIFTS_PX):
            moved = np.array([[1, 0, x], [0, 1, y]], np.float32)
            found.append(cv2.warpAffine(turned, moved, (STENCIL_PX, STENCIL_PX)).astype(np.float32))
    return found


def _moves(stencil: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(m, 4, STENCIL_PX²) what shifting (x, y), turning and zooming by about a pixel at the rim adds."""
    line = (np.arange(STENCIL_PX, dtype=np.float32) - (STENCIL_PX - 1) / 2) / (STENCIL_PX / 2)
    x, y = np.meshgrid(line, line)
    down, right = np.gradient(stencil, axis=(1, 2))
    moves = np.stack([right, down, x * down - y * right, x * right + y * down], axis=1)
    found: npt.NDArray[np.float32] = moves.reshape(len(stencil), 4, -1).astype(np.float32)
    return found


def typical(stencil: npt.NDArray[np.float32], most: int = 3) -> npt.NDArray[np.float32]:
    """The few of (k, …) examples of one kind that look most like the others, whatever their quarter turn."""
    rows = even(stencil)
    turned = [
        even(np.stack([np.rot90(one, quarter) for one in stencil]).astype(np.float32)) for quarter in range(4)
    ]
    alike = np.max([rows @ one.T for one in turned], axis=0)
    return stencil[np.argsort(-alike.sum(axis=1), kind="stable")[:most]]
