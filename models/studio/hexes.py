"""Hexagons: where cells lie, and how a tile's lines, marks and digits are drawn on a small pixel grid.

Everything here is raster, not vector: a line's edge is a function of the distance along it, so straight
pipes, saw teeth, waves and steps come from one formula at any size. Pictures are float32 BGR in 0 … 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.studio.plan import Cell, Points

Floats = npt.NDArray[np.float32]

ROOT3 = float(np.sqrt(3.0))
APOTHEM = ROOT3 / 2
"""From a hexagon's centre to the middle of an edge, in sides."""

VERTICAL, RISING, FALLING = "vertical", "rising", "falling"
DIRECTIONS = (VERTICAL, RISING, FALLING)
VALUES: Mapping[str, tuple[int, int, int]] = {VERTICAL: (1, 5, 9), RISING: (2, 6, 7), FALLING: (3, 4, 8)}
DIRECTION_OF: Mapping[int, str] = {value: way for way, values in VALUES.items() for value in values}
TOWARDS: Mapping[str, tuple[float, float]] = {
    VERTICAL: (0.0, -1.0),
    RISING: (-APOTHEM, 0.5),
    FALLING: (APOTHEM, 0.5),
}
"""From the centre to the end of the line where its digit stands: top, lower left, lower right."""

NEAR = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))
STANDARD: tuple[Cell, ...] = tuple((q, r) for q in range(-2, 3) for r in range(-2, 3) if -2 <= q + r <= 2)
VALVES: tuple[Cell, ...] = ((0, 0), (2, 1), (-1, 3))
TURNS: Mapping[str, Callable[[int, int], Cell]] = {
    "valve": lambda q, r: (q, r),
    "valve-turned": lambda q, r: (-q, -r),
    "valve-mirrored": lambda q, r: (-q, q + r),
    "valve-mirrored-turned": lambda q, r: (q, -q - r),
}


def board_cells(board: str) -> tuple[Cell, ...]:
    """All cells of a board, by name."""
    if board == "standard":
        return STANDARD
    flowers = {(vq + q, vr + r) for vq, vr in VALVES for q, r in NEAR}
    return tuple(sorted(TURNS[board](q, r) for q, r in flowers))


def valve_cells(board: str) -> tuple[Cell, ...]:
    """The cells that carry a valve; none on the standard board."""
    return () if board == "standard" else tuple(TURNS[board](q, r) for q, r in VALVES)


def centre_of(cell: Cell) -> tuple[float, float]:
    """Plane point of a cell's centre, hexagon side 1."""
    q, r = cell
    return 1.5 * q, ROOT3 * (r + q / 2)


def hexagon(centre: tuple[float, float], side: float = 1.0, angle: float = 0.0) -> Points:
    """(6, 2) corners, clockwise as seen, the right-hand corner first."""
    turns = angle + np.arange(6) * np.pi / 3
    return np.array(centre) + side * np.stack([np.cos(turns), np.sin(turns)], 1)


class Grid(NamedTuple):
    """Pixel centres of a tile's picture, in sides from its centre."""

    x: Floats
    y: Floats
    scale: float
    """Pixels per side."""

    @property
    def shape(self) -> tuple[int, int]:
        return self.x.shape[0], self.x.shape[1]


@lru_cache(maxsize=32)
def tile_grid(px_per_side: float) -> Grid:
    """A grid that holds a whole hexagon and a pixel or two of air around it."""
    width, height = 2 * int(np.ceil(px_per_side + 1)), 2 * int(np.ceil(px_per_side * APOTHEM + 1))
    x = (np.arange(width, dtype=np.float32) - (width - 1) / 2) / px_per_side
    y = (np.arange(height, dtype=np.float32) - (height - 1) / 2) / px_per_side
    gx, gy = np.meshgrid(x, y)
    return Grid(gx.astype(np.float32), gy.astype(np.float32), float(px_per_side))


@lru_cache(maxsize=32)
def edge_distance(px_per_side: float) -> Floats:
    """How far inside a hexagon of side 1 each pixel lies, in sides (negative outside)."""
    g = tile_grid(px_per_side)
    slope = np.abs(g.x) * APOTHEM + np.abs(g.y) * 0.5
    return np.asarray(APOTHEM - np.maximum(np.abs(g.y), slope), np.float32)


@lru_cache(maxsize=128)
def line_frame(px_per_side: float, direction: str) -> tuple[Floats, Floats]:
    """Along and across coordinates of a line: `along` grows towards its digit, `across` to its right."""
    g = tile_grid(px_per_side)
    ux, uy = TOWARDS[direction]
    return g.x * np.float32(ux) + g.y * np.float32(uy), g.x * np.float32(-uy) + g.y * np.float32(ux)


