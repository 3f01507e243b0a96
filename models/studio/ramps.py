"""How a Bits ramp and its dominoes look: known-ish travel ramps, and new ones invented at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from models.studio.digits import Style, glyph
from models.studio.inks import Colour, byte, jitter, luma, rgb, rgbs
from models.studio.plan import Picture

Floats = npt.NDArray[np.float32]

SHADES: Mapping[str, tuple[Colour, ...]] = {
    "red": rgbs("d8232a b81d24 e8413c c8102e"),
    "orange": rgbs("f47b20 ff8c1a e8622c f29a2e"),
    "yellow": rgbs("ffd500 f7e03c f2c811 ffe45c"),
    "green": rgbs("2e9e3e 5cb531 1c7a3d 7cc142"),
    "blue": rgbs("1f5fc4 2a86d8 1a3f9c 3aa0e8"),
    "purple": rgbs("6d2c91 8b3fb0 5a2a82 a24fc4"),
    "pink": rgbs("f06ba8 f48fb8 e8468f ffa8c8"),
    "teal": rgbs("12a096 1fb8b0 0d8080 3cc8be"),
    "white": rgbs("f4f4f0 ffffff e9e7df"),
    "grey": rgbs("8a8d91 a5a8ab 6c7075"),
    "black": rgbs("1a1a1c 26262a 101012"),
}
PRINTS = rgbs(
    "2bb5ad 1f9d98 2a3246 3a4560 f2f2ee c8ccd0 8f959c b98a55 7b4e2b 1f5f3f 5b2a6b 111418 d94f3d 3f86c6 f1d27a"
)
EXAM_PRINTS = rgbs("5c7f67 7f5539 d9d2e9 0e2a47 a63d57 e6ddc4")
RIMS = rgbs("16171a 2c2f36 f2f2f0 c9cdd2 8a5a32 b98a55 1c3f6e 9c1f2a d8d0c0 3a3f48")
TITLES = ("BITS", "BITS", "Bits", "BITS!", "KLOCKI")
EXAM_TITLES = ("SPADA", "Drop", "DOMINO")
TILE_STYLES = ("flat", "bevel", "inner", "glossy", "pillow", "textured", "striped")
EXAM_TILE_STYLES = ("knob", "framed", "ridge")


@dataclass(frozen=True, slots=True)
class RampLook:
    """One copy's ramp. Lengths in cells."""

    print_colour: Colour
    grid_colour: Colour
    grid_width: float
    grid_kind: str
    """"lines", "boxes", "checks", "dots", "none"; "crosses" is the exam set's."""
    backdrop: str
    header: float
    """Height of the title strip above the cells."""
    margin: float
    """Between the outer cells and the rims."""
    rim: float
    rim_height: float
    rim_colour: Colour
    top_rim: bool
    title: str
    title_inks: tuple[Colour, ...]
    title_style: Style
    title_rim: bool
    title_size: float
    title_at: float
    """0 left … 1 right."""
    thickness: float
    gloss: float


@dataclass(frozen=True, slots=True)
class DominoLook:
    """One copy's dominoes. Lengths in cells."""

    style: str
    joined: str
    """"body": one piece of two colours; "squares": two caps on a carrier; "seam": one piece with a groove."""
    size: float
    """Share of its cell a half fills."""
    corner: float
    carrier: Colour
    cap: float
    """Share of the half a cap covers, where there is a carrier."""
    thickness: float
    gloss: float
    lit_from: float
    strength: float
    wear: float


