"""Outlines of the painted symbols, each with its own freedom: no two publishers draw the same star.

All are lists of polygons in unit coordinates: the symbol reaches about 1 from the centre.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from models.studio.paint import circle, rounded_square, turned

Outline = npt.NDArray[np.float64]
Drawing = list[Outline]
Draw = Callable[[np.random.Generator, bool], Drawing]


def pointed(points: int, inner: float, bulge: float = 0.0, blunt: float = 0.0) -> Outline:
    """A star. `inner`: radius of its notches; `bulge` > 0 curves the edges inwards; `blunt`: the tips."""
    outline = []
    steps = 8
    for index in range(2 * points):
        r0, r1 = (1.0, inner) if index % 2 == 0 else (inner, 1.0)
        a0, a1 = np.pi * index / points, np.pi * (index + 1) / points
        p0, p1 = np.array([np.sin(a0), -np.cos(a0)]) * r0, np.array([np.sin(a1), -np.cos(a1)]) * r1
        along = np.linspace(0, 1, steps, endpoint=False)[:, None]
        edge = p0 + (p1 - p0) * along
        outline.append(edge * (1 - bulge * 4 * along * (1 - along)))
    points_all = np.concatenate(outline)
    if blunt > 0:
        radius = np.hypot(points_all[:, 0], points_all[:, 1])
        limit = 1 - blunt
        points_all = points_all * np.minimum(1, limit / np.maximum(radius, 1e-9))[:, None] / limit
    return points_all


def draw_circle(rng: np.random.Generator, exam: bool) -> Drawing:
    if exam:
        return [circle(0.86, corners=64)]
    return [circle(0.98, corners=64) * [1, rng.uniform(0.94, 1.0)]]


def draw_square(rng: np.random.Generator, exam: bool) -> Drawing:
    if exam:
        return [rounded_square(0.78, 0.18)]
    half = rng.uniform(0.72, 0.92)
    return [rounded_square(half, rng.choice((0.0, 0.04, 0.15, 0.28)) * half)]


def draw_diamond(rng: np.random.Generator, exam: bool) -> Drawing:
    if exam:
        return [turned(rounded_square(0.7, 0.24), np.pi / 4)]
    tall = rng.uniform(0.9, 1.08)
    square = rounded_square(0.74, rng.choice((0.0, 0.04, 0.15)) * 0.74)
    return [turned(square, np.pi / 4) * [1 / tall, tall] * 1.0]


def draw_star8(rng: np.random.Generator, exam: bool) -> Drawing:
    if exam:
        return [rounded_square(0.72, 0.0), turned(rounded_square(0.72, 0.0), np.pi / 4)]
    star = pointed(8, rng.uniform(0.38, 0.66), rng.choice((0, 0, 0.06)), rng.choice((0, 0, 0.06, 0.14)))
    return [turned(star, rng.choice((0.0, np.pi / 8)))]


def draw_cross(rng: np.random.Generator, exam: bool) -> Drawing:
    """The four-pointed one, tips to the corners or to the sides."""
    if exam:
        return [turned(pointed(4, 0.3, 0.15, 0.17), np.pi / 4)]
    style = rng.random()
    if style < 0.85:
        cross = pointed(
            4, rng.uniform(0.24, 0.42), rng.choice((0, 0, 0.1, 0.25)), rng.choice((0, 0, 0.05, 0.12))
        )
    else:
        cross = pointed(4, rng.uniform(0.3, 0.42), rng.uniform(0.2, 0.35), rng.uniform(0.05, 0.2))
    corners = rng.random() < 0.6
    return [turned(cross, np.pi / 4) * rng.uniform(1.05, 1.22) if corners else cross * rng.uniform(1.0, 1.1)]


def draw_clover(rng: np.random.Generator, exam: bool) -> Drawing:
    """Four round leaves, from a plump quatrefoil to a slender cross with round ends."""
    if exam:
        quarters = np.arange(4) * np.pi / 2 + np.pi / 4
        return [circle(0.41, (0.57 * float(np.cos(a)), 0.57 * float(np.sin(a)))) for a in quarters]
    leaf = rng.uniform(0.3, 0.46)
    reach = 1.0 - leaf
    turn = np.pi / 4 if rng.random() < 0.25 else 0.0
    neck = leaf * rng.uniform(0.55, 0.95)
    parts = [turned(rounded_square(neck * 1.05, 0.0), turn)]
    for quarter in range(4):
        angle = turn + quarter * np.pi / 2
        at = np.array([np.cos(angle), np.sin(angle)])
        parts.append(circle(leaf, tuple(at * reach)))
        bar = np.array([[0, -neck], [reach, -neck], [reach, neck], [0, neck]])
        parts.append(turned(bar, angle))
    return parts


def draw_star5(rng: np.random.Generator, exam: bool) -> Drawing:
    """A star of five to eight points."""
    if exam:
        return [pointed(5, 0.36, 0.08)]
    points = int(rng.choice((4, 5, 5, 5, 6, 6, 7, 8)))
    bulge = float(rng.choice((0.0, 0.0, 0.0, 0.04, -0.05)))
    if points == 4:
        return [pointed(4, rng.uniform(0.28, 0.42), bulge)]
    return [pointed(points, rng.uniform(0.38, 0.6), bulge, rng.choice((0, 0.08, 0.18)))]


def draw_heart(rng: np.random.Generator, exam: bool) -> Drawing:
    if exam:
        point = np.array([[-0.93, -0.2], [0.93, -0.2], [0.0, 0.98]])
        return [circle(0.5, (-0.46, -0.4)), circle(0.5, (0.46, -0.4)), point, circle(0.3, (0.0, -0.15))]
    t = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    lobes, waist = rng.uniform(4.2, 5.8), rng.uniform(0.8, 1.05)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - lobes * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return [np.stack([x / 16 * waist, (y - 2.0) / 14.5], 1) * 0.98]


def draw_flower(rng: np.random.Generator, exam: bool) -> Drawing:
    if exam:
        petal = circle(1.0) * [0.5, 0.22] + [0.48, 0.0]
        return [turned(petal, step * np.pi / 3) for step in range(6)]
    petals = int(rng.choice((5, 5, 6, 6, 7, 8)))
    if rng.random() < 0.35:
        return slender_flower(rng, petals)
    leaf = rng.uniform(0.78, 1.1) * np.sin(np.pi / petals) / (1 + np.sin(np.pi / petals))
    reach = 1 - leaf
    parts = [circle(reach * rng.uniform(0.7, 0.95))]
    start = rng.uniform(0, 2 * np.pi)
    for index in range(petals):
        angle = start + index * 2 * np.pi / petals
        parts.append(circle(leaf, (reach * float(np.cos(angle)), reach * float(np.sin(angle)))))
    return parts


def slender_flower(rng: np.random.Generator, petals: int) -> Drawing:
    """A daisy: long petals, with or without a heart, rounder than the exam's."""
    reach = rng.uniform(0.34, 0.42)
    slim = rng.uniform(0.26, 0.42) if petals > 5 else rng.uniform(0.32, 0.5)
    petal = circle(1.0) * [1 - reach, slim * (1 - reach) * 1.6] + [reach, 0.0]
    start = rng.uniform(0, 2 * np.pi)
    parts = [turned(petal, start + step * 2 * np.pi / petals) for step in range(petals)]
    if rng.random() < 0.5:
        parts.append(circle(rng.uniform(0.15, 0.4)))
    return parts