Profile = Callable[[Floats, float], Floats]
"""Edge shape: (distance along in sides, teeth per side) → how far the edge stands out, 0 … 1."""


def _phase(along: Floats, pitch: float) -> Floats:
    return np.asarray(np.mod(along * np.float32(pitch), 1.0), np.float32)


def _saw(along: Floats, pitch: float) -> Floats:
    return np.asarray(np.abs(2 * _phase(along, pitch) - 1), np.float32)


def _slant(along: Floats, pitch: float) -> Floats:
    return _phase(along, pitch)


def _wave(along: Floats, pitch: float) -> Floats:
    return np.asarray(0.5 + 0.5 * np.cos(along * np.float32(2 * np.pi * pitch)), np.float32)


def _castle(along: Floats, pitch: float) -> Floats:
    return (_phase(along, pitch) < 0.5).astype(np.float32)


def _steps(along: Floats, pitch: float) -> Floats:
    phase = _phase(along, pitch * 0.6)
    return (np.where(phase < 0.3, 0.5, 0.0) + np.where((phase >= 0.1) & (phase < 0.2), 0.5, 0.0)).astype(
        np.float32
    )


def _scallop(along: Floats, pitch: float) -> Floats:
    return np.sqrt(np.maximum(0, 1 - (2 * _phase(along, pitch) - 1) ** 2)).astype(np.float32)


def _bites(along: Floats, pitch: float) -> Floats:
    return (1 - _scallop(along, pitch)).astype(np.float32)


def _pegs(along: Floats, pitch: float) -> Floats:
    return (_phase(along, pitch * 1.4) < 0.35).astype(np.float32)


def _tabs(along: Floats, pitch: float) -> Floats:
    return np.clip(3 * _wave(along, pitch) - 1, 0, 1).astype(np.float32)


def _ripple(along: Floats, pitch: float) -> Floats:
    return (0.6 * _wave(along, pitch * 0.6) + 0.4 * _wave(along, pitch * 1.3)).astype(np.float32)


def _flat(along: Floats, pitch: float) -> Floats:
    return np.zeros_like(along)


PROFILES: Mapping[str, Profile] = {
    "flat": _flat, "saw": _saw, "slant": _slant, "wave": _wave, "castle": _castle, "steps": _steps,
    "scallop": _scallop, "bites": _bites, "pegs": _pegs,
}  # fmt: skip
EXAM_PROFILES: Mapping[str, Profile] = {"flat": _flat, "tabs": _tabs, "ripple": _ripple}


class LineLook(NamedTuple):
    """How the lines of one value look. Lengths in sides, colours BGR in 0 … 1."""

    half_width: float
    colour: tuple[float, float, float]
    left: str = "flat"
    right: str = "flat"
    teeth: float = 4.0
    """Teeth per side length."""
    depth: float = 0.0
    """How far teeth stand out."""
    phase: float = 0.0
    rim: float = 0.0
    """Width of an outline drawn inside the edge."""
    rim_colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    roundness: float = 0.0
    """0 flat print … 1 shaded like a pipe."""
    short: float = 0.0
    """How far before the tile's edge the line stops."""
    collar: float = 0.0
    """Length of a wider sleeve at both ends, as pipes have."""


class Layer(NamedTuple):
    """Something printed over what is below it."""

    ink: Floats
    """(h, w, 3), already multiplied by its opacity."""
    through: Floats
    """(h, w, 3): how much of what is below shows through."""

    def over(self, below: Floats) -> None:
        """Print on `below`, in place."""
        below *= self.through
        below += self.ink


def _layer(ink: Floats, alpha: Floats) -> Layer:
    opaque = np.repeat(alpha[..., None], 3, axis=2)
    return Layer(ink * opaque, 1 - opaque)


def _profile(name: str) -> Profile:
    return PROFILES[name] if name in PROFILES else EXAM_PROFILES[name]


