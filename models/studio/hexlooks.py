"""What the tiles of a Mi pasuje! edition look like: the known printings, and new ones invented at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.studio import hexes
from models.studio.digits import Style, random_style
from models.studio.hexes import FALLING, RISING, VALUES, VERTICAL, LineLook

Colour = tuple[float, float, float]
"""BGR, 0 … 1."""


def rgb(text: str) -> Colour:
    """A colour from its RRGGBB digits."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return blue, green, red


def rgbs(text: str) -> tuple[Colour, ...]:
    """Colours from RRGGBB words."""
    return tuple(rgb(word) for word in text.split())


REBEL = dict(enumerate(rgbs("1b1b1d f4f2ee f291bd 2f6fd0 8b8d90 dd2026 5db93a f58220 fddb16"), start=1))
RAVENSBURGER = dict(
    enumerate(rgbs("b9bcbe f7cfd6 ef83b4 56b4ec 109c9f e5322b b4d334 f6a01e fbe93b"), start=1)
)
OLDER = dict(enumerate(rgbs("b4b6ba f4b3d2 dc3e96 a4dcf4 129ea2 e2333a b4cf35 ee8030 fbe522"), start=1))
PLAYERS = rgbs("8c1d3a 0f6d78 6b4226 22683a 4a2366 14343f 1d2f6f 3b3b42 a05a12 7d1f1f")
RAVENSBURGER_BACKS = rgbs("6e2a1c 1d1a1c 0d6a63 1c2350 123c2b 5c2318")
OLDER_BACKS = rgbs("173c4e 14455a 123a40 1b3350")
INKS = rgbs(
    "e6261f f58a1f ffd91a 8ccb3c 1f9e4a 14a3a0 58c0ee 1f62c4 6b3fa0 c22f8e f48fb5 f9cfd8 ffffff bfc3c7 "
    "808489 1a1a1c 7a4a2a d9b48a 0b3c5d 9be0c8"
)
EXAM_INKS = rgbs(
    "b3121d ff5a36 f2b705 d6e03a 55a630 006d5b 2ec4d6 3a86ff 3d2c8d 9d4edd ff5d9e e8b4bc efe9d9 "
    "a3a9a0 5c6470 0f0f12 a0522d"
)
BACKS = rgbs(
    "12343b 0f6d78 22683a 4a2366 8c1d3a 1d2f6f 6b4226 2a2a2e f1ede2 e6d3a8 c9d6df 8d99ae 101014 9c6b3f "
    "b33951 3f7d20 ffffff 355070"
)
EXAM_BACKS = rgbs("2d4739 54122b 223a5e 4b4453 d8d4c4 6f5e3c 0b5563 7b2d8b")
WHITE, BLACK = (1.0, 1.0, 1.0), (0.04, 0.04, 0.05)


@dataclass(frozen=True, slots=True)
class DigitLook:
    """How digits are set. Lengths in sides."""

    style: Style
    height: float = 0.4
    reach: float = 0.56
    """From the tile's centre towards the end of the line."""
    aside: float = 0.0
    """Across the line: 0 sits on it."""
    upper: bool = False
    """Digits of the slanting lines at their upper ends."""
    both: bool = False
    ink: str = "black"
    """"black", "white", "contrast" with the line, or "line": the line's own colour."""
    rim: float = 0.0
    rim_ink: str = "white"
    plate: str = ""
    """"", "disc" or "box"."""


@dataclass(frozen=True, slots=True)
class MarkLook:
    """Where and how suns and moons are printed."""

    sun: str
    moon: str
    sun_ink: Colour
    moon_ink: Colour
    radius: float
    turn: float
    places: tuple[tuple[float, float], ...]
    on_jokers: bool


@dataclass(frozen=True, slots=True)
class TileLook:
    """One copy of the game: everything but the background is the same on all its tiles."""

    lines: Mapping[int, LineLook]
    order: str
    """"value": the higher number on top; otherwise the directions from bottom to top."""
    digits: DigitLook
    marks: MarkLook | None
    backs: tuple[Colour, ...]
    """Background colours the players of this copy have."""
    shading: float = 0.0
    """Difference of brightness across the background."""
    border: float = 0.0
    border_colour: Colour = BLACK
    bevel: float = 0.0
    linen: float = 0.0
    """Strength of an embossed surface."""
    wear: float = 0.3
    misprint: float = 0.01
    """How far the print may sit off the cut tile."""
    twist: str = "rope"
    twist_pitch: float = 1.1
    gloss: float = 0.25
    thickness: float = 0.1
    side: tuple[int, int, int] = (190, 200, 205)


def jitter(rng: np.random.Generator, colour: Colour, amount: float = 0.05) -> Colour:
    """The same colour from another print run."""
    shift = rng.normal(0, amount, 3) + rng.normal(0, amount)
    b, g, r = np.clip(np.array(colour) + shift, 0, 1)
    return float(b), float(g), float(r)


