"""The light of a room: direction and softness, big shadows, mirrored lamps, colour of the light, exposure."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.studio.camera import Camera, Image
from models.studio.plan import Points, Sprite

COARSE = 4
"""Light is computed at a quarter of the resolution and enlarged."""

# Gains (blue, green, red) of white paper under each light after an imperfect automatic white balance.
WHITES = {
    "candle": (0.55, 0.82, 1.12),
    "bulb": (0.72, 0.92, 1.08),
    "warm": (0.86, 0.97, 1.04),
    "neutral": (1.0, 1.0, 1.0),
    "cloud": (1.07, 1.0, 0.95),
    "shade": (1.16, 1.01, 0.88),
    "tube": (0.97, 1.06, 0.94),
}
LIKELY = (0.06, 0.14, 0.22, 0.24, 0.16, 0.1, 0.08)


@dataclass(frozen=True, slots=True)
class Light:
    """Everything about one room's light."""

    away: tuple[float, float]
    """Plane vector a shadow reaches per unit of height."""
    softness: float
    """Blur of tile shadows, in plane units."""
    depth: float
    """Darkness of tile shadows, 0 … 1."""
    contact: float
    """Darkness right beside a thing."""
    white: tuple[float, float, float]
    exposure: float
    """Mean grey the camera's automatic exposure aims at, 0 … 1."""
    gamma: float
    contrast: float
    lift: float
    """Levels added to black: haze, lens flare."""


def random_light(rng: np.random.Generator, calm: bool = False) -> Light:
    """Sun, lamp or overcast sky, at any angle."""
    angle = rng.uniform(0, 2 * np.pi)
    reach = rng.choice((rng.uniform(0, 0.5), rng.uniform(0.4, 1.6)), p=(0.7, 0.3))
    name = str(rng.choice(list(WHITES), p=LIKELY))
    if calm and name == "candle":
        name = "warm"
    strength = rng.uniform(0.5, 1.1)
    white = tuple(float(1 + (gain - 1) * strength + rng.normal(0, 0.02)) for gain in WHITES[name])
    return Light(
        away=(float(np.cos(angle) * reach), float(np.sin(angle) * reach)),
        softness=float(rng.choice((rng.uniform(0.02, 0.08), rng.uniform(0.08, 0.5)))),
        depth=float(rng.uniform(0.15, 0.6)),
        contact=float(rng.uniform(0.2, 0.6)),
        white=white,  # type: ignore[arg-type]
        exposure=float(np.clip(0.45 * np.exp(rng.normal(0.0, 0.15 if calm else 0.32)), 0.18, 0.78)),
        gamma=float(np.exp(rng.normal(0, 0.14))),
        contrast=float(rng.uniform(0.8, 1.2)),
        lift=float(rng.choice((0.0, rng.uniform(0, 30)), p=(0.6, 0.4))),
    )