def random_ramp(rng: np.random.Generator, exam: bool, simple: bool) -> RampLook:
    """A ramp with a printed back board."""
    prints = EXAM_PRINTS if exam else PRINTS
    colour = jitter(rng, prints[int(rng.integers(len(prints)))], 0.04)
    dark = luma(colour) < 0.5
    contrast = float(rng.uniform(0.25, 1.0))
    target = 1.0 if dark or rng.random() < 0.3 else 0.0
    grid = tuple(c + (target - c) * contrast for c in colour)
    kinds = ("crosses", "boxes") if exam else ("lines", "lines", "boxes", "checks", "dots", "none")
    names = list(SHADES)
    inks = tuple(SHADES[names[i]][0] for i in rng.permutation(len(names))[:4])
    one_ink = bool(rng.random() < 0.3)
    titles = EXAM_TITLES if exam else TITLES
    return RampLook(
        print_colour=colour,
        grid_colour=(grid[0], grid[1], grid[2]),
        grid_width=float(rng.uniform(0.015, 0.07)),
        grid_kind=kinds[int(rng.integers(len(kinds)))],
        backdrop=("plain", "gradient", "wood", "mottled")[int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15]))],
        header=float(rng.choice([rng.uniform(0.05, 0.3), rng.uniform(0.7, 1.4)], p=[0.2, 0.8])),
        margin=float(rng.uniform(0, 0.2)),
        rim=float(rng.uniform(0.08, 0.35)),
        rim_height=float(rng.uniform(0.1, 0.5)),
        rim_colour=jitter(rng, RIMS[int(rng.integers(len(RIMS)))], 0.03),
        top_rim=bool(rng.random() < 0.15),
        title="" if simple or rng.random() < 0.1 else titles[int(rng.integers(len(titles)))],
        title_inks=inks[:1] if one_ink else inks,
        title_style=Style(
            "pillow",
            weight=float(rng.choice([0.02, 0.06, 0.1])),
            width=float(rng.uniform(0.8, 1.3)),
            slant=float(rng.choice([0.0, 0.0, 0.2])),
            reserved=exam,
        ),
        title_rim=bool(rng.random() < 0.6),
        title_size=float(rng.uniform(0.4, 0.75)),
        title_at=float(rng.choice([0.5, 0.5, rng.uniform(0, 1)])),
        thickness=float(rng.uniform(0.08, 0.3)),
        gloss=float(rng.uniform(0.05, 0.6)),
    )


def random_domino(rng: np.random.Generator, exam: bool) -> DominoLook:
    """Dominoes of one make."""
    styles = EXAM_TILE_STYLES if exam else TILE_STYLES
    return DominoLook(
        style=styles[int(rng.integers(len(styles)))],
        joined=("body", "seam", "squares")[int(rng.choice(3, p=[0.35, 0.35, 0.3]))],
        size=float(rng.uniform(0.9, 0.995)),
        corner=float(rng.choice([rng.uniform(0.0, 0.06), rng.uniform(0.06, 0.25)])),
        carrier=jitter(
            rng,
            rgb(("101012", "16171a", "f0f0ee", "55585e")[int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15]))]),
            0.02,
        ),
        cap=float(rng.uniform(0.8, 0.96)),
        thickness=float(rng.uniform(0.08, 0.4)),
        gloss=float(rng.uniform(0.1, 0.9)),
        lit_from=float(rng.uniform(-np.pi, np.pi)),
        strength=float(rng.uniform(0.3, 1.0)),
        wear=float(rng.uniform(0, 0.6)),
    )


@lru_cache(maxsize=64)
def _square(px: int) -> tuple[Floats, Floats]:
    """Pixel centres of a half, −0.5 … 0.5."""
    line = (np.arange(px, dtype=np.float32) + np.float32(0.5)) / np.float32(px) - np.float32(0.5)
    x, y = np.meshgrid(line, line)
    return x.astype(np.float32), y.astype(np.float32)


def inside_box(x: Floats, y: Floats, half_w: float, half_h: float, corner: float) -> Floats:
    """Distance inside a box with round corners (negative outside), same unit as x and y."""
    corner = min(corner, half_w, half_h)
    dx = np.abs(x) - np.float32(half_w - corner)
    dy = np.abs(y) - np.float32(half_h - corner)
    outer = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0)
    return np.asarray(np.float32(corner) - outer, np.float32)