def _band(px: float, direction: str, look: LineLook) -> tuple[Floats, Floats, Floats]:
    """Alpha, distance inside the nearer long edge, and position across (−1 … 1) of a line."""
    along, across = line_frame(px, direction)
    shifted = along + np.float32(look.phase)
    half = np.full_like(along, look.half_width)
    if look.collar:
        half *= np.where(np.abs(along) > APOTHEM - look.collar, 1.2, 1.0).astype(np.float32)
    right = half - across
    left = half + across
    if look.depth:
        if look.right != "flat":
            right = right + np.float32(look.depth) * _profile(look.right)(shifted, look.teeth)
        if look.left != "flat":
            left = left + np.float32(look.depth) * _profile(look.left)(shifted, look.teeth)
    inside = np.minimum(right, left)
    if look.short:
        inside = np.minimum(inside, np.float32(APOTHEM - look.short) - np.abs(along))
    alpha = np.clip(inside * np.float32(px) + np.float32(0.5), 0, 1)
    return alpha, inside, np.clip(across / half, -1, 1)


def line_layer(px: float, direction: str, look: LineLook) -> Layer:
    """A plain line of one value."""
    alpha, inside, across = _band(px, direction, look)
    ink = np.empty((*alpha.shape, 3), np.float32)
    ink[:] = look.colour
    if look.roundness:
        shine = np.float32(1 - 0.45 * look.roundness) + np.float32(0.45 * look.roundness) * np.cos(
            across * np.float32(1.4) + np.float32(0.35)
        )
        ink *= shine[..., None]
        ink += (
            np.float32(0.35 * look.roundness) * np.exp(-((across + np.float32(0.3)) ** 2) * np.float32(40))
        )[..., None]
    if look.rim:
        rim = np.clip((np.float32(look.rim) - inside) * np.float32(px) + np.float32(0.5), 0, 1)[..., None]
        ink += (np.array(look.rim_colour, np.float32) - ink) * rim
    np.clip(ink, 0, 1, out=ink)
    return _layer(ink, alpha)


def joker_layer(
    px: float,
    direction: str,
    look: LineLook,
    colours: tuple[tuple[float, float, float], ...],
    twist: str,
    pitch: float,
) -> Layer:
    """Three colours twisted round each other: "rope", "braid" (sine strands) or "stripes"."""
    along, across = line_frame(px, direction)
    half = np.float32(look.half_width)
    palette = np.array(colours, np.float32)
    v = across / half
    if twist == "stripes":
        strand = np.mod(np.floor(along * np.float32(pitch * 3) + v * np.float32(0.8)), 3).astype(np.intp)
        inside = half - np.abs(across)
        relief = np.cos(np.clip(v, -1, 1) * np.float32(1.2))
    elif twist == "rope":
        lay = np.mod(along * np.float32(pitch * 3) + v * np.float32(1.1), 3)
        strand = np.floor(lay).astype(np.intp)
        bulge = np.abs(np.mod(lay, 1) - np.float32(0.5)) * 2
        inside = half * (1 + np.float32(0.12) * (1 - bulge**2)) - np.abs(across)
        relief = 1 - np.float32(0.45) * bulge**3
    else:
        turn = along * np.float32(2 * np.pi * pitch)
        shifts = [np.float32(2 * np.pi * k / 3) for k in range(3)]
        offsets = np.stack([np.abs(v - np.float32(0.62) * np.sin(turn + s)) for s in shifts])
        depth = np.stack([np.cos(turn + s) for s in shifts])
        depth = np.where(offsets < 0.5, depth, -3)
        strand = np.argmax(depth, axis=0)
        inside = half * (np.float32(0.5) - offsets.min(axis=0))
        nearest = np.take_along_axis(offsets, strand[None], 0)[0]
        relief = 1 - np.float32(1.2) * nearest**2
    alpha = np.clip(
        np.minimum(inside, APOTHEM - np.float32(look.short) - np.abs(along)) * np.float32(px) + 0.5, 0, 1
    )
    ink = palette[strand] * (np.float32(0.35) + np.float32(0.65) * relief)[..., None]
    return _layer(np.clip(ink, 0, 1).astype(np.float32), alpha.astype(np.float32))


def stamp(
    picture: Floats, mask: npt.NDArray[np.uint8], centre: tuple[float, float], colour: tuple[float, ...]
) -> None:
    """Print `mask` (uint8 alpha) with its middle at pixel `centre`, cut off at the edges, in place."""
    h, w = mask.shape
    x0, y0 = round(centre[0] - w / 2), round(centre[1] - h / 2)
    left, top = max(0, -x0), max(0, -y0)
    right, bottom = min(w, picture.shape[1] - x0), min(h, picture.shape[0] - y0)
    if right <= left or bottom <= top:
        return
    part = picture[y0 + top : y0 + bottom, x0 + left : x0 + right]
    alpha = mask[top:bottom, left:right, None].astype(np.float32) * np.float32(1 / 255)
    part += (np.array(colour, np.float32) - part) * alpha


