"""Draws single Mi pasuje! tiles of one copy of the game."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.studio import hexes
from models.studio.digits import glyph
from models.studio.hexes import APOTHEM, DIRECTIONS, TOWARDS, VALUES, Floats, Layer
from models.studio.hexlooks import TileLook, digit_places
from models.studio.inks import BLACK, WHITE, Colour, luma
from models.studio.plan import Picture

JOKER = "*"


@lru_cache(maxsize=8)
def _linen(size: int) -> Floats:
    """(size, size) woven relief around 0, for embossed cardboard."""
    rng = np.random.default_rng(size)
    fine = cv2.GaussianBlur(rng.normal(0, 1, (size, size)).astype(np.float32), (0, 0), 0.6)
    across = cv2.blur(rng.normal(0, 1, (size, size)).astype(np.float32), (7, 1))
    down = cv2.blur(rng.normal(0, 1, (size, size)).astype(np.float32), (1, 7))
    return np.asarray(0.5 * fine + across + down, np.float32)


class TilePainter:
    """Paints tiles of one look at one size; lines and digits are drawn once and printed many times."""

    def __init__(self, look: TileLook, pixels_per_side: float) -> None:
        self.look = look
        self.px = pixels_per_side
        self.grid = hexes.tile_grid(pixels_per_side)
        self.inside = hexes.edge_distance(pixels_per_side)
        self.alpha: npt.NDArray[np.uint8] = np.round(
            np.clip(self.inside * np.float32(pixels_per_side) + np.float32(0.5), 0, 1) * 255
        ).astype(np.uint8)
        self._lines: dict[int | str, Layer] = {}
        self._backs: dict[Colour, Floats] = {}

    @property
    def width(self) -> float:
        """Width of a tile's picture, in tile sides."""
        return self.grid.shape[1] / self.px

    def _line(self, key: int | str) -> Layer:
        """The layer of a value, or of a direction's joker."""
        if key not in self._lines:
            look = self.look
            if isinstance(key, int):
                self._lines[key] = hexes.line_layer(self.px, hexes.DIRECTION_OF[key], look.lines[key])
            else:
                values = VALUES[key]
                colours = tuple(look.lines[value].colour for value in values)
                self._lines[key] = hexes.joker_layer(
                    self.px, key, look.lines[values[0]], colours, look.twist, look.twist_pitch
                )
        return self._lines[key]

    def _background(self, back: Colour) -> Floats:
        if back not in self._backs:
            picture = np.empty((*self.grid.shape, 3), np.float32)
            picture[:] = back
            if self.look.shading:
                shade = 1 + np.float32(self.look.shading) * (
                    np.float32(0.5) * self.grid.y + np.float32(0.3) * self.grid.x
                )
                picture *= shade[..., None]
            if self.look.border:
                rim = np.clip((np.float32(self.look.border) - self.inside) * np.float32(self.px) + 0.5, 0, 1)
                picture += (np.array(self.look.border_colour, np.float32) - picture) * rim[..., None].astype(
                    np.float32
                )
            self._backs[back] = np.clip(picture, 0, 1)
        return self._backs[back].copy()

    def paint(
        self, tile: str, mark: str | None, back: Colour, rng: np.random.Generator, plain: bool = False
    ) -> Picture:
        """BGRA picture of `tile` ("9-7-3", "*-2-*"); `plain` leaves wear out."""
        look = self.look
        lines = dict(zip(DIRECTIONS, tile.split("-"), strict=True))
        picture = self._background(back)
        for way in self._order(lines):
            value = lines[way]
            self._line(way if value == JOKER else int(value)).over(picture)
        joker = JOKER in tile
        if mark is not None and look.marks is not None:
            self._print_marks(picture, mark)
        for way in DIRECTIONS:
            values = VALUES[way] if lines[way] == JOKER else (int(lines[way]),)
            if joker and len(values) == 3:
                self._print_joker_digits(picture, way, values)
            else:
                self._print_digit(picture, way, values[0])
        if look.misprint > 0 and not plain:
            dx, dy = rng.normal(0, look.misprint * 0.5 * self.px, 2)
            move = np.array([[1, 0, dx], [0, 1, dy]])
            size = (picture.shape[1], picture.shape[0])
            picture = cv2.warpAffine(picture, move, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        if look.bevel:
            self._bevel(picture)
        if look.linen and not plain:
            weave = _linen(256)
            h, w = self.grid.shape
            if h < 256 and w < 256:
                y, x = rng.integers(256 - h), rng.integers(256 - w)
                picture *= 1 + np.float32(look.linen) * weave[y : y + h, x : x + w, None]
        if look.wear and not plain:
            self._wear(picture, rng)
        return self._cut_out(picture)

    def _cut_out(self, picture: Floats) -> Picture:
        out = np.empty((*self.grid.shape, 4), np.uint8)
        np.clip(picture, 0, 1, out=picture)
        picture *= np.float32(255)
        out[..., :3] = picture
        out[..., 3] = self.alpha
        return out

    def _order(self, lines: dict[str, str]) -> list[str]:
        if self.look.order == "value":
            return sorted(
                DIRECTIONS, key=lambda way: max(VALUES[way]) if lines[way] == JOKER else int(lines[way])
            )
        return self.look.order.split()

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        h, w = self.grid.shape
        return w / 2 + x * self.px, h / 2 + y * self.px

    def _ink(self, name: str, line: Colour) -> Colour:
        if name == "line":
            return line
        if name == "contrast":
            return BLACK if luma(line) > 0.42 else WHITE
        return BLACK if name == "black" else WHITE

    def _print_digit(
        self,
        picture: Floats,
        way: str,
        value: int,
        place: tuple[float, float] | None = None,
        shrink: float = 1.0,
    ) -> None:
        digits = self.look.digits
        line = self.look.lines[value].colour
        px = max(5, round(digits.height * shrink * self.px))
        mask = glyph(str(value), digits.style, px)
        ink = self._ink(digits.ink, line)
        rim_ink = self._ink(digits.rim_ink, ink)
        if abs(luma(rim_ink) - luma(ink)) < 0.3:
            rim_ink = self._ink("contrast", ink)
        # A wider rim would close the holes of small digits.
        rim = round(min(digits.rim * shrink, 0.14 * px / self.px) * self.px) or int(digits.rim > 0)
        for x, y in [place] if place else digit_places(way, digits):
            at = self._pixel(x, y)
            if digits.plate:
                base = WHITE if luma(ink) < 0.5 else BLACK
                hexes.stamp(picture, hexes.plate(round(px * 1.35), digits.plate), at, base)
            if rim:
                hexes.stamp(picture, hexes.thicken(mask, rim), at, rim_ink)
            hexes.stamp(picture, mask, at, ink)

    def _print_joker_digits(self, picture: Floats, way: str, values: tuple[int, ...]) -> None:
        digits = self.look.digits
        ux, uy = TOWARDS[way]
        end = -1 if digits.upper and way != hexes.VERTICAL else 1
        shrink = min(1.0, 0.21 / digits.height)
        step = digits.height * shrink * 0.95
        first = min(digits.reach, APOTHEM - 0.05 - digits.height * shrink / 2)
        ordered = values[::-1] if way == hexes.VERTICAL else values
        for k, value in enumerate(ordered):
            reach = (first - k * step) * end
            self._print_digit(picture, way, value, (ux * reach, uy * reach), shrink)

    def _print_marks(self, picture: Floats, mark: str) -> None:
        marks = self.look.marks
        assert marks is not None
        name, ink = (marks.sun, marks.sun_ink) if mark == "sun" else (marks.moon, marks.moon_ink)
        mask = hexes.mark_mask(
            name, max(5, round(2 * marks.radius * self.px)), marks.turn if mark == "moon" else 0.0
        )
        for x, y in marks.places:
            if (x, y) == (0.0, 0.0):
                # On the crossing of the lines a mark needs a ground of its own.
                ground = BLACK if luma(ink) > 0.5 else WHITE
                hexes.stamp(
                    picture,
                    hexes.plate(round(2.6 * marks.radius * self.px), "disc"),
                    self._pixel(x, y),
                    ground,
                )
            hexes.stamp(picture, mask, self._pixel(x, y), ink)

    def _bevel(self, picture: Floats) -> None:
        """A pressed edge: lit from the upper left."""
        near = np.clip(1 - self.inside / np.float32(0.06), 0, 1)
        light = np.where(self.grid.y * np.float32(0.8) + self.grid.x * np.float32(0.3) < 0, 1.0, -1.0).astype(
            np.float32
        )
        picture += (near * light * np.float32(0.16 * self.look.bevel))[..., None]

    def _wear(self, picture: Floats, rng: np.random.Generator) -> None:
        """Pale nicks where the tile was punched out, and a few scratches."""
        count = int(rng.poisson(4 * self.look.wear))
        if not count:
            return
        paint: Any = (0.82, 0.86, 0.88)
        corners = hexes.hexagon((0.0, 0.0), 0.985)
        for _ in range(count):
            k, t = int(rng.integers(6)), float(rng.beta(0.5, 0.5))
            x, y = self._pixel(*(corners[k] * (1 - t) + corners[(k + 1) % 6] * t))
            size = max(1, round(float(rng.uniform(0.01, 0.03)) * self.px))
            cv2.circle(picture, (round(x), round(y)), size, paint, -1, cv2.LINE_AA)
        if rng.random() < 0.15 * self.look.wear:
            ends = [
                (round(x), round(y)) for x, y in (self._pixel(*rng.uniform(-0.7, 0.7, 2)) for _ in range(2))
            ]
            cv2.line(picture, ends[0], ends[1], paint, 1, cv2.LINE_AA)

    def reverse(self, colour: Colour, pattern: int) -> Picture:
        """The back of a tile: plain, or a small woven pattern."""
        picture = np.empty((*self.grid.shape, 3), np.float32)
        picture[:] = colour
        if pattern:
            weave = np.sin(self.grid.x * np.float32(20 * pattern)) * np.sin(
                (self.grid.y + self.grid.x) * np.float32(24)
            )
            picture *= (1 + np.float32(0.25) * (weave > 0.2))[..., None].astype(np.float32)
        return self._cut_out(picture)
