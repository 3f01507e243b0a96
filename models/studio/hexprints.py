"""What is printed on a Mi pasuje! board besides its cells: patterns, frames, logos, rules, valves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from models.studio import hexes
from models.studio.digits import Style, glyph
from models.studio.inks import BLACK, WHITE, Colour, byte, luma, rgb
from models.studio.plan import Picture

BORDER_INKS = tuple(
    rgb(t) for t in ("e5322b", "fbe93b", "b4d334", "f6a01e", "f7cfd6", "56b4ec", "129ea2", "c9cdd0")
)


@dataclass(frozen=True, slots=True)
class BoardLook:
    """The print and make of one board. Lengths in sides."""

    colour: Colour
    backdrop: str
    """"plain", "gradient", "rays", "mottled", "stripes"; "honeycomb" and "dots" are the exam set's."""
    margins: tuple[float, float, float, float]
    """Left, top, right, bottom, from the outermost tiles' edges."""
    corner: float
    """Radius of the board's corners."""
    cell_fill: Colour | None
    cell_line: Colour | None
    line_width: float
    recess: float
    """How deep cells look pressed in, 0 … 1."""
    frame: Colour | None
    frame_gap: float
    serrated: bool
    word: str
    word_ink: Colour
    word_style: Style
    word_turn: float
    small_print: str
    rules: bool
    corner_marks: bool
    pictures: bool
    valve: str
    """"wheel", "rings", "cross"; "petals" is the exam set's."""
    thickness: float
    gloss: float


@lru_cache(maxsize=2)
def _mottle() -> np.ndarray:
    """(512, 512) float32 clouds around 0."""
    rng = np.random.default_rng(5)
    total = np.zeros((512, 512), np.float32)
    for cells in (6, 24, 96):
        total += cv2.resize(
            rng.normal(0, 1, (cells, cells)).astype(np.float32), (512, 512), interpolation=cv2.INTER_CUBIC
        )
    return total


