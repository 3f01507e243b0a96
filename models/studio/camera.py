"""The camera: where it stands, how the flat plan becomes a picture, and what lens and sensor do to it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.studio.paint import noise_bank
from models.studio.plan import Picture, Points, Sprite

Image = npt.NDArray[np.uint8]
"""(h, w, 3) BGR uint8."""
Matrix = npt.NDArray[np.float64]

SHIFT = 4
"""Bits of sub-pixel precision in OpenCV's polygon drawing."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole over the table plus one coefficient of radial distortion."""

    matrix: Matrix
    """(3, 4): plane x, y, height, 1 → undistorted pixels, homogeneous."""
    size: tuple[int, int]
    """(width, height) in pixels."""
    k1: float = 0.0
    """Undistorted radius = distorted radius · (1 + k1 · r²), r in half diagonals."""

    def homography(self, height: float = 0.0) -> Matrix:
        """(3, 3) from plane points at this height to undistorted pixels."""
        return np.column_stack(
            [self.matrix[:, 0], self.matrix[:, 1], self.matrix[:, 2] * height + self.matrix[:, 3]]
        )

    def flat(self, points: Points, height: float = 0.0) -> Points:
        """(n, 2) undistorted pixels of plane points at this height."""
        return through(self.homography(height), points)

    def project(self, points: Points, height: float = 0.0) -> Points:
        """(n, 2) pixels in the finished picture."""
        return self.bent(self.flat(points, height))

    def bent(self, pixels: Points) -> Points:
        """Undistorted pixels to where the lens really puts them."""
        if not self.k1:
            return pixels
        centre = np.array(self.size) / 2 - 0.5
        half = np.hypot(*self.size) / 2
        straight = (pixels - centre) / half
        found = straight
        for _ in range(8):
            found = straight / (1 + self.k1 * (found**2).sum(1, keepdims=True))
        return np.asarray(found * half + centre)

    def unbent(self, pixels: Points) -> Points:
        """Pixels of the finished picture to undistorted ones."""
        centre = np.array(self.size) / 2 - 0.5
        half = np.hypot(*self.size) / 2
        away = (pixels - centre) / half
        return np.asarray(away * (1 + self.k1 * (away**2).sum(1, keepdims=True)) * half + centre)


def through(matrix: Matrix, points: Points) -> Points:
    """(n, 2) points through a (3, 3) homography."""
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return moved[:, :2] / moved[:, 2:]


@dataclass(frozen=True, slots=True)
class Stance:
    """How somebody holds the phone."""

    tilt: float
    """Radians away from straight down."""
    azimuth: float
    """Radians the table is turned under the camera."""
    roll: float
    focal: float
    """In long picture sides."""
    fill: float
    """Share of the picture the board takes up in its tighter direction."""
    off: tuple[float, float]
    """−1 … 1: where in the free room the board lies."""
    k1: float


def random_stance(rng: np.random.Generator, calm: bool = False) -> Stance:
    """Mostly from above with a modest tilt, sometimes from a chair; the table at any angle."""
    kind = rng.random()
    tilt = rng.uniform(0, 12) if kind < 0.35 else rng.uniform(8, 32) if kind < 0.8 else rng.uniform(30, 50)
    azimuth = rng.uniform(0, 360) if rng.random() < 0.5 else rng.choice((0, 90, 180, 270)) + rng.normal(0, 8)
    if calm:
        tilt, azimuth = min(tilt, 25.0), rng.normal(0, 12)
    return Stance(
        tilt=float(np.radians(tilt)),
        azimuth=float(np.radians(azimuth)),
        roll=float(np.radians(rng.normal(0, 5))),
        focal=float(rng.uniform(0.72, 1.5)),
        fill=float(rng.uniform(0.55, 0.96) if rng.random() < 0.75 else rng.uniform(0.32, 0.6)),
        off=(float(rng.uniform(-0.85, 0.85)), float(rng.uniform(-0.85, 0.85))),
        k1=float(rng.choice((0.0, rng.uniform(-0.06, 0.06)))),
    )


