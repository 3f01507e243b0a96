"""The printed board under Mi pasuje! tiles: frames, cells, valves, logos, rules along the edge."""

from __future__ import annotations

import cv2
import numpy as np

from models.studio import hexes
from models.studio.digits import Style
from models.studio.hexprints import BoardLook, backdrop, decorate, paint_valve
from models.studio.inks import BLACK, WHITE, Colour, byte, jitter, luma, rgb
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
EXAM_WORDS = ("KAFELKI", "HEX-19", "ROW UP", "Trafione")
SMALL_PRINT = (
    "© 2005 Spieleverlag · 871906",
    "1–5–9 · 2–6–7 · 3–4–8",
    "Zasady gry na odwrocie",
    "Made in EU 12-004",
)


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
    # Filled as whole words: four times faster than channel by channel.
    word = np.array([*byte(look.colour), 255], np.uint8).view(np.uint32)[0]
    picture: Picture = np.full((height, width, 1), word, np.uint32).view(np.uint8)
    if not simple:
        backdrop(picture, look, rng)
        decorate(picture, look, board, px, rng)
    for cell in cells:
        x, y = hexes.centre_of(cell)
        _paint_cell(picture, ((x - x0) * px, (y - y0) * px), look, px)
    for valve in hexes.valve_cells(board):
        x, y = hexes.centre_of(valve)
        ink = byte(WHITE if luma(look.cell_fill or look.colour) < 0.5 else BLACK)
        paint_valve(picture, ((x - x0) * px, (y - y0) * px), look.valve, 0.42 * px, ink)
    if look.corner:
        _round_corners(picture, round(look.corner * px))
    return picture


def _points(xy: np.ndarray) -> np.ndarray:
    return np.round(xy * 16).astype(np.int32)


def _paint_cell(picture: Picture, at: tuple[float, float], look: BoardLook, px: int) -> None:
    outline = _points(hexes.hexagon(at, px * 0.995))
    if look.cell_fill is not None:
        cv2.fillConvexPoly(picture, outline, (*byte(look.cell_fill), 255), cv2.LINE_AA, 4)
    if look.cell_line is not None:
        thick = max(1, round(look.line_width * px))
        cv2.polylines(picture, [outline], True, (*byte(look.cell_line), 255), thick, cv2.LINE_AA, 4)
    if look.recess:
        corners = _points(hexes.hexagon(at, px * 0.98))
        base = np.array(look.cell_fill or look.colour)
        dark, pale = base * (1 - 0.7 * look.recess), base + (1 - base) * 0.3 * look.recess
        thick = max(1, round(0.03 * px))
        cv2.polylines(
            picture, [corners[[3, 4, 5, 0]]], False, (*byte(tuple(dark)), 255), thick, cv2.LINE_AA, 4
        )
        cv2.polylines(
            picture, [corners[[0, 1, 2, 3]]], False, (*byte(tuple(pale)), 255), thick, cv2.LINE_AA, 4
        )


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
