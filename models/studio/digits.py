"""Digits and short words in endless typefaces: drawn from skeletons, so no font file is needed.

A `Style` is a typeface. Most are strokes along Bézier skeletons with their own weight, contrast, slant,
squareness and terminals; the others bend the one face Pillow carries. `reserved` styles are the exam set's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Mask = npt.NDArray[np.uint8]
Stroke = npt.NDArray[np.float64]

MASTER_PX = 112
"""Height at which a skeleton is stroked before it is reduced to the wanted size."""
STEPS = 9
"""Points along one Bézier curve."""


@dataclass(frozen=True, slots=True)
class Style:
    """One typeface. Lengths are shares of the digit's height."""

    family: str = "stroke"
    """"stroke" or "pillow"."""
    weight: float = 0.16
    width: float = 0.6
    slant: float = 0.0
    contrast: float = 0.0
    """How much thinner horizontal strokes are than vertical ones, 0 … 0.7."""
    squareness: float = 1.0
    """Bézier handles' stretch: below 1 pointed, above 1 boxy."""
    cap: str = "butt"
    """"butt", "round" or, in the exam set only, "flared"."""
    serif: float = 0.0
    wobble: float = 0.0
    seed: int = 0
    """Picks among the drawings a digit has (open or closed 4, barred 7, footed 1 …) and the hand's wobble."""
    reserved: bool = False


def random_style(rng: np.random.Generator, exam: bool = False) -> Style:
    """A typeface nobody has to have seen before; `exam` draws from its own ranges, never met otherwise."""
    seed = int(rng.integers(1 << 16))
    if exam:
        return Style(
            weight=float(rng.uniform(0.13, 0.24)),
            width=float(rng.uniform(0.55, 0.78)),
            slant=float(rng.uniform(-0.06, 0.22)),
            contrast=float(rng.uniform(0, 0.4)),
            squareness=float(rng.uniform(0.98, 1.22)),
            cap="flared",
            seed=seed,
            reserved=True,
        )
    if rng.random() < 0.3:
        return Style(
            "pillow",
            weight=float(rng.choice([0.0, 0.025, 0.04, 0.06])),
            width=float(rng.choice([1.0, 1.0, rng.uniform(0.65, 1.15)])),
            slant=float(rng.choice([0.0, 0.0, rng.uniform(-0.05, 0.25)])),
            seed=seed,
        )
    kind = ("sans", "sans", "rounded", "serif", "condensed", "comic", "heavy")[int(rng.integers(7))]
    width = rng.uniform(0.36, 0.48) if kind == "condensed" else rng.uniform(0.5, 0.72)
    weight = rng.uniform(0.22, 0.3) if kind == "heavy" else rng.uniform(0.1, 0.22)
    return Style(
        weight=float(min(weight, 0.42 * width)),
        width=float(width),
        slant=float(rng.uniform(-0.05, 0.25) if rng.random() < 0.3 else 0.0),
        contrast=float(rng.uniform(0.3, 0.65) if kind == "serif" else rng.uniform(0, 0.25)),
        squareness=float(rng.uniform(0.9, 1.3) if kind != "serif" else rng.uniform(0.92, 1.08)),
        cap="round" if kind in ("rounded", "comic") or rng.random() < 0.15 else "butt",
        serif=float(rng.uniform(0.6, 1.2)) if kind == "serif" else 0.0,
        wobble=float(rng.uniform(0.01, 0.035)) if kind == "comic" else 0.0,
        seed=seed,
    )


@lru_cache(maxsize=4096)
def glyph(text: str, style: Style, px: int) -> Mask:
    """`text` (digits, or letters in any family) as a tight alpha mask, `px` high. Do not write to it."""
    master = _master(text, style)
    height, width = master.shape
    wide = max(1, round(width * px / height))
    mask: Mask = cv2.resize(master, (wide, max(1, px)), interpolation=cv2.INTER_AREA).astype(np.uint8)
    mask.setflags(write=False)
    return mask


@lru_cache(maxsize=2048)
def _master(text: str, style: Style) -> Mask:
    if style.family == "pillow" or not text.isdigit():
        return _tight(_pillow(text, style))
    return _tight(np.hstack([_stroked(int(letter), style) for letter in text]))