def cast(image: Image, camera: Camera, sprites: list[Sprite], light: Light, pixels_per_unit: float) -> None:
    """Shadows of things of one layer on what lies below, in place; the things are drawn afterwards."""
    casting = [sprite for sprite in sprites if sprite.thickness > 0.004]
    if not casting:
        return
    scale = 2 if pixels_per_unit < 40 else COARSE
    wide, high = -(-camera.size[0] // scale), -(-camera.size[1] // scale)
    long, near = np.zeros((high, wide), np.uint8), np.zeros((high, wide), np.uint8)
    away = np.array(light.away)
    for sprite in casting:
        foot = camera.flat(sprite.outline, sprite.base)
        tip = camera.flat(sprite.outline + away * sprite.thickness, sprite.base)
        hull = cv2.convexHull(np.concatenate([foot, tip]).astype(np.float32) / scale)
        cv2.fillConvexPoly(long, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(near, np.round(foot / scale * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    per = pixels_per_unit / scale
    thick = float(np.median([sprite.thickness for sprite in casting]))
    soft = max(0.4, light.softness * per * min(1.0, thick * 2))
    shadow = cv2.GaussianBlur(long, (0, 0), soft).astype(np.float32) * light.depth
    shadow += (
        cv2.GaussianBlur(near, (0, 0), max(0.5, per * min(0.12, thick * 0.4))).astype(np.float32)
        * light.contact
    )
    keep = np.clip(255 - shadow * 0.9, 30, 255).astype(np.uint8)
    full = cv2.resize(keep, (wide * scale, high * scale), interpolation=cv2.INTER_LINEAR)
    full = full[: camera.size[1], : camera.size[0]]
    image[:] = cv2.multiply(
        image, cv2.cvtColor(np.ascontiguousarray(full), cv2.COLOR_GRAY2BGR), scale=1 / 255
    )


def falloff(rng: np.random.Generator, size: tuple[int, int], calm: bool = False) -> npt.NDArray[np.float32]:
    """(h/4, w/4) gain: a lamp's gradient, vignetting, the photographer's own shadow, window bars."""
    wide, high = -(-size[0] // COARSE), -(-size[1] // COARSE)
    xs, ys = (
        np.linspace(-1, 1, wide, dtype=np.float32)[None],
        np.linspace(-1, 1, high, dtype=np.float32)[:, None],
    )
    angle = rng.uniform(0, 2 * np.pi)
    slope = rng.uniform(0, 0.15 if calm else 0.38)
    gain = 1 + slope * (np.float32(np.cos(angle)) * xs + np.float32(np.sin(angle)) * ys)
    if rng.random() < 0.35:
        at = rng.uniform(-1, 1, 2).astype(np.float32)
        pool = np.exp(-((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / np.float32(rng.uniform(0.3, 2.0)))
        gain = gain * (1 + np.float32(rng.uniform(-0.3, 0.5)) * (pool - 0.5))
    gain = gain * (1 - np.float32(rng.uniform(0, 0.3)) * (xs**2 + ys**2) / 2)
    if rng.random() < (0.25 if calm else 0.5):
        gain = gain * _big_shadow(rng, wide, high, calm)
    return np.asarray(gain, np.float32)


def _big_shadow(rng: np.random.Generator, wide: int, high: int, calm: bool) -> npt.NDArray[np.float32]:
    """A hand, a phone, a head or a window bar between the lamp and the table."""
    mask = np.zeros((high, wide), np.uint8)
    kind = rng.choice(("phone", "head", "arm", "edge", "bars"))
    centre = rng.uniform(0, 1, 2) * (wide, high)
    side = max(wide, high)
    if kind == "phone":
        angle = float(rng.uniform(0, 180))
        box = cv2.boxPoints(((float(centre[0]), float(centre[1])), (side * 0.22, side * 0.45), angle))
        cv2.fillConvexPoly(mask, box.astype(np.int32), 255)
    elif kind == "head":
        axes = (int(side * rng.uniform(0.12, 0.3)), int(side * rng.uniform(0.15, 0.4)))
        cv2.ellipse(mask, (int(centre[0]), int(centre[1])), axes, float(rng.uniform(0, 180)), 0, 360, 255, -1)
    elif kind == "arm":
        angle = rng.uniform(0, 2 * np.pi)
        far = centre + side * 1.5 * np.array([np.cos(angle), np.sin(angle)])
        thick = int(side * rng.uniform(0.05, 0.16))
        cv2.line(mask, tuple(int(v) for v in centre), tuple(int(v) for v in far), 255, max(2, thick))
        for finger in np.linspace(-0.6, 0.6, 4):
            tip = centre - side * 0.14 * np.array([np.cos(angle + finger), np.sin(angle + finger)])
            cv2.line(mask, tuple(int(v) for v in centre), tuple(int(v) for v in tip), 255, max(2, thick // 4))
    else:
        angle = rng.uniform(0, np.pi)
        normal = np.array([np.cos(angle), np.sin(angle)])
        ys, xs = np.mgrid[0:high, 0:wide]
        along = (xs - centre[0]) * normal[0] + (ys - centre[1]) * normal[1]
        if kind == "edge":
            mask[along > 0] = 255
        else:
            mask[np.abs((along / side * rng.uniform(3, 8)) % 1 - 0.5) < 0.12] = 255
    soft = float(side * rng.choice((0.004, 0.015, 0.05)))
    dark = rng.uniform(0.1, 0.25 if calm else 0.55)
    return np.asarray(
        1 - np.float32(dark) * cv2.GaussianBlur(mask, (0, 0), max(0.5, soft)).astype(np.float32) / 255
    )


def glare(
    rng: np.random.Generator, camera: Camera, sprites: list[Sprite], table_gloss: float, calm: bool = False
) -> npt.NDArray[np.float32] | None:
    """(h/4, w/4) levels of mirrored lamp, stronger on glossy things, each tile tipped its own way."""
    lamps = int(rng.choice((0, 1, 2, 3), p=(0.45, 0.3, 0.15, 0.1) if not calm else (0.75, 0.25, 0, 0)))
    if not lamps:
        return None
    wide, high = -(-camera.size[0] // COARSE), -(-camera.size[1] // COARSE)
    xs, ys = np.arange(wide, dtype=np.float32)[None], np.arange(high, dtype=np.float32)[:, None]
    glow = np.zeros((high, wide), np.float32)
    side = max(wide, high)
    for _ in range(lamps):
        x, y = rng.uniform(0, 1, 2) * (wide, high)
        spread = side * rng.choice((rng.uniform(0.02, 0.08), rng.uniform(0.06, 0.3)))
        squash, angle = rng.uniform(0.3, 1.0), rng.uniform(0, np.pi)
        c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
        u = ((xs - np.float32(x)) * c + (ys - np.float32(y)) * s) / np.float32(spread)
        v = (-(xs - np.float32(x)) * s + (ys - np.float32(y)) * c) / np.float32(spread * squash)
        power = rng.uniform(40, 150) if calm else rng.uniform(50, 420)
        glow += np.float32(power) * np.exp(-((u * u + v * v) ** np.float32(rng.choice((0.7, 1.0, 2.0)))))
    gloss = np.full((high, wide), table_gloss, np.float32)
    for sprite in sprites:
        outline = camera.flat(sprite.outline, sprite.base + sprite.thickness) / COARSE
        value = sprite.gloss * float(rng.uniform(0.5, 1.3))
        cv2.fillPoly(gloss, [np.round(outline * 16).astype(np.int32)], value, cv2.LINE_8, 4)
    return glow * gloss


def tone_curve(light: Light, mean: float) -> npt.NDArray[np.uint8]:
    """(1, 256, 3) table: white balance, exposure, contrast, gamma, haze. `mean` is the scene's, 0 … 1."""
    # Automatic exposure goes only part of the way: dark tables stay darker, white ones lighter.
    exposure = float(np.clip((light.exposure / max(mean, 0.02)) ** 0.55, 0.5, 1.7))
    level = np.arange(256) / 255
    curves = []
    for gain in light.white:
        lit = np.clip(level * gain * exposure, 0, 1.6)
        lit = np.where(lit > 0.8, 0.8 + 0.2 * np.tanh((lit - 0.8) / 0.2), lit)
        lit = 0.5 + (lit**light.gamma - 0.5) * light.contrast
        curves.append(np.clip(lit * (255 - light.lift) + light.lift * 0.8, 0, 255))
    return np.stack(curves, -1)[None].astype(np.uint8)


def applied(
    image: Image, gain: npt.NDArray[np.float32], glow: npt.NDArray[np.float32] | None, light: Light
) -> Image:
    """The picture under this light."""
    lit = brightened(image, gain, glow)
    return np.asarray(cv2.LUT(lit, tone_curve(light, brightness(lit))))


def brightness(lit: Image) -> float:
    """What automatic exposure goes by, 0 … 1."""
    return float(lit[::8, ::8].mean()) / 255


def brightened(image: Image, gain: npt.NDArray[np.float32], glow: npt.NDArray[np.float32] | None) -> Image:
    """The picture with lamps, shadows and mirrored lights, before exposure and white balance."""
    high, wide = image.shape[:2]
    small = np.clip(gain * 128, 0, 255).astype(np.uint8)
    lit = cv2.multiply(image, cv2.cvtColor(_enlarged(small, wide, high), cv2.COLOR_GRAY2BGR), scale=1 / 128)
    if glow is not None:
        bright = _enlarged(np.clip(glow, 0, 255).astype(np.uint8), wide, high)
        lit = cv2.add(lit, cv2.cvtColor(bright, cv2.COLOR_GRAY2BGR))
    return np.asarray(lit)


def _enlarged(small: npt.NDArray[np.uint8], wide: int, high: int) -> npt.NDArray[np.uint8]:
    full = cv2.resize(
        small, (small.shape[1] * COARSE, small.shape[0] * COARSE), interpolation=cv2.INTER_LINEAR
    )
    return np.ascontiguousarray(full[:high, :wide])


def washed(glow: npt.NDArray[np.float32] | None, polygon: Points) -> float:
    """Share of a polygon (pixels) that a mirrored lamp washes out."""
    if glow is None:
        return 0.0
    corners = polygon / COARSE
    high, wide = glow.shape
    x0, y0 = np.clip(corners.min(0).astype(int), 0, (wide - 1, high - 1))
    x1, y1 = np.clip(corners.max(0).astype(int) + 1, (x0 + 1, y0 + 1), (wide, high))
    return float((glow[y0:y1, x0:x1] > 170).mean())
