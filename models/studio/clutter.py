"""What else lies on a table: pads with writing, pencils, cups, plates, boxes, coins, cards, hands."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.studio.paint import (
    circle,
    darker,
    filled,
    hsv,
    noise,
    printed,
    rounded_square,
    turned,
    with_alpha,
)
from models.studio.plan import Picture, Sprite

Place = tuple[float, float]
WORDS = ("Ola", "Jan", "Ela", "Tomek", "12", "7", "34", "Razem", "105", "3", "18", "Suma", "9", "56")


def _lying(
    picture: Picture,
    at: Place,
    width: float,
    angle: float,
    thickness: float,
    side: tuple[int, int, int],
    gloss: float,
) -> Sprite:
    high = width * picture.shape[0] / picture.shape[1]
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, high / 2]
    outline = turned(corners.astype(np.float64), angle) + np.array(at)
    return Sprite(picture, at, width, angle, thickness, outline, side, gloss)


def _round(
    picture: Picture, at: Place, width: float, thickness: float, side: tuple[int, int, int], gloss: float
) -> Sprite:
    outline = circle(width / 2, at, 40)
    return Sprite(picture, at, width, 0.0, thickness, outline, side, gloss)


def scorepad(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    """Paper with ruled lines and somebody's writing."""
    width = float(rng.uniform(2, 4.5))
    wide, high = max(24, round(width * px)), max(30, round(width * px * rng.uniform(0.9, 1.5)))
    sheet = np.empty((high, wide, 3), np.float32)
    sheet[:] = hsv(float(rng.uniform(30, 60)), float(rng.uniform(0, 0.12)), float(rng.uniform(0.85, 1)))
    flat = np.clip(sheet, 0, 255).astype(np.uint8)
    step = max(5, high // int(rng.integers(8, 18)))
    rule = hsv(float(rng.uniform(190, 240)), 0.3, 0.8)
    for y in range(step, high, step):
        cv2.line(flat, (0, y), (wide, y), rule, 1)
    if rng.random() < 0.5:
        for x in range(step, wide, step):
            cv2.line(flat, (x, 0), (x, high), rule, 1)
    ink = hsv(float(rng.uniform(200, 260)), float(rng.uniform(0, 0.8)), float(rng.uniform(0.1, 0.6)))
    for row in range(int(rng.integers(2, 9))):
        y = step * (row + 1)
        for column in range(int(rng.integers(1, 4))):
            word = printed(str(rng.choice(WORDS)), max(6, int(step * 0.8)), int(rng.integers(40)))
            x = round(wide * (0.08 + 0.3 * column))
            h, w = min(word.shape[0], high - y), min(word.shape[1], wide - x)
            if h > 0 and w > 0:
                share = word[:h, :w, None].astype(np.float32) / 255
                part = flat[y : y + h, x : x + w]
                part[:] = (part + share * (np.asarray(ink, np.float32) - part)).astype(np.uint8)
    picture = np.dstack([flat, np.full((high, wide), 255, np.uint8)])
    return _lying(
        picture,
        at,
        width,
        float(rng.uniform(0, 6.28)),
        float(rng.choice((0.004, 0.06))),
        (200, 200, 200),
        0.05,
    )


def pencil(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    width = float(rng.uniform(2.5, 4.5))
    wide = max(40, round(width * px))
    high = max(5, round(wide * rng.uniform(0.035, 0.055)))
    body = np.empty((high, wide, 3), np.float32)
    body[:] = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0.3, 0.95)), float(rng.uniform(0.3, 0.95)))
    body *= (1.15 - 0.5 * np.abs(np.linspace(-1, 1, high, dtype=np.float32) + 0.2))[:, None, None]
    wood = round(wide * 0.9)
    body[:, wood:] = hsv(35.0, 0.4, 0.85)
    body[:, round(wide * 0.975) :] = 40
    tip = np.array([[-1, -1], [0.8, -1], [1, -0.1], [1, 0.1], [0.8, 1], [-1, 1]], float)
    picture = with_alpha(body, filled([tip], high, wide))
    return _lying(picture, at, width, float(rng.uniform(0, 6.28)), 0.0, (60, 60, 60), 0.3)