def lab(colours: Sequence[Colour]) -> np.ndarray:
    """(n, 3) CIE Lab of BGR colours."""
    pixels = np.array([colours], np.float32)
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB)[0])


def luma(colour: Colour) -> float:
    b, g, r = colour
    return 0.11 * b + 0.59 * g + 0.3 * r


def random_palette(rng: np.random.Generator, exam: bool, back: Colour) -> dict[int, Colour]:
    """Nine colours: those of one direction easy to tell apart, all of them different, none the background."""
    inks = EXAM_INKS if exam else INKS
    for _ in range(200):
        chosen = [jitter(rng, inks[i], 0.05) for i in rng.permutation(len(inks))[:9]]
        points = lab([*chosen, back])
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + 99 * np.eye(10)
        triples = [gaps[np.ix_(range(k, k + 3), range(k, k + 3))].min() for k in (0, 3, 6)]
        if min(triples) > 38 and gaps[:9, :9].min() > 13 and gaps[9].min() > 22:
            break
    values = [value for way in hexes.DIRECTIONS for value in VALUES[way]]
    return dict(zip(values, chosen, strict=True))


def _pick(rng: np.random.Generator, options: Sequence[str]) -> str:
    return options[int(rng.integers(len(options)))]


def random_marks(rng: np.random.Generator, exam: bool, back: Colour) -> MarkLook:
    """Suns and moons in the background between the lines (towards the corners), or in the middle."""
    pale = luma(back) < 0.5
    sun_ink = rgb(
        _pick(rng, ("ffe14a", "ffd23f", "ffffff", "ffb703") if pale else ("d98e04", "1a1a1a", "c1121f"))
    )
    moon_ink = rgb(
        _pick(rng, ("ffffff", "f2efdc", "bcd7f2", "ffe14a") if pale else ("1d3557", "1a1a1a", "5a189a"))
    )
    radius = float(rng.uniform(0.07, 0.15))
    reach = float(rng.uniform(0.6, 0.84 - 0.5 * radius))
    corners = rng.permutation(6)[: 1 if rng.random() < 0.75 else int(rng.integers(2, 4))]
    places = tuple(
        (reach * float(np.cos(k * np.pi / 3)), reach * float(np.sin(k * np.pi / 3))) for k in corners
    )
    if rng.random() < 0.05:
        places = ((0.0, 0.0),)
        radius = float(rng.uniform(0.12, 0.2))
    return MarkLook(
        sun=_pick(rng, hexes.EXAM_SUNS if exam else hexes.SUNS),
        moon=_pick(rng, hexes.EXAM_MOONS if exam else hexes.MOONS),
        sun_ink=sun_ink,
        moon_ink=moon_ink if rng.random() < 0.7 else sun_ink,
        radius=radius,
        turn=float(rng.choice([0.0, -0.5, np.pi, 0.6])),
        places=places,
        on_jokers=bool(rng.random() < 0.4),
    )


def rebel(rng: np.random.Generator, exam: bool) -> TileLook:
    """Pipes, the higher number on top, suns and moons; digit places vary, as no scan is known."""
    half = float(rng.uniform(0.1, 0.17))
    back = jitter(rng, PLAYERS[int(rng.integers(len(PLAYERS)))], 0.03)
    pipe = float(rng.choice([0.0, rng.uniform(0.3, 1.0)]))
    rim = float(rng.choice([0.0, rng.uniform(0.01, 0.03)]))
    lines = {
        value: LineLook(
            half,
            jitter(rng, colour, 0.03),
            roundness=pipe,
            rim=rim,
            rim_colour=BLACK if luma(colour) > 0.2 else (0.8, 0.8, 0.8),
            collar=float(rng.uniform(0.08, 0.16)) if pipe > 0.5 else 0.0,
        )
        for value, colour in REBEL.items()
    }
    height = float(rng.uniform(0.18, 0.4))
    on_line = bool(rng.random() < 0.75)
    outlined = height > 1.8 * half or not on_line or bool(rng.random() < 0.3)
    return TileLook(
        lines=lines,
        order="value"
        if rng.random() < 0.7
        else _pick(rng, ("rising falling vertical", "falling rising vertical", "vertical rising falling")),
        digits=DigitLook(
            random_style(rng, exam),
            height=height,
            reach=float(rng.uniform(0.56, 0.84 - height / 2 - 0.02)),
            aside=0.0 if on_line else float(rng.choice([-1, 1])) * (half + height * 0.42),
            upper=bool(rng.random() < 0.3),
            ink=_pick(rng, ("black", "white")) if outlined else "contrast",
            rim=float(rng.uniform(0.02, 0.05)) if outlined else 0.0,
            rim_ink="contrast",
        ),
        marks=random_marks(rng, exam, back),
        backs=(back,),
        shading=float(rng.uniform(0, 0.3)),
        border=float(rng.choice([0.0, rng.uniform(0.01, 0.05)])),
        border_colour=jitter(rng, (back[0] * 0.5, back[1] * 0.5, back[2] * 0.5), 0.02),
        bevel=float(rng.uniform(0, 0.6)),
        linen=float(rng.choice([0.0, rng.uniform(0.02, 0.06)])),
        twist=_pick(rng, ("rope", "braid", "stripes")),
        twist_pitch=float(rng.uniform(0.8, 1.6)),
        gloss=float(rng.uniform(0.1, 0.6)),
        thickness=float(rng.uniform(0.06, 0.14)),
    )