def placed(
    stance: Stance, bounds: tuple[float, float, float, float], top: float, size: tuple[int, int]
) -> Camera:
    """The camera of this stance at the distance where the bounds (at heights 0 … top) fill their share."""
    x0, y0, x1, y1 = bounds
    centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    distance = max(x1 - x0, y1 - y0) * 2.0 * stance.focal
    for _ in range(6):
        matrix = _matrix(stance, centre, distance, size)
        camera = Camera(matrix, size)
        seen = np.concatenate([camera.flat(corners), camera.flat(corners, top)])
        spread = seen.max(0) - seen.min(0)
        distance *= float(max(spread / (np.array(size) * stance.fill)))
    room = np.maximum(np.array(size) - spread, 0) / 2
    shift = np.array(size) / 2 + room * 0.92 * np.array(stance.off) - (seen.max(0) + seen.min(0)) / 2
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    return Camera(move @ matrix, size, stance.k1)


def _matrix(stance: Stance, centre: Points, distance: float, size: tuple[int, int]) -> Matrix:
    focal = stance.focal * max(size)
    inner = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    ca, sa = np.cos(stance.azimuth), np.sin(stance.azimuth)
    turn = np.array([[ca, -sa, 0], [sa, ca, 0], [0, 0, -1]])
    ct, st = np.cos(stance.tilt), np.sin(stance.tilt)
    tilt = np.array([[1, 0, 0], [0, ct, st], [0, -st, ct]])
    cr, sr = np.cos(stance.roll), np.sin(stance.roll)
    roll = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
    rotation = roll @ tilt @ turn
    offset = rotation @ np.array([-centre[0], -centre[1], 0]) + np.array([0, 0, distance])
    return np.asarray(inner @ np.column_stack([rotation, offset]))


class Canvas:
    """The picture while it is being taken, before the lens bends it."""

    def __init__(self, image: Image, camera: Camera) -> None:
        self.image = image
        self.camera = camera
        self._ready: dict[tuple[int, int], Picture] = {}

    def sides(self, sprite: Sprite, light: Points) -> None:
        """The visible side faces of a thing, lit by how far they face the light (a plane direction)."""
        if sprite.thickness <= 0.004:
            return
        low = self.camera.flat(sprite.outline, sprite.base)
        high = self.camera.flat(sprite.outline, sprite.base + sprite.thickness)
        edges = np.roll(sprite.outline, -1, 0) - sprite.outline
        outward = np.stack([edges[:, 1], -edges[:, 0]], 1)
        outward /= np.maximum(np.hypot(outward[:, 0], outward[:, 1]), 1e-9)[:, None]
        lit = 0.8 + 0.35 * (outward @ light)
        for index in range(len(low)):
            after = (index + 1) % len(low)
            quad = np.array([low[index], low[after], high[after], high[index]])
            if _area(quad) <= 0:
                continue
            colour = tuple(float(np.clip(part * lit[index], 0, 255)) for part in sprite.side_colour)
            cv2.fillConvexPoly(
                self.image, np.round(quad * (1 << SHIFT)).astype(np.int32), colour, cv2.LINE_AA, SHIFT
            )

    def top(self, sprite: Sprite, cover: npt.NDArray[np.uint8] | None = None) -> None:
        """The top face, warped straight into the picture; `cover` (full size) collects what it hides."""
        height, width = sprite.picture.shape[:2]
        matrix = self.camera.homography(sprite.base + sprite.thickness) @ _lying(sprite, height, width)
        corners = through(matrix, np.array([[0, 0], [width, 0], [width, height], [0, height]], float) - 0.5)
        wide, high = self.camera.size
        x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (wide, high))
        if x1 <= x0 or y1 <= y0:
            return
        smaller = np.sqrt(abs(_area(corners)) / (width * height))
        picture, factor = self._prepared(sprite.picture, float(smaller))
        if factor != (1.0, 1.0):
            matrix = matrix @ np.array(
                [
                    [1 / factor[0], 0, 0.5 / factor[0] - 0.5],
                    [0, 1 / factor[1], 0.5 / factor[1] - 0.5],
                    [0, 0, 1],
                ]
            )
        move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], float)
        warped = cv2.warpPerspective(
            picture, move @ matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR
        )
        alpha = warped[..., 3]
        window = self.image[y0:y1, x0:x1]
        rest = cv2.cvtColor(cv2.bitwise_not(alpha), cv2.COLOR_GRAY2BGR)
        window[:] = cv2.add(cv2.multiply(window, rest, scale=1 / 255), warped[..., :3])
        if cover is not None:
            cover[y0:y1, x0:x1] = cv2.max(cover[y0:y1, x0:x1], alpha)

    def _prepared(self, picture: Picture, smaller: float) -> tuple[Picture, tuple[float, float]]:
        """Premultiplied, and averaged down first where it shows much smaller than it was drawn."""
        steps = 0 if smaller > 0.72 else int(np.ceil(np.log2(0.72 / max(smaller, 1e-3)) * 3))
        key = (id(picture), steps)
        height, width = picture.shape[:2]
        if key not in self._ready:
            ready = picture
            if steps:
                shrink = 2 ** (-steps / 3)
                size = (max(2, round(width * shrink)), max(2, round(height * shrink)))
                ready = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
            if ready[..., 3].min() < 255:
                alpha = cv2.cvtColor(ready[..., 3], cv2.COLOR_GRAY2BGR)
                colours = cv2.multiply(ready[..., :3], alpha, scale=1 / 255)
                ready = np.dstack([colours, ready[..., 3]])
            self._ready[key] = ready
        ready = self._ready[key]
        return ready, (ready.shape[1] / width, ready.shape[0] / height)