def backdrop(picture: Picture, look: BoardLook, rng: np.random.Generator) -> None:
    """The pattern behind everything else, over a picture of one colour."""
    h, w = picture.shape[:2]
    if look.backdrop == "plain":
        return
    if look.backdrop in ("gradient", "mottled"):
        if look.backdrop == "gradient":
            y, x = np.mgrid[-0.5:0.5:32j, -0.5:0.5:32j]
            small = 1 + x * rng.uniform(-0.6, 0.6) + y * rng.uniform(-0.6, 0.6)
        else:
            small = 1 + 0.08 * _mottle()
        tone = cv2.resize(np.clip(small, 0.3, 1.7).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
        for channel in range(3):
            picture[..., channel] = np.clip(tone * np.float32(picture[0, 0, channel]), 0, 255)
        return
    ink = (*byte(look.colour, 1 + float(rng.choice([-1, 1])) * float(rng.uniform(0.08, 0.3))), 255)
    centre, reach = np.array([w / 2, h / 2]), float(np.hypot(w, h))
    shapes: list[np.ndarray] = []
    if look.backdrop == "rays":
        count = int(rng.integers(8, 24))
        for k in range(count):
            turns = (np.array([k, k + 0.5]) * 2 * np.pi) / count
            shapes.append(np.vstack([centre, centre + reach * np.stack([np.cos(turns), np.sin(turns)], 1)]))
    elif look.backdrop == "stripes":
        step, lean = float(rng.uniform(0.03, 0.12)) * w, float(rng.uniform(-1, 1)) * h
        for x in np.arange(-abs(lean), w + abs(lean), step):
            shapes.append(np.array([[x, 0], [x + step / 2, 0], [x + step / 2 + lean, h], [x + lean, h]]))
    else:
        size = float(rng.uniform(0.02, 0.06)) * w
        honeycomb = look.backdrop == "honeycomb"
        for row, y in enumerate(np.arange(0, h + size, size * hexes.ROOT3)):
            for x in np.arange((row % 2) * size * 1.5, w + size, size * 3):
                shapes.append(hexes.hexagon((float(x), float(y)), size * (0.85 if honeycomb else 0.4)))
    cv2.fillPoly(picture, [np.round(shape * 16).astype(np.int32) for shape in shapes], ink, cv2.LINE_AA, 4)


def paint_valve(
    picture: Picture, at: tuple[float, float], kind: str, radius: float, ink: tuple[int, int, int]
) -> None:
    """A valve's symbol: a ring with or without spokes."""
    centre = (round(at[0] * 16), round(at[1] * 16))
    colour = (*ink, 255)
    thick = max(1, round(radius * 0.16))

    def ring(share: float) -> None:
        cv2.circle(picture, centre, round(radius * share * 16), colour, thick, cv2.LINE_AA, 4)

    ring(1.0)
    spokes = {"wheel": 4, "cross": 2, "rings": 0, "petals": 6}[kind]
    for k in range(spokes):
        angle = np.pi * (k / max(1, spokes) * (2 if kind != "cross" else 1) + 0.25)
        inner = 0.35 if kind != "cross" else -1.0
        ends = [
            (
                round((at[0] + radius * s * np.cos(angle)) * 16),
                round((at[1] + radius * s * np.sin(angle)) * 16),
            )
            for s in (inner, 1.0)
        ]
        cv2.line(picture, ends[0], ends[1], colour, thick, cv2.LINE_AA, 4)
    if kind in ("wheel", "rings", "petals"):
        ring(0.38 if kind != "rings" else 0.6)


def _blit(picture: Picture, mask: np.ndarray, left: float, top: float, ink: tuple[int, int, int]) -> None:
    h, w = mask.shape
    x0, y0 = max(0, round(left)), max(0, round(top))
    x1, y1 = min(picture.shape[1], x0 + w), min(picture.shape[0], y0 + h)
    if x1 <= x0 or y1 <= y0:
        return
    part = picture[y0:y1, x0:x1, :3].astype(np.float32)
    alpha = mask[: y1 - y0, : x1 - x0, None].astype(np.float32) / 255
    picture[y0:y1, x0:x1, :3] = part + (np.array(ink, np.float32) - part) * alpha


def _turned(mask: np.ndarray, turn: float) -> np.ndarray:
    if not turn:
        return mask
    h, w = mask.shape
    reach = int(np.hypot(h, w)) + 2
    move = cv2.getRotationMatrix2D((w / 2, h / 2), -np.degrees(turn), 1.0)
    move[:, 2] += (reach - w) / 2, (reach - h) / 2
    turned = np.asarray(cv2.warpAffine(mask, move, (reach, reach)))
    rows, columns = np.flatnonzero(turned.any(axis=1)), np.flatnonzero(turned.any(axis=0))
    return turned[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def decorate(picture: Picture, look: BoardLook, board: str, px: int, rng: np.random.Generator) -> None:
    """Everything printed around the cells."""
    h, w = picture.shape[:2]
    gap = round(look.frame_gap * px)
    ink = byte(look.word_ink)
    if look.frame is not None:
        cv2.rectangle(
            picture,
            (gap, gap),
            (w - gap, h - gap),
            (*byte(look.frame), 255),
            max(1, round(0.04 * px)),
            cv2.LINE_AA,
        )
    if look.serrated:
        _serrated_borders(picture, px, rng)
    if look.word:
        lines = look.word.split(" ") if " " in look.word and rng.random() < 0.6 else [look.word]
        top = float(gap * 1.6)
        for k, word in enumerate(lines):
            mask = _turned(
                glyph(word, look.word_style, round(px * float(rng.uniform(0.35, 0.6)))), look.word_turn
            )
            left = gap * 1.6 + k * rng.uniform(0, 0.5) * px
            if look.word_turn and luma(look.colour) < 0.5:
                _blit(picture, mask, left + 0.04 * px, top + 0.04 * px, (0, 0, 0))
            _blit(picture, mask, left, top, ink)
            top += mask.shape[0] * 1.15
    if look.small_print:
        mask = glyph(look.small_print, Style("pillow", weight=0.0, width=1.0), max(6, round(px * 0.16)))
        _blit(
            picture,
            mask,
            gap * 1.5,
            h - gap * 1.4 - mask.shape[0],
            byte(WHITE if luma(look.colour) < 0.5 else BLACK),
        )
    if look.rules:
        _rule_lines(picture, look, px, rng)
    if look.corner_marks:
        for name, left in (("rays", gap * 1.4), ("crescent", w - gap * 1.4 - 0.6 * px)):
            _blit(picture, hexes.mark_mask(name, round(0.6 * px)), left, h - gap * 1.4 - 0.6 * px, ink)
    if look.pictures:
        for left in (0.9, (w / px) - 1.3):
            _cartoon(picture, (left * px, h - 0.9 * px), px, rng)
    if board != "standard":
        paint_valve(
            picture, (w - 0.9 * px, 0.9 * px), "rings" if rng.random() < 0.4 else look.valve, 0.6 * px, ink
        )


def _serrated_borders(picture: Picture, px: int, rng: np.random.Generator) -> None:
    h, w = picture.shape[:2]
    band = max(3, round(0.12 * px))
    along = (np.arange(max(h, w)) / px).astype(np.float32)
    inks = [BORDER_INKS[i] for i in rng.permutation(len(BORDER_INKS))]
    names = tuple(hexes.PROFILES)
    for k in range(8):
        edge = hexes.PROFILES[names[int(rng.integers(len(names)))]](along[None], float(rng.uniform(3, 6)))[0]
        length = h if k % 2 else w
        start, stop = sorted((rng.uniform(0, 0.5, 2) + np.array([0.0, 0.5])) * length)
        depth = np.arange(2 * band)[:, None] < band * (0.8 + edge[None, int(start) : int(stop)])
        mask = (depth * 255).astype(np.uint8)
        offset = round(float(rng.uniform(0.04, 0.25)) * px)
        if k % 4 == 0:
            _blit(picture, mask, start, offset, byte(inks[k]))
        elif k % 4 == 1:
            _blit(picture, mask.T, offset, start, byte(inks[k]))
        elif k % 4 == 2:
            _blit(picture, mask[::-1], start, h - offset - 2 * band, byte(inks[k]))
        else:
            _blit(picture, mask[::-1].T, w - offset - 2 * band, start, byte(inks[k]))


def _rule_lines(picture: Picture, look: BoardLook, px: int, rng: np.random.Generator) -> None:
    """A column of small text down one edge: too small to read, as on real boards."""
    h, w = picture.shape[:2]
    ink = byte(WHITE if luma(look.colour) < 0.5 else BLACK)
    left = 0.15 * px if rng.random() < 0.5 else w - 1.2 * px
    line = max(3, round(0.16 * px))
    for y in range(round(h * 0.75), round(h * 0.95), line):
        x = left
        while x < left + px:
            word = float(rng.uniform(0.08, 0.3)) * px
            cv2.line(
                picture, (round(x), y), (round(x + word), y), (*ink, 255), max(1, line // 4), cv2.LINE_AA
            )
            x += word + 0.06 * px


def _cartoon(picture: Picture, at: tuple[float, float], px: int, rng: np.random.Generator) -> None:
    """A little figure: head, hair, jumper."""
    x, y = round(at[0]), round(at[1])
    tones = [tuple(int(v) for v in rng.integers(30, 250, 3)) for _ in range(3)]
    cv2.ellipse(
        picture,
        (x, y + round(0.5 * px)),
        (round(0.4 * px), round(0.4 * px)),
        0,
        180,
        360,
        (*tones[0], 255),
        -1,
        cv2.LINE_AA,
    )
    cv2.circle(picture, (x, y), round(0.24 * px), (150, 190, 240, 255), -1, cv2.LINE_AA)
    cv2.ellipse(
        picture,
        (x, y - round(0.08 * px)),
        (round(0.26 * px), round(0.2 * px)),
        0,
        180,
        360,
        (*tones[1], 255),
        -1,
        cv2.LINE_AA,
    )
    for side in (-1, 1):
        cv2.circle(
            picture,
            (x + side * round(0.09 * px), y),
            max(1, round(0.05 * px)),
            (255, 255, 255, 255),
            -1,
            cv2.LINE_AA,
        )