def cup(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    """A cup or glass from above: rim, inside, drink."""
    width = float(rng.uniform(1.6, 2.8))
    side = max(30, round(width * px))
    glaze = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.7)), float(rng.uniform(0.3, 0.98)))
    drink = hsv(float(rng.uniform(15, 45)), float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.1, 0.7)))
    face = np.empty((side, side, 3), np.float32)
    face[:] = glaze
    for radius, colour, dim in ((0.9, glaze, 0.6), (0.82, drink, 1.0)):
        mask = filled([circle(radius)], side, side).astype(np.float32)[..., None] / 255
        face += mask * (np.asarray(colour, np.float32) * dim - face)
    face += np.linspace(-18, 18, side, dtype=np.float32)[None, :, None]
    picture = with_alpha(face, filled([circle(0.995)], side, side))
    return _round(picture, at, width, float(rng.uniform(0.8, 2.2)), darker(glaze, 0.75), 0.6)


def plate(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    width = float(rng.uniform(3, 6))
    side = max(40, round(width * px))
    glaze = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.3)), float(rng.uniform(0.7, 1)))
    face = np.empty((side, side, 3), np.float32)
    face[:] = glaze
    for radius, lighter in ((0.97, 0.94), (0.72, 0.85), (0.68, 1.0)):
        mask = filled([circle(radius)], side, side).astype(np.float32)[..., None] / 255
        face += mask * (np.asarray(glaze, np.float32) * lighter - face)
    for _ in range(int(rng.integers(0, 6))):
        radius, angle = rng.uniform(0, 0.5), rng.uniform(0, 6.28)
        crumb = circle(
            float(rng.uniform(0.06, 0.16)), (float(radius * np.cos(angle)), float(radius * np.sin(angle))), 9
        )
        mask = filled([crumb], side, side).astype(np.float32)[..., None] / 255
        face += mask * (np.asarray(hsv(float(rng.uniform(20, 45)), 0.6, float(rng.uniform(0.3, 0.8)))) - face)
    picture = with_alpha(face.astype(np.float32), filled([circle(0.995)], side, side))
    return _round(picture, at, width, 0.15, darker(glaze, 0.8), 0.5)


def box(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    """The lid of a game's box, with a title and some ornament."""
    width = float(rng.uniform(3, 8))
    wide, high = max(40, round(width * px)), max(30, round(width * px * rng.uniform(0.6, 1.0)))
    hue = float(rng.uniform(0, 360))
    ground = hsv(hue, float(rng.uniform(0.3, 0.95)), float(rng.uniform(0.2, 0.9)))
    face = np.empty((high, wide, 3), np.float32)
    face[:] = ground
    face += noise(rng, "cloud", min(high, 1024), min(wide, 1024))[:1, :1, None] * 4
    flat = np.clip(face, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(2, 8))):
        colour = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.9)), float(rng.uniform(0.3, 1)))
        centre = (int(rng.integers(wide)), int(rng.integers(high)))
        cv2.circle(flat, centre, int(high * rng.uniform(0.04, 0.3)), colour, -1, cv2.LINE_AA)
    title = printed(
        str(rng.choice(("GRA", "FAMILY", "Rodzinna", "PUZZLE", "Liczby", "TRAVEL"))),
        max(8, high // 5),
        int(rng.integers(40)),
    )
    y, x = high // 10, wide // 12
    h, w = min(title.shape[0], high - y), min(title.shape[1], wide - x)
    share = title[:h, :w, None].astype(np.float32) / 255
    part = flat[y : y + h, x : x + w]
    part[:] = (part + share * (250.0 - part)).astype(np.uint8)
    picture = np.dstack([flat, np.full((high, wide), 255, np.uint8)])
    side = darker(ground, 0.7)
    return _lying(picture, at, width, float(rng.uniform(0, 6.28)), float(rng.uniform(0.3, 1.6)), side, 0.4)


def coins(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    """A token or coin; also the shape of a round tile nobody should read."""
    width = float(rng.uniform(0.5, 1.1))
    side = max(12, round(width * px))
    metal = hsv(float(rng.uniform(0, 360)), float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.3, 0.95)))
    face = np.empty((side, side, 3), np.float32)
    face[:] = metal
    rim = 255 - filled([circle(0.82)], side, side)
    face += (rim.astype(np.float32) / 255)[..., None] * float(rng.uniform(-40, 40))
    return _round(
        with_alpha(face, filled([circle(0.99)], side, side)),
        at,
        width,
        0.08,
        darker(metal, 0.7),
        0.5,
    )


