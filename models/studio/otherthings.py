"""Things on a table that are no board of any of the games, each a flat plan like a painter's.

Chosen to tempt a reader: regular grids, black squares with marks, hexagons, digits, coloured fields.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.studio.bits import box
from models.studio.hexes import APOTHEM, hexagon
from models.studio.paint import Rgb, circle, darker, filled, hsv, noise, printed, rounded_square, with_alpha
from models.studio.plan import Picture, Plan, Sprite

Maker = Callable[[np.random.Generator, int], list[Sprite]]
SUITS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
KEYS = ("QWERTYUIOP[]", "ASDFGHJKL;'", "ZXCVBNM,./", "1234567890-=")


def plan_of(game: str, name: str, sprites: list[Sprite]) -> Plan:
    """A plan without a board: nothing but these things lie there."""
    points = np.concatenate([sprite.outline for sprite in sprites] or [np.array([[0.0, 0.0], [8.0, 6.0]])])
    (x0, y0), (x1, y1) = points.min(0).tolist(), points.max(0).tolist()
    truth = {"game": game, "cells": None, "shows": name}
    return Plan(game, name, truth, tuple(sprites), (), (x0, y0, x1, y1))


def _sheet(wide: float, high: float, px: int, colour: Rgb) -> np.ndarray:
    sheet = np.empty((max(4, round(high * px)), max(4, round(wide * px)), 3), np.uint8)
    sheet[:] = colour
    return sheet


def _flat(sheet: np.ndarray, wide: float, thickness: float, gloss: float, angle: float = 0.0) -> Sprite:
    high = wide * sheet.shape[0] / sheet.shape[1]
    picture = np.dstack([sheet, np.full(sheet.shape[:2], 255, np.uint8)])
    side = darker(tuple(int(v) for v in sheet[-2, -2]), 0.7)  # type: ignore[arg-type]
    return Sprite(picture, (0.0, 0.0), wide, angle, thickness, box(0, 0, wide, high, angle), side, gloss)


def _write(
    sheet: np.ndarray, text: str, centre: tuple[float, float], pixels: int, ink: Rgb, font: int
) -> None:
    """Text around a point of the sheet, cut off at its edges."""
    word = printed(text, max(6, pixels), font)
    y, x = round(centre[1] - word.shape[0] / 2), round(centre[0] - word.shape[1] / 2)
    y, x = max(0, y), max(0, x)
    part = sheet[y : y + word.shape[0], x : x + word.shape[1]]
    share = word[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = (part + share * (np.asarray(ink, np.float32) - part)).astype(np.uint8)


def chessboard(rng: np.random.Generator, px: int) -> list[Sprite]:
    """Eight by eight squares, most often with draughtsmen or pawns seen from above."""
    hue, margin = float(rng.uniform(15, 45)), float(rng.uniform(0.1, 0.7))
    light, dark = hsv(hue, 0.3, float(rng.uniform(0.75, 0.95))), hsv(hue, 0.6, float(rng.uniform(0.1, 0.45)))
    if rng.random() < 0.3:
        light, dark = (235, 235, 235), hsv(float(rng.uniform(0, 360)), 0.7, 0.35)
    sheet = _sheet(8 + 2 * margin, 8 + 2 * margin, px, dark)
    edge = round(margin * px)
    for row in range(8):
        for column in range(8):
            if (row + column) % 2 == 0:
                y, x = edge + row * px, edge + column * px
                sheet[y : y + px, x : x + px] = light
    grain = noise(rng, "streak", min(1024, sheet.shape[0]), min(1024, sheet.shape[1]))
    sheet[: grain.shape[0], : grain.shape[1]] = np.clip(
        sheet[: grain.shape[0], : grain.shape[1]] + grain[..., None] * 4, 0, 255
    ).astype(np.uint8)
    sprites = [_flat(sheet, 8 + 2 * margin, 0.25, 0.3)]
    for colour, rows in ((hsv(0, 0.05, 0.12), (0, 1, 2)), (hsv(40, 0.25, 0.92), (5, 6, 7))):
        for row in rows if rng.random() < 0.8 else ():
            for column in range(8):
                if (row + column) % 2 and rng.random() < 0.8:
                    sprites.append(_disc(colour, (column - 3.5, row - 3.5), 0.74, px, 0.25))
    return sprites


def _disc(colour: Rgb, at: tuple[float, float], width: float, px: int, base: float) -> Sprite:
    side = max(12, round(width * px))
    face = np.empty((side, side, 3), np.float32)
    face[:] = colour
    for radius, push in ((0.8, 22.0), (0.7, -22.0), (0.4, 14.0)):
        face += filled([circle(radius)], side, side).astype(np.float32)[..., None] / 255 * push
    picture = with_alpha(face, filled([circle(0.99)], side, side))
    return Sprite(picture, at, width, 0.0, 0.2, circle(width / 2, at, 32), darker(colour, 0.7), 0.4, base)


def cards(rng: np.random.Generator, px: int) -> list[Sprite]:
    """Playing cards in rows, as in a patience; some face down."""
    font = int(rng.integers(40))
    back = hsv(float(rng.uniform(0, 360)), 0.7, 0.6)
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(4, 8))
    sprites = []
    for row in range(rows):
        for column in range(columns):
            sheet = _sheet(1.4, 2.0, px, (250, 250, 250))
            high, wide = sheet.shape[:2]
            if rng.random() < 0.2:
                cv2.rectangle(
                    sheet, (wide // 12, wide // 12), (wide - wide // 12, high - wide // 12), back, -1
                )
            else:
                ink = (30, 30, 30) if rng.random() < 0.5 else (40, 30, 200)
                value = str(rng.choice(SUITS))
                _write(sheet, value, (wide * 0.16, high * 0.12), high // 6, ink, font)
                _write(sheet, value, (wide * 0.84, high * 0.88), high // 6, ink, font)
                for _ in range(int(rng.integers(1, 9))):
                    spot = (round(wide * rng.uniform(0.3, 0.7)), round(high * rng.uniform(0.15, 0.85)))
                    cv2.drawMarker(sheet, spot, ink, cv2.MARKER_DIAMOND, high // 9, max(2, high // 40))
            sprite = _flat(sheet, 1.4, 0.01, 0.4, float(rng.normal(0, 0.03)))
            at = np.array([column * 1.6 + rng.normal(0, 0.04), row * 2.25 + rng.normal(0, 0.05)])
            sprites.append(_at(sprite, at))
    return sprites


def dominoes(rng: np.random.Generator, px: int) -> list[Sprite]:
    """A chain of pip dominoes, black or ivory, on a square lattice."""
    ground, pip = ((30, 28, 28), (240, 240, 240)) if rng.random() < 0.6 else ((215, 235, 240), (30, 30, 30))
    sprites = []
    row = column = 0
    for _ in range(int(rng.integers(6, 15))):
        standing = bool(rng.random() < 0.4)
        sheet = _sheet(0.97, 0.97 * 2, px, ground)
        high, wide = sheet.shape[:2]
        cv2.line(sheet, (wide // 8, high // 2), (wide - wide // 8, high // 2), pip, max(1, wide // 30))
        for half in (0.25, 0.75):
            for _ in range(int(rng.integers(0, 7))):
                spot = rng.choice((0.25, 0.5, 0.75), 2)
                centre = (round(wide * spot[0]), round(high * half + wide * (spot[1] - 0.5)))
                cv2.circle(sheet, centre, max(2, wide // 13), pip, -1, cv2.LINE_AA)
        turn = 0.0 if standing else np.pi / 2
        sprite = _flat(sheet, 0.97, 0.3, 0.5, turn + float(rng.normal(0, 0.02)))
        centre_at = (column + (0 if standing else 0.5), row + (0.5 if standing else 0))
        sprites.append(_at(sprite, np.array(centre_at)))
        if standing:
            row, column = row + int(rng.choice((0, 2))), column + 1
        else:
            column += 2
        if column > 10:
            row, column = row + 3, 0
    return sprites


def _at(sprite: Sprite, at: np.ndarray) -> Sprite:
    return Sprite(
        sprite.picture, (float(at[0]), float(at[1])), sprite.width, sprite.angle, sprite.thickness,
        sprite.outline + at, sprite.side_colour, sprite.gloss, sprite.base,
    )  # fmt: skip


def calendar(rng: np.random.Generator, px: int) -> list[Sprite]:
    """A month on paper: seven columns of numbers, some ringed."""
    font, ink = int(rng.integers(40)), hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.8)), 0.3)
    sheet = _sheet(7.4, 6.6, px, hsv(45.0, 0.04, 0.97))
    cv2.rectangle(
        sheet, (0, 0), (sheet.shape[1], round(0.9 * px)), hsv(float(rng.uniform(0, 360)), 0.6, 0.7), -1
    )
    first = int(rng.integers(7))
    for day in range(1, 32):
        row, column = divmod(day - 1 + first, 7)
        x, y = round((0.2 + column) * px), round((1.2 + row * 0.88) * px)
        fill = hsv(float(rng.uniform(0, 360)), 0.5, 0.9) if rng.random() < 0.15 else (250, 250, 250)
        cv2.rectangle(sheet, (x, y), (x + px, y + round(0.88 * px)), fill, -1)
        cv2.rectangle(sheet, (x, y), (x + px, y + round(0.88 * px)), ink, max(1, px // 40))
        _write(sheet, str(day), (x + px * 0.5, y + px * 0.44), round(px * 0.5), ink, font)
        if rng.random() < 0.1:
            cv2.circle(
                sheet, (x + px // 2, y + round(px * 0.44)), round(px * 0.4), (40, 40, 210), max(2, px // 25)
            )
    return [_flat(sheet, 7.4, 0.02, 0.1)]


def keyboard(rng: np.random.Generator, px: int) -> list[Sprite]:
    """Black or white keys with letters, in slipped rows, on a slab."""
    dark = rng.random() < 0.6
    slab, key, ink = (
        ((60, 58, 58), (32, 30, 30), (230, 230, 230))
        if dark
        else ((205, 205, 205), (245, 245, 245), (60, 60, 60))
    )
    font = int(rng.integers(40))
    sheet = _sheet(13.6, 4.8, px, slab)
    for row, letters in enumerate((KEYS[3], *KEYS[:3])):
        for column, letter in enumerate(letters):
            x, y = round((0.4 + row * 0.3 + column) * px), round((0.4 + row) * px)
            gap = round(0.06 * px)
            cv2.rectangle(sheet, (x + gap, y + gap), (x + px - gap, y + px - gap), key, -1, cv2.LINE_AA)
            _write(sheet, letter, (x + px * 0.5, y + px * 0.5), round(px * 0.42), ink, font)
    return [_flat(sheet, 13.6, 0.4, 0.2)]


def hex_floor(rng: np.random.Generator, px: int) -> list[Sprite]:
    """Hexagonal floor tiles in two or three tones, far beyond the picture's edges."""
    grout = hsv(30.0, 0.05, float(rng.uniform(0.4, 0.9)))
    hue = float(rng.uniform(0, 360))
    tones = [hsv(hue, float(rng.uniform(0, 0.6)), float(rng.uniform(0.2, 0.95))) for _ in range(3)]
    wide, high = 20.0, 16.0
    sheet = _sheet(wide, high, px, grout)
    size = float(rng.uniform(0.9, 0.97))
    for q in range(-1, round(wide / 1.5) + 2):
        for r in range(-1, round(high / (2 * APOTHEM)) + 2):
            centre = (1.5 * q, 2 * APOTHEM * (r + (q % 2) / 2))
            tone = tones[int(rng.integers(3)) if rng.random() < 0.4 else 0]
            corners = np.round(hexagon(centre, size) * px * 16).astype(np.int32)
            cv2.fillConvexPoly(sheet, corners, tone, cv2.LINE_AA, 4)
    return [_flat(sheet, wide, 0.0, 0.4)]