def _area(corners: Points) -> float:
    """Signed: positive for corners in clockwise order (y down), so for faces turned towards the camera."""
    x, y = corners[:, 0], corners[:, 1]
    return float(0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _lying(sprite: Sprite, height: int, width: int) -> Matrix:
    """(3, 3) from picture pixels to plane points."""
    scale = sprite.width / width
    c, s = np.cos(sprite.angle) * scale, np.sin(sprite.angle) * scale
    x, y = (width - 1) / 2, (height - 1) / 2
    return np.array(
        [
            [c, -s, sprite.centre[0] - c * x + s * y],
            [s, c, sprite.centre[1] - s * x - c * y],
            [0, 0, 1],
        ]
    )


@dataclass(frozen=True, slots=True)
class Development:
    """Lens, sensor and the phone's own processing."""

    focus: float
    """Blur radius (sigma) in pixels."""
    motion: tuple[float, float]
    """Camera shake during the exposure, in pixels."""
    noise: float
    """Levels."""
    coarse: float
    """Levels of blotchy colour noise, left over by denoising."""
    sharpen: float
    quality: int
    """JPEG."""


def random_development(rng: np.random.Generator, pixels_per_unit: float, calm: bool = False) -> Development:
    """Blur is in proportion to how large a tile is in the picture, so that tiles stay readable for people."""
    readable = pixels_per_unit / 60
    focus = abs(rng.normal(0, 0.5)) if rng.random() < 0.75 else rng.uniform(0.6, 2.0)
    shake = rng.uniform(1, 5, 2) * rng.choice((-1, 1), 2) if rng.random() < 0.15 else np.zeros(2)
    sharpen = float(rng.choice((0.0, rng.uniform(0.3, 1.4)), p=(0.6, 0.4)))
    if calm:
        focus, shake = min(focus, 0.6), np.zeros(2)
    return Development(
        focus=float(focus * min(readable, 1.6)),
        motion=(float(shake[0] * min(readable, 1.6)), float(shake[1] * min(readable, 1.6))),
        noise=float(rng.choice((rng.uniform(0.3, 2), rng.uniform(2, 7)), p=(0.75, 0.25))) / (1 + sharpen),
        coarse=float(rng.choice((0.0, rng.uniform(0, 4)))),
        sharpen=sharpen,
        quality=int(rng.integers(40, 96)),
    )


def lens(image: Image, camera: Camera) -> Image:
    """Radial distortion."""
    if not camera.k1:
        return image
    # The map is smooth: computed at every 16th pixel and enlarged it is exact to a few hundredths of a pixel.
    wide, high = camera.size
    xs, ys = np.linspace(0, wide - 1, wide // 16 + 2), np.linspace(0, high - 1, high // 16 + 2)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    found = camera.unbent(grid).reshape(len(ys), len(xs), 2).astype(np.float32)
    maps = _stretched(found, wide, high)
    return np.asarray(cv2.remap(image, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))


def _stretched(grid: npt.NDArray[np.float32], wide: int, high: int) -> npt.NDArray[np.float32]:
    """Bilinear enlargement whose first and last samples sit on the first and last pixels."""
    rows, columns = grid.shape[:2]
    matrix = np.array([[(columns - 1) / (wide - 1), 0, 0], [0, (rows - 1) / (high - 1), 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(grid, matrix, (wide, high), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    )


def developed(rng: np.random.Generator, image: Image, how: Development) -> Image:
    """Blur, noise and sharpening, in the order a phone applies them."""
    if max(abs(how.motion[0]), abs(how.motion[1])) >= 0.7:
        steps = 4
        shaken = np.zeros(image.shape, np.uint16)
        for step in range(steps):
            at = (step / (steps - 1) - 0.5) * np.array(how.motion)
            move = np.array([[1, 0, at[0]], [0, 1, at[1]]])
            moved = cv2.warpAffine(image, move, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
            shaken += moved
        image = (shaken // steps).astype(np.uint8)
    if how.focus > 0.35:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), how.focus))
    high, wide = image.shape[:2]
    if how.coarse > 0.5:
        grain = _noise_window(rng, "soft", -(-high // 2), -(-wide // 2))
        grain = np.asarray(cv2.resize(grain, (wide, high), interpolation=cv2.INTER_LINEAR))
        strength = how.coarse / 32
        image = np.asarray(cv2.addWeighted(image, 1.0, grain, strength, -128 * strength))
    if how.noise > 0:
        grain = _noise_window(rng, "fine", high, wide)
        strength = how.noise / 32
        image = np.asarray(cv2.addWeighted(image, 1.0, grain, strength, -128 * strength))
    if how.sharpen > 0:
        soft = cv2.GaussianBlur(image, (5, 5), 1.1)
        image = np.asarray(cv2.addWeighted(image, 1 + how.sharpen, soft, -how.sharpen, 0))
    return image


_COLOUR_NOISE: dict[str, Image] = {}


def _noise_window(rng: np.random.Generator, kind: str, high: int, wide: int) -> Image:
    """A window of ready colour noise: 128 ± 32 levels, (high, wide, 3)."""
    if kind not in _COLOUR_NOISE:
        bank = noise_bank(kind)
        own = [np.roll(bank, (173 * channel, 311 * channel), (0, 1)) for channel in range(3)]
        mixed = np.stack([0.75 * bank + 0.66 * part for part in own], -1)
        _COLOUR_NOISE[kind] = np.clip(128 + 32 * mixed, 0, 255).astype(np.uint8)
    bank8 = _COLOUR_NOISE[kind]
    side = bank8.shape[0]
    y, x = (int(part) for part in rng.integers(0, side, 2))
    rows, columns = -(-(high + y) // side), -(-(wide + x) // side)
    tiled = bank8 if (rows, columns) == (1, 1) else np.tile(bank8, (rows, columns, 1))
    return tiled[y : y + high, x : x + wide]
