"""The printed board under Mi pasuje! tiles: frames, cells, valves, logos, rules along the edge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from models.studio import hexes
from models.studio.digits import Style, glyph
from models.studio.hexlooks import BLACK, WHITE, Colour, jitter, luma, rgb
from models.studio.plan import Cell, Picture

WORDS = (
    "MI PASUJE!",
    "Mi pasuje",
    "TAKE IT EASY!",
    "TAKE IT",
    "EASY",
    "HEXA",
    "Linie",
    "SIMPLE",
    "Graj!",
    "Pasuje?",
)
EXAM_WORDS = ("KAFELKI", "Sześć", "ROW UP", "Trafione")
SMALL_PRINT = (
    "© 2005 Spieleverlag · 871906",
    "1–5–9 · 2–6–7 · 3–4–8",
    "Zasady gry na odwrocie",
    "Made in EU 12-004",
)
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


def _pick(rng: np.random.Generator, options: tuple[str, ...]) -> str:
    return options[int(rng.integers(len(options)))]


def random_board(rng: np.random.Generator, edition: str, tile_back: Colour, exam: bool) -> BoardLook:
    """A board for tiles with this background, as the edition would print it or freely invented."""
    blue = jitter(rng, rgb("1d2291"), 0.03)
    invented = edition == "random"
    same = jitter(rng, tile_back, 0.05)
    free = jitter(
        rng,
        rgb(
            _pick(
                rng,
                ("0f6d78", "22683a", "4a2366", "8c1d3a", "6b4226", "e9e2cf", "2b2d42", "c8553d", "f4f4f4"),
            )
        ),
        0.06,
    )
    colour = {"rebel": same, "ravensburger-2005": blue, "older": blue}.get(
        edition, same if rng.random() < 0.4 else free
    )
    dark = luma(colour) < 0.5
    pale = jitter(rng, (0.93, 0.92, 0.9), 0.02)
    roll = rng.random()
    if edition in ("ravensburger-2005", "older"):
        fill: Colour | None = pale
        line: Colour | None = (0.35, 0.3, 0.3)
    elif roll < 0.4:
        fill, line = jitter(rng, (colour[0] * 0.45, colour[1] * 0.45, colour[2] * 0.45), 0.02), None
    elif roll < 0.6:
        fill, line = None, WHITE if dark else BLACK
    elif roll < 0.8:
        fill, line = pale, (0.4, 0.4, 0.4)
    else:
        fill, line = jitter(rng, free, 0.1), BLACK if rng.random() < 0.5 else WHITE
    backdrops = (
        ("honeycomb", "dots") if exam else ("plain", "plain", "gradient", "rays", "mottled", "stripes")
    )
    wide = rng.uniform(0.15, 1.2, 4)
    return BoardLook(
        colour=colour,
        backdrop=_pick(rng, backdrops) if exam or edition not in ("ravensburger-2005", "older") else "plain",
        margins=(float(wide[0]), float(wide[1]), float(wide[2]), float(wide[3]))
        if invented and rng.random() < 0.3
        else (float(wide[0]), float(wide[1]), float(wide[0]), float(wide[1])),
        corner=float(rng.choice([0.0, rng.uniform(0.05, 0.5)])),
        cell_fill=fill,
        cell_line=line,
        line_width=float(rng.uniform(0.01, 0.05)),
        recess=float(rng.uniform(0.2, 1)) if rng.random() < 0.5 and edition != "older" else 0.0,
        frame=WHITE if edition == "older" or rng.random() < 0.3 else None,
        frame_gap=float(rng.uniform(0.12, 0.3)),
        serrated=edition == "ravensburger-2005" or (invented and rng.random() < 0.15),
        word=_pick(rng, EXAM_WORDS if exam else WORDS) if rng.random() < 0.85 else "",
        word_ink=rgb(
            _pick(rng, ("fbe93b", "ffffff", "e5322b", "f6a01e") if dark else ("c1121f", "1d3557", "111111"))
        ),
        word_style=Style(
            "pillow",
            weight=float(rng.choice([0.0, 0.05])),
            width=1.0,
            slant=float(rng.choice([0.0, 0.2])),
            reserved=exam,
        ),
        word_turn=float(rng.choice([0.0, rng.uniform(-0.4, 0.3)])),
        small_print=SMALL_PRINT[int(rng.integers(len(SMALL_PRINT)))] if rng.random() < 0.6 else "",
        rules=bool(invented and rng.random() < 0.3),
        corner_marks=bool(edition == "rebel" or rng.random() < 0.2),
        pictures=bool(edition == "older" or rng.random() < 0.15),
        valve="petals" if exam else _pick(rng, ("wheel", "rings", "cross")),
        thickness=float(rng.uniform(0.04, 0.14)),
        gloss=float(rng.uniform(0.05, 0.7)),
    )


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


def board_box(cells: tuple[Cell, ...], look: BoardLook) -> tuple[float, float, float, float]:
    """x0, y0, x1, y1 of the board in plane units."""
    centres = np.array([hexes.centre_of(cell) for cell in cells])
    left, top, right, bottom = look.margins
    x0, y0 = centres.min(axis=0) - np.array([1 + left, hexes.APOTHEM + top])
    x1, y1 = centres.max(axis=0) + np.array([1 + right, hexes.APOTHEM + bottom])
    return float(x0), float(y0), float(x1), float(y1)


def paint_board(look: BoardLook, board: str, px: int, rng: np.random.Generator, simple: bool) -> Picture:
    """BGRA picture that covers `board_box`, `px` pixels per side."""
    cells = hexes.board_cells(board)
    x0, y0, x1, y1 = board_box(cells, look)
    width, height = round((x1 - x0) * px), round((y1 - y0) * px)
    picture = np.empty((height, width, 4), np.uint8)
    colour = _byte(look.colour)
    picture[:] = (*colour, 255)
    if not simple:
        _backdrop(picture, look, rng)
        _decorate(picture, look, board, px, rng)
    for cell in cells:
        x, y = hexes.centre_of(cell)
        _paint_cell(picture, ((x - x0) * px, (y - y0) * px), look, px)
    for valve in hexes.valve_cells(board):
        x, y = hexes.centre_of(valve)
        ink = _byte(WHITE if luma(look.cell_fill or look.colour) < 0.5 else BLACK)
        _paint_valve(picture, ((x - x0) * px, (y - y0) * px), look.valve, 0.42 * px, ink)
    if look.corner:
        _round_corners(picture, round(look.corner * px))
    return picture


def _byte(colour: Colour) -> tuple[int, int, int]:
    b, g, r = (round(255 * min(1.0, max(0.0, c))) for c in colour)
    return b, g, r


def _backdrop(picture: Picture, look: BoardLook, rng: np.random.Generator) -> None:
    h, w = picture.shape[:2]
    small_h, small_w = max(2, h // 4), max(2, w // 4)
    y, x = np.mgrid[0:small_h, 0:small_w].astype(np.float32)
    y, x = y / small_h - 0.5, x / small_w - 0.5
    if look.backdrop == "gradient":
        shade = x * np.float32(rng.uniform(-0.6, 0.6)) + y * np.float32(rng.uniform(-0.6, 0.6))
    elif look.backdrop == "rays":
        shade = 0.13 * np.sign(np.sin(np.arctan2(y, x) * int(rng.integers(8, 24))))
    elif look.backdrop == "mottled":
        shade = 0.08 * cv2.resize(_mottle(), (small_w, small_h))
    elif look.backdrop == "stripes":
        shade = 0.1 * np.sign(np.sin((x * np.cos(1.0) + y) * rng.uniform(20, 90)))
    elif look.backdrop == "honeycomb":
        shade = 0.12 * (np.sin(x * 60) + np.sin(x * 30 + y * 52) + np.sin(x * 30 - y * 52) > 0.6)
    elif look.backdrop == "dots":
        shade = 0.15 * (np.sin(x * 70) * np.sin(y * 70) > 0.5)
    else:
        return
    full = cv2.resize(np.clip(1 + shade, 0.3, 1.7).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
    for channel in range(3):
        value = float(picture[0, 0, channel])
        picture[..., channel] = np.clip(full * value, 0, 255)


def _points(xy: np.ndarray) -> np.ndarray:
    return np.round(xy * 16).astype(np.int32)


def _paint_cell(picture: Picture, at: tuple[float, float], look: BoardLook, px: int) -> None:
    outline = _points(hexes.hexagon(at, px * 0.995))
    if look.cell_fill is not None:
        cv2.fillConvexPoly(picture, outline, (*_byte(look.cell_fill), 255), cv2.LINE_AA, 4)
    if look.cell_line is not None:
        thick = max(1, round(look.line_width * px))
        cv2.polylines(picture, [outline], True, (*_byte(look.cell_line), 255), thick, cv2.LINE_AA, 4)
    if look.recess:
        corners = _points(hexes.hexagon(at, px * 0.98))
        base = np.array(look.cell_fill or look.colour)
        dark, pale = base * (1 - 0.7 * look.recess), base + (1 - base) * 0.3 * look.recess
        thick = max(1, round(0.03 * px))
        cv2.polylines(
            picture, [corners[[3, 4, 5, 0]]], False, (*_byte(tuple(dark)), 255), thick, cv2.LINE_AA, 4
        )
        cv2.polylines(
            picture, [corners[[0, 1, 2, 3]]], False, (*_byte(tuple(pale)), 255), thick, cv2.LINE_AA, 4
        )


def _paint_valve(
    picture: Picture, at: tuple[float, float], kind: str, radius: float, ink: tuple[int, int, int]
) -> None:
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


def _round_corners(picture: Picture, radius: int) -> None:
    h, w = picture.shape[:2]
    radius = min(radius, h // 2, w // 2)
    if radius < 1:
        return
    y, x = np.mgrid[0:radius, 0:radius] + 0.5
    corner = np.clip(radius - np.hypot(radius - x, radius - y) + 0.5, 0, 1) * 255
    alpha = corner.astype(np.uint8)
    picture[:radius, :radius, 3] = alpha
    picture[:radius, w - radius :, 3] = alpha[:, ::-1]
    picture[h - radius :, :radius, 3] = alpha[::-1]
    picture[h - radius :, w - radius :, 3] = alpha[::-1, ::-1]


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


def _decorate(picture: Picture, look: BoardLook, board: str, px: int, rng: np.random.Generator) -> None:
    h, w = picture.shape[:2]
    gap = round(look.frame_gap * px)
    ink = _byte(look.word_ink)
    if look.frame is not None:
        cv2.rectangle(
            picture,
            (gap, gap),
            (w - gap, h - gap),
            (*_byte(look.frame), 255),
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
            _byte(WHITE if luma(look.colour) < 0.5 else BLACK),
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
        _paint_valve(
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
            _blit(picture, mask, start, offset, _byte(inks[k]))
        elif k % 4 == 1:
            _blit(picture, mask.T, offset, start, _byte(inks[k]))
        elif k % 4 == 2:
            _blit(picture, mask[::-1], start, h - offset - 2 * band, _byte(inks[k]))
        else:
            _blit(picture, mask[::-1].T, w - offset - 2 * band, start, _byte(inks[k]))


def _rule_lines(picture: Picture, look: BoardLook, px: int, rng: np.random.Generator) -> None:
    """A column of small text down one edge: too small to read, as on real boards."""
    h, w = picture.shape[:2]
    ink = _byte(WHITE if luma(look.colour) < 0.5 else BLACK)
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