def blank_tile(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    """A face-down tile or a wooden block, lying askew."""
    width = float(rng.uniform(0.8, 1.2))
    side = max(12, round(width * px))
    tone = hsv(
        float(rng.uniform(0, 360)), float(rng.uniform(0, 0.5)), float(rng.choice((0.1, 0.2, 0.6, 0.9)))
    )
    face = np.empty((side, side, 3), np.float32)
    face[:] = tone
    face += noise(rng, "streak", side, side)[..., None] * 3
    picture = with_alpha(face, filled([rounded_square(0.99, 0.08)], side, side))
    return _lying(
        picture,
        at,
        width,
        float(rng.uniform(0.2, 1.3)),
        float(rng.uniform(0.08, 0.45)),
        darker(tone, 0.8),
        0.3,
    )


def hand(rng: np.random.Generator, at: Place, px: int) -> Sprite:
    """Fingers that point from `at`'s far side towards the picture's middle; the forearm leaves the frame."""
    width = float(rng.uniform(5, 8))
    side = max(60, min(500, round(width * px)))
    skin = np.asarray(
        hsv(float(rng.uniform(12, 28)), float(rng.uniform(0.25, 0.6)), float(rng.uniform(0.35, 0.98)))
    )
    mask = np.zeros((side, side), np.uint8)
    palm = np.array([0.5, 0.52])
    spread = float(rng.uniform(0.12, 0.3))

    def stroke(start: np.ndarray, end: np.ndarray, thick: float) -> None:
        a, b = (tuple(int(v * side) for v in point) for point in (start, end))
        cv2.line(mask, a, b, 255, max(2, int(thick * side)), cv2.LINE_AA)

    stroke(palm, np.array([0.5, 1.2]), 0.2)
    stroke(palm - np.array([0.03, 0.05]), palm + np.array([0.03, 0.06]), 0.26)
    for index, length in enumerate((0.3, 0.36, 0.34, 0.27)):
        bent = length * (1.0 if rng.random() < 0.6 else float(rng.uniform(0.3, 0.7)))
        angle = (index - 1.5) * spread
        root = palm + np.array([(index - 1.5) * 0.062, -0.08])
        stroke(root, root + bent * np.array([np.sin(angle), -np.cos(angle)]), 0.062)
    stroke(palm + np.array([-0.08, 0.05]), palm + np.array([-0.24, -0.12]), 0.07)
    distance = cv2.distanceTransform((mask > 128).astype(np.uint8), cv2.DIST_L2, 5) / side
    body = np.clip(distance / 0.035, 0, 1)[..., None]
    face = skin * (0.6 + 0.4 * body) + noise(rng, "blotch", side, side)[..., None] * 4
    picture = with_alpha(face.astype(np.float32), mask)
    angle = float(np.arctan2(at[1], at[0])) - np.pi / 2 + float(rng.normal(0, 0.25))
    sprite = _lying(picture, at, width, angle, 0.0, (0, 0, 0), 0.05)
    return Sprite(picture, at, width, angle, 0.0, sprite.outline, (0, 0, 0), 0.05, 0.35)


THINGS: tuple[tuple[Callable[[np.random.Generator, Place, int], Sprite], float], ...] = (
    (scorepad, 0.2),
    (pencil, 0.16),
    (cup, 0.1),
    (plate, 0.06),
    (box, 0.12),
    (coins, 0.12),
    (blank_tile, 0.14),
    (hand, 0.1),
)