def paint_half(colour: Colour, look: DominoLook, px: int, rng: np.random.Generator) -> Floats:
    """(px, px, 3) float BGR face of one half: its colour with the make's relief; edges are the domino's."""
    x, y = _square(px)
    picture = np.empty((px, px, 3), np.float32)
    picture[:] = colour
    soft = np.float32(look.strength)
    lit = x * np.float32(np.cos(look.lit_from)) + y * np.float32(np.sin(look.lit_from))
    aa = np.float32(px)
    half = 0.5 * (look.cap if look.joined == "squares" else 1.0)
    inside = inside_box(x, y, half, half, look.corner)

    def outline(reach: float, width: float) -> Floats:
        frame = inside_box(x, y, half * reach, half * reach, look.corner * reach)
        line = (np.float32(width / 2) - np.abs(frame)) * aa + np.float32(0.5)
        return np.asarray(np.clip(line, 0, 1), np.float32)

    # On black plastic a relief shows as lighter edges, on white as darker ones.
    push = np.float32(-1.0 if luma(colour) > 0.75 else 1.0)
    if look.style == "bevel":
        edge = np.clip(1 - inside / np.float32(0.12), 0, 1)
        picture += (edge * np.sign(lit) * soft * np.float32(0.22))[..., None]
    elif look.style == "inner":
        picture += (outline(0.62, 0.03) * push * soft * np.float32(0.3))[..., None]
    elif look.style == "glossy":
        patch = inside_box(x, y + np.float32(half * 0.55), half * 0.75, half * 0.2, 0.08)
        shine = np.clip(patch * aa + np.float32(0.5), 0, 1) * np.float32(0.32)
        picture += ((1 - picture) * (shine * soft)[..., None]) + (
            np.clip(-y, -0.5, 0.5) * soft * np.float32(0.15)
        )[..., None]
    elif look.style == "pillow":
        dome = np.clip(inside / np.float32(0.25), 0, 1)
        picture *= (np.float32(0.75) + np.float32(0.25) * dome)[..., None]
        spot = np.exp(-((x + np.float32(0.15)) ** 2 + (y + np.float32(0.18)) ** 2) * np.float32(40))
        picture += (spot * soft * np.float32(0.4))[..., None].astype(np.float32)
    elif look.style == "textured":
        grain = cv2.GaussianBlur(rng.normal(0, 1, (px, px)).astype(np.float32), (0, 0), 1.2)
        picture += (grain * soft * np.float32(0.06))[..., None]
    elif look.style == "striped":
        picture += (np.sign(np.sin((x + y) * np.float32(60))) * soft * np.float32(0.04))[..., None]
    elif look.style == "knob":
        ring = np.clip(
            (np.float32(0.02) - np.abs(np.hypot(x, y) - np.float32(0.22))) * aa + np.float32(0.5), 0, 1
        )
        picture += (
            ring * push * soft * np.float32(0.35) + (np.hypot(x, y) < 0.22) * np.float32(0.06) * push
        )[..., None]
    elif look.style == "framed":
        picture += ((outline(0.88, 0.06) - outline(0.5, 0.02)) * push * soft * np.float32(0.25))[..., None]
    elif look.style == "ridge":
        picture += (np.clip(np.float32(0.3) - np.abs(lit), 0, 1) * soft * push)[..., None]
    if look.joined == "squares":
        cap = np.clip(inside * aa + np.float32(0.5), 0, 1)[..., None]
        picture = np.array(look.carrier, np.float32) * (1 - cap) + picture * cap
    return np.clip(picture, 0, 1).astype(np.float32)