SERRATED: Mapping[int, tuple[str, str, float, float]] = {
    1: ("flat", "saw", 7.0, 0.07),
    2: ("flat", "scallop", 3.2, 0.1),
    3: ("castle", "flat", 3.0, 0.08),
    4: ("castle", "flat", 4.0, 0.09),
    5: ("saw", "saw", 3.4, 0.05),
    6: ("flat", "castle", 3.0, 0.09),
    7: ("flat", "steps", 3.0, 0.13),
    8: ("slant", "flat", 4.0, 0.1),
    9: ("wave", "wave", 2.6, 0.06),
}
"""value → left edge, right edge, teeth per side, depth, as far as photographs of the printings show them."""


def _serrated(rng: np.random.Generator, palette: Mapping[int, Colour]) -> dict[int, LineLook]:
    half, deep = float(rng.uniform(0.1, 0.14)), float(rng.uniform(0.8, 1.2))
    lines = {}
    for value, (left, right, teeth, depth) in SERRATED.items():
        lines[value] = LineLook(
            half,
            jitter(rng, palette[value], 0.03),
            left=left,
            right=right,
            teeth=teeth * float(rng.uniform(0.9, 1.1)),
            depth=depth * deep,
            phase=float(rng.uniform(0, 1)),
        )
    return lines


def _ravensburger_digits(rng: np.random.Generator, exam: bool) -> DigitLook:
    style = (
        random_style(rng, exam)
        if exam or rng.random() < 0.3
        else Style(
            weight=float(rng.uniform(0.17, 0.23)),
            width=float(rng.uniform(0.52, 0.66)),
            slant=float(rng.uniform(0, 0.15)),
            cap="round",
            wobble=float(rng.uniform(0, 0.02)),
            seed=int(rng.integers(1 << 16)),
        )
    )
    return DigitLook(
        style,
        height=float(rng.uniform(0.36, 0.46)),
        reach=float(rng.uniform(0.52, 0.6)),
        aside=float(rng.uniform(-0.05, 0.05)),
        ink="black",
        rim=float(rng.uniform(0.035, 0.06)),
        rim_ink="white",
    )


def ravensburger(rng: np.random.Generator, exam: bool) -> TileLook:
    """2005: a serrated edge of its own per value, vertical on top, big outlined digits, no marks."""
    return TileLook(
        lines=_serrated(rng, RAVENSBURGER),
        order=_pick(rng, ("falling rising vertical", "falling rising vertical", "rising falling vertical")),
        digits=_ravensburger_digits(rng, exam),
        marks=None,
        backs=tuple(
            jitter(rng, RAVENSBURGER_BACKS[i], 0.02) for i in rng.permutation(len(RAVENSBURGER_BACKS))[:2]
        ),
        bevel=float(rng.uniform(0.1, 0.7)),
        linen=float(rng.uniform(0.03, 0.1)),
        wear=float(rng.uniform(0.2, 1.0)),
        misprint=0.03,
        gloss=float(rng.uniform(0.2, 0.7)),
        thickness=float(rng.uniform(0.08, 0.16)),
    )


def older(rng: np.random.Generator, exam: bool) -> TileLook:
    """F.X. Schmid and early Ravensburger: dark petrol, the same fringes, worn."""
    return TileLook(
        lines=_serrated(rng, OLDER),
        order=_pick(rng, ("falling rising vertical", "rising falling vertical")),
        digits=_ravensburger_digits(rng, exam),
        marks=None,
        backs=tuple(jitter(rng, back, 0.02) for back in OLDER_BACKS[:2]),
        bevel=float(rng.uniform(0, 0.5)),
        linen=float(rng.uniform(0.02, 0.08)),
        wear=float(rng.uniform(0.5, 1.5)),
        misprint=0.04,
        gloss=float(rng.uniform(0.1, 0.5)),
        thickness=float(rng.uniform(0.08, 0.16)),
    )