def _tight(mask: Mask) -> Mask:
    ys, xs = np.nonzero(mask > 40)
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


@lru_cache(maxsize=4)
def _pillow_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _pillow(text: str, style: Style) -> Mask:
    bold = round(style.weight * MASTER_PX)
    canvas = Image.new("L", (MASTER_PX * (len(text) + 1), 2 * MASTER_PX))
    ImageDraw.Draw(canvas).text((30, 30), text, 255, _pillow_font(MASTER_PX), stroke_width=bold)
    lean = np.array([[style.width, -style.slant, MASTER_PX * 0.5], [0, 1, 0]])
    return np.asarray(cv2.warpAffine(np.asarray(canvas), lean, (canvas.width * 2, canvas.height)), np.uint8)


def _curve(start: tuple[float, float], *handles: tuple[float, float], stretch: float) -> Stroke:
    """Cubic Béziers from `start`, three points each; `stretch` pulls handles out (boxy) or in (pointed)."""
    t = np.linspace(0, 1, STEPS)[1:, None]
    points = [np.array([start])]
    p0 = np.array(start)
    for i in range(0, len(handles), 3):
        c1, c2, p1 = (np.array(h) for h in handles[i : i + 3])
        c1, c2 = p0 + (c1 - p0) * stretch, p1 + (c2 - p1) * stretch
        points.append((1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * c1 + 3 * (1 - t) * t**2 * c2 + t**3 * p1)
        p0 = p1
    return np.vstack(points)


def _line(*points: tuple[float, float]) -> Stroke:
    return np.array(points, float)


def skeleton(digit: int, seed: int, stretch: float) -> list[Stroke]:
    """Centre lines of a digit in the unit square (y down); at a corner one stroke ends, another starts."""
    pick = np.random.default_rng((seed, digit))
    first, second = pick.random(2)
    k = stretch
    if digit == 1:
        flag = float(pick.uniform(0.16, 0.34))
        strokes = [_line((0.58, 1), (0.58, 0)), _line((0.58, 0), (0.2, flag))] if first < 0.85 else []
        strokes = strokes or [_line((0.5, 1), (0.5, 0))]
        return [*strokes, _line((0.2, 1), (0.94, 1))] if second < 0.3 and first < 0.85 else strokes
    if digit == 2:
        bow = _curve(
            (0.04, 0.28), (0.04, 0.1), (0.22, 0), (0.5, 0), (0.78, 0), (0.95, 0.12), (0.95, 0.29), stretch=k
        )
        leg = _curve((0.95, 0.29), (0.95, 0.5), (0.5, 0.64), (0.04, 1), stretch=1.0)
        return [np.vstack([bow, leg[1:]]), _line((0.04, 1), (1, 1))]
    if digit == 3:
        belly = (
            (0.78, 0.45),
            (0.97, 0.55),
            (0.97, 0.73),
            (0.97, 0.9),
            (0.78, 1),
            (0.48, 1),
            (0.25, 1),
            (0.08, 0.92),
        )
        lower = _curve((0.42, 0.45), *belly, (0.02, 0.79), stretch=k)
        if first < 0.15:
            return [_line((0.08, 0), (0.92, 0)), _line((0.92, 0), (0.42, 0.42)), lower]
        upper = _curve(
            (0.06, 0.2), (0.12, 0.07), (0.28, 0), (0.48, 0), (0.75, 0), (0.9, 0.1), (0.9, 0.23),
            (0.9, 0.38), (0.72, 0.45), (0.42, 0.45), stretch=k,
        )  # fmt: skip
        return [upper, lower]
    if digit == 4:
        if first < 0.2:
            return [
                _line((0.32, 0), (0.02, 0.66)),
                _line((0.02, 0.66), (1, 0.66)),
                _line((0.74, 0.34), (0.74, 1)),
            ]
        return [_line((0.74, 1), (0.74, 0)), _line((0.74, 0), (0, 0.7)), _line((0, 0.7), (1, 0.7))]
    if digit == 5:
        bowl = _curve(
            (0.1, 0.46), (0.22, 0.39), (0.36, 0.36), (0.5, 0.36), (0.8, 0.36), (0.97, 0.47), (0.97, 0.67),
            (0.97, 0.88), (0.78, 1), (0.48, 1), (0.25, 1), (0.08, 0.92), (0.02, 0.8), stretch=k,
        )  # fmt: skip
        return [_line((0.9, 0), (0.18, 0)), _line((0.18, 0), (0.1, 0.46)), bowl]
    if digit in (6, 9):
        ring = (
            (0.03, 0.88), (0.2, 1), (0.5, 1), (0.8, 1), (0.97, 0.88), (0.97, 0.68), (0.97, 0.48), (0.8, 0.37),
            (0.52, 0.37), (0.26, 0.37), (0.05, 0.5), (0.03, 0.66),
        )  # fmt: skip
        # A straight tail comes with both or neither: the pair is told apart by where the ring is.
        tail = np.random.default_rng((seed, 69)).random()
        if tail < 0.25:
            six = _curve((0.74, 0), (0.4, 0.2), (0.03, 0.42), (0.03, 0.66), *ring, stretch=min(k, 1.05))
        else:
            six = _curve(
                (0.9, 0.16),
                (0.82, 0.05),
                (0.7, 0),
                (0.54, 0),
                (0.2, 0),
                (0.03, 0.25),
                (0.03, 0.62),
                *ring,
                stretch=k,
            )
        if digit == 9 and 0.25 <= tail < 0.4:
            loop = 1 - _curve((0.03, 0.66), *ring, stretch=k)
            return [loop, _line((0.97, 0.3), (0.97, 1))]
        return [six if digit == 6 else 1 - six]
    if digit == 7:
        end = float(pick.uniform(0.2, 0.42))
        stem = (
            _line((0.97, 0), (end, 1))
            if first < 0.6
            else _curve((0.97, 0), (0.6, 0.35), (end, 0.65), (end, 1), stretch=1)
        )
        strokes = [_line((0, 0), (0.97, 0)), stem]
        return [*strokes, _line((0.28, 0.5), (0.86, 0.5))] if second < 0.12 else strokes
    if digit == 8:
        waist = float(pick.uniform(0.44, 0.49))
        top = _curve(
            (0.5, waist), (0.2, waist), (0.08, 0.36), (0.08, waist / 2), (0.08, 0.09), (0.24, 0), (0.5, 0),
            (0.76, 0), (0.92, 0.09), (0.92, waist / 2), (0.92, 0.36), (0.8, waist), (0.5, waist), stretch=k,
        )  # fmt: skip
        bottom = _curve(
            (0.5, waist), (0.2, waist), (0.02, 0.58), (0.02, 0.73), (0.02, 0.9), (0.2, 1), (0.5, 1),
            (0.8, 1), (0.98, 0.9), (0.98, 0.73), (0.98, 0.58), (0.8, waist), (0.5, waist), stretch=k,
        )  # fmt: skip
        return [top, bottom]
    return [_curve((0.5, 0), (0.2, 0), (0, 0.2), (0, 0.5), (0, 0.8), (0.2, 1), (0.5, 1), (0.8, 1), (1, 0.8),
                   (1, 0.5), (1, 0.2), (0.8, 0), (0.5, 0), stretch=k)]  # fmt: skip


def _nearest(point: Stroke, points: Stroke) -> float:
    return float(np.hypot(*(points - point).T).min()) if len(points) else 9.0


def _stroked(digit: int, style: Style) -> Mask:
    half = style.weight / 2
    size = MASTER_PX * (1 - 2 * half)
    inset = np.array([MASTER_PX * 0.35, MASTER_PX * 0.15 + MASTER_PX * half])
    canvas = np.zeros((round(MASTER_PX * 1.3), round(MASTER_PX * (style.width + 0.8))), np.uint8)
    hand = np.random.default_rng((style.seed, digit, 3))
    phase = hand.uniform(0, 6.3, 4)
    strokes = skeleton(digit, style.seed, style.squareness)
    for index, stroke in enumerate(strokes):
        others = np.vstack([s for i, s in enumerate(strokes) if i != index] or [np.full((1, 2), 9.0)])
        free = [
            bool(min(_nearest(end, others), _nearest(end, rest)) > 0.08)
            for end, rest in ((stroke[0], stroke[STEPS:]), (stroke[-1], stroke[:-STEPS]))
        ]
        xy = stroke.copy()
        if style.wobble:
            xy[:, 0] += style.wobble * 2 * np.sin(5 * stroke[:, 1] + phase[0]) + style.wobble * np.sin(
                9 * stroke[:, 0] + phase[1]
            )
            xy[:, 1] += style.wobble * np.sin(5 * stroke[:, 0] + phase[2])
        xy[:, 0] = xy[:, 0] * style.width + (0.5 - xy[:, 1]) * style.slant
        _sweep(canvas, xy * size + inset, style, free)
        if style.serif:
            _serifs(canvas, stroke, xy * size + inset, style, free)
    return canvas


def _sweep(canvas: Mask, xy: Stroke, style: Style, free: list[bool]) -> None:
    """Pull a pen along `xy`: quads between points, discs at the joints, caps at the ends."""
    step = np.diff(xy, axis=0)
    length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-6)
    along = step / length[:, None]
    half = style.weight * MASTER_PX / 2 * (1 - style.contrast * np.abs(along[:, 0]))
    normal = np.stack([-along[:, 1], along[:, 0]], 1) * half[:, None]
    start, stop = xy[:-1].copy(), xy[1:].copy()
    widening = np.ones(len(xy))
    if style.cap == "flared":
        run = np.concatenate([[0.0], np.cumsum(length)]) / MASTER_PX
        for is_free, distance in zip(free, (run, run[-1] - run), strict=True):
            widening += 0.55 * np.clip(1 - distance / 0.3, 0, 1) ** 2 if is_free else 0.0
    # At a corner an upright or level stroke runs on by half a pen and squares it; a slanting one is round.
    level = np.abs(along).max(axis=1) > 0.96
    if style.cap != "round":
        if not free[0] and level[0]:
            start[0] -= along[0] * half[0]
        if not free[1] and level[-1]:
            stop[-1] += along[-1] * half[-1]
    f0, f1 = widening[:-1, None], widening[1:, None]
    quads = np.stack([start + normal * f0, stop + normal * f1, stop - normal * f1, start - normal * f0], 1)
    for quad in np.round(quads * 16).astype(np.int32):
        cv2.fillConvexPoly(canvas, quad, (255,), cv2.LINE_AA, 4)
    joints = np.round(xy * 16).astype(np.int32)
    radius = np.round(np.append(half, half[-1]) * 16).astype(np.int32)
    first = 0 if style.cap == "round" or not (free[0] or level[0]) else 1
    last = len(xy) if style.cap == "round" or not (free[1] or level[-1]) else len(xy) - 1
    for (x, y), r in zip(joints[first:last].tolist(), radius[first:last].tolist(), strict=True):
        cv2.circle(canvas, (x, y), r, (255,), -1, cv2.LINE_AA, 4)


def _serifs(canvas: Mask, plain: Stroke, xy: Stroke, style: Style, free: list[bool]) -> None:
    """Slabs under straight stems, balls at the ends of curves."""
    pen = style.weight * MASTER_PX
    curved = len(plain) > STEPS
    for at, (x, y), is_free in ((plain[0], xy[0], free[0]), (plain[-1], xy[-1], free[1])):
        if not is_free:
            continue
        if curved and at[1] not in (0.0, 1.0):
            cv2.circle(
                canvas,
                (round(x), round(y)),
                round(pen * 0.42 * (1 + 0.2 * style.serif)),
                (255,),
                -1,
                cv2.LINE_AA,
            )
        elif at[1] > 0.95:
            reach, thick = pen * (0.7 + 0.5 * style.serif), max(2, round(pen * (1 - style.contrast) * 0.6))
            cv2.line(
                canvas, (round(x - reach), round(y)), (round(x + reach), round(y)), (255,), thick, cv2.LINE_AA
            )