def paint_domino(
    one: Floats, other: Floats, standing: bool, look: DominoLook, rng: np.random.Generator
) -> Picture:
    """BGRA of a domino from its two faces: left and right, or top and bottom when `standing`."""
    px = one.shape[0]
    faces = np.concatenate([one, other], axis=0 if standing else 1)
    h, w = faces.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = (x + np.float32(0.5) - w / 2) / px, (y + np.float32(0.5) - h / 2) / px
    gap = (1 - look.size) / 2
    inside = inside_box(x, y, w / px / 2 - gap, h / px / 2 - gap, look.corner)
    if look.joined == "seam":
        seam = np.abs(y if standing else x)
        dark = np.clip((np.float32(0.018) - seam) * px + np.float32(0.5), 0, 1) * np.float32(0.55)
        faces = faces * (1 - dark[..., None])
    shade = np.clip(1 - inside / np.float32(0.05), 0, 1) * np.float32(0.25 * look.strength)
    side = np.sign(x * np.float32(np.cos(look.lit_from)) + y * np.float32(np.sin(look.lit_from)))
    faces = faces + (shade * side)[..., None]
    if look.wear and rng.random() < look.wear:
        for _ in range(int(rng.integers(1, 4))):
            ends = [(int(rng.integers(w)), int(rng.integers(h))) for _ in range(2)]
            near = (ends[0][0] + (ends[1][0] - ends[0][0]) // 4, ends[0][1] + (ends[1][1] - ends[0][1]) // 4)
            faces = np.ascontiguousarray(faces, np.float32)
            cv2.line(faces, ends[0], near, (0.8, 0.8, 0.8), 1, cv2.LINE_AA)
    out = np.empty((h, w, 4), np.uint8)
    out[..., :3] = np.clip(faces * 255 + 0.5, 0, 255)
    out[..., 3] = np.clip(inside * px + np.float32(0.5), 0, 1) * 255
    return out


@lru_cache(maxsize=4)
def _grain() -> Floats:
    """(384, 384) wood grain and clouds around 0."""
    rng = np.random.default_rng(11)
    streaks = cv2.resize(
        rng.normal(0, 1, (6, 96)).astype(np.float32), (384, 384), interpolation=cv2.INTER_CUBIC
    )
    return np.asarray(streaks + 0.3 * rng.normal(0, 1, (384, 384)), np.float32)


@lru_cache(maxsize=4)
def _clouds() -> Floats:
    rng = np.random.default_rng(12)
    return np.asarray(
        cv2.resize(rng.normal(0, 1, (9, 9)).astype(np.float32), (384, 384), interpolation=cv2.INTER_CUBIC),
        np.float32,
    )


def paint_back(look: RampLook, rows: int, columns: int, px: int, rng: np.random.Generator) -> Picture:
    """BGRA of the printed back board: title strip, then the cells; margins on the sides and below."""
    h, w = round((look.header + rows + look.margin) * px), round((columns + 2 * look.margin) * px)
    picture = np.empty((h, w, 4), np.uint8)
    picture[:] = (*byte(look.print_colour), 255)
    if look.backdrop != "plain":
        if look.backdrop == "gradient":
            tone = np.linspace(0.75, 1.25, h, dtype=np.float32)[:, None] * np.ones((1, w), np.float32)
        elif look.backdrop == "wood":
            tone = 1 + np.float32(0.09) * cv2.resize(_grain(), (w, h))
        else:
            tone = 1 + np.float32(0.06) * cv2.resize(_clouds(), (w, h))
        for channel, value in enumerate(byte(look.print_colour)):
            picture[..., channel] = np.clip(tone * value, 0, 255)
    ink = (*byte(look.grid_colour), 255)
    thick = max(1, round(look.grid_width * px))
    for row in range(rows + 1):
        for column in range(columns + 1):
            x, y = round((look.margin + column) * px), round((look.header + row) * px)
            if look.grid_kind == "crosses":
                reach = round(0.15 * px)
                cv2.line(picture, (x - reach, y), (x + reach, y), ink, thick)
                cv2.line(picture, (x, y - reach), (x, y + reach), ink, thick)
            if row == rows or column == columns:
                continue
            inset = round(0.08 * px)
            if look.grid_kind == "boxes":
                cv2.rectangle(
                    picture, (x + inset, y + inset), (x + px - inset, y + px - inset), ink, thick, cv2.LINE_AA
                )
            elif look.grid_kind == "checks" and (row + column) % 2:
                tone3 = np.array(look.print_colour) * 0.8 + np.array(look.grid_colour) * 0.2
                cv2.rectangle(picture, (x, y), (x + px - 1, y + px - 1), (*byte(tuple(tone3)), 255), -1)
            elif look.grid_kind == "dots":
                cv2.circle(
                    picture, (x + px // 2, y + px // 2), max(2, round(0.07 * px)), ink, -1, cv2.LINE_AA
                )
    if look.grid_kind in ("lines", "checks"):
        for row in range(rows + 1):
            y = round((look.header + row) * px)
            cv2.line(picture, (round(look.margin * px), y), (w - round(look.margin * px), y), ink, thick)
        for column in range(columns + 1):
            x = round((look.margin + column) * px)
            cv2.line(picture, (x, round(look.header * px)), (x, round((look.header + rows) * px)), ink, thick)
    if look.title and look.header > 0.5:
        _print_title(picture, look, px)
    return picture


def _print_title(picture: Picture, look: RampLook, px: int) -> None:
    size = round(look.title_size * px)
    # Letters are cut to their own height, so only capitals can be set one by one.
    parts = tuple(look.title) if look.title.isupper() else (look.title,)
    masks = [glyph(part, look.title_style, size) for part in parts]
    gap = round(0.12 * size)
    total = sum(m.shape[1] for m in masks) + gap * (len(masks) - 1)
    left = (picture.shape[1] - total - 2 * gap) * look.title_at + gap
    top = round((look.header * px - size) / 2)
    for k, mask in enumerate(masks):
        ink = look.title_inks[k % len(look.title_inks)]
        if look.title_rim:
            grown = cv2.dilate(
                cv2.copyMakeBorder(mask, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=(0,)),
                np.ones((5, 5), np.uint8),
            )
            _print(
                picture, grown, round(left) - 3, top - 3, (255, 255, 255) if luma(ink) < 0.8 else (40, 40, 40)
            )
        _print(picture, mask, round(left), top, byte(ink))
        left += mask.shape[1] + gap


def _print(picture: Picture, mask: npt.NDArray[np.uint8], x: int, y: int, ink: tuple[int, int, int]) -> None:
    x, y = max(0, x), max(0, y)
    part = picture[y : y + mask.shape[0], x : x + mask.shape[1], :3]
    alpha = mask[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = part + (np.array(ink, np.float32) - part) * alpha
