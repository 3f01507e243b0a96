"""Drawing helpers that know nothing of any game: smooth shapes, noise, colours, print."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Mask = npt.NDArray[np.uint8]
"""(h, w) uint8 coverage, 0 … 255."""
Floats = npt.NDArray[np.float32]
Rgb = tuple[int, int, int]
"""Three uint8 values; everywhere in the studio in OpenCV's order: blue, green, red."""

SUPERSAMPLING = 4
BANK = 1024
FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/Library/Fonts"))


def filled(outlines: list[npt.NDArray[np.float64]], height: int, width: int) -> Mask:
    """Coverage of the union of polygons, given in unit coordinates (−1 … 1 across the picture)."""
    big = np.zeros((height * SUPERSAMPLING, width * SUPERSAMPLING), np.uint8)
    scale = np.array([width, height]) * SUPERSAMPLING / 2
    for outline in outlines:
        cv2.fillPoly(big, [np.round(((outline + 1) * scale - 0.5) * 16).astype(np.int32)], 255, shift=4)
    return np.asarray(cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA))


def circle(
    radius: float = 1.0, at: tuple[float, float] = (0.0, 0.0), corners: int = 48
) -> npt.NDArray[np.float64]:
    """(corners, 2) points of a circle."""
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], 1) * radius + np.asarray(at))


def rounded_square(half: float, radius: float, corners: int = 6) -> npt.NDArray[np.float64]:
    """A square of the given half side whose corners are quarter circles of `radius`."""
    radius = min(max(radius, 0.0), half)
    points = []
    for quarter, (x, y) in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)]):
        angles = np.linspace(quarter * np.pi / 2, (quarter + 1) * np.pi / 2, corners)
        arc = np.stack([np.cos(angles), np.sin(angles)], 1) * radius
        points.append(arc + np.array([x, y]) * (half - radius))
    return np.concatenate(points)


def turned(points: npt.NDArray[np.float64], angle: float) -> npt.NDArray[np.float64]:
    """Points turned clockwise (y down) about the origin."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]))


@lru_cache(maxsize=64)
def noise_bank(kind: str) -> Floats:
    """(1024, 1024) float32 noise of unit deviation, always the same for a kind."""
    rng = np.random.default_rng([7, len(kind), *kind.encode()])
    white = rng.standard_normal((BANK, BANK)).astype(np.float32)
    if kind == "fine":
        return white
    sigma = {"soft": (2.0, 2.0), "cloud": (40.0, 40.0), "streak": (40.0, 0.8), "blotch": (9.0, 9.0)}[kind]
    blurred = cv2.GaussianBlur(white, (0, 0), sigmaX=sigma[0], sigmaY=sigma[1], borderType=cv2.BORDER_REFLECT)
    return np.asarray(blurred / blurred.std(), np.float32)


def noise(rng: np.random.Generator, kind: str, height: int, width: int) -> Floats:
    """A random window of a noise bank, (height, width); windows larger than the bank are enlarged."""
    bank = noise_bank(kind)
    if max(height, width) > BANK:
        return np.asarray(cv2.resize(noise(rng, kind, BANK // 2, BANK // 2), (width, height)), np.float32)
    y = int(rng.integers(0, BANK - height + 1))
    x = int(rng.integers(0, BANK - width + 1))
    window = bank[y : y + height, x : x + width]
    return window if kind == "streak" or rng.random() < 0.5 else window[::-1]


def hsv(hue_degrees: float, saturation: float, value: float) -> Rgb:
    """A colour by hue (0 … 360), saturation and value (0 … 1), as uint8 blue, green, red."""
    h = (hue_degrees % 360) / 60
    v, s = float(np.clip(value, 0, 1)), float(np.clip(saturation, 0, 1))
    f = h - int(h)
    p, q, t = v * (1 - s), v * (1 - s * f), v * (1 - s * (1 - f))
    r, g, b = [(v, t, p), (q, v, p), (p, v, t), (p, q, v), (t, p, v), (v, p, q)][int(h) % 6]
    return (round(b * 255), round(g * 255), round(r * 255))


def jittered(rng: np.random.Generator, colour: Rgb, amount: float) -> Rgb:
    """A colour a little off, each channel by about `amount` levels."""
    return tuple(int(np.clip(part + rng.normal(0, amount), 0, 255)) for part in colour)  # type: ignore[return-value]


def darker(colour: Rgb, share: float) -> Rgb:
    """The colour with only this share of its light."""
    return (int(colour[0] * share), int(colour[1] * share), int(colour[2] * share))


def with_alpha(bgr: npt.NDArray[np.float32], alpha: Mask) -> npt.NDArray[np.uint8]:
    """(h, w, 4) BGRA picture from float colours and a coverage mask."""
    return np.dstack([np.clip(bgr, 0, 255).astype(np.uint8), alpha])


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """TrueType files found on this machine, sorted; may be empty, then print falls back to plain letters."""
    found = [path for folder in FONT_FOLDERS if folder.is_dir() for path in folder.rglob("*.ttf")]
    return tuple(str(path) for path in sorted(found))


def printed(text: str, pixels: int, font: int = 0) -> Mask:
    """Coverage of one line of print `pixels` high, trimmed to its ink."""
    names = fonts()
    face = ImageFont.truetype(names[font % len(names)], pixels) if names else ImageFont.load_default(pixels)
    left, top, right, bottom = face.getbbox(text)
    width, height = max(1, int(right - left)), max(1, int(bottom - top))
    sheet = Image.new("L", (width, height))
    ImageDraw.Draw(sheet).text((-left, -top), text, fill=255, font=face)
    return np.array(sheet)