def invented(rng: np.random.Generator, exam: bool) -> TileLook:
    """A printing nobody has seen."""
    backs = EXAM_BACKS if exam else BACKS
    back = jitter(rng, backs[int(rng.integers(len(backs)))], 0.04)
    known = (REBEL, RAVENSBURGER, OLDER)[int(rng.integers(3))]
    palette = (
        {value: jitter(rng, colour, 0.05) for value, colour in known.items()}
        if not exam and rng.random() < 0.35
        else random_palette(rng, exam, back)
    )
    half = float(rng.uniform(0.075, 0.225))
    edges = tuple(hexes.EXAM_PROFILES if exam else hexes.PROFILES)
    kind = _pick(rng, ("plain", "plain", "pipes", "serrated", "same-serrated"))
    pipe = float(rng.uniform(0.4, 1)) if kind == "pipes" else float(rng.choice([0, 0, 0.3]))
    rim = float(rng.choice([0.0, 0.0, rng.uniform(0.01, 0.035)]))
    rim_ink = (BLACK, WHITE, back)[int(rng.integers(3))]
    short = float(rng.choice([0.0, 0.0, 0.0, rng.uniform(0.02, 0.09)]))
    one_edge, one_teeth, one_depth = (
        _pick(rng, edges),
        float(rng.uniform(2, 7)),
        float(rng.uniform(0.03, 0.09)),
    )
    lines = {}
    for value in range(1, 10):
        fringed = kind in ("serrated", "same-serrated")
        edge = one_edge if kind == "same-serrated" else _pick(rng, edges)
        other = edge if rng.random() < 0.5 else "flat"
        lines[value] = LineLook(
            half * float(rng.uniform(0.9, 1.1) if kind == "serrated" else 1.0),
            palette[value],
            left=other if fringed else "flat",
            right=edge if fringed else "flat",
            teeth=one_teeth if kind == "same-serrated" else float(rng.uniform(2, 7)),
            depth=(one_depth if kind == "same-serrated" else float(rng.uniform(0.03, 0.11)))
            if fringed
            else 0.0,
            phase=float(rng.uniform(0, 1)),
            rim=rim,
            rim_colour=rim_ink,
            roundness=pipe,
            short=short,
            collar=float(rng.uniform(0.06, 0.16)) if kind == "pipes" and rim else 0.0,
        )
    plated = _pick(rng, ("", "", "", "disc", "box"))
    height = float(rng.uniform(0.17, 0.32 if plated else 0.5))
    on_line = bool(rng.random() < 0.7)
    ink = _pick(rng, ("black", "white", "contrast", "contrast", "line"))
    needs_rim = not plated and (ink != "contrast" or not on_line or height > 2.2 * half)
    if plated and ink == "line":
        ink = "contrast"
    tall = height * (1.35 if plated else 1.0)
    aside = 0.0 if on_line else float(rng.choice([-1, 1])) * (half + height * 0.4)
    return TileLook(
        lines=lines,
        order="value" if rng.random() < 0.35 else " ".join(rng.permutation([VERTICAL, RISING, FALLING])),
        digits=DigitLook(
            random_style(rng, exam),
            height=height,
            reach=float(rng.uniform(min(0.5, 0.82 - tall / 2), 0.84 - tall / 2)),
            aside=aside,
            upper=bool(rng.random() < 0.25),
            both=bool(rng.random() < 0.06) and height < 0.32,
            ink=ink,
            rim=float(rng.uniform(0.025, 0.06)) if needs_rim or rng.random() < 0.15 else 0.0,
            rim_ink=_pick(rng, ("contrast", "white", "contrast")) if ink != "white" else "contrast",
            plate=plated,
        ),
        marks=random_marks(rng, exam, back) if rng.random() < 0.7 else None,
        backs=(back,),
        shading=float(rng.choice([0.0, rng.uniform(0, 0.5)])),
        border=float(rng.choice([0.0, rng.uniform(0.01, 0.07)])),
        border_colour=(BLACK, WHITE, jitter(rng, back, 0.2))[int(rng.integers(3))],
        bevel=float(rng.choice([0.0, rng.uniform(0, 1.0)])),
        linen=float(rng.choice([0.0, rng.uniform(0.02, 0.1)])),
        wear=float(rng.uniform(0, 1.0)),
        misprint=float(rng.uniform(0, 0.035)),
        twist=_pick(rng, ("rope", "braid", "stripes")),
        twist_pitch=float(rng.uniform(0.7, 1.8)),
        gloss=float(rng.uniform(0.05, 0.8)),
        thickness=float(rng.uniform(0.04, 0.2)),
        side=tuple(int(v) for v in rng.integers(30, 220, 3)) if rng.random() < 0.4 else (190, 200, 205),  # type: ignore[arg-type]
    )


LOOKS = {"rebel": rebel, "ravensburger-2005": ravensburger, "older": older, "random": invented}