def wall_tiles(rng: np.random.Generator, px: int) -> list[Sprite]:
    """Square tiles of a few colours: a kitchen wall, a box of paints."""
    grout = hsv(30.0, 0.05, float(rng.uniform(0.3, 0.95)))
    tones = [
        hsv(float(rng.uniform(0, 360)), float(rng.uniform(0, 0.8)), float(rng.uniform(0.3, 0.95)))
        for _ in range(int(rng.integers(2, 6)))
    ]
    rows, columns = int(rng.integers(5, 10)), int(rng.integers(6, 13))
    sheet = _sheet(columns, rows, px, grout)
    mask = (
        filled([rounded_square(0.95, float(rng.choice((0.02, 0.2))))], px, px).astype(np.float32)[..., None]
        / 255
    )
    for row in range(rows):
        for column in range(columns):
            part = sheet[row * px : (row + 1) * px, column * px : (column + 1) * px]
            tone = np.asarray(tones[int(rng.integers(len(tones)))], np.float32)
            part[:] = (part + mask * (tone - part)).astype(np.uint8)
    return [_flat(sheet, float(columns), 0.05, 0.7)]


def buttons(rng: np.random.Generator, px: int) -> list[Sprite]:
    """Coloured counters strewn about: round, with rims, on no lattice."""
    return [
        _disc(
            hsv(float(rng.uniform(0, 360)), float(rng.uniform(0.3, 0.95)), float(rng.uniform(0.3, 0.95))),
            (float(rng.uniform(0, 9)), float(rng.uniform(0, 7))), float(rng.uniform(0.5, 1.1)), px, 0.0,
        )
        for _ in range(int(rng.integers(8, 30)))
    ]  # fmt: skip


THINGS: dict[str, Maker] = {
    "a chessboard": chessboard,
    "playing cards": cards,
    "dominoes": dominoes,
    "a calendar": calendar,
    "a keyboard": keyboard,
    "hexagonal floor tiles": hex_floor,
    "square wall tiles": wall_tiles,
    "buttons": buttons,
}


def noise_picture(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """(h, w, 3) BGR of no scene at all: darkness, overexposure, noise, a smear of colours."""
    wide, high = size
    kind = rng.choice(("dark", "bright", "grain", "clouds", "smear"))
    if kind == "clouds":
        small = rng.uniform(0, 255, (8, 8, 3)).astype(np.float32)
        large = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
        return np.asarray(np.clip(large, 0, 255), np.uint8)
    if kind == "smear":
        small = rng.uniform(0, 255, (1, 24, 3)).astype(np.uint8)
        return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR))
    middle, spread = {"dark": (8.0, 5.0), "bright": (252.0, 4.0), "grain": (128.0, 60.0)}[str(kind)]
    return np.clip(rng.normal(middle, spread, (high, wide, 3)), 0, 255).astype(np.uint8)