def draw_sun(rng: np.random.Generator, exam: bool) -> Drawing:
    """A disc with separate or joined rays: triangles, bars or drops."""
    if exam:
        return [pointed(16, 0.68), circle(0.7)]
    if rng.random() < 0.25:
        # Many short points, as on a seal.
        disc = rng.uniform(0.5, 0.78)
        return [pointed(int(rng.choice((10, 11, 12, 13, 14, 18, 20))), disc - 0.03), circle(disc)]
    rays, disc = int(rng.integers(8, 17)), rng.uniform(0.42, 0.62)
    parts = [circle(disc)]
    gap = rng.choice((0.0, 0.06, 0.12))
    half = np.pi / rays * rng.uniform(0.3, 0.75) * disc
    taper = rng.choice((0.0, 0.0, 0.5, 1.0))
    for ray in range(rays):
        start = disc + gap - 0.03
        bar = np.array([[start, -half], [1.0, -half * taper], [1.0, half * taper], [start, half]])
        parts.append(turned(bar, ray * 2 * np.pi / rays))
    return parts


def draw_moon(rng: np.random.Generator, exam: bool) -> Drawing:
    """A crescent, opening to either side."""
    if exam:
        t = np.linspace(0.25 * np.pi, 1.75 * np.pi, 48)
        back = np.linspace(1.75 * np.pi, 0.25 * np.pi, 40)
        inside = np.stack(
            [0.32 + 0.75 * np.cos(back) * 0.52, 0.7071 * np.sin(back) / np.sin(0.25 * np.pi) * 0.7], 1
        )
        return [np.concatenate([np.stack([np.cos(t), np.sin(t)], 1), inside])]
    radius, shift = rng.uniform(0.7, 0.88), rng.uniform(0.32, 0.55)
    a = (1 - radius**2 + shift**2) / (2 * shift)
    start = np.arccos(np.clip(a, -1, 1))
    outer = np.linspace(start, 2 * np.pi - start, 48)
    h = np.sqrt(max(0.0, 1 - a * a))
    begin = np.arctan2(h, a - shift)
    inner = np.linspace(2 * np.pi - begin, begin, 40)
    crescent = np.concatenate(
        [
            np.stack([np.cos(outer), np.sin(outer)], 1),
            np.stack([shift + radius * np.cos(inner), radius * np.sin(inner)], 1),
        ]
    )
    crescent[:, 0] += rng.uniform(0.1, 0.25)
    return [turned(crescent * [rng.choice((-1.0, 1.0)), 1.0], rng.uniform(-0.7, 0.7)) * 0.98]


def draw_drop(rng: np.random.Generator, exam: bool) -> Drawing:
    if exam:
        return [circle(0.6, (0.0, 0.36)), np.array([[-0.52, 0.08], [0.0, -1.0], [0.52, 0.08]])]
    sharp = rng.uniform(1.0, 2.2)
    t = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    x = np.sin(t) * np.sin(t / 2) ** sharp * rng.uniform(0.62, 0.85)
    drop = np.stack([x, -np.cos(t)], 1)
    return [turned(drop, rng.choice((0.0, 0.0, 0.0, 0.3, -0.3)))]


QWIRKLE: dict[str, Draw] = {
    "circle": draw_circle,
    "square": draw_square,
    "diamond": draw_diamond,
    "star": draw_star8,
    "clover": draw_clover,
    "cross": draw_cross,
}
TRIO: dict[str, Draw] = {
    "star": draw_star5,
    "heart": draw_heart,
    "flower": draw_flower,
    "sun": draw_sun,
    "moon": draw_moon,
    "drop": draw_drop,
}