@lru_cache(maxsize=4096)
def _thicken_key(data: bytes, shape: tuple[int, int], px: int) -> npt.NDArray[np.uint8]:
    mask = np.frombuffer(data, np.uint8).reshape(shape)
    padded = cv2.copyMakeBorder(mask, px, px, px, px, cv2.BORDER_CONSTANT, value=(0,))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * px + 1, 2 * px + 1))
    return np.asarray(cv2.dilate(padded, disc), np.uint8)


def thicken(mask: npt.NDArray[np.uint8], px: int) -> npt.NDArray[np.uint8]:
    """The mask grown by `px` on every side: the rim under an outlined digit."""
    return _thicken_key(mask.tobytes(), (mask.shape[0], mask.shape[1]), px) if px > 0 else mask


def plate(px: int, shape: str) -> npt.NDArray[np.uint8]:
    """A disc or a rounded square to stand a digit on, `px` high."""
    mask = np.zeros((px + 2, px + 2), np.uint8)
    if shape == "disc":
        cv2.circle(mask, ((px + 1) * 8, (px + 1) * 8), px * 8, (255,), -1, cv2.LINE_AA, 4)
    else:
        cv2.rectangle(mask, (1, 1), (px, px), (255,), -1)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, px / 14)).astype(np.uint8)
        mask = np.clip((mask.astype(np.int16) - 96) * 4, 0, 255).astype(np.uint8)
    return mask


SUNS = ("rays", "burst", "petals", "ring")
MOONS = ("crescent", "thin", "starred")
EXAM_SUNS = ("spokes", "face")
EXAM_MOONS = ("half", "disced")


@lru_cache(maxsize=512)
def mark_mask(name: str, px: int, turn: float = 0.0) -> npt.NDArray[np.uint8]:
    """A sun or moon drawing as an alpha mask about `px` across."""
    big = 4 * max(4, px)
    mask = np.zeros((big, big), np.uint8)
    c, r = big / 2, big / 2 - 2

    def disc(x: float, y: float, radius: float, value: int = 255, line: int = -1) -> None:
        cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius * 16), (value,), line, cv2.LINE_AA, 4)

    def spiky(points: int, inner: float, outer: float) -> None:
        angles = turn + np.arange(2 * points) * np.pi / points
        radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
        shape = np.stack([c + radii * np.cos(angles), c + radii * np.sin(angles)], 1)
        cv2.fillPoly(mask, [np.round(shape * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)

    def rays(count: int, inner: float, width: float) -> None:
        for angle in turn + np.arange(count) * 2 * np.pi / count:
            ends = [(round(c + k * np.cos(angle)), round(c + k * np.sin(angle))) for k in (inner, r - 1)]
            cv2.line(mask, ends[0], ends[1], (255,), max(1, round(width * r)), cv2.LINE_AA)

    if name == "rays":
        rays(8, r * 0.62, 0.16)
        disc(c, c, r * 0.48)
    elif name == "burst":
        spiky(14, r * 0.72, r)
    elif name == "petals":
        spiky(8, r * 0.5, r)
        disc(c, c, r * 0.6)
        disc(c, c, r * 0.6, 0, max(1, round(r * 0.08)))
    elif name == "ring":
        rays(12, r * 0.66, 0.12)
        disc(c, c, r * 0.46, 255, max(1, round(r * 0.14)))
    elif name == "spokes":
        rays(16, r * 0.1, 0.1)
        disc(c, c, r * 0.4)
    elif name == "face":
        spiky(11, r * 0.7, r)
        disc(c, c, r * 0.62, 0, max(1, round(r * 0.07)))
        disc(c - r * 0.2, c - r * 0.12, r * 0.08, 0)
        disc(c + r * 0.2, c - r * 0.12, r * 0.08, 0)
    else:
        radius = r * (0.7 if name == "disced" else 0.92)
        bite = {"thin": 0.32, "half": 0.75}.get(name, 0.5)
        disc(c, c, radius)
        disc(
            c + radius * bite * np.cos(turn),
            c + radius * bite * np.sin(turn),
            radius * (1.05 if name == "half" else 0.85),
            0,
        )
        if name == "starred":
            disc(c + r * 0.4 * np.cos(turn), c + r * 0.4 * np.sin(turn), r * 0.17)
        if name == "disced":
            disc(c, c, r * 0.93, 255, max(1, round(r * 0.1)))
    small = cv2.resize(mask, (max(4, px), max(4, px)), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
